"""Products of floats, dense and sparse, with integers: exact, and so are their signs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from novikoff.certificates.arithmetic import exact_product, product_signs


def drawn(rng):
    """A block of floats of very different sizes, and integers; often with sums that cancel."""
    m, d, k = rng.integers(1, 7, 3)
    spread, middle = int(rng.choice([1, 5, 40, 400, 1000])), int(rng.choice([0, 0, -900, 800]))
    most = 2 ** int(rng.integers(1, 54))
    exponents = np.clip(rng.integers(-spread, spread, (m, d)) + middle, -1100, 960)
    block = np.ldexp(rng.integers(-most, most + 1, (m, d)).astype(float), exponents)
    block[rng.random((m, d)) < 0.3] = 0.0
    bits = int(rng.choice([1, 5, 30, 62, 70, 300, 5_000, 20_000]))
    sizes = [int.from_bytes(rng.bytes(bits // 8 + 1)) % 2**bits for _ in range(d * k)]
    weights = np.array([v * int(rng.choice([-1, 1])) for v in sizes], dtype=object).reshape(d, k)
    if d > 1 and rng.random() < 0.5:
        block[:, 1], weights[0], weights[2:] = block[:, 0], -weights[1], 0
        if d > 2 and rng.random() < 0.5:
            block[:, 2], block[0, 2], weights[2] = 0.0, 5e-324, 1
    return block, weights.astype(np.int64) if bits < 63 and rng.random() < 0.5 else weights


@pytest.mark.parametrize("seed", [0, None])
def test_products_and_their_signs_are_exact(seed, fresh_seed):
    rng = np.random.default_rng(fresh_seed if seed is None else seed)
    for _ in range(150):
        block, weights = drawn(rng)
        left = [[Fraction(v) for v in row] for row in block.tolist()]
        right = [[int(v) for v in column] for column in weights.T]
        exact = [[sum(a * b for a, b in zip(row, w, strict=True)) for w in right] for row in left]
        for form in (block, sparse.csr_matrix(block), sparse.csr_matrix(block.T).T):
            whole, scale = exact_product(form, weights)
            assert [[Fraction(int(v), scale) for v in row] for row in whole] == exact
            signs = product_signs(form, weights)
            assert signs.tolist() == [[(v > 0) - (v < 0) for v in row] for row in exact]
        whole, scale = exact_product(block, weights[:, 0])
        assert [Fraction(int(v), scale) for v in whole] == [row[0] for row in exact]
