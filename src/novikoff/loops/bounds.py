"""The bounds of exact/bounds.py for loops: the same functions, compiled."""

from __future__ import annotations

from novikoff.exact import bounds
from novikoff.exact.bounds import NORM_UNDERFLOW_SINGLE
from novikoff.loops.compiled import compiled

_inlined = compiled(forceinline=True)

norm_above = _inlined(bounds.norm_above)
score_error_bound = _inlined(bounds.score_error_bound)
norm_bound_after = _inlined(bounds.norm_bound_after)
norm_bound_after_mistake = _inlined(bounds.norm_bound_after_mistake)
drift_after = _inlined(bounds.drift_after)
square_norm_bound_after = _inlined(bounds.square_norm_bound_after)


@compiled
def norm_bound_of(w):
    """A number that is at least ‖w‖."""
    square = 0.0
    for j in range(w.shape[0]):
        square += float(w[j]) * float(w[j])
    return norm_above(square) + (NORM_UNDERFLOW_SINGLE if w.itemsize == 4 else 0.0)
