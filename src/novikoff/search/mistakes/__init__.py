"""The fewest rows that a hyperplane must get wrong: bounds from both sides.

hitting_set.py  the search: obstructions that must be hit, hyperplanes, a branch tree
costs.py        what rows cost, as integers
best.py         the best hyperplane so far, counted exactly
local.py        from a hyperplane to a better one, in floats
cone.py         many obstructions at once, proposed by small programs in floats
pool.py         obstructions that are true, and the program of the rows that hit them
tree.py         the branch tree, and the program's dual as a packing in exact numbers
counting.py     the answer by counting hyperplanes through rows; which of both when
others.py       other answers, and the rows in all of them
"""
