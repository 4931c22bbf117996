"""Gauss in Fractions: an exact account of columns that shares nothing with the library."""

from __future__ import annotations

from fractions import Fraction


def relations_of(X, offset):
    """{j: {k: share}}: column j is Σ share·column k on every row, over columns kept before it.

    The constant 1, where there is an offset, is column d and comes first.
    """
    d = len(X[0])
    columns = {j: [Fraction(row[j]) for row in X] for j in range(d)}
    columns[d] = [Fraction(1)] * len(X)
    basis = []  # (column reduced to 1 at its pivot, pivot, what it is of the kept columns)
    relations = {}
    for j in [*[d] * offset, *range(d)]:
        rest, shares = columns[j], {j: Fraction(1)}
        for vector, pivot, parts in basis:
            factor = rest[pivot]
            if factor:
                rest = [a - factor * b for a, b in zip(rest, vector, strict=True)]
                for k, part in parts.items():
                    shares[k] = shares.get(k, Fraction(0)) - factor * part
        pivot = next((i for i, value in enumerate(rest) if value), None)
        if pivot is None:
            relations[j] = {k: -share for k, share in shares.items() if k != j and share}
        else:
            head = rest[pivot]
            basis.append((
                [value / head for value in rest],
                pivot,
                {k: share / head for k, share in shares.items()},
            ))  # fmt: skip
    return relations
