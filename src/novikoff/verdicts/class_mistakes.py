"""ClassMistakes: the fewest mistakes of more than two classes, with a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from novikoff.certificates import Reading
from novikoff.verdicts.bracket import FewestMistakes
from novikoff.wording import table_html, table_text


class ClassMistakes(Mapping[Any, FewestMistakes]):
    """A mapping from a class, or from a pair of classes, to its fewest mistakes.

    `selected[key]` are the rows of X that the answer speaks of, and counts its rows within.
    """

    def __init__(
        self,
        against: str,
        answers: dict[Any, FewestMistakes],
        selected: dict[Any, np.ndarray],
        reading: Reading | None = None,
    ) -> None:
        self.against, self.answers, self.selected = against, answers, selected
        self.reading = reading  # how X came out of a file, where it did

    def __getitem__(self, key: Any) -> FewestMistakes:
        return self.answers[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)

    def rows(self, key: Any) -> tuple[int, ...]:
        """The rows that the best hyperplane found gets wrong, by their number in X, from 0.

        Where X was read from a file and rows were left out, by their number in the file.
        """
        places = self.selected[key][list(self.answers[key].places)].tolist()
        return tuple(places if self.reading is None else map(self.reading.number, places))

    def row_names(self, key: Any) -> tuple[Any, ...]:
        """The same rows as the DataFrame's index names them; their numbers where there is none."""
        few = self.answers[key]
        return self.rows(key) if few.table.index is None else few.row_names

    def _name(self, key: Any) -> str:
        return f"{key} against the rest" if self.against == "rest" else f"{key[0]} against {key[1]}"

    def _table(self) -> tuple[list[str], list[list[str]]]:
        entries = [
            [
                self._name(key),
                str(few.n_rows),
                str(few.lower),
                str(few.upper),
                "yes" if few.optimal else "no",
                f"{few.seconds:.2f}",
            ]
            for key, few in self.answers.items()
        ]
        return ["classes", "rows", "at least", "at most", "optimal", "seconds"], entries

    def to_dict(self) -> dict[str, Any]:
        """The answers as numbers, lists and texts that JSON can hold; rows by number in X."""
        return {
            "against": self.against,
            "notes": [] if self.reading is None else list(self.reading.notes),
            "answers": [
                {
                    "classes": self._name(key),
                    **few.to_dict(),
                    "rows": list(self.rows(key)),
                    "row_names": [str(name) for name in self.row_names(key)],
                }
                for key, few in self.answers.items()
            ],
        }

    def __str__(self) -> str:
        return table_text(*self._table())

    def _repr_html_(self) -> str:
        return table_html(*self._table())

    def __repr__(self) -> str:
        return f"<ClassMistakes against {self.against}: {len(self)} answers>"
