"""Numbers in text: bit for bit what Python's float() makes of them."""

from __future__ import annotations

import random
import struct
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from novikoff.loops.compiled import Loop
from novikoff.loops.numerals import HARD, NO_NUMBER, NUMBER, powers_of_ten, read_number


def every_line(text, powers, values, ends, kinds):
    at = 0
    k = 0
    while at < len(text):
        value, at, kind = read_number(text, at, powers)
        values[k] = value
        ends[k] = at
        kinds[k] = kind
        k += 1
        at += 1


def read_lines(words):
    """The values of the words, by the compiled loop; HARD ones by float(), as readers do."""
    text = "".join(f"{word}\n" for word in words).encode()
    values, (ends, kinds) = np.empty(len(words)), np.empty((2, len(words)), dtype=np.int64)
    loop = Loop(every_line, {}).fast
    loop(np.frombuffer(text, np.uint8), powers_of_ten(), values, ends, kinds)
    stops = np.cumsum([len(word) + 1 for word in words]) - 1
    assert np.array_equal(ends, stops)
    for k in np.flatnonzero(kinds == HARD):
        values[k] = float(words[k])
    return values, kinds


def bits(values):
    return np.asarray(values, dtype=np.float64).view(np.int64).tolist()


def near_tie(rng):
    """A decimal next to, or on, the middle between two floats."""
    odd = 2 * (rng.getrandbits(52) | 1 << 52) + 1
    middle = odd * Fraction(2) ** rng.randrange(-99, 99)
    with localcontext() as context:
        context.prec = rng.choice([17, 18, 19, 21, 25, 31, 60])
        return str(Decimal(middle.numerator) / Decimal(middle.denominator))


def words_of_all_kinds(rng, count):
    for _ in range(count):
        yield repr(rng.random())
        yield repr(abs(struct.unpack("<d", struct.pack("<Q", rng.getrandbits(62)))[0]))
        yield f"{rng.gauss(0, 1):.18e}"
        yield f"{rng.gauss(0, 1):.{rng.randrange(30)}f}"
        yield f"{rng.getrandbits(rng.randrange(1, 110))}e{rng.randrange(-340, 290)}"
        yield f"-0.000{rng.getrandbits(60)}E-{rng.randrange(300)}"
        yield near_tie(rng)


def test_every_numeral_is_the_float_that_python_makes_of_it():
    words = list(words_of_all_kinds(random.Random(1), 4000))
    words = [word for word in words if word != "inf"]
    values, kinds = read_lines(words)
    assert (kinds != NO_NUMBER).all()
    assert bits(values) == bits([float(word) for word in words])


def test_python_is_asked_only_for_ties_very_long_numerals_and_far_exponents():
    rng = random.Random(2)
    words = [f"{rng.gauss(0, 1):.{rng.randrange(19)}e}" for _ in range(5000)]
    words += [repr(rng.gauss(0, 1) * 10.0 ** rng.randrange(-200, 200)) for _ in range(5000)]
    _, kinds = read_lines(words)
    assert (kinds == NUMBER).all()


def test_signs_points_and_zeros():
    words = [
        "0", "-0", "+0", "0.0", "-0.0e5", "1.", ".5", "-.5", "+1", "007", "0e999", "1E2", "1e+2",
        "00000000000000000000000000000000000001.5", "0." + "0" * 40 + "1", "1" + "0" * 40,
        "9007199254740992", "9007199254740993", "9007199254740993.0000000000000000000000001",
        "1e22", "1e23", "5e-324", "2.2250738585072011e-308", "1.7976931348623157e308", "1e-400",
    ]  # fmt: skip
    values, _ = read_lines(words)
    assert bits(values) == bits([float(word) for word in words])


def test_what_is_no_numeral_is_said_to_be_none():
    for word in ["", ".", "-", "+.", "e5", "1e", "1e+", "--1", "nan", "inf", "x"]:
        _, _, kind = read_number(f"{word}\n".encode(), 0, powers_of_ten())
        assert kind == NO_NUMBER


@settings(max_examples=300, deadline=None)
@given(
    st.from_regex(
        r"[+-]?([0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})([eE][+-]?[0-9]{1,4})?", fullmatch=True
    )
)
def test_interpreted_numerals_are_pythons_floats_too(word):
    value, end, kind = read_number(f"{word}\n".encode(), 0, powers_of_ten())
    assert end == len(word)
    assert kind == HARD or bits([value]) == bits([float(word)])
