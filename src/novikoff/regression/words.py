"""A regression's verdict in words: what a statistician needs, then the facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from novikoff.regression.models import usual
from novikoff.wording import count, facts_html, facts_text, in_python, keyword, label_fact, plural

if TYPE_CHECKING:
    from novikoff.regression.verdict import RegressionVerdict
    from novikoff.verdicts.collinear import Collinear

MANY = 20
FEW = 6  # in a sentence, before the facts that list more
MOST_RUNS = 200
SIGNS = {
    "+": "+∞",
    "-": "-∞",
    "either": "not determined: may be anything",
    "unknown": "∞ of a sign not asked for",
}
MEANING = {
    "logistic": "their outcome is certain",
    "binomial": "their outcome is certain",
    "poisson": "their expected count is 0",
    "log-binomial": "their probability is 0",
    "multinomial": "their class is certain",
    "ordinal": "their class is certain",
    "conditional": "they are certain to be the cases of their sets",
    "cox": "they are certain to be the next event",
    "bradley-terry": "their winner is certain",
}
GLM = (  # of R what its documentation says, of statsmodels what tests see it print
    "R's glm warns of fitted probabilities numerically 0 or 1, and statsmodels of perfect "
    "separation, but only where every observation is predicted perfectly"
)
COXPH = "R's coxph tries to tell that a coefficient may be infinite, not always successfully"
OTHERS = {
    "logistic": GLM,
    "binomial": GLM,
    "log-binomial": GLM,
    "poisson": (
        "R's glm may warn of fitted rates numerically 0, statsmodels' Poisson that it failed to "
        "converge, and its GLM says nothing"
    ),
    "multinomial": "statsmodels' MNLogit mostly warns that it failed to converge",
    "ordinal": "statsmodels' OrderedModel mostly says nothing",
    "conditional": f"{COXPH}, and statsmodels' ConditionalLogit mostly says nothing",
    "cox": f"{COXPH}, and statsmodels' PHReg that it failed to converge",
    "bradley-terry": GLM,
}
PRINTED = "; often all that is seen is a large coefficient with a huge standard error."
CHOICES = (
    "collapse levels or classes, penalise (Firth's bias reduction, a prior), or report one-sided "
    "profile-likelihood intervals; nothing of it is done here."
)


def as_text(verdict: RegressionVerdict) -> str:
    """The sentences, a blank line, and one aligned line for each fact."""
    return facts_text(sentence(verdict), facts_of(verdict))


def as_html(verdict: RegressionVerdict) -> str:
    """The same for a notebook."""
    return facts_html(sentence(verdict), facts_of(verdict))


def sentence(verdict: RegressionVerdict) -> str:
    """What is true, who is to blame, what others print, and what can be done."""
    size = (
        f"{count(verdict.n_rows, 'observation')}, {count(len(verdict.coefficients), 'coefficient')}"
    )
    what = f"the {verdict.model} model ({size})"
    numbers = "binary64" if verdict.given.table is None else verdict.given.table.numbers
    exact = f"exact for the {numbers} numbers as given"
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
    separated = [] if verdict.separated is None else verdict.separated.tolist()
    who = f"{count(len(separated), 'observation')} of {verdict.n_rows} are predicted perfectly"
    if len(separated) == 1:
        who = f"1 observation of {verdict.n_rows} is predicted perfectly"
    kind = "log-binomial" if "log-binomial" in usual(verdict.model) else verdict.given.model.name
    cause = f"{who}: {MEANING[kind]}"
    if len(separated) == 1:
        cause = cause.replace("they are", "it is").replace("their", "its")
    if not separated:
        cause = "no observation is predicted perfectly, but some comparisons are"
    elif len(separated) == verdict.n_rows:
        cause = f"every observation is predicted perfectly: {MEANING[kind]}"
    return (
        f"{what[0].upper()}{what[1:]} has no finite maximum-likelihood estimate ({exact}): "
        f"{listed_signs(infinite)}. Along that direction {cause}. Other software watches the fit: "
        f"{OTHERS[kind]}{PRINTED} You can {_to_leave_out(verdict)}{CHOICES}"
    )


def _to_leave_out(verdict: RegressionVerdict) -> str:
    """The first thing to do about it, where there is something to leave out."""
    if not verdict.known("drop"):
        return "leave out what the verdict's `drop()` proposes in Python, "
    return "" if verdict.drop() is None else "leave out what is said at 'drop' below, "


def listed_signs(infinite: Mapping[str, str] | None) -> str:
    """'the coefficient of NV (+∞) is infinite', for all of them, shortened where they are many."""
    if infinite is None:
        asked = in_python("the verdict's `infinite`") or keyword("signs", True)
        return f"some coefficients are infinite; {asked} finds out which"
    said = []
    signed, free = infinite_and_free(infinite)
    for names, what in ((signed, "infinite"), (free, "not determined and may be anything")):
        if names:
            few = ", ".join(names[:FEW]) + f", … ({len(names)} in all)" * (len(names) > FEW)
            which = plural(len(names), "coefficient")
            said.append(f"the {which} of {few} {plural(len(names), 'is', 'are')} {what}")
    return ", and ".join(said)


def infinite_and_free(infinite: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """What goes to one infinity, with its sign, and what may go to both, and so to any number."""
    signed = [f"{name} ({SIGNS[sign]})" for name, sign in infinite.items() if sign != "either"]
    return signed, [name for name, sign in infinite.items() if sign == "either"]


def facts_of(verdict: RegressionVerdict) -> list[tuple[str, str]]:
    """Name and text of everything that is worth a line."""
    facts = label_fact(verdict.given.reading)
    infinite = verdict.infinite if verdict.known("infinite") else None
    separated = [] if verdict.separated is None else verdict.separated.tolist()
    if infinite:
        signed, free = infinite_and_free(infinite)
        facts += [("infinite", _listed(signed))] * bool(signed)
        facts += [("free", f"{_listed(free)}: not determined, may be anything")] * bool(free)
    if separated:
        facts.append(("separated", f"{runs_of(separated)}, counted from 0"))
        if verdict.given.index is not None:
            facts.append(("index", f"{_listed(verdict.names_of(separated))}, the same by name"))
    if verdict.comparisons:
        pairs = [f"{i} against {k}" for i, k in verdict.comparisons[:MANY]]
        facts.append(("strict", _listed(pairs, len(verdict.comparisons))))
    collinear = verdict.collinear_if_quick()
    if collinear:
        facts.append(("collinear", collinear_text(collinear)))
    if verdict.status == "infinite" and verdict.known("drop"):
        found = verdict.drop()
        facts.append(("drop", str(found) if found is not None else str(verdict.why_no_drop)))
    if verdict.notes:
        facts.append(("notes", "; ".join(verdict.notes)))
    if verdict.certificate is not None:
        comparisons = count(verdict.rows.table.n_rows, "comparison", ",")
        facts.append(("proof", f"RegressionProof of {comparisons}, checked exactly"))
    facts.append(("decided" if verdict.certificate else "tried", f"in {verdict.seconds:.3g} s"))
    return facts


def collinear_text(collinear: Collinear) -> str:
    """The columns whose coefficients are not determined, and why."""
    names = list(collinear)
    parts = [collinear.why(name) or f"column {name!r}" for name in names[:MANY]]
    more = f"; … ({len(names)} in all)" * (len(names) > MANY)
    its = f"the coefficient of {names[0]!r} is" if len(names) == 1 else "their coefficients are"
    return f"{'; '.join(dict.fromkeys(parts))}{more}: {its} not determined"


def runs_of(numbers: Sequence[int]) -> str:
    """Ascending numbers with their runs as '3-7': all of them, while that is not too long."""
    starts = [k for k, n in enumerate(numbers) if k == 0 or n != numbers[k - 1] + 1]
    parts = []
    for start, end in zip(starts, [*starts[1:], len(numbers)], strict=True):
        first, last = numbers[start], numbers[end - 1]
        between = ", " if last == first + 1 else "-"
        parts.append(str(first) if first == last else f"{first}{between}{last}")
    few = ", ".join(parts[:MOST_RUNS])
    return f"{few}, … ({len(numbers)} in all)" if len(parts) > MOST_RUNS else few


def _listed(values: Any, n_all: int | None = None) -> str:
    total = len(values) if n_all is None else n_all
    shown = ", ".join(map(str, values[:MANY]))
    return shown + f", … ({total} in all)" * (total > MANY)
