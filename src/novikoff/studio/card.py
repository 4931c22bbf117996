"""The verdict card: the answer in a word, in a sentence, and in figures.

Where the plane shows two of more columns there are two answers, and the card says which is of
what: "Separable in 30 columns; these two alone: overlapping".
"""

from __future__ import annotations

from typing import Any

from novikoff.studio.proof import BOUND, Fewest, Finding, bracket, fact
from novikoff.studio.state import State
from novikoff.studio.values import Section
from novikoff.wording import count

STATUS = {
    "separable": "Separable",
    "quasi-separable": "Quasi-separable",
    "overlapping": "Overlapping",
    "undecided": "Undecided",
    "deciding": "Deciding …",
    "unknown": "Not known",
}


def verdict(
    state: State, owner: int, findings: dict[int, Finding], whole: dict[int, Finding],
    fewest: Fewest | None = None, regression: Section | None = None,
) -> Section:  # fmt: skip
    """The card for the class `owner`.

    findings: by class, on the drawn columns. whole: by class, on all of them; empty where the
    drawn ones are all. fewest: the fewest mistakes on the drawn columns, once they are known.
    """
    shown = findings[owner]
    against = "" if state.is_binary else f": {state.classes[owner]} against the rest"
    facts = [] if fewest is None else [fact("fewest mistakes", fewest.text())]
    card: dict[str, Any] = {
        **_answer(shown, STATUS[shown.status] + against, facts + _facts(state, shown)),
        "headline": STATUS[shown.status],
        "headline_status": shown.status,
        "support": [
            {"row": row, "number": row + 1, "sign": state.sign(row), "weight": text}
            for row, text in shown.support
        ],
        "whole": None,
        "regression": regression,
        "drawn_title": "",
        "classes": [],
    }
    if whole:
        first, columns = whole[owner], _columns(state)
        title = f"{STATUS[first.status]} in {columns}"
        if first.status == "deciding":
            title = f"Deciding on {columns} …"
        drawn = f"{_drawn(state)}: {STATUS[shown.status].lower()}"
        card["whole"] = _answer(first, title + against, list(first.facts))
        card |= {"headline": f"{title}; {drawn[0].lower()}{drawn[1:]}",
                 "headline_status": first.status, "drawn_title": drawn}  # fmt: skip
    return card if state.is_binary else card | _of_classes(state, findings, whole)


def _answer(found: Finding, title: str, facts: list[Section]) -> Section:
    return {"status": found.status, "title": title, "sentence": found.sentence, "facts": facts,
            "has_proof": found.certificate is not None}  # fmt: skip


def _facts(state: State, shown: Finding) -> list[Section]:
    """The facts, by the letters of the notation."""
    written = state.written
    facts: list[Section] = []
    for one in shown.facts:
        name, value = one["name"], one["value"]
        if name == BOUND:
            from_zero = "" if state.run.start is None else ", from a start at zero"
            facts.append(fact(f"bound {written.bound}", value + from_zero))
        elif name == "margin γ":
            facts.append(fact(f"margin {written.margin}", value))
            if written.by_length:
                low, high = shown.margin
                facts.append(fact("B = 1/γ", bracket(1.0 / high, 1.0 / low)))
        else:
            facts.append(one)
    return facts


def _of_classes(state: State, findings: dict[int, Finding], whole: dict[int, Finding]) -> Section:
    """The line at the top, the status that gives it its colour, and a line for each class."""
    n = len(state.classes)
    known = {code: whole.get(code, finding).status for code, finding in findings.items()}
    lines = []
    for code, finding in findings.items():
        text = STATUS[known[code]].lower()
        text += f"; drawn: {STATUS[finding.status].lower()}" if whole else ""
        lines.append({"code": code, "name": state.classes[code], "status": text})
    alone = sum(status == "separable" for status in known.values())
    in_columns = f" in {_columns(state)}" if whole else ""
    headline = f"{alone} of {n} classes separable{in_columns}"
    colour = "separable" if alone == n else "undecided"  # of some, neither a yes nor a no
    if "deciding" in known.values():
        headline, colour = f"Deciding on {n} classes …", "deciding"
    elif set(known.values()) == {"unknown"}:
        headline, colour = f"Not known{in_columns}", "unknown"
    elif set(known.values()) == {"overlapping"}:
        colour = "overlapping"
    return {"headline": headline, "headline_status": colour, "classes": lines}


def _columns(state: State) -> str:
    return count(state.source.get("width", 2), "column")


def _drawn(state: State) -> str:
    if state.source.get("columns") == "projection":
        return "This projection alone"
    if state.source.get("width", 2) <= 2:
        return "As drawn"
    mapped = "" if state.feature_map == "none" else f", with {state.feature_map} features"
    return f"These two alone{mapped}"
