"""A regression's verdict in words: what a statistician needs, then the facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from novikoff.regression.models import MODELS
from novikoff.verdicts.answer import (
    MOST_LISTED,
    Facts,
    collinear_text,
    listed,
    runs_of,
    signed_names,
)
from novikoff.wording import count, plural

if TYPE_CHECKING:
    from novikoff.regression.verdict import RegressionVerdict

MOST_IN_A_SENTENCE = 6  # coefficients, before the facts that list more
PRINTED = "; often all that is seen is a large coefficient with a huge standard error."
CHOICES = (
    "collapse levels or classes, penalise (Firth's bias reduction, a prior), or report the limit "
    "with its one-sided intervals, which the verdict's `limit()` gives; docs/infinite.md says when "
    "each is right."
)


def sentence(verdict: RegressionVerdict) -> str:
    """What is true, who is to blame, what others print, and what can be done."""
    size = (
        f"{count(verdict.n_rows, 'observation')}, {count(len(verdict.coefficients), 'coefficient')}"
    )
    what = f"the {verdict.model} model ({size})"
    exact = verdict.exact_for
    if verdict.status == "undecided":
        return (
            f"Whether {what} has a finite maximum-likelihood estimate is undecided: "
            f"{verdict.why_undecided}. Nothing is claimed."
        )
    unique = ", but not a unique one" if verdict.collinear_if_quick() else ""
    if verdict.status == "finite":
        return (
            f"The maximum-likelihood estimate of {what} is finite{unique}: no direction of its "
            f"coefficients raises the likelihood without end ({exact})."
        )
    infinite = verdict.infinite if verdict.known("infinite") else None
    first = "leave out what the verdict's `drop()` proposes in Python, "
    if verdict.known("drop"):
        first = "leave out what is said at 'drop' below, " * (verdict.drop() is not None)
    separated = [] if verdict.separated is None else verdict.separated.tolist()
    is_log = verdict.given.failures is not None
    kind = MODELS["log-binomial" if is_log else verdict.given.model.name]
    n = len(separated)
    cause = "no observation is predicted perfectly, but some comparisons are"
    if n == verdict.n_rows:
        cause = f"every observation is predicted perfectly: {kind.certain}"
    elif n:
        who = f"{count(n, 'observation')} of {verdict.n_rows} {plural(n, 'is', 'are')}"
        cause = f"{who} predicted perfectly: {kind.certain}"
    return (
        f"{what[0].upper()}{what[1:]} has no finite maximum-likelihood estimate ({exact}): "
        f"{listed_signs(infinite)}. Along that direction {cause}. Other software watches the fit: "
        f"{kind.elsewhere}{PRINTED} You can {first}{CHOICES}"
    )


def listed_signs(infinite: Mapping[str, str] | None) -> str:
    """'the coefficient of NV (+∞) is infinite', for all of them, shortened where they are many."""
    if infinite is None:
        asked = "the verdict's `infinite`"
        return f"some coefficients are infinite; {asked} finds out which"
    said = []
    signed, free = infinite_and_free(infinite)
    for names, what in ((signed, "infinite"), (free, "not determined and may be anything")):
        if names:
            which = f"{plural(len(names), 'coefficient')} of {listed(names, MOST_IN_A_SENTENCE)}"
            said.append(f"the {which} {plural(len(names), 'is', 'are')} {what}")
    return ", and ".join(said)


def infinite_and_free(infinite: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """What goes to one infinity, with its sign, and what may go to both, and so to any number."""
    signed = signed_names({name: sign for name, sign in infinite.items() if sign != "either"})
    return signed, [name for name, sign in infinite.items() if sign == "either"]


def facts_of(verdict: RegressionVerdict) -> Facts:
    """Name and text of everything that is worth a line."""
    facts: Facts = []
    infinite = verdict.infinite if verdict.known("infinite") else None
    separated = [] if verdict.separated is None else verdict.separated.tolist()
    if infinite:
        signed, free = infinite_and_free(infinite)
        facts += [("infinite", listed(signed))] * bool(signed)
        facts += [("free", f"{listed(free)}: not determined, may be anything")] * bool(free)
    if separated:
        facts.append(("separated", f"{runs_of(separated)}, counted from 0"))
        if verdict.has_index:
            facts.append(("index", f"{listed(verdict.names_of(separated))}, the same by name"))
    if verdict.comparisons:
        pairs = [f"{i} against {k}" for i, k in verdict.comparisons[:MOST_LISTED]]
        facts.append(("strict", listed(pairs, total=len(verdict.comparisons))))
    collinear = verdict.collinear_if_quick()
    if collinear:
        facts.append(("collinear", collinear_text(collinear)))
    if verdict.status == "infinite" and verdict.known("drop"):
        found = verdict.drop()
        facts.append(("drop", str(found) if found is not None else str(verdict.why_no_drop)))
    return facts
