"""Pictures, by scikit-learn's Display convention: `from_…` computes, `plot` draws.

boundary.py     rows, half-spaces and the hyperplane, or the hulls and what they share
sandwich.py     the proof of the mistake bound along a run
mistakes.py     mistakes pass by pass
settled.py      how the comparisons of a regression fare along the direction of its proof
plane.py        rows of any number of columns as points in a plane
sample.py       which of many rows are drawn
style.py, words.py    the look; names from the data as plain text
"""

from novikoff.display.boundary import BoundaryDisplay
from novikoff.display.mistakes import MistakesDisplay
from novikoff.display.sandwich import SandwichDisplay
from novikoff.display.settled import SettledDisplay

__all__ = ["BoundaryDisplay", "MistakesDisplay", "SandwichDisplay", "SettledDisplay"]
