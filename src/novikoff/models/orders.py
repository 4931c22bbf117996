"""The order in which a pass visits the rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.conventions import ORDERS, read_order
from novikoff.errors import one_of
from novikoff.wording import keyword

ROWS_NOT_BY_CHANCE = 10  # rows of a class, and of all others, that do not stand together by chance
CODES_A_LOOK = 1 << 14  # bincount makes 8 bytes of each


class Orders:
    """The order of pass after pass, as row numbers. Rows of weight 0 are in none of them."""

    def __init__(self, order: Any, n_rows: int, kept: np.ndarray | None, random: Any) -> None:
        """`kept`: the rows that have a weight, ascending, or None for all."""
        self.random = random
        self.shuffled = isinstance(order, str) and order == "shuffled"
        self.restarts = isinstance(order, str) and order == "restart"
        dtype = np.int32 if n_rows < 2**31 else np.int64
        if isinstance(order, str):
            one_of("order", order, ORDERS)
            rows = np.arange(n_rows, dtype=dtype) if kept is None else kept.astype(dtype)
        else:
            rows = read_order(order, n_rows).astype(dtype)
            rows = rows if kept is None else rows[np.isin(rows, kept)]
        self.rows = self.order = rows
        self.sees_all_rows = kept is None and not self.restarts  # those of weight 0 too

    def next_pass(self) -> None:
        """Go to the next pass: draw a new permutation where the order is shuffled."""
        if self.shuffled:
            self.order = self.rows[self.random.permutation(len(self.rows))]


def together(codes: np.ndarray, n_classes: int) -> int | None:
    """A class, as a number, all of whose rows come one after the other; None if there is none.

    `codes` are the classes of the rows in order. The largest of them, of at least
    ROWS_NOT_BY_CHANCE rows among as many others.
    """
    sizes, runs = np.zeros((2, n_classes), dtype=np.int64)
    for first in range(0, len(codes), CODES_A_LOOK):
        part = codes[first : first + CODES_A_LOOK]
        is_first = first == 0 or codes[first - 1] != part[0]
        starts = np.append(is_first, part[1:] != part[:-1])
        runs += np.bincount(part[starts], minlength=n_classes)
        sizes += np.bincount(part, minlength=n_classes)
    lone = (runs == 1) & (np.minimum(sizes, len(codes) - sizes) >= ROWS_NOT_BY_CHANCE)
    return int(np.argmax(np.where(lone, sizes, 0))) if lone.any() else None


def mixing_advice(label: Any) -> str:
    """What to do about rows of a class that stand together."""
    return (
        f"Every pass sees all rows of class {label!r} one after the other, so that the weights "
        f"follow whatever class came last: {keyword('order', 'shuffled')} mixes the rows."
    )
