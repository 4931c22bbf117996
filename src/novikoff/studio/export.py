"""What can be saved from the screen: rows, proofs, links and Python."""

from __future__ import annotations

import json
from typing import Any

from novikoff.errors import InputError
from novikoff.report.page import report_html
from novikoff.studio.code import as_csv, as_python, proof_csv, whole_csv
from novikoff.studio.computations import Computations
from novikoff.studio.share import encode
from novikoff.studio.state import State
from novikoff.studio.views import place, shown_owner
from novikoff.studio.whole import is_projection, whole_table


def exported(computations: Computations, state: State, what: Any) -> dict[str, str]:
    """The file that is asked for, with a name for it.

    A proof is of all columns, or, under 'drawn_proof', of those that are drawn (with the
    columns of a feature map); 'proof_rows' and 'drawn_rows' are the rows that each speaks of.
    """
    if what == "share":
        return {"fragment": encode(state)}
    if what == "csv":
        return {"name": "rows.csv", "text": as_csv(state)}
    if problem := computations.problem(state):
        raise InputError(problem)
    timeline = computations.timeline(state)
    if what == "code":
        return {"name": "studio.py", "text": as_python(state, place(state, timeline))}
    owner = shown_owner(state, timeline)
    if what in ("proof", "drawn_proof"):
        certificate = _finding(computations, state, owner, what == "proof").certificate
        if certificate is None:
            raise InputError("there is no proof: the verdict is undecided or not known.")
        name = "proof.json" if what == "proof" else "drawn_proof.json"
        return {"name": name, "text": json.dumps(certificate.to_dict(), indent=1) + "\n"}
    if what == "report":
        verdict = computations.verdict(state, owner)
        if verdict is None:
            raise InputError("there is no report yet: the verdict is not known, or of features.")
        name = str(state.source.get("name", "rows"))
        return {"name": "report.html", "text": report_html(verdict, name)}
    if what == "drawn_rows":
        return {"name": "drawn_proof.csv", "text": proof_csv(state, owner)}
    if what == "proof_rows":
        columns = computations.columns(state)
        if not _is_of_the_table(computations, state) or columns is None:
            return {"name": "proof.csv", "text": proof_csv(state, owner)}
        table = whole_table(state, columns)
        label = columns.source.get("label", "label")
        text = whole_csv(table, columns.names, state, owner, label)
        return {"name": "proof.csv", "text": text}
    raise InputError(f"{str(what)[:40]!r} is not something to ask for.")


def _is_of_the_table(computations: Computations, state: State) -> bool:
    """Whether the proof speaks of the table behind the plane, not of what is drawn alone."""
    if is_projection(state):
        return True
    return (
        state.feature_map == "none"
        and computations.whole_of(state, 1, now=False).status != "unknown"
    )


def _finding(computations: Computations, state: State, owner: int, of_all: bool) -> Any:
    if of_all and _is_of_the_table(computations, state):
        return computations.whole_of(state, owner)
    return computations.finding(state, owner)
