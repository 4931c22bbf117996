"""A remainder so small that corrections of the multipliers take it up: proven by floats.

Given λ_i on the core K and μ_k on equalities, let r = Σ λ_i·z_i + Σ μ_k·e_k. The witness holds if
there are corrections δ with Σ δ_i·a_i = -r, where the a_i are distinct rows of the core or
equalities, and |δ_i| < λ_i on the rows of the core. In the code a_i is (x_i, 1), which is z_i or
-z_i: the sign of δ_i is free, so either will do. Let A have the rows a_i, and let G = AᵀA be
positive definite. Then δ = -A·G⁻¹·r has Aᵀ·δ = -r, and by the inequality of Cauchy and Schwarz

    |δ_i| = |a_iᵀ·G⁻¹·r| <= √(a_iᵀ·G⁻¹·a_i) · √(rᵀ·G⁻¹·r) <= c,    c := √(rᵀ·G⁻¹·r),

because a leverage a_iᵀ·G⁻¹·a_i is at most 1. So c < min λ_i is enough, and δ is never computed.

Nothing is trusted but sums of products. Let T be any matrix of floats (here: an approximate inverse
of the triangular factor of A), M = fl(A·T), u = 2^-53 and γ_k = k·u/(1 - k·u), the relative error
of a sum of k products in any order, fused or not. With p columns and m rows

    σ(A·T) >= σ(M) - ‖A·T - M‖ >= √(1 - ‖I - MᵀM‖) - γ_p·‖ |A|·|T| ‖ =: f    (Frobenius norms)

bounds the least singular value of A·T. If f > 0, then T is invertible, G is positive definite, and
c² = (Tᵀr)ᵀ·((A·T)ᵀ(A·T))⁻¹·(Tᵀr), so that c <= ‖Tᵀ·r‖/f. The rounding of MᵀM, of r and of Tᵀr is
added, each by its own γ. Columns are multiplied by powers of two first, which is exact.

Columns may depend on each other on K. A relation is an integer vector n with z_i·n = 0 on every row
of the core and e_k·n = 0 on every equality that is used, which is checked exactly. Each relation is
non-zero in a column where all other relations are 0. That column is a combination of the columns
that are kept, so what is zero in these is zero in it, and it is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.certificates.arithmetic import BLOCK_NUMBERS, Sum, homogeneous, product_signs
from novikoff.errors import CertificateError
from novikoff.inputs import Table
from novikoff.memory import check_room

if TYPE_CHECKING:
    from novikoff.certificates.claim import Witness

_UNIT = 2.0**-53
_SAFE = 1.0 + 1e-9  # more than some thousand roundings
_TINY = 2.0**-960  # what underflow can lose in any sum here is far below it
_ROWS_PER_COLUMN = (2, 8)  # rows of A for each column; all of the core, where these do not do
_HALVED_COLUMNS = 128  # from here on a triangular matrix is inverted by halves
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
    named = np.array(witness.rows, dtype=np.intp)
    is_equality = signs[named] == 0
    equalities, rows = named[is_equality], np.flatnonzero(core)
    _check_range(table)
    used = np.concatenate([rows, equalities])
    columns = kept_columns(table, used, offset, witness.relations or ())
    with np.errstate(all="ignore"):
        remainder, error, is_empty = _remainder(table, signs, rows, witness, columns, total)
        columns, remainder, error = (part[~is_empty] for part in (columns, remainder, error))
        pairs = zip(witness.multipliers, is_equality, strict=True)
        least = min([witness.denominator, *(m for m, is_free in pairs if not is_free)])
        smallest = least / witness.denominator
        for per_column in (*_ROWS_PER_COLUMN, None):
            m = len(rows) if per_column is None else per_column * len(columns) + 50
            few = rows[np.unique(np.linspace(0, len(rows) - 1, min(m, len(rows))).astype(np.intp))]
            others = named[~is_equality]  # they hold columns that are zero on most rows
            few = np.union1d(few, others[:: max(1, len(others) // max(1, m))])
            held = equalities[:: max(1, len(equalities) // max(1, m))]
            if not len(columns):
                return  # every row of the core is zero
            size = _size_of_corrections(
                table, np.concatenate([few, held]), columns, remainder, error
            )
            if size * _SAFE < smallest:  # never true of NaN
                return
            if len(few) == len(rows):
                break
    raise CertificateError(
        "the weighted sum of the rows is not so near to zero that small changes of the multipliers "
        "make it zero, as far as floats can tell."
    )


def _check_range(table: Table) -> None:
    """Raise where rounding a number may lose more than a share of it: near the floats' ends.

    `signs_from` is another array than `matrix` just where a number that is not 0 was rounded to 0.
    """
    if table.exact is None:
        return
    sizes = np.abs(table.matrix)
    if table.signs_from is not table.matrix or not (sizes[sizes > 0] > _TINY).all():
        raise CertificateError("a number is too small for a proof by floats.")


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
    table: Table,
    signs: np.ndarray,
    rows: np.ndarray,
    witness: Witness,
    columns: np.ndarray,
    given: Sum | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """r in these columns, up to rounding, a bound on its error in each, and which are empty.

    A column is empty where it is zero on every row that takes part: nothing is left of it.
    """
    once = int(table.is_rounded)
    total, size = np.zeros((2, len(columns)))
    step = max(1, BLOCK_NUMBERS // max(1, len(columns)))
    for start in range(0, len(rows), step):
        few = rows[start : start + step]
        block = _columns(table, few, columns)
        total += signs[few].astype(np.float64) @ block
        size += np.abs(block).sum(axis=0)
    error = _gamma(min(step, len(rows)) + len(rows) // step + 2 + once) * size
    is_empty = size == 0
    if given is not None:
        sums, over = given
        total = np.array([int(value) / over for value in sums[columns].tolist()])
        error = _UNIT * np.abs(total)
        is_empty &= np.array([value == 0 for value in sums[columns].tolist()], dtype=bool)
    named, one = np.array(witness.rows, dtype=np.intp), witness.denominator
    pairs = zip(signs[named].tolist(), witness.multipliers, strict=True)
    try:
        factors = np.array([sign * ((m - one) / one) if sign else m / one for sign, m in pairs])
    except OverflowError:
        raise CertificateError("a multiplier is beyond the floats.") from None
    part, part_size = np.zeros((2, len(columns)))
    for start in range(0, len(named), step):
        chosen = slice(start, start + step)
        block = _columns(table, named[chosen], columns)
        part += factors[chosen] @ block
        part_size += np.abs(factors[chosen]) @ np.abs(block)
        is_empty &= ~block.any(axis=0)
    error += _gamma(min(step, len(named)) + len(named) // step + 4 + once) * part_size
    total += part
    error += 2 * _UNIT * np.abs(total)
    return total, error * _SAFE + _TINY, is_empty


def _size_of_corrections(
    table: Table, rows: np.ndarray, columns: np.ndarray, remainder: np.ndarray, error: np.ndarray
) -> float:
    """A bound on |δ_i|, with the a_i of these rows; NaN or infinity where none is found.

    A is read three times, by blocks: beside a matrix of p columns and rows it is large.
    """
    m, p = len(rows), len(columns)
    if m < p:
        return np.inf
    is_whole = p <= _QR_COLUMNS
    check_room(8 * max(4 * p * p, 3 * m * p * is_whole), f"a proof about {p:,} columns")
    step = m if is_whole else max(BLOCK_NUMBERS // p, p // 4)  # rows worth a product
    parts = [rows[start : start + step] for start in range(0, m, step)]
    exponents = _exponents(table, parts, columns)
    if exponents is None:
        return np.inf
    remainder, error = np.ldexp(remainder, -exponents), np.ldexp(error, -exponents) + _TINY

    def scaled() -> Iterator[np.ndarray]:
        for part in parts:
            block = _columns(table, part, columns)
            yield np.ldexp(block, -exponents, out=block)

    try:
        inverse = _inverse_factor(scaled(), p)
    except np.linalg.LinAlgError:
        return np.inf
    gram, squares, squared = np.zeros((p, p)), 0.0, 0.0
    for block in scaled():
        product = _times_triangle(block, inverse)
        gram += product.T @ product
        squares += float(_norm(product)) ** 2
        squared += float(_norm(block)) ** 2
    gram[np.diag_indices(p)] -= 1.0
    away = (_norm(gram) + _gamma(m + 1) * squares * _SAFE) * _SAFE + _TINY
    if not away < 1.0:
        return np.inf
    del gram
    least = np.sqrt(1.0 - away) * (1.0 - 1e-9)
    gamma = _gamma(p + 1 + table.is_rounded)
    lost = gamma * np.sqrt(squared) * _norm(inverse) * _SAFE * _SAFE + _TINY
    size = np.abs(inverse)
    if not lost < least / 2:  # a sharper bound, for the work of one more product
        squares = sum(float(_norm(np.abs(block) @ size)) ** 2 for block in scaled())
        lost = gamma * np.sqrt(squares) * _SAFE * _SAFE + _TINY
    least -= lost
    if not least > 0.0:
        return np.inf
    seen = _norm(inverse.T @ remainder)
    unseen = _norm(size.T @ (error + _gamma(p + 1) * np.abs(remainder)))
    return float((seen + unseen) * _SAFE / least + _TINY)


def _exponents(table: Table, parts: Sequence[np.ndarray], columns: np.ndarray) -> np.ndarray | None:
    """The powers of two that columns are divided by; None where that would not be exact."""
    large, small = np.zeros(len(columns)), np.full(len(columns), np.inf)
    for part in parts:
        sizes = np.abs(_columns(table, part, columns))
        np.maximum(large, sizes.max(axis=0), out=large)
        sizes[sizes == 0.0] = np.inf
        np.minimum(small, sizes.min(axis=0), out=small)
    exponents = np.frexp(large)[1]
    is_exact = np.isfinite(large).all() and (np.ldexp(small, -exponents) >= _TINY).all()
    return exponents if is_exact else None


def _inverse_factor(blocks: Iterator[np.ndarray], p: int) -> np.ndarray:
    """About R⁻¹, where A = Q·R has these blocks: a proposal, which need not be good."""
    if p <= _QR_COLUMNS:
        (whole,) = blocks
        return inverse_of_triangle(np.asarray(np.linalg.qr(whole, mode="r")))
    gram = np.zeros((p, p))
    for block in blocks:
        gram += block.T @ block
    lower = np.linalg.cholesky(gram)
    del gram
    return inverse_of_triangle(lower.T)


def _times_triangle(block: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """block @ upper, without most of the products by the zeros of a triangular matrix."""
    width = len(upper)
    product = np.empty((len(block), width))
    step = max(_HALVED_COLUMNS, -(-width // 8))
    for start in range(0, width, step):
        end = min(start + step, width)
        product[:, start:end] = block[:, :end] @ upper[:end, start:end]
    return product


def inverse_of_triangle(upper: np.ndarray) -> np.ndarray:
    """About the inverse of a triangular matrix, by halves: nearly all of it products."""
    size = len(upper)
    if size <= _HALVED_COLUMNS:
        return np.triu(np.linalg.inv(upper))  # what is below the diagonal is taken for 0
    half = size // 2
    first, last = inverse_of_triangle(upper[:half, :half]), inverse_of_triangle(upper[half:, half:])
    inverse = np.zeros_like(upper)
    inverse[:half, :half], inverse[half:, half:] = first, last
    inverse[:half, half:] = -(first @ upper[:half, half:]) @ last
    return inverse


def _gamma(k: int) -> float:
    """γ_k, rounded up."""
    if k * _UNIT >= 0.01:
        return np.inf
    return k * _UNIT / (1.0 - k * _UNIT) * _SAFE


def _norm(matrix: np.ndarray) -> Any:
    """The root of the sum of squares, rounded up."""
    flat = matrix.ravel(order="K")
    return np.sqrt(flat @ flat) * (1.0 + _gamma(matrix.size + 2)) + _TINY
