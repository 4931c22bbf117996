"""Pictures, by scikit-learn's Display convention: `from_…` computes, `plot` draws.

boundary.py     rows, half-spaces and the hyperplane, or the hulls and what they share
sandwich.py     the proof of the mistake bound along a run
mistakes.py     mistakes pass by pass
plane.py        rows of any number of columns as points in a plane, and which of them are drawn
style.py        the look, what all displays share, and names from the data as plain text
"""

from novikoff.display.boundary import BoundaryDisplay
from novikoff.display.mistakes import MistakesDisplay
from novikoff.display.sandwich import SandwichDisplay

__all__ = ["BoundaryDisplay", "MistakesDisplay", "SandwichDisplay"]
