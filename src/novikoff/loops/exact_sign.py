"""The sign of a score, exactly: what decides when rounding could have lied.

Floats are integers times powers of two, so a score is a sum of integers times powers of
two. The sum is kept in a row of 32-bit limbs wide enough for any product of two float64
numbers (Kulisch's accumulator); nothing is ever rounded, overflowed or lost.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff.loops.compiled import compiled
from novikoff.loops.rows import _by_layout

LIMBS = 140  # 32 bits each: 2^-2148 … 2^2048 and room for 2^60 terms
_LOWEST = 2200  # limb 0 starts at 2^-2200
_LOW_BITS = (1 << 27) - 1
_LIMB_MASK = (1 << 32) - 1


@compiled
def _add_piece(limbs, sign, piece, exponent):
    """limbs += sign·piece·2^exponent, for 0 <= piece < 2^54."""
    place = exponent + _LOWEST
    k = place // 32
    shift = place % 32
    low = (piece & ((1 << (32 - shift)) - 1)) << shift
    rest = piece >> (32 - shift)
    limbs[k] += sign * low
    limbs[k + 1] += sign * (rest & _LIMB_MASK)
    limbs[k + 2] += sign * (rest >> 32)


@compiled
def add_product(limbs, a, b):
    """limbs += a·b, exactly."""
    if a == 0.0 or b == 0.0:
        return
    a_fraction, a_exponent = math.frexp(a)
    b_fraction, b_exponent = math.frexp(b)
    sign = 1 if (a > 0.0) == (b > 0.0) else -1
    a_whole = int(abs(a_fraction) * 9007199254740992.0)
    b_whole = int(abs(b_fraction) * 9007199254740992.0)
    exponent = a_exponent + b_exponent - 106
    a_high, a_low = a_whole >> 27, a_whole & _LOW_BITS
    b_high, b_low = b_whole >> 27, b_whole & _LOW_BITS
    _add_piece(limbs, sign, a_low * b_low, exponent)
    _add_piece(limbs, sign, a_low * b_high, exponent + 27)
    _add_piece(limbs, sign, a_high * b_low, exponent + 27)
    _add_piece(limbs, sign, a_high * b_high, exponent + 54)


@compiled
def sign_of(limbs):
    """-1, 0 or 1: the sign of the number that the limbs hold."""
    carry = 0
    rest = 0
    for k in range(limbs.shape[0]):
        carry += limbs[k]
        rest |= carry & _LIMB_MASK
        carry >>= 32
    if carry != 0:
        return 1 if carry > 0 else -1
    return 1 if rest != 0 else 0


@compiled
def _dense_add_score(rows, i, w, factor, limbs):
    x = rows.values[i]
    for j in range(x.shape[0]):
        add_product(limbs, factor * float(x[j]), float(w[j]))
    add_product(limbs, factor * rows.constant, float(w[x.shape[0]]))


@compiled
def _sparse_add_score(rows, i, w, factor, limbs):
    for p in range(rows.starts[i], rows.starts[i + 1]):
        add_product(limbs, factor * float(rows.values[p]), float(w[rows.columns[p]]))
    add_product(limbs, factor * rows.constant, float(w[w.shape[0] - 1]))


add_score = _by_layout(_dense_add_score, _sparse_add_score)
"""limbs += factor·score of row i under w, exactly, for a factor of 1 or -1."""


@compiled
def exact_sign(rows, i, w):
    """The sign of row i's exact score under the weights w as they are."""
    limbs = np.zeros(LIMBS, np.int64)
    add_score(rows, i, w, 1.0, limbs)
    return sign_of(limbs)


@compiled
def exact_comparison(rows, i, w, v):
    """The sign of row i's exact score under w minus that under v."""
    limbs = np.zeros(LIMBS, np.int64)
    add_score(rows, i, w, 1.0, limbs)
    add_score(rows, i, v, -1.0, limbs)
    return sign_of(limbs)
