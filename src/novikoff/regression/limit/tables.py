"""A limit as tables: text in the shape that statsmodels' users know, HTML, a DataFrame, JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from novikoff.verdicts.collinear import combination
from novikoff.wording import count, plural, table_html, table_text

if TYPE_CHECKING:
    from novikoff.regression.limit.limit import Limit

MOST_PROFILED = 200  # coefficients with tests and intervals, unless they are asked for
MOST_PRINTED = 500  # coefficients in a printed table; `frame` has all
MOST_DETERMINED = 10  # combinations that are finite, in a printed summary
SHOWN = {"left out": "left out", "not determined": "undetermined"}
COUNTED = "AIC counts the parameters at infinity too"


def combination_text(line: Mapping[str, Fraction]) -> str:
    """'Bob' - 'Cem', and the like."""
    return combination(dict(line), None)


@dataclass(frozen=True)
class Row:
    """A coefficient in a summary."""

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

    def _columns(self) -> list[tuple[str, str, int]]:
        """Of each column of numbers its head, the field of a row, and the digits that it shows."""
        share = (1 - self.level) / 2
        columns = [("coef", "estimate", 4), ("std err", "standard_error", 4)]
        if self.intervals:
            columns += [("LR", "statistic", 3), ("P>LR", "p_value", 3)]
            columns += [(f"[{share:.4g}", "lower", 4), (f"{1 - share:.4g}]", "upper", 4)]
        return columns

    @property
    def frame(self) -> Any:
        """The table as a DataFrame of pandas, a row for each coefficient."""
        import pandas

        columns = {
            head: [getattr(row, name) for row in self.rows] for head, name, _ in self._columns()
        }
        columns["state"] = [row.state for row in self.rows]
        return pandas.DataFrame(columns, index=[row.name for row in self.rows])

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        columns = self._columns()
        entries = []
        for row in self.rows[:MOST_PRINTED]:
            numbers = [_number(getattr(row, name), digits) for _, name, digits in columns]
            numbers[0] = SHOWN.get(row.state) or numbers[0]
            entries.append([row.name, *numbers])
        if len(self.rows) > MOST_PRINTED:
            more = f"… ({len(self.rows)} in all; .frame has them)"
            entries.append([more, *[""] * len(columns)])
        return ["", *(head for head, _, _ in columns)], entries

    def __str__(self) -> str:
        width = max(len(name) for name, _ in self.facts)
        head = "\n".join(f"{name + ':':<{width + 1}}  {text}" for name, text in self.facts)
        table = table_text(*_aligned(*self._cells()))
        return "\n\n".join([head, table, "\n".join(self.notes)]).rstrip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        facts = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in self.facts
        )
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return f"<table>{facts}</table>{table_html(*self._cells())}{notes}"


def _aligned(headers: list[str], entries: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Cells of numbers to the right, as statsmodels has them."""
    cells = [headers, *entries]
    widths = [max(len(line[k]) for line in cells) for k in range(len(headers))]
    moved = [
        [line[0], *(line[k].rjust(widths[k]) for k in range(1, len(headers)))] for line in cells
    ]
    return moved[0], moved[1:]


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
    few = len(places) <= MOST_PROFILED
    intervals = few if intervals is None else intervals
    errors = few or limit.maximum.problem.columns.is_factored
    rows = [_row(limit, place, level, intervals, errors) for place in places]
    verdict = limit.verdict
    facts = [
        ("Model", verdict.model),
        ("Estimate", "finite" if verdict.status == "finite" else "infinite: at its supremum"),
        ("No. Observations", f"{verdict.n_rows}"),
        ("Predicted perfectly", f"{verdict.n_rows - limit.constants.n_left}"),
        ("Log-Likelihood", f"{limit.log_likelihood:.6g}"),
        *([] if limit.deviance is None else [("Deviance", f"{limit.deviance:.6g}")]),
        ("Df Model, Residuals", f"{limit.df_model}, {limit.df_residual}"),
        ("AIC", f"{limit.aic:.6g}"),
        ("Newton", f"{count(limit.steps, 'step')}, gradient {limit.gradient_norm:.1e}, at most "
                   f"{limit.decrement / 2:.1e} below the supremum"),
    ]  # fmt: skip
    notes = _notes(limit, intervals)
    if not few:
        missing = [name for name, there in (("standard errors", errors), ("intervals", intervals))
                   if not there]  # fmt: skip
        if missing:
            notes.append(
                f"{len(places)} coefficients are shown without {' and '.join(missing)}; name up to "
                f"{MOST_PROFILED} of them for these."
            )
    return Summary(tuple(rows), level, intervals, tuple(facts), tuple(notes))


def _row(limit: Limit, place: int, level: float, intervals: bool, errors: bool) -> Row:
    name, state = limit.coefficients[place], limit.states[place]
    ends, test = (math.nan, math.nan), (math.nan, 0, math.nan)
    if intervals and state != "left out":
        found = limit.interval(name, level)
        ends, test = (found.lower, found.upper), limit.test(name)
    error = limit.contrast(name).standard_error if errors and state == "finite" else math.nan
    return Row(name, state, float(limit.estimates[place]), error, test[0], test[2], *ends)


def _notes(limit: Limit, intervals: bool) -> list[str]:
    notes = []
    if limit.verdict.status == "infinite":
        n_left = limit.constants.n_left
        notes.append(
            "The likelihood has no maximum. "
            + (
                f"Its supremum is that of the {count(n_left, 'observation')} that "
                f"{plural(n_left, 'is', 'are')} not predicted perfectly; df and standard errors "
                f"are theirs, and {COUNTED}."
                if n_left
                else f"At its supremum every observation is predicted perfectly; {COUNTED}."
            )
        )
        determined = list(limit.determined.items())
        shown = [
            f"{name} = {_number(found.estimate)} ({_number(found.standard_error)})"
            for name, found in determined[:MOST_DETERMINED]
        ]
        if shown:
            more = f", … ({len(determined)} in all)" * (len(determined) > MOST_DETERMINED)
            notes.append(
                f"{plural(len(determined), 'This combination is', 'These combinations are')} "
                f"finite: {', '.join(shown)}{more}."
            )
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
    numbers = [field.name for field in fields(Row) if field.type == "float"]
    return {
        "model": limit.model,
        "status": limit.verdict.status,
        "n_rows": limit.verdict.n_rows,
        "n_left": limit.constants.n_left,
        "log_likelihood": limit.log_likelihood,
        "deviance": limit.deviance,
        "n_parameters": limit.n_parameters,
        "df_model": limit.df_model,
        "df_residual": limit.df_residual,
        "aic": limit.aic,
        "level": summary.level,
        "steps": limit.steps,
        "gradient_norm": limit.gradient_norm,
        "decrement": limit.decrement,
        "coefficients": {
            row.name: {"state": row.state} | {name: _json(getattr(row, name)) for name in numbers}
            for row in summary.rows
        },
        "determined": {
            name: {"estimate": found.estimate, "standard_error": found.standard_error}
            for name, found in limit.determined.items()
        },
        "notes": list(summary.notes),
    }


def _json(value: float) -> float | str | None:
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else "+inf" if value > 0 else "-inf"
