"""Several perceptrons on the same rows, side by side: their boundaries, their errors, the votes.

Errors on fresh rows are counted by leaving out every fifth row in turn, and learning without it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.errors import NovikoffError
from novikoff.studio.charts import extra
from novikoff.studio.features import mapped
from novikoff.studio.plane import Window, dot, path, short, window
from novikoff.studio.scene import Grid
from novikoff.studio.state import State
from novikoff.studio.values import Section

TITLE = "Perceptrons side by side"
MOST_ROWS = 2000
MOST_DRAWN = 150
FOLDS = 5
PASSES = 30
MOST_BARS = 60


KINDS: dict[str, tuple[str, dict[str, Any]]] = {  # a title, the model and how it is made
    "Perceptron": ("Perceptron", {"max_iter": PASSES}),
    "Averaged": ("AveragedPerceptron", {"max_iter": PASSES}),
    "Voted": ("VotedPerceptron", {"max_iter": PASSES}),
    "Pocket": ("PocketPerceptron", {"max_iter": PASSES}),
    "Largest margin": ("", {}),
    "Kernel (degree 2)": ("KernelPerceptron",
                          {"max_iter": PASSES, "kernel": "poly", "degree": 2, "coef0": 1.0}),
    "Rescaled": ("RescaledPerceptron", {"max_rescalings": 30}),
}  # fmt: skip


def why_not(state: State) -> str:
    if not state.is_binary:
        return "Choose a set of two classes."
    if state.n_rows > MOST_ROWS:
        return f"Choose a set of at most {MOST_ROWS:,} rows."
    return ""


def gallery(state: State) -> Section:
    """Train them all; this may take seconds."""
    if why := why_not(state):
        return extra("gallery", TITLE, why)
    rows = np.asarray(mapped(state.points, state.feature_map), dtype=np.float64)
    seen = window(state)
    view = replace(seen, width=seen.width / 3, height=seen.height / 3)  # for a coarse grid
    note = (
        f"Errors on the {state.n_rows:,} rows, and on rows left out: every fifth in turn. "
        f"At most {PASSES} passes each."
    )
    panels = [_panel(title, state, rows, state.signs, view) for title in KINDS]
    return extra("gallery", TITLE, note, panels=panels)


def learnt(title: str, rows: np.ndarray, signs: np.ndarray, offset: bool) -> Any:
    """Scores as a function of rows, and the votes where there are any; None where it cannot be."""
    from novikoff.models import train
    from novikoff.verdicts.max_margin import max_margin

    name, options = KINDS[title]
    try:
        if not name:
            found = max_margin(rows, signs, fit_intercept=offset, geometric=True, time_limit=2.0)
            return (lambda X: X @ found.coef + found.intercept), None
        given = {} if name == "KernelPerceptron" else {"fit_intercept": offset}
        model = train(name, rows, signs, **options, **given)
    except NovikoffError:
        return None
    votes = np.asarray(vars(model)["survival_"]) if name == "VotedPerceptron" else None
    return (lambda X: np.asarray(model.decision_function(X)).ravel()), votes


def _panel(title: str, state: State, rows: np.ndarray, signs: np.ndarray, view: Window) -> Section:
    made = learnt(title, rows, signs, state.offset)
    places = np.unique(np.linspace(0, state.n_rows - 1, MOST_DRAWN).astype(int)).tolist()
    marks = [dot("tiny", *state.points[i], code=int(state.codes[i])) for i in places]
    plot: Section = {"window": view.to_json(), "ticks": {"x": [], "y": []}, "marks": marks}
    panel = {"title": title, "plot": plot, "bars": []}
    if made is None:
        return panel | {"text": "not separable: there is none"}
    scored, votes = made
    grid = Grid(view)
    strokes = grid.zeros(scored(np.asarray(mapped(grid.points, state.feature_map))))
    if strokes:
        marks.insert(0, path("boundary", strokes))
    wrong = int((signs * scored(rows) <= 0).sum())
    text = f"{wrong} wrong here; {_fresh(title, state, rows, signs)}"
    return panel | {"text": text, "bars": _bars(votes)}


def _fresh(title: str, state: State, rows: np.ndarray, signs: np.ndarray) -> str:
    """Errors on rows that were left out, each once."""
    if len(rows) < 2 * FOLDS:
        return "too few rows to leave some out"
    wrong = 0
    for fold in range(FOLDS):
        held = np.arange(len(rows)) % FOLDS == fold
        if len(set(signs[~held].tolist())) < 2:
            return "a class would be left out"
        made = learnt(title, rows[~held], signs[~held], state.offset)
        if made is None:
            return "not separable without some rows"
        wrong += int((signs[held] * made[0](rows[held]) <= 0).sum())
    return f"{wrong} left out"


def _bars(votes: np.ndarray | None) -> list[float]:
    """The votes of each weight vector in order, as shares of the loudest; few enough to see."""
    if votes is None or not votes.size:
        return []
    flat = votes.astype(float).ravel()
    if len(flat) > MOST_BARS:
        flat = np.array([part.sum() for part in np.array_split(flat, MOST_BARS)])
    return [short(float(v)) for v in flat / max(float(flat.max()), 1.0)]
