"""Which rows lie outside the span of a few? One pass modulo a prime, for two primes.

If v is a random vector with z_b·v = 0 (mod p) for the few rows, a row outside their span has
z·v ≠ 0 but for a chance of 1/p, and a row inside has z·v = 0 always. Floats are integers times
powers of two, and both are known modulo p, so nothing is rounded. Numbers that a prime divides
are zero to it, so the primes are none that people write down (2^31 - 1 is one).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.search.integers import independent
from novikoff.search.signed_rows import SignedRows
from novikoff.search.sparse_relations import LOWEST, PRIMES, powers_of_two, residues_of


def spanning_rows(z: SignedRows, first: np.ndarray) -> np.ndarray:
    """Independent rows that span all rows of z, chosen among `first` where those suffice."""
    basis = first[:0]
    rest = first
    while len(rest):
        candidates, known = np.concatenate([basis, rest]), len(basis)
        whole = z.integers(candidates)[0]
        basis = candidates[independent(whole)[0]]
        if len(basis) <= known and rest is not first:  # a prime divides what sets these apart
            basis = candidates[independent(whole, is_sure=True)[0]]
            if len(basis) == known:
                break
        if len(basis) == z.dim:
            break
        rest = outside(z, basis)[: 2 * z.dim]
    return basis


def spanning_equalities(z: SignedRows, held: np.ndarray) -> np.ndarray:
    """Independent ones, very likely as many as there are, of the rows `held`, which have no sign.

    Whoever relies on them looks at all of `held` again.
    """
    if not len(held):
        return held
    plain = np.ones(z.table.n_rows, dtype=np.int8)
    rows = SignedRows(z.table, plain, z.fit_intercept, held, z.columns)
    return np.sort(spanning_rows(rows, held[:: max(1, len(held) // (2 * rows.dim))]))


def outside(z: SignedRows, basis: np.ndarray) -> np.ndarray:
    """The rows of z that are not in the span of the rows `basis`."""
    found = np.zeros(z.n_rows, dtype=bool)
    for prime in PRIMES[:2]:
        found |= _residues(z, _random_null_vector(z, basis, prime), prime) != 0
    return z.rows[found]


def _random_null_vector(z: SignedRows, basis: np.ndarray, prime: int) -> np.ndarray:
    from flint import fmpz_mat, nmod_mat

    whole, places, _ = z.integers(basis)
    random = np.random.default_rng(prime)
    vector = random.integers(0, prime, z.dim)  # free wherever these rows are all zero
    kernel, nullity = nmod_mat(fmpz_mat(whole.tolist()), prime).nullspace()
    width = len(places)  # the kernel is width × width, zero after its first `nullity` columns
    shares = random.integers(0, prime, nullity).tolist() + [0] * (width - nullity)
    product = kernel * nmod_mat(width, 1, shares, prime)
    vector[places] = [int(value) for value in product.entries()]
    return vector


def _residues(z: SignedRows, vector: np.ndarray, prime: int) -> np.ndarray:
    """x·v + constant·v_last mod p for every row of z (times a power of two)."""
    table = z.table
    constant = int(vector[-1]) if z.fit_intercept else 0
    result = np.empty(z.n_rows, dtype=np.int64)
    if table.exact is not None:
        for place, i in enumerate(z.rows.tolist()):
            whole, scale = table.integers([i])
            products = whole[0, z.columns] * vector[: len(z.columns)].astype(object)
            result[place] = int(products.sum() + scale * constant) % prime
        return result
    powers = powers_of_two(prime)
    unit = int(powers[-LOWEST])
    step = max(1, (1 << 20) * table.n_rows // max(1, table.matrix.size))
    for start in range(0, z.n_rows, step):
        block = table.matrix[z.rows[start : start + step]][:, z.columns]
        total = _block_residues(block, vector, powers, prime)
        result[start : start + step] = (total + constant * unit) % prime
    return result


def _block_residues(block: Any, vector: np.ndarray, powers: np.ndarray, prime: int) -> np.ndarray:
    sparse = not isinstance(block, np.ndarray)
    residues = residues_of(block.data if sparse else block, powers, prime)
    if not sparse:
        return np.asarray((residues * vector[: block.shape[1]] % prime).sum(axis=1))
    residues = residues * vector[block.indices] % prime
    sums = np.concatenate([[0], np.cumsum(residues)])
    return np.asarray(sums[block.indptr[1:]] - sums[block.indptr[:-1]])
