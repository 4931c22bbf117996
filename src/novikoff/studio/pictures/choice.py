"""Which further picture is shown."""

from __future__ import annotations

from novikoff.studio.charts import extra
from novikoff.studio.computations import Computations
from novikoff.studio.pictures.curves import passes, potential, race, stream
from novikoff.studio.pictures.gallery import TITLE, gallery, why_not
from novikoff.studio.pictures.space import space
from novikoff.studio.pictures.weights import weight_space
from novikoff.studio.state import State
from novikoff.studio.timeline import Timeline
from novikoff.studio.values import Section

TEXTS = {
    "none": "nothing more",
    "passes": "errors and updates for each pass",
    "potential": "the potential",
    "space": "three dimensions",
    "weights": "the space of weights",
    "gallery": "perceptrons side by side",
    "stream": "a stream of rows",
    "race": "tiny margins: a race",
}


def picture(
    computations: Computations, state: State, timeline: Timeline, k: int, owner: int, hurried: bool
) -> Section | None:
    """The picture that the state asks for; None for none, or for one that has to be waited for."""
    if state.view == "passes":
        return passes(state, timeline, k)
    if state.view == "potential":
        kc = timeline.counts(k)[timeline.owners.index(owner)]
        return potential(state, computations.sandwich(state, owner, hurried), kc)
    if state.view == "space":
        return space(state, timeline, k)
    if state.view == "weights":
        return weight_space(state, timeline, k)
    if state.view == "stream":
        return stream(state.level)
    if state.view == "race":
        return race(state.level)
    if state.view == "gallery":
        return _gallery(computations, state)
    return None


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
