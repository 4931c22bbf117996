"""The trusted base: what a proof claims, and the exact check of the claim.

    digest.py       which data: one hash of the values, whatever they are stored in
    stamp.py        what a proof says about its data: size, labels, numbers, offset, digest
    reading.py      how the rows came out of a file; derivation.py: what made a regression's table
    arithmetic.py   exact signs of scores, and exact sums of rows
    fields.py       the fields of a proof file, by tables
    certificate.py  what all certificates share: verify, to_dict, save; and the reader of the file
    claim.py        the claim: a direction, and a witness that nothing ever moves the core
    remainder.py    a witness without digits: the bound by which floats prove it
    labellings.py   many labellings of the same rows, checked together
    obstruction.py  few rows that alone rule out a strict separator, for people to look at
    mistakes.py     the fewest mistakes of any hyperplane, between two bounds
    model.py        which regression a proof speaks of, and its response columns
    comparisons.py  the rows of that regression; at_risk.py: those of a Cox model
    entries.py      how such rows are put together without rounding
    checker.py      all of it again in one plain file, with the standard library alone

Anything may propose a certificate; only `check` decides, and it has no tolerance.
With sign_i = ±1, z_i is sign_i·(x_i, 1), or sign_i·(x_i, 0) without an offset.
"""

from __future__ import annotations

from novikoff.certificates.certificate import Certificate, load_certificate
from novikoff.certificates.claim import Claim, Witness
from novikoff.certificates.mistakes import Mistakes
from novikoff.certificates.obstruction import Obstruction
from novikoff.certificates.reading import Reading
from novikoff.certificates.stamp import Stamp

__all__ = [
    "Certificate",
    "Claim",
    "Mistakes",
    "Obstruction",
    "Reading",
    "Stamp",
    "Witness",
    "load_certificate",
]
