"""The trusted base: what a proof claims, and the exact check of the claim.

    digest.py       which data: one hash of the values, whatever they are stored in
    stamp.py        what a proof says about its data: size, labels, numbers, offset, digest
    reading.py      how the rows came out of a file, and which of its rows they are
    arithmetic.py   exact signs of scores and of sums of rows
    rank.py         do a few rows span others?
    arrows.py       the same of rows c·(e_j - e_k), such as contests
    lifted.py       all relations between columns: found modulo a prime, lifted, proven
    combinations.py is a vector, such as the sum of all rows, a combination of a few?
    modular.py      linear algebra modulo a prime, by exact products of floats
    sparse_null.py  all directions that are zero on very many sparse rows
    verified.py     signs of multipliers that floats prove, with the bound and its derivation
    certificate.py  what all certificates share: verify, to_dict, save
    separator.py, obstruction.py, quasi.py      the three claims of version 1
    complete.py     the one claim behind them: which rows can be settled, and which never
    alone.py        an obstruction given by its rows alone; determined.py: their multipliers
    derivation.py   what makes the table of a regression out of a file: a closed grammar
    model.py        which regression a proof speaks of, and its response columns
    comparisons.py  the rows of that regression; at_risk.py: those of a Cox model
    entries.py, whole_columns.py                how such rows are put together without rounding
    regression.py   the complete claim about the rows of a regression
    mistakes.py     the fewest mistakes of any hyperplane, between two bounds
    files.py        the strict reader of proof files
    checker.py      all of it again in one plain file, with the standard library alone

Anything may propose a certificate; only `check` decides, and it has no tolerance.
With sign_i = ±1, z_i is sign_i·(x_i, 1), or sign_i·(x_i, 0) without an offset.
"""

from __future__ import annotations

from novikoff.certificates.alone import RowsAlone
from novikoff.certificates.certificate import Certificate
from novikoff.certificates.complete import Complete
from novikoff.certificates.files import load_certificate
from novikoff.certificates.mistakes import Mistakes
from novikoff.certificates.obstruction import Obstruction
from novikoff.certificates.quasi import QuasiSeparator
from novikoff.certificates.reading import Reading
from novikoff.certificates.regression import RegressionProof
from novikoff.certificates.separator import Separator
from novikoff.certificates.stamp import Stamp

__all__ = [
    "Certificate",
    "Complete",
    "Mistakes",
    "Obstruction",
    "QuasiSeparator",
    "Reading",
    "RegressionProof",
    "RowsAlone",
    "Separator",
    "Stamp",
    "load_certificate",
]
