"""A verdict in words: a sentence for a paper, then the rows and columns by name."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from novikoff.inputs.table import CHANGED
from novikoff.verdicts.held import Held
from novikoff.verdicts.separated import ending
from novikoff.verdicts.separated import text as separated_text
from novikoff.wording import call, count, facts_html, facts_text, label_fact, plural

if TYPE_CHECKING:
    from novikoff.certificates import Reading
    from novikoff.verdicts.verdict import Verdict

MANY = 20
WRITTEN = ("csv", "tsv", "svmlight", "vw")  # formats of text, whose numbers are decimals
SIGNS = {"+": "+∞", "-": "-∞", "either": "±∞", "infinite": "∞ of unknown sign"}


def as_text(verdict: Verdict) -> str:
    """The sentence, a blank line, and one aligned line for each fact."""
    return facts_text(sentence(verdict), facts_of(verdict))


def as_html(verdict: Verdict) -> str:
    """The same for a notebook."""
    return facts_html(sentence(verdict), facts_of(verdict))


def numbers_in_words(numbers: str, reading: Reading | None) -> str:
    """Which numbers are meant: those given, or the nearest floats to those of a file."""
    if numbers != "binary64" or reading is None:
        return f"{numbers} numbers as given"
    told = reading.options
    if told.get("numbers") == "binary64" or told.get("format") in WRITTEN:
        return "binary64 numbers nearest to those of the file"
    return f"{numbers} numbers as given"


def sentence(verdict: Verdict) -> str:
    """What is true, in a sentence or two that a paper can quote."""
    negative, positive = (repr(label) for label in verdict.classes)
    size = f"{count(verdict.n_rows, 'row')} and {count(verdict.n_columns, 'column')}"
    if verdict.n_shards > 1:
        size += f" on {verdict.n_shards} shards"
    plane = "hyperplane" if verdict.fit_intercept else "hyperplane through the origin"
    exact = f"exact for the {numbers_in_words(verdict.numbers, verdict.reading)}"
    if verdict.status == "separable":
        return (
            f"The classes {negative} and {positive} ({size}) are linearly separable: a {plane} has "
            f"every row strictly on its side ({exact}). A logistic regression on these columns "
            "has no maximum-likelihood estimate: complete separation."
        )
    if verdict.status == "quasi-separable":
        return (
            f"The classes {negative} and {positive} ({size}) are quasi-separable: a {plane} has no "
            f"row on its wrong side, but none has every row strictly on its side ({exact}). A "
            "logistic regression on these columns has no finite maximum-likelihood estimate: "
            f"quasi-complete separation.{ending(verdict)}"
        )
    if verdict.status == "overlapping":
        return (
            f"The classes {negative} and {positive} ({size}) overlap: no {plane} separates them, "
            f"not even weakly ({exact}). A logistic regression on these columns has a finite "
            f"maximum-likelihood estimate{_how_unique(verdict)}."
        )
    return (
        f"It is undecided whether a {plane} separates the classes {negative} and {positive} "
        f"({size}): {verdict.why_undecided}."
    ) + _largest(verdict)


def _largest(verdict: Verdict) -> str:
    """The largest margin that a separator of undecided rows could have."""
    if verdict.has_changed:
        return ""
    return f" A separator would have a margin of at most {above(verdict.known_margin[1])}."


def _how_unique(verdict: Verdict) -> str:
    """Whether a finite estimate is the only one."""
    collinear = verdict.collinear_if_quick()
    if collinear is None:
        return ", a unique one unless columns are collinear"
    if not collinear:
        return ""
    if len(collinear) == 1:
        name = next(iter(collinear))
        return f", but not a unique one: {collinear.why(name) or f'column {name!r} is collinear'}"
    return (
        f", but not a unique one: {len(collinear)} columns are combinations of the offset and of "
        "columns before them"
        if verdict.fit_intercept
        else f", but not a unique one: {len(collinear)} columns are combinations of others"
    )


def facts_of(verdict: Verdict) -> list[tuple[str, str]]:
    """Name and text of everything else that is worth a line."""
    if verdict.has_changed:
        return [("changed", CHANGED)]
    facts = label_fact(verdict.reading)
    if verdict.status == "separable":
        facts.append(("margin", _margin(verdict)))
        facts.append(("radius", f"{above(verdict.radius)}{_with_one(verdict)}"))
        most = bound_text(verdict.known_bound)
        facts.append(("mistakes", f"at most {most} of a perceptron from zeros"))
    if len(verdict.known_rows):
        facts.append(("rows", f"{_listed(verdict.known_rows)}, {_what_rows_do(verdict)}"))
        if verdict.is_held and verdict.signed_rows.table.index is not None:
            facts.append(("index", f"{_listed(verdict.known_names)}, the same rows by name"))
    if verdict.status == "quasi-separable":
        facts.append(("separated", separated_text(verdict, MANY)))
    if verdict.status in ("separable", "quasi-separable"):
        facts.append(("infinite", _columns(verdict)))
    if (collinear := collinear_text(verdict)) is not None:
        facts.append(("collinear", collinear))
    if verdict.reading is not None and verdict.reading.notes:
        facts.append(("reading", "; ".join(verdict.reading.notes)))
    if verdict.doubts:
        facts.append(("columns", "; ".join(verdict.doubts)))
    if verdict.rounding:
        facts.append(("rounding", "; ".join(verdict.rounding)))
    if verdict.certificate is not None:
        facts.append(("proof", f"{type(verdict.certificate).__name__}, checked exactly"))
    how = f" by {', then '.join(verdict.how)}" if verdict.how else ""
    facts.append(
        ("decided" if verdict.certificate else "tried", f"in {verdict.seconds:.3g} s{how}")
    )
    return facts


def _what_rows_do(verdict: Verdict) -> str:
    if len(verdict.known_rows) == 1:
        return "counted from 0, is zero, so no hyperplane through the origin has it on a side"
    return "counted from 0, alone rule out a strict separator: look here for a wrong label"


def _margin(verdict: Verdict) -> str:
    lower, upper = verdict.known_margin
    text = f"{below(lower)} to {above(upper)}{_with_one(verdict)}"
    if isinstance(verdict.evidence, Held) and not verdict.evidence.has_bracket:
        text += "; ask for verdict.margin, which narrows it"
    return text


def _columns(verdict: Verdict) -> str:
    """The infinite coefficients as far as they are known."""
    columns = verdict.known_columns
    if columns is None:
        return _columns_unasked(verdict)
    named = [f"{name} ({SIGNS[sign]})" for name, sign in columns.items() if sign in SIGNS]
    open_ones = sum(sign == "unknown" for sign in columns.values())
    listed = ", ".join(named[:MANY]) + f", … ({len(named)} in all)" * (len(named) > MANY)
    text = f"{plural(len(named), 'coefficient')} of {listed}"
    if not named:
        text = "none is known to be"
    if open_ones:
        text += f"; {count(open_ones, 'column')} not decided in time"
    if open_ones or "infinite" in columns.values():
        text += f"; {call('verdict.infinite_columns(time_limit=…)')} goes on"
    return text


def _columns_unasked(verdict: Verdict) -> str:
    """What is plain without a question: on separable data every column that is determined."""
    if verdict.status == "separable":
        signs = "ask for verdict.columns for their signs"
        if not verdict.is_held:
            signs = "their signs are not known on a cluster"
        return f"every coefficient that is determined; {signs}"
    if not verdict.is_held:
        return "some coefficients; which they are is not known on a cluster"
    sure: list[str] = []
    collinear = verdict.collinear_if_quick()
    if collinear is not None and not collinear:
        weights = verdict.certificate.weights if verdict.certificate is not None else ()
        table = verdict.signed_rows.table
        names = [table.column_name(j) for j in range(verdict.n_columns)] + [verdict.offset_name]
        sure = [name for name, weight in zip(names, weights, strict=True) if weight]
    among = ""
    if sure:
        those = plural(len(sure), "that", "those")
        among = f", {those} of {_listed(sure)} among them"
    return f"some coefficients{among}; ask for {call('verdict.columns')} for all, and their signs"


def collinear_text(verdict: Verdict) -> str | None:
    """The columns whose coefficients are not determined, and why; None where there are none."""
    collinear = verdict.collinear_if_quick()
    if not verdict.is_held:
        return None
    if collinear is None:
        least = verdict.n_columns + verdict.fit_intercept - verdict.n_rows
        sure = f"at least {count(least, 'column')}, of so few rows; " if least > 0 else ""
        return (
            f"{sure}ask for {call('verdict.collinear')}, which is more work than printing should be"
        )
    if not collinear:
        return None
    shown = list(collinear)[:MANY]
    parts = [why for name in shown if (why := collinear.why(name)) is not None]
    others = [name for name in shown if collinear.why(name) is None]
    if others:
        named = ", ".join(map(repr, others))
        n = len(others)
        parts.append(
            f"{plural(n, 'column')} {named} {plural(n, 'depends', 'depend')} on columns before "
            f"{plural(n, 'it', 'them')}"
        )
    more = f"; … ({len(collinear)} in all)" * (len(collinear) > MANY)
    its = plural(len(collinear), "its coefficient is", "their coefficients are")
    return f"{'; '.join(parts)}{more}: {its} not determined"


def bound_text(bound: int | None) -> str:
    """A number of mistakes, exactly or, where it is very long, as a power of ten above it."""
    if bound is None:
        return "finitely many"
    return str(bound) if bound < 10**15 else f"10^{len(str(bound - 1))}"


def below(value: float | Fraction, figures: int = 6) -> str:
    """A few figures of a lower bound, rounded down: still one."""
    return _rounded(value, Context(figures, ROUND_FLOOR))


def above(value: float | Fraction, figures: int = 6) -> str:
    """A few figures of an upper bound, rounded up."""
    return _rounded(value, Context(figures, ROUND_CEILING))


def _rounded(value: float | Fraction, context: Context) -> str:
    if isinstance(value, float):
        rounded = context.create_decimal_from_float(value)
    else:
        rounded = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    number = float(rounded)
    if rounded.is_infinite() or (math.isfinite(number) and (number or not rounded)):
        return f"{number:.{context.prec}g}"
    return f"{rounded.normalize():e}"  # beyond the floats


def at_least(value: float | None) -> int | float | None:
    """A bound as JSON holds it: whole numbers beyond 2^53 as a float that is not below them.

    None for what no float holds.
    """
    if value is None or (isinstance(value, int) and value <= 2**53):
        return value
    try:
        number = float(value)
    except OverflowError:
        return None
    if isinstance(value, int):
        number = math.nextafter(number, math.inf)
    return number if math.isfinite(number) else None


def _with_one(verdict: Verdict) -> str:
    return ", of the rows with their constant 1" if verdict.fit_intercept else ""


def _listed(rows: Any) -> str:
    shown = ", ".join(map(str, rows[:MANY]))
    return shown + f", … ({len(rows)} in all)" * (len(rows) > MANY)
