"""The verdict card: the answer in a word, in a sentence, and in figures.

Where the plane shows two of more columns there are two answers, and the card says which is of
what: "Separable in 30 columns; these two alone: overlapping".
"""

from __future__ import annotations

from typing import Any, cast

from novikoff.studio.fields import ClassLine, Fact, Regression, Verdict
from novikoff.studio.proof import BOUND, Fewest, Finding, bracket, said
from novikoff.studio.state import State
from novikoff.studio.whole import WholeFinding

STATUS = {
    "separable": "Separable",
    "quasi-separable": "Quasi-separable",
    "overlapping": "Overlapping",
    "undecided": "Undecided",
    "deciding": "Deciding …",
    "unknown": "Not known",
}


def verdict(
    state: State,
    owner: int,
    findings: dict[int, Finding | None],
    whole: dict[int, WholeFinding],
    fewest: Fewest | None = None,
    regression: Regression | None = None,
) -> Verdict:
    """The card for the class `owner`; None stands for a verdict that is still to be found.

    findings: by class, on the drawn columns. whole: by class, on all of them; empty where the
    drawn ones are all. fewest: the fewest mistakes on the drawn columns, once they are known.
    """
    shown = findings[owner]
    drawn_status = "deciding" if shown is None else shown.status
    first = whole.get(owner)
    status = drawn_status if first is None else first.status
    width = state.source.get("width", 2)
    against = "" if state.is_binary else f": {state.classes[owner]} against the rest"
    card: dict[str, Any] = {
        "status": drawn_status,
        "title": STATUS[drawn_status] + against,
        "sentence": "" if shown is None else shown.sentence,
        "facts": [] if shown is None else said(fewest) + _facts(state, shown),
        "support": []
        if shown is None
        else [
            {"row": row, "number": row + 1, "sign": state.sign(row), "weight": text}
            for row, text in shown.support
        ],
        "has_proof": shown is not None and shown.certificate is not None,
        "whole": None,
        "regression": regression,
        "drawn_title": "",
    }
    if first is not None:
        which = _columns(width)
        card["whole"] = {
            "status": first.status,
            "title": f"{_in_columns(first.status, which)}{against}",
            "sentence": first.sentence,
            "facts": [{"name": name, "value": value} for name, value in first.facts],
            "has_proof": first.certificate is not None,
        }
        card["drawn_title"] = f"{_drawn(state)}: {STATUS[drawn_status].lower()}"
    card |= _headline(state, status, drawn_status, findings, whole)
    return cast(Verdict, card | {"classes": _classes(state, findings, whole)})


def _facts(state: State, shown: Finding) -> list[Fact]:
    """The facts, by the letters of the notation."""
    from_zero = "" if state.run.start is None else ", from a start at zero"
    written = state.written
    names = {BOUND: f"bound {written.bound}", "margin γ": f"margin {written.margin}"}
    facts: list[Fact] = []
    for name, value in shown.facts:
        said = value + (from_zero if name == BOUND else "")
        facts.append({"name": names.get(name, name), "value": said})
        if name == "margin γ" and written.by_length:
            low, high = shown.margin
            facts.append({"name": "B = 1/γ", "value": bracket(1.0 / high, 1.0 / low)})
    return facts


def _headline(
    state: State, status: str, drawn_status: str, findings: dict[int, Finding | None],
    whole: dict[int, WholeFinding],
) -> dict[str, str]:  # fmt: skip
    """The pill at the top: one line, and the status that gives it its colour."""
    width = state.source.get("width", 2)
    if not state.is_binary:
        return _class_headline(state, findings, whole)
    if not whole:
        return {"headline": STATUS[status], "headline_status": status}
    drawn = STATUS[drawn_status].lower()
    first = _in_columns(status, _columns(width))
    return {"headline": f"{first}; {_drawn(state).lower()}: {drawn}", "headline_status": status}


def _class_headline(
    state: State, findings: dict[int, Finding | None], whole: dict[int, WholeFinding]
) -> dict[str, str]:
    n = len(state.classes)
    known = {
        code: whole[code].status if whole else getattr(finding, "status", "deciding")
        for code, finding in findings.items()
    }
    in_columns = f" in {_columns(state.source.get('width', 2))}" if whole else ""
    if "deciding" in known.values():
        return {"headline": f"Deciding on {n} classes …", "headline_status": "deciding"}
    if set(known.values()) == {"unknown"}:
        return {"headline": f"Not known{in_columns}", "headline_status": "unknown"}
    alone = sum(status == "separable" for status in known.values())
    # In colour some of them are neither a yes nor a no.
    status = "separable" if alone == n else "undecided"
    if not alone and not set(known.values()) & {"undecided", "quasi-separable", "unknown"}:
        status = "overlapping"
    return {
        "headline": f"{alone} of {n} classes separable{in_columns}", "headline_status": status,
    }  # fmt: skip


def _classes(
    state: State, findings: dict[int, Finding | None], whole: dict[int, WholeFinding]
) -> list[ClassLine]:
    if state.is_binary:
        return []
    entries: list[ClassLine] = []
    for code, finding in findings.items():
        drawn = STATUS[finding.status if finding else "deciding"].lower()
        text = f"{STATUS[whole[code].status].lower()}; drawn: {drawn}" if whole else drawn
        entries.append({"code": code, "name": state.classes[code], "status": text})
    return entries


def _columns(width: int) -> str:
    return f"{width} columns" if width != 1 else "1 column"


def _in_columns(status: str, which: str) -> str:
    if status == "deciding":
        return f"Deciding on {which} …"
    return f"{STATUS[status]} in {which}"


def _drawn(state: State) -> str:
    if state.source.get("columns") == "projection":
        return "This projection alone"
    if state.source.get("width", 2) <= 2:
        return "As drawn"
    mapped = "" if state.feature_map == "none" else f", with {state.feature_map} features"
    return f"These two alone{mapped}"
