"""Finds candidates for a claim: a direction, and multipliers. Proves nothing by itself.

One question is asked of the rows z_i = sign_i·(x_i, 1) that are left: does a direction oppose none
of them and move some, or do positive multipliers balance all of them? Floats propose an answer,
integers make it exact, and the checker in `certificates` decides.

decide.py                   the whole search, stage by stage; clock.py ends it in time
signed_rows.py              the rows z_i: exact, and within the range of floats
float_view.py, frame.py     as floats see them; where columns nearly depend on each other
one_signed_columns.py       rows that a single column settles
hinge.py                    the squared hinge, pulled or with a ridge, by Newton's steps
strict.py                   a strict separator, or few rows that rule it out
engine.py                   can any direction move the rows that are left?
wide.py, levels.py          the same for hundreds of columns, and for a factor of many levels
labellings.py               many labellings of the same rows at once, as products of matrices
question.py, lp.py          the same over the integers: always an answer
crossover.py, integers.py   few rows out of many that balance, and their multipliers exactly
fixed_effects.py            rows that must stay at zero, of very many sparse columns
collinear.py                columns that are combinations of others, and independent equalities
sparse_relations.py         relations between very many sparse columns
margins.py                  margin and radius, between bounds that are true after rounding
widest.py, widest_exact.py  the largest margin: in floats between two bounds, exactly
infinite.py                 which coefficients are infinite, and in which direction
mistakes/                   the fewest rows that a hyperplane must get wrong
threads.py                  one thread for small matrices
"""
