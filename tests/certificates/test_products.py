"""Signs of products in floats that are exact: those of Python's integers."""

from __future__ import annotations

import numpy as np

from novikoff.certificates.arithmetic import product_signs
from novikoff.inputs import integers_of_floats


def test_signs_of_products_are_those_of_integers(fresh_seed):
    """Wide and narrow numbers, near 1 and near the ends of the floats, products that vanish."""
    random = np.random.default_rng(fresh_seed)
    for _ in range(600):
        n, d, m = random.integers(1, 6, 3)
        spread = int(random.choice([2, 12]))
        block = random.normal(size=(n, d)) * 10.0 ** random.integers(-spread, spread, (n, d))
        block = np.ldexp(block, int(random.choice([0, 0, -900, 800])))
        weights = random.integers(-3, 4, (d, m)) * int(random.choice([1, 2**17 + 1, 2**40 + 1]))
        if d > 1 and random.random() < 0.5:
            block[:, 0] = block[:, 1]
            weights[:2] = [[1] * m, [-1] * m]
            weights[2:] = 0
        whole = np.array([[int(v) for v in row] for row in weights], dtype=object).reshape(d, m)
        exact = integers_of_floats(block)[0] @ whole
        expected = (exact > 0).astype(int) - (exact < 0).astype(int)
        assert (product_signs(block, whole) == expected).all(), (block, weights)
