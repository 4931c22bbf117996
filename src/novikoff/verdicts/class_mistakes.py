"""ClassMistakes: the fewest mistakes of more than two classes, with a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.verdicts.against import ByClasses
from novikoff.verdicts.bracket import FewestMistakes


class ClassMistakes(ByClasses[FewestMistakes]):
    """A mapping from a class, or from a pair of classes, to its fewest mistakes.

    `selected[key]` are the rows of X that the answer speaks of, and counts its rows within.
    """

    def rows(self, key: Any) -> np.ndarray:
        """The rows that the best hyperplane found gets wrong, by their number in X, from 0.

        Where X was read from a file and rows were left out, by their number in the file.
        """
        return self._numbers(key, self.answers[key].places)

    def row_names(self, key: Any) -> list[Any]:
        """The same rows as the DataFrame's index names them; their numbers where there is none."""
        few = self.answers[key]
        return self.rows(key).tolist() if few.table.index is None else few.row_names

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
        return [self._head, "rows", "at least", "at most", "optimal", "seconds"], entries

    def to_dict(self) -> dict[str, Any]:
        """The answers as numbers, lists and texts that JSON can hold; rows by number in X."""
        return {
            "against": self.against,
            "label": self.label,
            "notes": [] if self.reading is None else list(self.reading.notes),
            "answers": [
                {
                    "classes": self._name(key),
                    **few.to_dict(),
                    "rows": self.rows(key).tolist(),
                    "row_names": [str(name) for name in self.row_names(key)],
                }
                for key, few in self.answers.items()
            ],
        }

    def __repr__(self) -> str:
        return f"<ClassMistakes against {self.against}: {len(self)} answers>"
