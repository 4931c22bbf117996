"""Data with known answers: the lectures' examples, planted sets, hard families, real tables."""

from __future__ import annotations

from novikoff.datasets.dataset import Dataset, PlantedObstruction
from novikoff.datasets.families import (
    badmargin,
    conflict,
    counterexample_origin,
    decimal_trap,
    lecture,
    lecture_names,
    overlap,
    parity,
    tight,
    touching,
    truth_table,
    xor,
)
from novikoff.datasets.generators import needle, planted, planted_flips, planted_obstruction
from novikoff.datasets.registry import catalogue, load, names, shape_of
from novikoff.datasets.shipped import breast_cancer, digits, iris, wine

__all__ = [
    "Dataset",
    "PlantedObstruction",
    "badmargin",
    "breast_cancer",
    "catalogue",
    "conflict",
    "counterexample_origin",
    "decimal_trap",
    "digits",
    "iris",
    "lecture",
    "lecture_names",
    "load",
    "names",
    "needle",
    "overlap",
    "parity",
    "planted",
    "planted_flips",
    "planted_obstruction",
    "shape_of",
    "tight",
    "touching",
    "truth_table",
    "wine",
    "xor",
]
