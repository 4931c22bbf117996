"""The fewest rows that a hyperplane must get wrong: bounds from both sides.

hitting_set.py  the search: obstructions that must be hit, hyperplanes, a branch tree
pool.py         obstructions that are true, the program of the rows that hit them, its packing
cone.py         many obstructions at once, proposed by small programs in floats
local.py        from a hyperplane to a better one, in floats
counting.py     the answer by counting hyperplanes through rows; which of both when
costs.py        what rows cost, as integers
"""
