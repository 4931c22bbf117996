"""ClassVerdicts: the verdicts of more than two classes, with a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from novikoff.certificates import Reading
from novikoff.verdicts.separated import MOST, places
from novikoff.verdicts.verdict import Verdict
from novikoff.wording import table_html, table_text


class ClassVerdicts(Mapping[Any, Verdict]):
    """A mapping from a class, or from a pair of classes, to its verdict.

    `selected[key]` are the rows of X that the verdict speaks of: all rows against the rest, the
    rows of the two classes for a pair. A verdict and its certificate count rows within
    X[selected[key]]; `rows(key)` gives the few rows that rule out a strict separator by their
    number in X.
    """

    def __init__(
        self,
        against: str,
        verdicts: dict[Any, Verdict],
        selected: dict[Any, np.ndarray],
        reading: Reading | None = None,
    ) -> None:
        self.against = against
        self.verdicts = verdicts
        self.selected = selected
        self.reading = reading  # how X came out of a file, where it did

    def __getitem__(self, key: Any) -> Verdict:
        return self.verdicts[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.verdicts)

    def __len__(self) -> int:
        return len(self.verdicts)

    def rows(self, key: Any) -> tuple[int, ...]:
        """The few rows that rule out a strict separator, by their number in X, from 0.

        Where X was read from a file and rows were left out, by their number in the file.
        """
        places = self.selected[key][list(self.verdicts[key].places)].tolist()
        return tuple(places if self.reading is None else map(self.reading.number, places))

    def separated(self, key: Any) -> np.ndarray | None:
        """The rows that are predicted perfectly, by number as in `rows`; None where not known."""
        found = places(self.verdicts[key])
        if found is None:
            return None
        found = self.selected[key][found]
        return found if self.reading is None else self.reading.numbers(found)

    def row_names(self, key: Any) -> tuple[Any, ...]:
        """The same rows as the DataFrame's index names them; their numbers where there is none."""
        verdict = self.verdicts[key]
        has_index = verdict.signed_rows.table.index is not None
        return verdict.row_names if has_index else self.rows(key)

    def _listed(self, key: Any) -> list[int] | None:
        found = self.separated(key)
        return None if found is None or len(found) > MOST else [int(row) for row in found]

    def _name(self, key: Any) -> str:
        return f"{key} against the rest" if self.against == "rest" else f"{key[0]} against {key[1]}"

    def _table(self) -> tuple[list[str], list[list[str]]]:
        headers = ["classes", "rows", "status", "few rows", "seconds"]
        lines = [
            [
                self._name(key),
                str(verdict.n_rows),
                verdict.status,
                str(len(verdict.rows)) if verdict.rows else "",
                f"{verdict.seconds:.2f}",
            ]
            for key, verdict in self.verdicts.items()
        ]
        return headers, lines

    def to_dict(self) -> dict[str, Any]:
        """The verdicts as numbers, lists and texts that JSON can hold; rows by number in X."""
        return {
            "against": self.against,
            "notes": [] if self.reading is None else list(self.reading.notes),
            "verdicts": [
                {
                    "classes": self._name(key),
                    **verdict.to_dict(),
                    "rows": list(self.rows(key)),
                    "row_names": [str(name) for name in self.row_names(key)],
                    "separated": self._listed(key),
                }
                for key, verdict in self.verdicts.items()
            ],
        }

    def __str__(self) -> str:
        counts = Counter(verdict.status for verdict in self.verdicts.values())
        total = ", ".join(f"{count} {status}" for status, count in counts.most_common())
        return f"{table_text(*self._table())}\n\n{total}"

    def _repr_html_(self) -> str:
        return table_html(*self._table())

    def __repr__(self) -> str:
        return f"<ClassVerdicts against {self.against}: {len(self)} verdicts>"
