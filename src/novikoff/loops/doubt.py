"""The bounds of exact/bounds.py for loops: the same functions, compiled."""

from __future__ import annotations

from novikoff.exact import bounds
from novikoff.exact.bounds import LEAST_SINGLE
from novikoff.loops.compiled import compiled

_inlined = compiled(forceinline=True)

norm_above = _inlined(bounds.norm_above)
score_doubt = _inlined(bounds.score_doubt)
reach_after = _inlined(bounds.reach_after)
reach_after_mistake = _inlined(bounds.reach_after_mistake)
drift_after = _inlined(bounds.drift_after)
square_reach_after = _inlined(bounds.square_reach_after)


@compiled
def reach_of(w):
    """A number that is at least ‖w‖."""
    square = 0.0
    for j in range(w.shape[0]):
        square += float(w[j]) * float(w[j])
    return norm_above(square) + (LEAST_SINGLE if w.itemsize == 4 else 0.0)
