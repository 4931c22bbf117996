"""A run as the lecture's table: one line per update, for the terminal, a notebook, a frame.

People count rows from 1, so the printed tables do; the tape and frames count from 0.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.inputs.frames import data_frame
from novikoff.wording import count, number, table_html, vector

if TYPE_CHECKING:
    from novikoff.runs.run import Run, Step

FIRST_ENTRIES, LAST_ENTRIES = 20, 10


def _shown_steps(run: Run) -> list[Step | None]:
    """The updates to print; None stands for those left out."""
    if run.n_mistakes <= FIRST_ENTRIES + LAST_ENTRIES:
        return list(run.steps())
    last = run.steps(run.n_mistakes - LAST_ENTRIES + 1)
    return [*run.steps(1, FIRST_ENTRIES), None, *last]


def _entries(run: Run) -> tuple[list[str], list[list[str]]]:
    header = ["k", "row", "sign", "score before", "weights after"]
    entries = [["0", "", "", "", vector(run.weights_at(0))]]
    for step in _shown_steps(run):
        if step is None:
            entries.append(
                ["…", "", "", "", f"({run.n_mistakes - FIRST_ENTRIES - LAST_ENTRIES} more)"]
            )
        else:
            sign = "+" if step.sign > 0 else "−"
            score, weights = number(step.score), vector(step.weights)
            entries.append([str(step.k), str(run.number(step.row) + 1), sign, score, weights])
    return header, entries


def _outcome(run: Run) -> str:
    mistakes, passes = count(run.n_mistakes, "mistake"), count(run.n_passes, "pass")
    if run.converged:
        return f"Converged: {mistakes} in {passes}, the last one clean."
    return f"Not converged: {mistakes} in {passes}; stopped by {run.stop_reason}."


def _conventions(run: Run) -> str:
    order = run.order if isinstance(run.order, str) else "given"
    offset = "the offset is the last weight" if run.fit_intercept else "no offset"
    return (
        f"{count(run.table.n_rows, 'row')}, {count(run.table.n_columns, 'column')}; "
        f"+ is {run.classes[1]!r}, "
        f"− is {run.classes[0]!r}; tie {run.tie}, order {order}, {offset}."
    )


def run_as_text(run: Run) -> str:
    header, entries = _entries(run)
    widths = [max(len(cells[c]) for cells in [header, *entries]) for c in range(len(header))]
    rule = "  ".join("─" * width for width in widths)
    table = [
        "  ".join(cell.rjust(width) for cell, width in zip(cells[:-1], widths, strict=False))
        + "  "
        + cells[-1]
        for cells in [header, *entries]
    ]
    return "\n".join([_conventions(run), "", table[0], rule, *table[1:], "", _outcome(run)])


def run_as_html(run: Run) -> str:
    header, entries = _entries(run)
    return (
        f"<p>{html.escape(_conventions(run))}</p>"
        f"{table_html(header, entries)}"
        f"<p><strong>{html.escape(_outcome(run))}</strong></p>"
    )


def run_as_frame(run: Run) -> Any:
    steps = list(run.steps())
    columns: dict[str, Any] = {
        "k": [step.k for step in steps],
        "row": [step.row for step in steps],
        "visit": [step.visit for step in steps],
        "sign": [step.sign for step in steps],
        "score": [step.score for step in steps],
    }
    weights = np.array([step.weights for step in steps]).reshape(len(steps), -1)
    for j in range(run.table.n_columns):
        columns[f"w[{run.table.column_name(j)}]"] = weights[:, j] if steps else []
    if run.fit_intercept:
        columns["offset"] = weights[:, -1] if steps else []
    return data_frame(columns)
