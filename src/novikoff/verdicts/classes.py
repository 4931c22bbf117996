"""ClassVerdicts: the verdicts of more than two classes, with a table."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from novikoff.verdicts.against import ByClasses
from novikoff.verdicts.separated import MOST, places
from novikoff.verdicts.verdict import Verdict


class ClassVerdicts(ByClasses[Verdict]):
    """A mapping from a class, or from a pair of classes, to its verdict.

    `selected[key]` are the rows of X that the verdict speaks of: all rows against the rest, the
    rows of the two classes for a pair. A verdict and its certificate count rows within
    X[selected[key]]; `rows(key)` gives the few rows that rule out a strict separator by their
    number in X.
    """

    @property
    def verdicts(self) -> dict[Any, Verdict]:
        return self.answers

    def rows(self, key: Any) -> np.ndarray:
        """The few rows that rule out a strict separator, by their number in X, from 0.

        Where X was read from a file and rows were left out, by their number in the file.
        """
        return self._numbers(key, self.verdicts[key].places)

    def separated(self, key: Any) -> np.ndarray | None:
        """The rows that are predicted perfectly, by number as in `rows`; None where not known."""
        found = places(self.verdicts[key])
        if found is None:
            return None
        return self._numbers(key, found)

    def row_names(self, key: Any) -> list[Any]:
        """The same rows as the DataFrame's index names them; their numbers where there is none."""
        verdict = self.verdicts[key]
        has_index = verdict.signed_rows.table.index is not None
        return verdict.row_names if has_index else self.rows(key).tolist()

    def _listed(self, key: Any) -> list[int] | None:
        found = self.separated(key)
        return None if found is None or len(found) > MOST else found.tolist()

    def _table(self) -> tuple[list[str], list[list[str]]]:
        headers = [self._head, "rows", "status", "few rows", "seconds"]
        entries = [
            [
                self._name(key),
                str(verdict.n_rows),
                verdict.status,
                str(len(verdict.known_rows) or ""),
                f"{verdict.seconds:.2f}",
            ]
            for key, verdict in self.verdicts.items()
        ]
        return headers, entries

    def to_dict(self) -> dict[str, Any]:
        """The verdicts as numbers, lists and texts that JSON can hold; rows by number in X."""
        return {
            "against": self.against,
            "label": self.label,
            "notes": [] if self.reading is None else list(self.reading.notes),
            "verdicts": [
                {
                    "classes": self._name(key),
                    **verdict.to_dict(),
                    "rows": self.rows(key).tolist(),
                    "row_names": [str(name) for name in self.row_names(key)],
                    "separated": self._listed(key),
                }
                for key, verdict in self.verdicts.items()
            ],
        }

    def __str__(self) -> str:
        counts = Counter(verdict.status for verdict in self.verdicts.values())
        total = ", ".join(f"{count} {status}" for status, count in counts.most_common())
        return f"{super().__str__()}\n\n{total}"

    def __repr__(self) -> str:
        return f"<ClassVerdicts against {self.against}: {len(self)} verdicts>"
