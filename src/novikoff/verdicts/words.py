"""A verdict in words: a sentence for a paper, then the rows and columns by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from novikoff.verdicts.answer import (
    MOST_LISTED,
    Facts,
    collinear_text,
    listed,
    row_facts,
    signed_names,
)
from novikoff.verdicts.numerals import above, below, bound_text
from novikoff.wording import count, plural

if TYPE_CHECKING:
    from novikoff.verdicts.verdict import Verdict

SENTENCES = {
    "separable": "The classes {classes} ({size}) are linearly separable: a {plane} has every row "
    "strictly on its side ({exact}). A logistic regression on these columns has no "
    "maximum-likelihood estimate: complete separation.",
    "quasi-separable": "The classes {classes} ({size}) are quasi-separable: a {plane} has no row "
    "on its wrong side, but none has every row strictly on its side ({exact}). A logistic "
    "regression on these columns has no finite maximum-likelihood estimate: quasi-complete "
    "separation.{separated}",
    "overlapping": "The classes {classes} ({size}) overlap: no {plane} separates them, not even "
    "weakly ({exact}). A logistic regression on these columns has a finite maximum-likelihood "
    "estimate{unique}.",
    "undecided": "It is undecided whether a {plane} separates the classes {classes} ({size}): "
    "{why}.{largest}",
}


def sentence(verdict: Verdict) -> str:
    """What is true, in a sentence or two that a paper can quote."""
    status, n_rows, number = verdict.status, count(verdict.n_rows, "row"), verdict.n_separated
    size = f"{n_rows} and {count(verdict.n_columns, 'column')}"
    if verdict.n_shards > 1:
        size += f" on {verdict.n_shards} shards"
    largest = separated = ""
    if status == "undecided" and not verdict.has_changed:
        most = above(verdict.known_margin[1])
        largest = f" A separator would have a margin of at most {most}."
    if number is not None:
        rest = verdict.n_rows - number
        separated = (
            f" {number} of the {n_rows} {plural(number, 'is', 'are')} predicted perfectly; on "
            f"{'the other row' if rest == 1 else f'the other {rest}'} alone the estimate is finite."
        )
    return SENTENCES[status].format(
        classes=" and ".join(map(repr, verdict.classes)),
        size=size,
        plane="hyperplane" if verdict.fit_intercept else "hyperplane through the origin",
        exact=verdict.exact_for,
        separated=separated,
        unique=_how_unique(verdict) if status == "overlapping" else "",
        why=verdict.why_undecided,
        largest=largest,
    )


def separated_text(verdict: Verdict, most: int) -> str:
    """The first of the rows that are predicted perfectly, by number."""
    found = verdict.separated
    if found is None:
        return "not known: the workers were not asked for the rows predicted perfectly"
    shown = ", ".join(map(str, found[:most].tolist()))
    more = f", … ({len(found)} in all; ask for verdict.separated)" * (len(found) > most)
    return f"{shown}{more}, counted from 0, {plural(len(found), 'is', 'are')} predicted perfectly"


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
    others = "the offset and of columns before them" if verdict.fit_intercept else "others"
    return f", but not a unique one: {len(collinear)} columns are combinations of {others}"


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
    return facts


def bound_facts(verdict: Verdict, narrowed: bool = False) -> Facts:
    """The margin, the radius and the mistake bound; narrowed by a search, or as they are known."""
    lower, upper = verdict.margin if narrowed else verdict.known_margin
    with_one = ", of the rows with their constant 1" if verdict.fit_intercept else ""
    margin = f"{below(lower)} to {above(upper)}"
    if verdict.status == "separable":
        most = bound_text(verdict.mistake_bound if narrowed else verdict.known_bound)
        mistakes = f"at most {most} of a perceptron from zeros"
        margin += with_one
        if not verdict.has_margin:
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
        which = "some coefficients; ask for verdict.columns for their names, and their signs"
        if verdict.status == "separable":
            which = "every coefficient that is determined; ask for verdict.columns for their signs"
        unknown = "which they are, and their signs, are not known on a cluster"
        return which if verdict.is_local else f"{which.partition(';')[0]}; {unknown}"
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


def collinear_columns_text(verdict: Verdict) -> str | None:
    """The columns whose coefficients are not determined, and why; None where there are none."""
    if not verdict.is_local:
        return None
    collinear = verdict.collinear_if_quick()
    if collinear is None:
        return "ask for verdict.collinear, which is more work than printing should be"
    return collinear_text(collinear) if collinear else None
