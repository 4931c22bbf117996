"""Decimal numerals as the nearest float64, bit for bit what Python's float() gives.

A numeral is m·10^q with a whole number m. Where m <= 2^53 and |q| <= 22, both m and 10^|q|
are floats and one multiplication or division rounds once: the answer (Clinger 1990).
Otherwise m and 10^q are taken as sums of two floats, their product is known to 2^-100 of its
size, and it is rounded where every number that close rounds alike (Ziv 1991). What is left,
ties and far exponents, is HARD: the caller asks Python.

Text is bytes that end in a line end, so no loop here looks for the end of the text.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np

from novikoff.loops.compiled import compiled
from novikoff.loops.text import byte

NUMBER, HARD, NO_NUMBER = 0, 1, 2
REACH = 270  # |q| up to this: no product below over- or underflows
CLINGER = 22
SPLITTER = 2.0**27 + 1.0
DOUBT = 2.0**-100  # of the value: the products below are off by less than 2^-102


@cache
def powers_of_ten() -> np.ndarray:
    """Row REACH + q is 10^q as two floats: the nearest, and what the nearest leaves."""
    table = np.empty((2 * REACH + 1, 2))
    for q in range(-REACH, REACH + 1):
        exact = Fraction(10) ** q
        nearest = exact.numerator / exact.denominator
        rest = exact - Fraction(nearest)
        table[q + REACH] = nearest, rest.numerator / rest.denominator
    return table


@compiled(forceinline=True)
def split(value):
    """The float as the sum of two of at most 26 bits each (Veltkamp)."""
    scaled = SPLITTER * value
    high = scaled - (scaled - value)
    return high, value - high


@compiled(forceinline=True)
def product_of_pairs(a, a_low, b, b_low):
    """(a + a_low)·(b + b_low) as two floats, off by less than 2^-102 of it."""
    high = a * b
    a1, a2 = split(a)
    b1, b2 = split(b)
    rounding = ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2  # a·b - high, exactly (Dekker)
    low = rounding + (a * b_low + a_low * b)
    value = high + low
    return value, low - (value - high)


@compiled
def long_whole(text, at):
    """The digits from `at` on, less the point: (first 18, next up to 13, how many next, all?).

    Leading zeros do not count. "All" is 0 where digits other than zeros are left over, which
    then makes the numeral HARD.
    """
    first = 0
    rest = 0
    n_first = 0
    n_rest = 0
    whole = 1
    while True:
        c = byte(text, at)
        if c != 46:
            digit = c - 48
            if digit < 0 or digit > 9:
                break
            if n_first < 18:
                first = first * 10 + digit
                if first > 0:
                    n_first += 1
            elif n_rest < 13:
                rest = rest * 10 + digit
                n_rest += 1
            else:
                whole = 0
        at += 1
    return first, rest, n_rest, whole


@compiled(forceinline=True)
def rounded(whole, rest, n_rest, q, powers):
    """(whole·10^n_rest + rest)·10^q: (value, NUMBER), or (0, HARD) where it is in doubt."""
    if q < -REACH or q > REACH:
        return 0.0, HARD
    a = float(whole)
    a_low = float(whole - int(a))
    if n_rest > 0:
        scale = powers[REACH + n_rest, 0]
        high, low = product_of_pairs(a, 0.0, scale, 0.0)  # whole numbers: exact
        a = high + (low + (a_low * scale + float(rest)))
        a_low = (low + (a_low * scale + float(rest))) - (a - high)
    value, left = product_of_pairs(a, a_low, powers[REACH + q, 0], powers[REACH + q, 1])
    doubt = value * DOUBT
    if value + (left + doubt) != value or value + (left - doubt) != value:
        return 0.0, HARD
    return value, NUMBER


@compiled(forceinline=True)
def read_number_inline(text, at, powers):
    """The numeral at `at`: (value, where it ends, NUMBER | HARD | NO_NUMBER).

    [+-] digits [. digits] [e [+-] digits], with a digit before or after the point. Whether
    what follows may follow a number is for the caller to say.
    """
    c = byte(text, at)
    negative = c == 45
    if negative or c == 43:
        at += 1
    start = at
    whole = 0
    digit = byte(text, at) - 48
    while 0 <= digit <= 9:
        whole = whole * 10 + digit
        at += 1
        digit = byte(text, at) - 48
    n_digits = at - start
    q = 0
    if digit == -2:
        at += 1
        point = at
        digit = byte(text, at) - 48
        while 0 <= digit <= 9:
            whole = whole * 10 + digit
            at += 1
            digit = byte(text, at) - 48
        q = point - at
        n_digits -= q
    if n_digits == 0:
        return 0.0, at, NO_NUMBER
    if digit == 53 or digit == 21:  # e, E
        mark = at
        at += 1
        c = byte(text, at)
        down = c == 45
        if down or c == 43:
            at += 1
        first = at
        power = 0
        digit = byte(text, at) - 48
        while 0 <= digit <= 9:
            if power < 100000:
                power = power * 10 + digit
            at += 1
            digit = byte(text, at) - 48
        if at == first:
            return 0.0, mark, NO_NUMBER
        q = q - power if down else q + power
    kind = NUMBER
    if n_digits <= 18:
        if whole <= 9007199254740992 and -CLINGER <= q <= CLINGER:
            value = float(whole)
            if q < 0:
                value /= powers[REACH - q, 0]
            elif q > 0:
                value *= powers[REACH + q, 0]
        elif whole == 0:
            value = 0.0
        else:
            value, kind = rounded(whole, 0, 0, q, powers)
    else:
        value = 0.0
        first, rest, n_rest, all_there = long_whole(text, start)
        if first > 0:
            # q counts from the last digit, wherever leading zeros and the point stand.
            if all_there == 1:
                value, kind = rounded(first, rest, n_rest, q, powers)
            else:
                kind = HARD
    return float(-value if negative else value), at, kind


@compiled
def read_number(text, at, powers):
    """The same, for places that are not worth a copy of the code."""
    return read_number_inline(text, at, powers)
