"""Rows of two opposite numbers are arrows, and span what they join: against exact elimination."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import novikoff as nk
from novikoff.certificates.arrows import are_spanned
from novikoff.certificates.files import from_dict
from novikoff.errors import CertificateError
from novikoff.inputs import Table, read_table
from novikoff.io.data import csr_over
from tampering import rank


def arrow(draw, width):
    row = [0] * width
    factor = draw.choice([1, -1, 3, 0.1, 1e300])
    a, b = draw.randrange(width + 1), draw.randrange(width + 1)
    if a < width:
        row[a] = factor
    if b < width:
        row[b] = -factor if a != b else 0
    return row


def test_arrows_span_just_what_exact_elimination_says(fresh_seed):
    draw, seen = random.Random(fresh_seed), set()
    for _ in range(600):
        width = draw.randint(1, 5)
        rows = [arrow(draw, width) for _ in range(draw.randint(1, 6))]
        n = draw.randint(0, len(rows))
        table = read_table(csr_matrix(np.array(rows, dtype=float)))
        found = are_spanned(table, np.arange(n), np.arange(n, len(rows)))
        exact = [[Fraction(float(value)) for value in row] for row in rows]
        assert found == (rank(exact[:n]) == rank(exact)), (rows, n)
        seen.add(found)
    assert seen == {True, False}


@pytest.mark.parametrize("row", [[1.0, 1.0, 0.0], [1.0, -2.0, 0.0], [1.0, -2.0, 1.0]])
def test_of_rows_that_are_no_arrows_nothing_is_said(row):
    table = read_table(csr_matrix(np.array([row, row])))
    assert not are_spanned(table, np.array([0]), np.array([1]))


def test_numbers_that_share_a_place_are_not_added_up_in_floats():
    twice = csr_matrix(
        (np.array([1e16, 1.0, -1e16]), np.array([0, 0, 1]), np.array([0, 3])), (1, 2)
    )
    table = Table(twice, None, "binary64")
    assert not are_spanned(table, np.array([0]), np.array([0]))


def test_walks_that_miss_a_player_do_not_prove_a_table_of_contests():
    """Two circles of a dozen players: the sum of one of them says nothing of the other."""
    n = 12
    circle = list(range(n))
    winner, loser = [*circle, *(n + k for k in circle)], [*circle[1:], 0, *(
        n + (k + 1) % n for k in circle)]  # fmt: skip
    fit = nk.certify_regression(model="bradley-terry", winner=[*winner, 0, n], loser=[*loser, n, 0])
    assert fit.status == "finite"
    assert fit.rows.table.is_sparse
    fields = fit.certificate.to_dict()
    fields["rows"], fields["multipliers"] = list(range(n)), ["0x1"] * n

    with pytest.raises(CertificateError, match="do not span row"):
        from_dict(fields).verify_table(fit.given.whole(), csr_over)
    fields["rows"], fields["multipliers"] = list(range(2 * n)), ["0x1"] * (2 * n)
    with pytest.raises(CertificateError, match="do not span row 24"):
        from_dict(fields).verify_table(fit.given.whole(), csr_over)
