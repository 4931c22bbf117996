"""Further pictures beside the plane; `picture` gives the one that is shown.

    curves.py     updates and errors of each pass; the potential ⟨w, v⟩/‖w‖; mistakes on a stream
                  of rows; margins of 2⁻ⁿ, the plain perceptron against the rescaled one
    space.py      rows and w in three dimensions
    weights.py    the space of weights: each row a half-plane, the run a walk
    gallery.py    several perceptrons on the same rows, side by side

Each is a function of the state and its run alone.
"""

from __future__ import annotations

from collections.abc import Callable

from novikoff.studio.charts import extra
from novikoff.studio.computations import Computations
from novikoff.studio.pictures.curves import passes, potential, race, stream
from novikoff.studio.pictures.gallery import TITLE, gallery, why_not
from novikoff.studio.pictures.space import space
from novikoff.studio.pictures.weights import weight_space
from novikoff.studio.state import State
from novikoff.studio.timeline import Timeline
from novikoff.studio.values import Section


def picture(
    computations: Computations, state: State, timeline: Timeline, k: int, owner: int, hurried: bool
) -> Section | None:
    """The picture that the state asks for; None for none, or for one that has to be waited for."""
    owned = timeline.owners.index(owner)
    pictures: dict[str, Callable[[], Section]] = {
        "passes": lambda: passes(state, timeline, k),
        "potential": lambda: potential(
            state, computations.sandwich(state, owner, hurried), timeline.counts(k)[owned]
        ),
        "space": lambda: space(state, timeline, k),
        "weights": lambda: weight_space(state, timeline, k),
        "stream": lambda: stream(state.level),
        "race": lambda: race(state.level),
        "gallery": lambda: _gallery(computations, state),
    }
    return None if state.view == "none" else pictures[state.view]()


def _gallery(computations: Computations, state: State) -> Section:
    """The gallery, once it is trained; until then a word about it."""
    known: Section | None = computations.known(gallery_key(state))
    if known is not None:
        return known
    return extra("gallery", TITLE, why_not(state) or "They are learning …")


def gallery_key(state: State) -> tuple[object, ...]:
    window = (state.center, state.span, state.stretch, state.size)
    return ("gallery", state.rows_key, state.offset, state.feature_map, window)


def train_gallery(computations: Computations, state: State) -> None:
    """Train the gallery of a state that shows it; this takes seconds."""
    if state.view == "gallery" and not why_not(state) and not computations.problem(state):
        computations.once(gallery_key(state), lambda: gallery(state))
