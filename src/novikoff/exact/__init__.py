"""Doubt, then decide: how far floats can be off, and what the numbers exactly are.

bounds.py    how far a sum in floats can be from the truth, each bound with its derivation
scores.py    exact signs, and scores that are rounded once
weights.py   weights as integers over one scale
roots.py     square roots rounded to the side that keeps a bound true
"""
