"""Labels to look at: the rows that the best hyperplanes give up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.inputs import row_numbers
from novikoff.wording import table_html, table_text

ALWAYS = {True: "yes", False: "no", None: "not known"}


@dataclass(frozen=True)
class Suspect:
    """A row that a best answer gives up.

    row : its number in X, or in the file that X was read from, from 0
    name : what a DataFrame's index calls it
    share : of the answers found, best or nearly so, how large a part gives it up
    always : True if every best answer gives it up, which is proven; False if one was found that
        does not; None if neither is known
    """

    row: int
    name: Any
    share: float
    always: bool | None


class Suspects(list[Suspect]):
    """The rows to look at, those in most answers first. A label there may well be right."""

    def __init__(self, found: Sequence[Suspect], n_answers: int, slack: int) -> None:
        super().__init__(found)
        self.n_answers, self.slack = n_answers, slack

    @property
    def rows(self) -> np.ndarray:
        """Their numbers, as an array."""
        return row_numbers(suspect.row for suspect in self)

    def _table(self) -> tuple[list[str], list[list[str]]]:
        named = any(s.name != s.row for s in self)
        entries = [
            [str(s.row), *[str(s.name)] * named, f"{100 * s.share:.0f}%", ALWAYS[s.always]]
            for s in self
        ]
        return ["row", *["name"] * named, "of answers", "in every best answer"], entries

    def to_dict(self) -> list[dict[str, Any]]:
        return [
            {"row": s.row, "name": str(s.name), "share": s.share, "always": s.always} for s in self
        ]

    def __str__(self) -> str:
        answers = f"{self.n_answers} answers" if self.n_answers != 1 else "one answer"
        return f"Labels to look at, from {answers} found:\n{table_text(*self._table())}"

    def __repr__(self) -> str:
        return f"<Suspects: {len(self)} rows of {self.n_answers} answers>"

    def _repr_html_(self) -> str:
        return table_html(*self._table())


def suspects_of(
    answers: Mapping[tuple[int, ...], int],
    cost: int,
    always: Mapping[int, bool],
    number: Callable[[int], int],
    name: Callable[[int], Any],
) -> Suspects:
    """The rows of the best answers, and how many give each up of the answers that cost at most a
    tenth (or one) more than `cost`, which the best ones do."""
    slack = max(1, cost // 10) if cost else 0
    near = [wrong for wrong, price in answers.items() if price <= cost + slack]
    counts = Counter(row for wrong in near for row in wrong)
    best = {row for wrong, price in answers.items() if price == cost for row in wrong}
    found = [
        Suspect(number(row), name(row), counts[row] / len(near), always.get(row))
        for row in sorted(best, key=lambda row: (-counts[row], row))
    ]
    return Suspects(found, len(near), slack)
