"""The lectures' geometry: projections, distances, margins, radius, errors, half-spaces.

A hyperplane is (w, b): the rows x with w·x + b = 0. Every function takes rows as an array,
CSR or a DataFrame, and scales what it squares, so that 1e200 and 1e-200 are ordinary numbers.
On which side a row lies is always decided exactly, by the scores of scores.py.
"""

from __future__ import annotations

from novikoff.geometry.halfspace import axis_crossings, boundary_segment, side
from novikoff.geometry.margins import (
    radius,
    row_margins,
    set_margin,
    signed_distance,
    zero_one_error,
)
from novikoff.geometry.vectors import length, projection, unit_normal

__all__ = [
    "axis_crossings",
    "boundary_segment",
    "length",
    "projection",
    "radius",
    "row_margins",
    "set_margin",
    "side",
    "signed_distance",
    "unit_normal",
    "zero_one_error",
]
