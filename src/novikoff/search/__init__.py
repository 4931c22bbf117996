"""Finds candidates: separators, obstructions, directions. Proves nothing by itself.

Everything here asks one question, Farkas's: is a target vector a non-negative combination of
the rows z_i = sign_i·(x_i, 1), or is there a direction that no row opposes and the target
does? Floats propose, exact integers settle, and the checker in `certificates` decides.

decide.py                   the whole search, stage by stage; clock.py ends it in time
signed_rows.py, shrunk.py, picture.py    the rows z_i: exact, within the floats' range, well scaled
sharpened.py                columns that are sums of others but for rounding, by what that left
perceptron.py, peel.py, conflicts.py     what may settle it early: a run, a column, two rows
strict.py, weak.py          is there a strict separator, a weak one?
unmoved.py                  rows that no weak separator moves, and one that moves all others
complete.py, equalities.py  the most rows that one direction settles; rows that must be held
outweighing.py              how directions are added without a settled row coming loose
fixed_effects.py            the same for very many sparse columns
question.py, proposers.py   Farkas's question over a working set, and who may propose its answer
newton.py, lp.py            two proposers in floats: the squared hinge, a linear program
farkas.py, integers.py, crossover.py     the answer in integers; few rows out of many
face.py, fuller.py          rows that nothing settles, told apart; obstructions that span all rows
multipliers.py              those of wide tables: their signs at once, their digits when asked for
margins.py                  margin and radius, between bounds that are true after rounding
widest.py, widest_exact.py  the largest margin: in floats between two bounds, exactly
recession.py                which coefficients are infinite
collinear.py, sparse_null.py, span.py    columns and rows that are combinations of others
mistakes/                   the fewest rows that a hyperplane must get wrong
threads.py                  one thread for small matrices
"""
