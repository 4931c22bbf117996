"""Pictures, by scikit-learn's Display convention: `from_…` computes, `plot` draws."""

from novikoff.display.boundary import BoundaryDisplay
from novikoff.display.mistakes import MistakesDisplay
from novikoff.display.sandwich import SandwichDisplay

__all__ = ["BoundaryDisplay", "MistakesDisplay", "SandwichDisplay"]
