"""A limit as tables: text in the shape that statsmodels' users know, HTML, a DataFrame, JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from novikoff.wording import count, plural, table_html, table_text

if TYPE_CHECKING:
    from novikoff.regression.limit.limit import Limit

MOST_PROFILED = 200  # coefficients with tests and intervals, unless they are asked for
MOST_PRINTED = 500  # coefficients in a printed table; `frame` has all
MOST_DETERMINED = 10  # combinations that are finite, in a printed summary
SHOWN = {"left out": "left out", "not determined": "undetermined"}
COUNTED = "AIC counts the parameters at infinity too"


class Row(NamedTuple):
    """A coefficient in a summary: its name, its state, and numbers."""

    name: str
    state: str
    estimate: float
    standard_error: float
    statistic: float
    p_value: float
    lower: float
    upper: float


@dataclass(frozen=True, eq=False, repr=False)
class Summary:
    """A limit as it is usually printed after a fit.

    rows : one for each coefficient that is shown
    facts : pairs of a name and a text, about the model
    notes : sentences
    """

    rows: tuple[Row, ...]
    level: float
    intervals: bool
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]

    @property
    def _heads(self) -> dict[str, int]:
        """What the columns of numbers are called, with the digits that they show."""
        share = (1 - self.level) / 2
        ends = {"LR": 3, "P>LR": 3, f"[{share:.4g}": 4, f"{1 - share:.4g}]": 4}
        return {"coef": 4, "std err": 4} | (ends if self.intervals else {})

    @property
    def frame(self) -> Any:
        """The table as a DataFrame of pandas, a row for each coefficient."""
        import pandas

        heads = list(self._heads)
        values = [[*row[2 : 2 + len(heads)], row.state] for row in self.rows]
        return pandas.DataFrame(values, [row.name for row in self.rows], [*heads, "state"])

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        entries = []
        for name, state, *values in self.rows[:MOST_PRINTED]:
            shown = zip(values, self._heads.values(), strict=False)
            numbers = [_number(value, digits) for value, digits in shown]
            numbers[0] = SHOWN.get(state) or numbers[0]
            entries.append([name, *numbers])
        if len(self.rows) > MOST_PRINTED:
            more = f"… ({len(self.rows)} in all; .frame has them)"
            entries.append([more, *[""] * len(self._heads)])
        return ["", *self._heads], entries

    def __str__(self) -> str:
        width = max(len(name) for name, _ in self.facts)
        facts = "\n".join(f"{name + ':':<{width + 1}}  {text}" for name, text in self.facts)
        heads, entries = self._cells()
        widths = [max(map(len, column)) for column in zip(heads, *entries, strict=True)]
        aligned = [  # numbers to the right, as statsmodels has them
            [line[0], *(cell.rjust(n) for cell, n in zip(line[1:], widths[1:], strict=True))]
            for line in (heads, *entries)
        ]
        table = table_text(aligned[0], aligned[1:])
        return "\n\n".join([facts, table, "\n".join(self.notes)]).rstrip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        facts = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in self.facts
        )
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return f"<table>{facts}</table>{table_html(*self._cells())}{notes}"


def _number(value: float, digits: int = 4) -> str:
    if math.isnan(value):
        return ""
    if math.isinf(value):
        return "+∞" if value > 0 else "-∞"
    is_small = 0 < abs(value) < 10.0 ** (-digits)
    return f"{value:.3e}" if is_small or abs(value) >= 1e6 else f"{value:.{digits}f}"


def summary_of(
    limit: Limit, places: Sequence[int], level: float, intervals: bool | None
) -> Summary:
    """The rows of these coefficients, and what is said of the model."""
    few, verdict = len(places) <= MOST_PROFILED, limit.verdict
    intervals = few if intervals is None else intervals
    errors = few or limit.maximum.problem.is_factored
    facts = [
        ("Model", verdict.model),
        ("Estimate", "finite" if verdict.status == "finite" else "infinite: at its supremum"),
        ("No. Observations", f"{verdict.n_rows}"),
        ("Predicted perfectly", f"{verdict.n_rows - len(limit.core.left)}"),
        ("Log-Likelihood", f"{limit.log_likelihood:.6g}"),
        *([] if limit.deviance is None else [("Deviance", f"{limit.deviance:.6g}")]),
        ("Df Model, Residuals", f"{limit.df_model}, {limit.df_residual}"),
        ("AIC", f"{limit.aic:.6g}"),
        ("Newton", f"{count(limit.steps, 'step')}, gradient {limit.gradient_norm:.1e}, at most "
                   f"{limit.decrement / 2:.1e} below the supremum"),
    ]  # fmt: skip
    notes = _notes(limit, intervals)
    there = {"standard errors": errors, "intervals": intervals}
    if not few and not all(there.values()):
        missing = " and ".join(name for name, is_there in there.items() if not is_there)
        notes.append(
            f"{len(places)} coefficients are shown without {missing}; name up to {MOST_PROFILED} "
            "of them for these."
        )
    rows = tuple(_row(limit, place, level, intervals, errors) for place in places)
    return Summary(rows, level, intervals, tuple(facts), tuple(notes))


def _row(limit: Limit, place: int, level: float, intervals: bool, errors: bool) -> Row:
    name, state = limit.coefficients[place], limit.states[place]
    ends, test = (math.nan, math.nan), (math.nan, 0, math.nan)
    if intervals and state != "left out":
        ends, test = limit.interval(name, level)[:2], limit.test(name)
    error = limit.contrast(name).standard_error if errors and state == "finite" else math.nan
    return Row(name, state, float(limit.estimates[place]), error, test[0], test[2], *ends)


def _notes(limit: Limit, intervals: bool) -> list[str]:
    notes = []
    if limit.verdict.status == "infinite":
        n = len(limit.core.left)
        supremum = f"At its supremum every observation is predicted perfectly; {COUNTED}."
        if n:
            supremum = (
                f"Its supremum is that of the {count(n, 'observation')} that "
                f"{plural(n, 'is', 'are')} not predicted perfectly; df and standard errors are "
                f"theirs, and {COUNTED}."
            )
        notes.append(f"The likelihood has no maximum. {supremum}")
        shown = [
            f"{name} = {_number(found.estimate)} ({_number(found.standard_error)})"
            for name, found in limit.determined.items()
        ]
        if shown:
            more = f", … ({len(shown)} in all)" * (len(shown) > MOST_DETERMINED)
            these = plural(len(shown), "This combination is", "These combinations are")
            notes.append(f"{these} finite: {', '.join(shown[:MOST_DETERMINED])}{more}.")
    left_out = limit.core.relations.columns
    if left_out:
        notes.append(
            f"{count(len(left_out), 'column')} left out: "
            f"{plural(len(left_out), 'it is a combination', 'they are combinations')} of others."
        )
    if intervals:
        notes.append("LR tests a coefficient against 0; intervals are of the profile likelihood.")
    return notes


def to_dict(limit: Limit, summary: Summary) -> dict[str, Any]:
    """A limit and its summary for JSON."""
    whole = (
        "log_likelihood", "deviance", "n_parameters", "df_model", "df_residual", "aic", "steps",
        "gradient_norm", "decrement",
    )  # fmt: skip
    return {
        "model": limit.model,
        "status": limit.verdict.status,
        "n_rows": limit.verdict.n_rows,
        "n_left": len(limit.core.left),
        "level": summary.level,
        **{name: getattr(limit, name) for name in whole},
        "coefficients": {
            row.name: {key: _json(value) for key, value in list(row._asdict().items())[1:]}
            for row in summary.rows
        },
        "determined": {
            name: {"estimate": found.estimate, "standard_error": found.standard_error}
            for name, found in limit.determined.items()
        },
        "notes": list(summary.notes),
    }


def _json(value: Any) -> Any:
    """A text or a number as it is, an infinity as a text, and None for what is not a number."""
    if isinstance(value, str) or math.isfinite(value):
        return value
    return None if math.isnan(value) else "+inf" if value > 0 else "-inf"
