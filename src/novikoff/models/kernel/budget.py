"""A support of bounded size: who its members are, and whom to do without."""

from __future__ import annotations

from typing import Any

import numpy as np


class Budget:
    """The members of the support, at most `size` of them once the surplus is dropped.

    The lightest member is the one whose loss moves the weights least: losing coefficients c of
    a row x moves them by ‖c‖·√K(x, x). Of several, it is the one whose last mistake lies
    furthest back; the row that erred last is never it.
    """

    def __init__(self, size: int, n_lines: int) -> None:
        self.size = size
        self.places: dict[int, int] = {}  # of each member in the arrays below
        self.free = list(range(size, -1, -1))
        self.rows = np.zeros(size + 1, dtype=np.int64)
        self.coef = np.zeros((size + 1, n_lines))
        self.squares = np.zeros(size + 1)  # K(x, x)
        self.weights = np.full(size + 1, np.inf)  # ‖c‖²·K(x, x)
        self.ages = np.zeros(size + 1, dtype=np.int64)  # the number of the last mistake
        self.n_mistakes = 0

    def state(self) -> tuple[Any, ...]:
        """Who is a member, and all that is known of them."""
        members, places = list(self.places), list(self.places.values())
        arrays = (self.rows, self.coef, self.squares, self.weights, self.ages)
        copies = tuple(array.copy() for array in arrays)
        return members, places, list(self.free), self.n_mistakes, copies

    def restore(self, state: tuple[Any, ...]) -> None:
        members, places, free, self.n_mistakes, arrays = state
        self.places, self.free = dict(zip(members, places, strict=True)), list(free)
        self.rows, self.coef, self.squares, self.weights, self.ages = (
            array.copy() for array in arrays
        )

    @property
    def room(self) -> int:
        return self.size - len(self.places)

    def note(
        self, rows: np.ndarray, lines: np.ndarray, steps: np.ndarray, squares: np.ndarray
    ) -> None:
        """Add mistakes, in order; squares are the rows' K(x, x)."""
        for row, line, step, square in zip(rows.tolist(), lines, steps, squares, strict=True):
            if row not in self.places:
                self.places[row] = place = self.free.pop()
                self.rows[place], self.coef[place], self.squares[place] = row, 0.0, square
            place = self.places[row]
            self.coef[place, line] += step
            self.weights[place] = self.coef[place] @ self.coef[place] * self.squares[place]
            self.n_mistakes += 1
            self.ages[place] = self.n_mistakes

    def drop_lightest(self) -> tuple[int, np.ndarray]:
        """Take the lightest member out; returns it with its coefficients."""
        others = np.where(self.ages == self.n_mistakes, np.inf, self.weights)
        lightest = np.flatnonzero(others == others.min())
        place = int(lightest[np.argmin(self.ages[lightest])])
        row = int(self.rows[place])
        self.weights[place] = np.inf
        self.ages[place] = 0
        del self.places[row]
        self.free.append(place)
        return row, self.coef[place].copy()
