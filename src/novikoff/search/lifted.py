"""All relations between the columns of a few rows of integers: found modulo a prime, then lifted.

Modulo a prime p an elimination (modular.py) finds r rows and r columns C whose square block B is
invertible, and the rank modulo p is r. The other columns F depend on those of C, if they do at all,
by the one X with B·X = T, where T is made of the same rows of the columns F. Dixon (1982) finds X
digit by digit to the base p. With A_C and A_F all rows in these columns and R = A_F at first,

    X_k = B⁻¹·R mod p,     R := (R - A_C·X_k)/p,     so that    A_C·Σ_{i<k} X_i·p^i + p^k·R = A_F.

Every division must leave no remainder, in all rows: it is looked at. After K steps the digits stand
for an x with A_C·x = A_F (mod p^K). The entries of X are fractions with one denominator δ, which
Euclid's algorithm finds from a few lifted columns; their numerators are Y = δ·x mod p^K, between
±p^K/2.

That A_C·Y = δ·A_F is then proven, not hoped for: both sides agree modulo p^K, and they differ by
less than p^K where r·max|A_C|·max|Y| + δ·max|A_F| < p^K, which is what is checked. So each column
of F gives a relation (-Y, δ), as many as columns are not in C, independent because each has its own
column of F. There cannot be more, since rank A >= rank of A modulo p = r. What fails, because the
prime divides a number that sets columns apart, is tried with another prime, and at last without.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import largest_integer
from novikoff.search.modular import (
    LIMB,
    PRIMES,
    TERMS,
    Echelon,
    as_short,
    echelon,
    reduce_floats,
    residues_of_integers,
    times,
)

SPARE = 40  # bits by which a guessed denominator must fall short of chance
COMBINATIONS = 3  # of columns, from which a denominator is guessed
MOST_SHARE = 1 << 10  # of a column in them
CELLS = 1 << 21  # digits that are held at once
MOST_DIGITS = 1024  # of a number to the base p
SHORT_DIGITS = 16  # of a number that is worth multiplying all rows with
LONGEST = 12 * LIMB  # bits of numbers that limbs are worth while for


def null_space(whole: np.ndarray) -> np.ndarray:
    """A basis of all n with whole @ n = 0, one a column, as Python integers without a factor."""
    n_rows, n_columns = whole.shape
    if n_rows == 0:
        return np.eye(n_columns, dtype=int).astype(object)
    whole = as_short(whole)
    if largest_integer(whole) >> 53:
        whole, scales = _shorter(whole.astype(object))
        return _without_factors(_null_space(whole) * scales[:, None])
    return _null_space(whole)


def short_null_space(whole: np.ndarray, found: Echelon | None = None) -> np.ndarray | None:
    """The same; None where its numbers are long, or a prime does not tell.

    `found` is an elimination of these integers modulo a prime, if one is known.
    """
    whole = as_short(whole)
    if not len(whole) or largest_integer(whole).bit_length() > LONGEST:
        return None
    if found is None or found.rank == whole.shape[1]:
        return _null_space_by(PRIMES[0], whole, SHORT_DIGITS)
    return Lifting(whole, found).basis(SHORT_DIGITS)


def _null_space(whole: np.ndarray) -> np.ndarray:
    if largest_integer(whole).bit_length() <= LONGEST:
        for prime in PRIMES:
            basis = _null_space_by(prime, whole, MOST_DIGITS)
            if basis is not None:
                return basis
    return _null_space_of_integers(whole)


def _null_space_by(prime: int, whole: np.ndarray, most_digits: int) -> np.ndarray | None:
    found = echelon(residues_of_integers(whole, prime), prime)
    if found.rank == whole.shape[1]:
        return np.zeros((found.rank, 0), dtype=object)
    return Lifting(whole, found).basis(most_digits)


def _shorter(whole: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns divided as far as they go; what to multiply a relation of theirs by."""
    whole = whole // np.maximum(np.gcd.reduce(whole, axis=1), 1)[:, None]
    divisors = np.maximum(np.gcd.reduce(whole, axis=0), 1)
    return whole // divisors, math.lcm(*divisors.tolist()) // divisors


def _null_space_of_integers(whole: np.ndarray) -> np.ndarray:
    """The same without a prime."""
    from flint import fmpz_mat

    basis, count = fmpz_mat(whole.tolist()).nullspace()
    numbers = np.array([int(value) for value in basis.entries()], dtype=object)
    return _without_factors(numbers.reshape(basis.nrows(), basis.ncols())[:, :count])


def _without_factors(basis: np.ndarray) -> np.ndarray:
    for place, column in enumerate(basis.T):
        common = 0
        for value in column.tolist():
            if (common := math.gcd(common, value)) == 1:
                break
        if common > 1:
            basis[:, place] = column // common
    return basis


class Lifting:
    """The columns that depend on others, solved for to the base p."""

    def __init__(self, whole: np.ndarray, found: Echelon) -> None:
        self.prime, self.rank, self.rows = found.prime, found.rank, found.rows
        self.columns = found.columns
        self.others = np.setdiff1d(np.arange(whole.shape[1]), found.columns)
        self.width = whole.shape[1]
        self.largest = largest_integer(whole)
        known, right = whole[:, self.columns], whole[:, self.others]  # A_C and A_F
        rests = largest_integer(right) * max(1, right.shape[1]) * MOST_SHARE
        products = self.rank * largest_integer(known) * self.prime
        self.is_short = rests + products < 1 << 52  # floats hold R - A_C·digit
        if self.is_short:
            self.known, self.right = (part.astype(np.float64)[None] for part in (known, right))
        else:
            self.known, self.right = (limbs_of(part, self.largest) for part in (known, right))
        self.inverse = found.inverse()
        powers = [pow(2, LIMB * k, self.prime) for k in range(len(self.right))]
        self.powers = np.array(powers, dtype=np.int64)

    def basis(self, most_digits: int) -> np.ndarray | None:
        """One relation for each of the other columns; None if this prime does not give them, or
        not with so few digits."""
        basis = np.zeros((self.width, len(self.others)), dtype=object)
        if not self.rank:  # the prime divides all numbers: are they all zero?
            basis[self.others, np.arange(len(self.others))] = 1
            return None if self.largest else basis
        guessed = self._denominator(most_digits)
        if guessed is None:
            return None
        denominator, n_digits = guessed
        first = 0
        while first < len(self.others):
            if n_digits > most_digits:
                return None
            part = np.arange(first, len(self.others))[: max(1, CELLS // (self.rank * n_digits))]
            digits = self._digits(self.right[:, :, part].astype(np.int64), n_digits)
            if digits is None:
                return None
            numerators, worst = self._numerators(digits, denominator)
            if numerators is not None:
                basis[np.ix_(self.columns, part)] = -numerators
                basis[self.others[part], part] = denominator
                first += len(part)
            elif (factor := self._further(worst, denominator)) > 1:
                denominator *= factor
                n_digits += factor.bit_length() // (LIMB - 1) + 1
            else:
                n_digits += max(2, n_digits // 4)
        return _without_factors(basis)

    def _further(self, digits: np.ndarray, denominator: int) -> int:
        """A factor that the denominator lacks, from the digits of a number that it leaves long."""
        power = self.prime ** len(digits)
        value = 0
        for digit in digits[::-1].astype(np.int64).tolist():
            value = value * self.prime + digit
        left = np.array([value * denominator % power], dtype=object)
        factor, largest = common_denominator(left, power)
        return factor if largest < power else 1

    def _digits(self, rest: np.ndarray, n_digits: int) -> np.ndarray | None:
        """X_0, X_1, …, as lines of residues, and R after them in its place; None where a division
        leaves a remainder."""
        digits = np.empty((n_digits, self.rank, rest.shape[2]))
        if self.is_short:
            return self._short_digits(rest[0], digits)
        for k in range(n_digits):
            digits[k] = self._next(rest)
            if not self._divide(rest, digits[k]):
                return None
        return digits

    def _short_digits(self, limb: np.ndarray, digits: np.ndarray) -> np.ndarray | None:
        """The same where R - A_C·digit stays below 2^52, as floats."""
        rest = limb.astype(np.float64)
        for k in range(len(digits)):
            residues = reduce_floats(rest[self.rows], self.prime)
            digits[k] = times(self.inverse, residues, self.prime)
            rest = rest - self.known[0] @ digits[k]
            quotient = np.rint(rest / self.prime)
            if not np.array_equal(quotient * self.prime, rest):
                return None
            rest = quotient
        limb[:] = rest
        return digits

    def _next(self, rest: np.ndarray) -> np.ndarray:
        """The next digit of the solution, B⁻¹·R mod p."""
        residues = np.tensordot(self.powers, rest[:, self.rows] % self.prime, axes=1) % self.prime
        return times(self.inverse, residues.astype(np.float64), self.prime)

    def _divide(self, rest: np.ndarray, digit: np.ndarray) -> bool:
        """R := (R - A_C·digit)/p, in limbs; whether it leaves no remainder."""
        carry: Any = 0
        for limb in range(len(rest) - 1, -1, -1):
            total = rest[limb] - exact_product(self.known[limb], digit) + (carry << LIMB)
            rest[limb] = total // self.prime
            carry = total - rest[limb] * self.prime
        return not np.any(carry)

    def _denominator(self, most_digits: int) -> tuple[int, int] | None:
        """δ, from random combinations of the columns, and how many digits all of them need."""
        size = (len(self.others), COMBINATIONS)
        shares = np.random.default_rng(self.prime).integers(1, MOST_SHARE, size)
        rest = self.right.astype(np.int64) @ shares
        values = np.zeros(self.rank * COMBINATIONS, dtype=object)
        power, n_digits, goal = 1, 0, 4
        while n_digits < 2 * most_digits:
            found = self._digits(rest, goal - n_digits)
            if found is None:
                return None
            for digit in found:
                values += digit.ravel().astype(np.int64).astype(object) * power
                power *= self.prime
            n_digits, goal = goal, 2 * goal
            denominator, largest = common_denominator(values, power)
            if (denominator * (largest + 1)) << SPARE < power:
                bits = (largest * self.rank * max(self.largest, 1)).bit_length()
                return denominator, bits // (LIMB - 1) + 3
        return None

    def _numerators(
        self, digits: np.ndarray, denominator: int
    ) -> tuple[np.ndarray | None, np.ndarray]:
        """δ·x mod p^K between its bounds, if so small that the equation holds without modulus.

        Else None; and the digits of the x that gives the longest number.
        """
        prime, n_digits = self.prime, len(digits)
        places = digits.reshape(n_digits, -1)
        flat = self._multiplied(places, denominator) if denominator > 1 else places.copy()
        is_negative = flat[-1] > prime // 2
        carry = np.ones(int(is_negative.sum()))
        for place in flat:  # p^K minus the number
            digit = prime - 1 - place[is_negative] + carry
            carry = (digit == prime).astype(np.float64)
            place[is_negative] = np.where(digit == prime, 0, digit)
        length = n_digits
        while length > 1 and not flat[length - 1].any():
            length -= 1
        size = self.rank * self.largest * prime**length + denominator * self.largest
        if size >= prime**n_digits:
            return None, places[:, int(flat[length - 1].argmax())]
        values = _integers_of_digits(flat[:length], prime)
        values[is_negative] = -values[is_negative]
        return values.reshape(digits.shape[1:]), places[:, 0]

    def _multiplied(self, places: np.ndarray, factor: int) -> np.ndarray:
        """Numbers of digits, one a column, times a factor, modulo p^K."""
        prime, n_digits = self.prime, len(places)
        shifted = np.zeros((n_digits, n_digits))
        for k in range(n_digits):
            factor, digit = divmod(factor, prime)
            np.fill_diagonal(shifted[k:], digit)
        product = shifted @ places if n_digits <= TERMS // 2 else None
        if product is None:
            return self._carried(exact_product(shifted, places))
        carry: Any = 0
        for place in product:  # below 2^53; its quotient by p is off by less than 1/p
            place += carry
            carry = np.floor(place / prime)
            place -= carry * prime
        return np.asarray(product)

    def _carried(self, product: np.ndarray) -> np.ndarray:
        carry: Any = 0
        for place in product:
            place += carry
            carry = place // self.prime
            place -= carry * self.prime
        return product.astype(np.float64)


def exact_product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """left·right in int64, for whole numbers shorter than a limb, up to 2^18 terms."""
    if left.shape[1] <= TERMS:
        return np.asarray((left @ right).astype(np.int64))
    total = np.zeros((len(left), right.shape[1]), dtype=np.int64)
    for start in range(0, left.shape[1], TERMS):
        total += (left[:, start : start + TERMS] @ right[start : start + TERMS]).astype(np.int64)
    return total


def limbs_of(whole: np.ndarray, largest: int) -> np.ndarray:
    """Integers up to `largest` as limbs to the base 2^LIMB, lowest first, each with their sign."""
    count = -(-max(1, largest.bit_length()) // LIMB)
    limbs = np.empty((count, *whole.shape))
    sizes: Any = abs(whole.astype(object if largest >> 62 else np.int64))
    signs = np.where(whole < 0, -1.0, 1.0)
    for limb in limbs:
        limb[:] = sizes & ((1 << LIMB) - 1)
        limb *= signs
        sizes = sizes >> LIMB
    return limbs


def common_denominator(values: np.ndarray, power: int) -> tuple[int, int]:
    """A δ with which all δ·value mod `power` are small, and the largest of these.

    Where one of them has no short fraction the largest is `power`.
    """
    denominator, largest = 1, 0
    for value in values.tolist():
        residue = value * denominator % power
        residue = min(residue, power - residue)
        if (residue * denominator) << SPARE >= power:
            residue, factor = _shortest_fraction(residue, power)
            if (residue * factor) << SPARE >= power:
                return 1, power
            denominator, largest = denominator * factor, largest * factor
        largest = max(largest, residue)
    return denominator, largest


def _shortest_fraction(residue: int, power: int) -> tuple[int, int]:
    """a, b > 0 with ±a/b = residue mod `power` and the least product: where Euclid's algorithm has
    its largest quotient (Monagan 2004)."""
    above, below = (power, 0), (residue, 1)
    best, most = below, 0
    while below[0]:
        quotient, rest = divmod(above[0], below[0])
        if quotient > most:
            best, most = below, quotient
        above, below = below, (rest, above[1] + quotient * below[1])
    return best


def _integers_of_digits(digits: np.ndarray, prime: int) -> np.ndarray:
    """Numbers whose digits to the base p are the columns, lowest first, as Python integers."""
    n_digits = len(digits)
    if n_digits <= 2:
        small = digits[0].astype(np.int64)
        if n_digits == 2:
            small += digits[1].astype(np.int64) * prime
        return np.asarray(small.astype(object))
    n_limbs = -(-n_digits * LIMB // 16)  # of two bytes
    text = b"".join((prime**k).to_bytes(2 * n_limbs, "little") for k in range(n_digits))
    powers = np.frombuffer(text, dtype="<u2").reshape(n_digits, n_limbs)
    sums = exact_product(powers.T.astype(np.float64), digits)
    for limb in range(n_limbs - 1):
        sums[limb + 1] += sums[limb] >> 16
    text = (sums & 0xFFFF).astype("<u2").T.tobytes()
    size = 2 * n_limbs
    found = np.empty(digits.shape[1], dtype=object)
    found[:] = [
        int.from_bytes(text[start : start + size], "little") for start in range(0, len(text), size)
    ]
    return found
