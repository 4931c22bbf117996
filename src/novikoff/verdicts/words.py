"""A verdict in words: a sentence for a paper, then the rows and columns by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from novikoff.verdicts.answer import (
    MOST_LISTED,
    Facts,
    collinear_text,
    listed,
    note_facts,
    row_facts,
    signed_names,
)
from novikoff.verdicts.numerals import above, below, bound_text
from novikoff.wording import count, plural

if TYPE_CHECKING:
    from novikoff.verdicts.verdict import Verdict


def sentence(verdict: Verdict) -> str:
    """What is true, in a sentence or two that a paper can quote."""
    negative, positive = (repr(label) for label in verdict.classes)
    size = f"{count(verdict.n_rows, 'row')} and {count(verdict.n_columns, 'column')}"
    if verdict.n_shards > 1:
        size += f" on {verdict.n_shards} shards"
    plane = "hyperplane" if verdict.fit_intercept else "hyperplane through the origin"
    exact = verdict.exact_for
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
            f"quasi-complete separation.{_how_many_separated(verdict)}"
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


def _how_many_separated(verdict: Verdict) -> str:
    """How many rows are predicted perfectly."""
    number = verdict.n_separated
    if number is None:
        return ""
    rest = verdict.n_rows - number
    others = "the other row" if rest == 1 else f"the other {rest}"
    return (
        f" {number} of the {count(verdict.n_rows, 'row')} {plural(number, 'is', 'are')} predicted "
        f"perfectly; on {others} alone the estimate is finite."
    )


def separated_text(verdict: Verdict, most: int) -> str:
    """The first of the rows that are predicted perfectly, by number."""
    found = verdict.separated
    if found is None:
        return "not known: the workers were not asked for the rows predicted perfectly"
    shown = ", ".join(map(str, found[:most].tolist()))
    more = f", … ({len(found)} in all; ask for verdict.separated)" * (len(found) > most)
    return f"{shown}{more}, counted from 0, {plural(len(found), 'is', 'are')} predicted perfectly"


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


def facts_of(verdict: Verdict) -> Facts:
    """Name and text of everything else that is worth a line."""
    facts: Facts = []
    if verdict.status == "separable":
        facts += bound_facts(verdict)
    what = ", alone rule out a strict separator: look here for a wrong label"
    if len(verdict.known_rows) == 1:
        what = ", is zero, so no hyperplane through the origin has it on a side"
    facts += row_facts(verdict.known_rows, what, verdict.known_names if verdict.has_index else None)
    if verdict.status == "quasi-separable":
        facts.append(("separated", separated_text(verdict, MOST_LISTED)))
    if verdict.status in ("separable", "quasi-separable"):
        facts.append(("infinite", _columns(verdict)))
    if (collinear := collinear_columns_text(verdict)) is not None:
        facts.append(("collinear", collinear))
    read = () if verdict.reading is None else verdict.reading.notes
    return facts + note_facts(
        ("reading", read), ("columns", verdict.column_warnings), ("rounding", verdict.rounding)
    )


def bound_facts(verdict: Verdict, narrowed: bool = False) -> Facts:
    """The margin, the radius and the mistake bound; narrowed by a search, or as they are known."""
    lower, upper = verdict.margin if narrowed else verdict.known_margin
    with_one = ", of the rows with their constant 1" if verdict.fit_intercept else ""
    margin = f"{below(lower)} to {above(upper)}"
    if verdict.status == "separable":
        most = bound_text(verdict.mistake_bound if narrowed else verdict.known_bound)
        mistakes = f"at most {most} of a perceptron from zeros"
        margin += with_one
        if not verdict.evidence.has_margin:
            margin += "; ask for verdict.margin, which narrows it"
    elif verdict.status == "undecided":
        margin, mistakes = f"{margin}, if the rows are separable", "no bound is proven"
    else:
        margin = "0: there is no strict separator"
        mistakes = "no bound: the perceptron never stops on these rows"
    radius = f"{above(verdict.radius)}{with_one}"
    return [("margin", margin), ("radius", radius), ("mistakes", mistakes)]


def _columns(verdict: Verdict) -> str:
    """The infinite coefficients as far as they are known."""
    columns = verdict.known_columns
    if columns is None:
        return _columns_unasked(verdict)
    named = signed_names(columns)
    open_ones = sum(sign == "unknown" for sign in columns.values())
    text = f"{plural(len(named), 'coefficient')} of {listed(named)}"
    if not named:
        text = "none is known to be"
    if open_ones:
        text += f"; {count(open_ones, 'column')} not decided in time"
    if open_ones or "infinite" in columns.values():
        text += "; verdict.infinite_columns(time_limit=…) goes on"
    return text


def _columns_unasked(verdict: Verdict) -> str:
    """What is plain without a question: on separable data every column that is determined."""
    if verdict.status == "separable":
        signs = "ask for verdict.columns for their signs"
        if not verdict.is_local:
            signs = "their signs are not known on a cluster"
        return f"every coefficient that is determined; {signs}"
    if not verdict.is_local:
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
        among = f", {those} of {listed(sure)} among them"
    return f"some coefficients{among}; ask for verdict.columns for all, and their signs"


def collinear_columns_text(verdict: Verdict) -> str | None:
    """The columns whose coefficients are not determined, and why; None where there are none."""
    if not verdict.is_local:
        return None
    collinear = verdict.collinear_if_quick()
    if collinear is not None:
        return collinear_text(collinear) if collinear else None
    least = verdict.n_columns + verdict.fit_intercept - verdict.n_rows
    sure = f"at least {count(least, 'column')}, of so few rows; " if least > 0 else ""
    return f"{sure}ask for verdict.collinear, which is more work than printing should be"
