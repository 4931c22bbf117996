"""The order in which a pass visits the rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from novikoff.conventions import read_order
from novikoff.wording import keyword

ROWS_A_CHUNK = 1 << 17  # rows of a cyclic pass whose numbers are written out at once


class Piece(NamedTuple):
    """Row numbers in a row of a pass, and how many come before them in it."""

    order: np.ndarray
    first: int

    def split(self, length: int) -> Iterator[Piece]:
        for place in range(0, len(self.order), length):
            yield Piece(self.order[place : place + length], self.first + place)


class Orders:
    """The orders of pass after pass. Rows of weight 0 are in none of them."""

    def __init__(self, order: Any, n_rows: int, kept: np.ndarray | None, random: Any) -> None:
        """`kept`: the rows that have a weight, ascending, or None for all."""
        self.random = random
        self.dtype = np.int32 if n_rows < 2**31 else np.int64
        self.kept = None if kept is None else kept.astype(self.dtype)
        self.n_visits = n_rows if kept is None else len(kept)  # of a pass
        self.shuffled = isinstance(order, str) and order == "shuffled"
        self.restarts = isinstance(order, str) and order == "restart"
        given = read_order(order, 1 if isinstance(order, str) else n_rows)
        self.permutation = self.kept
        if not isinstance(order, str):
            self.permutation = given.astype(self.dtype)
            if kept is not None:
                self.permutation = self.permutation[np.isin(given, kept)]

    @property
    def sees_all_rows(self) -> bool:
        """Whether a pass surely comes to every row, those of weight 0 too."""
        return not self.restarts and self.kept is None

    def next_pass(self) -> None:
        """Go to the next pass: draw a new permutation where the order is shuffled."""
        if self.shuffled:
            drawn = self.random.permutation(self.n_visits)
            self.permutation = drawn.astype(self.dtype) if self.kept is None else self.kept[drawn]

    def chunks(self) -> Iterator[np.ndarray]:
        """The row numbers of this pass, in pieces where they need not be stored."""
        if self.permutation is not None:
            yield self.permutation
        else:
            for first in range(0, self.n_visits, ROWS_A_CHUNK):
                yield np.arange(first, min(first + ROWS_A_CHUNK, self.n_visits), dtype=self.dtype)

    def pieces(self, length: int = 1 << 62) -> Iterator[Piece]:
        """The same, in pieces of at most `length` rows."""
        before = 0
        for order in self.chunks():
            yield from Piece(order, before).split(length)
            before += len(order)

    def whole(self) -> np.ndarray:
        """The row numbers of this pass in one array."""
        return np.concatenate(list(self.chunks()))


ROWS_NOT_BY_CHANCE = 10  # rows of a class, and of all others, that do not stand together by chance


def together(pieces: Iterable[np.ndarray], n_classes: int) -> int | None:
    """A class, as a number, all of whose rows come one after the other; None if there is none.

    `pieces` hold the class of each row in order. The largest of them, of at least
    ROWS_NOT_BY_CHANCE rows among as many others.
    """
    sizes, runs = np.zeros((2, n_classes), dtype=np.int64)
    before = -1
    for codes in pieces:
        starts = np.append(codes[:1] != before, codes[1:] != codes[:-1])
        runs += np.bincount(codes[starts], minlength=n_classes)
        sizes += np.bincount(codes, minlength=n_classes)
        before = codes[-1]
        if (runs > 1).all():
            return None
    lone = (runs == 1) & (sizes >= ROWS_NOT_BY_CHANCE) & (sizes.sum() - sizes >= ROWS_NOT_BY_CHANCE)
    return int(np.argmax(np.where(lone, sizes, 0))) if lone.any() else None


def mixing_advice(label: Any) -> str:
    """What to do about rows of a class that stand together."""
    return (
        f"Every pass sees all rows of class {label!r} one after the other, so that the weights "
        f"follow whatever class came last: {keyword('order', 'shuffled')} mixes the rows."
    )
