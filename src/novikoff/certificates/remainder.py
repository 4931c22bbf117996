"""A remainder so small that corrections of the multipliers take it up: proven by floats.

Given λ_i on the core and μ_k on equalities, let r = Σ λ_i·z_i + Σ μ_k·e_k. Let A have distinct rows
a_i, of the core or equalities, and G = AᵀA. As docs/certificates.md proves, the witness holds if G
is positive definite and c := √(rᵀ·G⁻¹·r) < min λ_i. In the code a_i is (x_i, 1), which is z_i or
-z_i: either will do.

Nothing is trusted but sums of products. Let T be any matrix of floats (here: an approximate inverse
of the triangular factor of A), M = fl(A·T), u = 2^-53 and γ_k = k·u/(1 - k·u), the relative error
of a sum of k products in any order, fused or not. With p columns and m rows

    σ(A·T) >= σ(M) - ‖A·T - M‖ >= √(1 - ‖I - MᵀM‖) - γ_p·‖ |A|·|T| ‖ =: f    (Frobenius norms)

bounds the least singular value of A·T. If f > 0, then T is invertible, G is positive definite, and
c² = (Tᵀr)ᵀ·((A·T)ᵀ(A·T))⁻¹·(Tᵀr), so that c <= ‖Tᵀ·r‖/f. The rounding of MᵀM, of r and of Tᵀr is
added, each by its own γ. Columns are multiplied by powers of two first, which is exact.

Columns may depend on each other on the core. A relation is an integer vector n that every row of
the core and every equality in use is orthogonal to, which is checked exactly. Each has a column
where all other relations are 0: a combination of those that are kept, so it is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.certificates.arithmetic import BLOCK_NUMBERS, Sum, homogeneous, product_signs
from novikoff.errors import CertificateError
from novikoff.inputs import Table
from novikoff.inputs.device import Place, inverse_of_triangle
from novikoff.memory import check_room

if TYPE_CHECKING:
    from novikoff.certificates.claim import Witness

UNIT = 2.0**-53
SAFE = 1.0 + 1e-9  # more than some thousand roundings
TINY = 2.0**-960  # what underflow can lose in any sum here is far below it
_SMALLEST_SIZE = 2.0**-1000  # of a column: its inverse is a float, too
_ROWS_PER_COLUMN = (2, 8)  # rows of A for each column; all of the core, where these do not do
_WHOLE_COLUMNS = 128  # up to here, products by a triangular matrix are not cut
_QR_COLUMNS = 512  # up to here A is factored by QR; beyond by Cholesky, which is half the work


def check_remainder(
    table: Table,
    signs: np.ndarray,
    core: np.ndarray,
    offset: bool,
    witness: Witness,
    total: Sum | None = None,
) -> None:
    """Raise CertificateError unless the remainder is proven to be taken up.

    total : Σ z_i over the core, exactly, where the table has only some of its rows
    """
    if total is not None and witness.relations:
        raise CertificateError("relations between columns must be checked on every row.")
    if table.exact is not None:  # rounding may lose more than a share of a number near 0
        sizes = np.abs(table.matrix)
        if table.signs_from is not table.matrix or not (sizes[sizes > 0] > TINY).all():
            raise CertificateError("a number is too small for a proof by floats.")
    named, rows, one = (
        np.array(witness.rows, dtype=np.intp),
        np.flatnonzero(core),
        witness.denominator,
    )
    is_equality = signs[named] == 0
    equalities, others = named[is_equality], named[~is_equality]
    used = np.concatenate([rows, equalities])
    columns = kept_columns(table, used, offset, witness.relations or ())
    factors = (signs * core).astype(np.float64) if total is None else np.zeros(table.n_rows)
    least = one
    try:
        for i, m in zip(named.tolist(), witness.multipliers, strict=True):
            sign, beyond = int(signs[i]), m if total is None else m - one
            factors[i] = sign * (beyond / one) if sign else m / one
            least = min(least, m) if sign else least
    except OverflowError:
        raise CertificateError("a multiplier is beyond the floats.") from None
    with np.errstate(all="ignore"):
        taking_part = used if total is None else named
        remainder, error, is_empty = _remainder(table, taking_part, factors, columns, total)
        columns, remainder, error = (part[~is_empty] for part in (columns, remainder, error))
        if not len(columns):
            return  # every row of the core is zero
        samples = [per_column * len(columns) + 50 for per_column in _ROWS_PER_COLUMN]
        enough = next((m for m in samples if m >= len(rows)), len(rows))  # for all of the core
        for m in (*(m for m in samples if m < len(rows)), enough):
            few = rows[np.unique(np.linspace(0, len(rows) - 1, min(m, len(rows))).astype(np.intp))]
            # rows with multipliers hold columns that are zero on most rows
            few = np.union1d(few, others[:: max(1, len(others) // max(1, m))])
            held = equalities[:: max(1, len(equalities) // max(1, m))]
            factor = _factor(table, np.concatenate([few, held]), columns)
            if factor is not None:
                size = factor.corrections(remainder[:, None], error[:, None])[0]
                if size * SAFE < least / one:  # never true of NaN
                    return
    raise CertificateError(
        "the weighted sum of the rows is not so near to zero that small changes of the multipliers "
        "make it zero, as far as floats can tell."
    )


def kept_columns(
    table: Table, rows: np.ndarray, offset: bool, given: Sequence[Sequence[int]]
) -> np.ndarray:
    """The columns that are left in, the offset last; raises unless the relations hold on `rows`."""
    everything = np.arange(table.n_columns + offset)
    if not given:
        return everything
    relations = np.array([list(one) for one in given], dtype=object).T
    relations = relations[: len(everything)]
    used = relations != 0
    alone = used & (used.sum(axis=1) == 1)[:, None]
    if not alone.any(axis=0).all():
        raise CertificateError("a relation has no column in which the others are 0.")
    step = max(1, BLOCK_NUMBERS // (len(everything) + relations.shape[1]))
    for start in range(0, len(rows), step):
        block = homogeneous(table, rows[start : start + step], np.arange(table.n_columns), offset)
        if product_signs(block, relations).any():
            raise CertificateError("a relation between columns does not hold on every row.")
    return np.setdiff1d(everything, alone.argmax(axis=0))


def _columns(table: Table, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """(x_i, 1) for some rows, in these columns, as floats: exact, or each number rounded once."""
    inner = columns[columns < table.n_columns]
    block = np.empty((len(rows), len(columns)))
    if table.is_sparse:
        block[:, : len(inner)] = table.matrix[rows][:, inner].toarray()
    elif len(inner) == table.n_columns:
        block[:, : len(inner)] = table.matrix[rows]
    else:
        block[:, : len(inner)] = table.matrix[np.ix_(rows, inner)]
    block[:, len(inner) :] = 1.0
    return block


def _remainder(
    table: Table, rows: np.ndarray, factors: np.ndarray, columns: np.ndarray, given: Sum | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """r in these columns, up to rounding, a bound on its error in each, and which are empty.

    r is the sum of rows times their factors, and of what is given. A column is empty where it is
    zero on every row that takes part: nothing is left of it.
    """
    total, size, known, is_empty = *np.zeros((3, len(columns))), np.ones(len(columns), dtype=bool)
    if given is not None:
        sums = given[0][columns].tolist()
        known = np.array([int(value) / given[1] for value in sums])
        is_empty = np.array([value == 0 for value in sums], dtype=bool)
    step = max(1, BLOCK_NUMBERS // max(1, len(columns)))
    for start in range(0, len(rows), step):
        few = rows[start : start + step]
        block = _columns(table, few, columns)
        is_empty &= ~block.any(axis=0)
        total += factors[few] @ block
        size += np.abs(factors[few]) @ np.abs(block)
    error = gamma(min(step, len(rows)) + len(rows) // step + 4 + table.is_rounded) * size
    error += UNIT * np.abs(known) + 2 * UNIT * np.abs(total + known)
    return total + known, error * SAFE + TINY, is_empty


def _factor(table: Table, rows: np.ndarray, columns: np.ndarray) -> Factor | None:
    """T and f of these rows and columns of a table."""
    m, p = len(rows), len(columns)
    is_whole = p <= _QR_COLUMNS
    check_room(8 * max(4 * p * p, 3 * m * p * is_whole), f"a proof about {p:,} columns")
    step = m if is_whole else max(BLOCK_NUMBERS // p, p // 4)  # rows worth a product

    def blocks() -> Iterator[np.ndarray]:
        return (_columns(table, rows[start : start + step], columns) for start in range(0, m, step))

    return factor_of(rows, columns, blocks, Place(), table.is_rounded)


@dataclass(frozen=True, eq=False)
class Factor:
    """T and f of some rows A, whatever their signs: no ‖A·T·x‖ is below f·‖x‖.

    rows, columns : those that A is of
    scales : powers of two that the columns of A were multiplied with
    """

    rows: np.ndarray
    columns: np.ndarray
    place: Place
    scales: Any
    inverse: Any
    least: float

    def corrections(self, remainder: Any, error: Any) -> np.ndarray:
        """A bound on c for each column, a remainder that is off by `error` at most; or NaN."""
        xp = self.place.xp
        p = int(remainder.shape[0])
        remainder, error = (part * self.scales[:, None] for part in (remainder, error))
        beyond = error + 2 * TINY + gamma(p + 1) * xp.abs(remainder)
        seen = lengths(xp, self.inverse.T @ remainder, p)
        unseen = lengths(xp, xp.abs(self.inverse).T @ beyond, p)
        return self.place.fetch((seen + unseen) * (SAFE * SAFE) / self.least + TINY)


def factor_of(
    rows: np.ndarray,
    columns: np.ndarray,
    blocks: Callable[[], Iterator[Any]],
    place: Place,
    is_rounded: bool = False,
) -> Factor | None:
    """T and f of these rows and columns, in blocks of rows; None where f is not positive.

    A is never in memory as a whole where it is large.
    """
    xp, m, p = place.xp, len(rows), len(columns)
    if m < p or p == 0:
        return None
    highest = np.zeros(p)
    for block in blocks():
        highest = np.maximum(highest, place.fetch(xp.max(xp.abs(block), axis=0)))
    if not ((highest > _SMALLEST_SIZE) & (highest < 1 / _SMALLEST_SIZE)).all():
        return None
    scales = place.put(np.ldexp(1.0, -np.frexp(highest)[1]))
    squared = 0.0
    for block in blocks():
        if bool(xp.any((xp.abs(block * scales) < TINY) & (block != 0.0))):
            return None  # a bit may be lost
        squared += _norm(xp, block * scales) ** 2
    try:
        inverse = _inverse_factor(place, (block * scales for block in blocks()), p)
    except Exception:  # a matrix that is not positive definite: every library has its own error
        return None
    gram, squares = place.zeros(p, p), 0.0
    for block in blocks():
        product = _times_triangle(place, block * scales, inverse)
        gram = _with_squares(place, gram, product)
        squares += _norm(xp, product) ** 2
    gram -= xp.eye(p, dtype=inverse.dtype, device=place.device)
    away = (_norm(xp, gram) + gamma(m + 2) * (squares + p) * SAFE) * SAFE + TINY
    if not away < 1.0:
        return None
    del gram
    least = math.sqrt(1.0 - away) * (1.0 - 1e-9)
    share = gamma(p + 1 + is_rounded)
    lost = share * math.sqrt(squared) * _norm(xp, inverse) * SAFE * SAFE + TINY
    if not lost < least / 2:  # a sharper bound, for the work of one more product
        sizes = (xp.abs(block * scales) @ xp.abs(inverse) for block in blocks())
        lost = share * math.sqrt(sum(_norm(xp, part) ** 2 for part in sizes)) * SAFE * SAFE + TINY
    least -= lost
    return Factor(rows, columns, place, scales, inverse, least) if least > 0.0 else None


def _inverse_factor(place: Place, blocks: Iterator[Any], p: int) -> Any:
    """About R⁻¹, where A = Q·R has these blocks: a proposal, which need not be good."""
    if place.is_host and p <= _QR_COLUMNS:
        upper: Any = np.linalg.qr(np.concatenate(list(blocks)), mode="r")
    else:
        gram = place.zeros(p, p)
        for block in blocks:
            gram = _with_squares(place, gram, block)
        upper = place.xp.linalg.cholesky(gram).T
        del gram
    if place.is_host:
        _invert_triangle(upper)
        return upper
    return place.xp.triu(inverse_of_triangle(place, upper))


def _invert_triangle(upper: np.ndarray) -> None:
    """Make of a triangular matrix about its inverse, in place: nearly all of it products."""
    half = len(upper) // 2
    if 2 * half <= _WHOLE_COLUMNS:
        upper[:] = np.triu(np.linalg.inv(upper))  # what is below the diagonal is taken for 0
        return
    first, last, beside = upper[:half, :half], upper[half:, half:], upper[:half, half:]
    _invert_triangle(first)
    _invert_triangle(last)
    beside[:] = -(first @ beside) @ last
    upper[half:, :half] = 0.0


def _with_squares(place: Place, gram: Any, rows: Any) -> Any:
    """gram + rowsᵀ·rows; on the host in place and by halves, or that is held three times."""
    if not place.is_host:
        return gram + rows.T @ rows
    half = len(gram) // 2
    left, right = rows[:, :half], rows[:, half:]
    beside = left.T @ right
    gram[:half, :half] += left.T @ left
    gram[:half, half:] += beside
    gram[half:, :half] += beside.T
    gram[half:, half:] += right.T @ right
    return gram


def _times_triangle(place: Place, block: Any, upper: Any) -> Any:
    """block @ upper, on the host without most of the products by zeros."""
    width = int(upper.shape[1])
    if not place.is_host or width <= _WHOLE_COLUMNS:
        return block @ upper
    product = np.empty((len(block), width))
    step = max(_WHOLE_COLUMNS, -(-width // 8))
    for start in range(0, width, step):
        end = min(start + step, width)
        product[:, start:end] = block[:, :end] @ upper[:end, start:end]
    return product


def gamma(k: int) -> float:
    """γ_k, rounded up."""
    if k * UNIT >= 0.01:
        return math.inf
    return k * UNIT / (1.0 - k * UNIT) * SAFE


def _norm(xp: Any, matrix: Any) -> float:
    """The root of the sum of squares, rounded up."""
    n = int(matrix.shape[0]) * int(matrix.shape[1])
    return float(xp.sqrt(xp.sum(matrix * matrix))) * (1.0 + gamma(n + 2)) + TINY


def lengths(xp: Any, columns: Any, n: int) -> Any:
    """The root of the sum of squares of each column, rounded up.

    Columns are divided by their largest numbers first: squares of small ones would become 0.
    """
    largest = xp.max(xp.abs(columns), axis=0)
    unit = xp.where((largest > 0.0) & xp.isfinite(largest), largest, xp.ones_like(largest))
    shares = columns / unit[None, :]
    return xp.sqrt(xp.sum(shares * shares, axis=0)) * unit * (1.0 + gamma(n + 6)) + TINY
