"""Doubt, then decide: how far floats can be off, and what the numbers exactly are.

bounds.py     how far a sum in floats can be from the truth, each bound with its derivation
scores.py     the score of one row, exactly; numbers rounded once
tables.py     the scores of all rows of a table
norms.py      norms of rows at every scale, the largest of them exactly
weights.py    weights as integers over one scale
running.py    ‖w‖ along a run, progress.py w·v along it
roots.py      square roots rounded to the side that keeps a bound true
"""
