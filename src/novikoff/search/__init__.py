"""Finds candidates: separators, obstructions, directions. Proves nothing by itself.

Everything here asks one question, Farkas's: is a target vector a non-negative combination of
the rows z_i = sign_i·(x_i, 1), or is there a direction that no row opposes and the target
does? Floats propose, exact integers settle, and the checker in `certificates` decides.
"""
