"""Doubt, then decide: how far floats can be off, and what the numbers exactly are.

bounds.py    how far a sum in floats can be from the truth, each bound with its derivation
scores.py    exact signs, and scores that are rounded once
tables.py    scores of all rows of a table: in floats with error bounds, and exactly
norms.py     norms of rows, scaled so that no square leaves the floats' range
weights.py   weights as integers over one scale
along.py     ‖w‖ and w·v after each update of a run
roots.py     square roots rounded up, down or to the nearest
"""
