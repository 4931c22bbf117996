"""More than two classes, as questions about two: each against the rest, or each against each."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from novikoff.certificates import Reading
from novikoff.errors import InputError
from novikoff.inputs import Labels, Table, read_ordered, row_numbers
from novikoff.wording import table_html, table_text

Answer = TypeVar("Answer")


class Pairing(NamedTuple):
    """One question about two classes: its rows of X, by place, with their labels."""

    key: Any  # a class, or a pair of classes
    rows: np.ndarray
    table: Table
    labels: Labels


def pairings(table: Table, y: Any, against: str) -> Iterator[Pairing]:
    """One question for each class against the rest, or for each pair of classes."""
    found, codes = read_ordered(y, table.n_rows)
    classes = [label.item() if isinstance(label, np.generic) else label for label in found]
    if len(classes) < 2:
        raise InputError(f"y has 1 class ({classes[0]!r}); at least 2 are needed.")
    for k, one in enumerate(classes):
        if against == "rest":
            rest = "rest" if str(one) != "rest" else "all others"
            signs = np.where(codes == k, 1, -1).astype(np.int8)
            yield Pairing(one, np.arange(table.n_rows), table, Labels(signs, (rest, one)))
            continue
        for m in range(k + 1, len(classes)):
            rows = np.flatnonzero((codes == k) | (codes == m))
            signs = np.where(codes[rows] == m, 1, -1).astype(np.int8)
            pair = one, classes[m]
            yield Pairing(pair, rows, table.take(rows), Labels(signs, pair))


class ByClasses(Mapping[Any, Answer]):
    """A mapping from a class, or from a pair of classes, to its answer.

    `selected[key]` are the rows of X that the answer speaks of: all rows against the rest, the rows
    of the two classes for a pair. An answer counts rows within X[selected[key]].

    called : what the answers are called in `to_dict`
    """

    called: ClassVar[str]

    def __init__(
        self,
        against: str,
        answers: dict[Any, Answer],
        selected: dict[Any, np.ndarray],
        reading: Reading | None = None,
    ) -> None:
        self.against = against
        self.answers = answers
        self.selected = {key: row_numbers(rows) for key, rows in selected.items()}
        self.reading = reading  # how X came out of a file, where it did

    def __getitem__(self, key: Any) -> Answer:
        return self.answers[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)

    def rows(self, key: Any) -> np.ndarray:
        """`rows` of an answer, by their number in X, from 0.

        Where X was read from a file and rows were left out, by their number in the file.
        """
        answer: Any = self.answers[key]
        return self._numbers(key, answer.places)

    def row_names(self, key: Any) -> list[Any]:
        """The same rows as the DataFrame's index names them; their numbers where there is none."""
        answer: Any = self.answers[key]
        return list(answer.row_names) if answer.has_index else self.rows(key).tolist()

    def _numbers(self, key: Any, places: np.ndarray) -> np.ndarray:
        """Rows of an answer by their number in X, from 0, or in the file that X was read from."""
        rows = self.selected[key][places]
        return row_numbers(rows if self.reading is None else self.reading.numbers(rows))

    @property
    def label(self) -> str | None:
        """What the label column is called, where X was read from a file."""
        return None if self.reading is None else self.reading.label

    @property
    def _head(self) -> str:
        return "classes" if self.label is None else f"classes of {self.label!r}"

    def _name(self, key: Any) -> str:
        return f"{key} against the rest" if self.against == "rest" else f"{key[0]} against {key[1]}"

    @abstractmethod
    def _table(self) -> tuple[list[str], list[list[str]]]:
        """Headers, and one line for each answer."""

    def _own_entries(self, _key: Any) -> dict[str, Any]:
        """What `to_dict` has of an answer that counts rows within a selection of X."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """The answers as numbers, lists and texts that JSON can hold; rows by number in X."""
        entries = []
        answer: Any
        for key, answer in self.answers.items():
            names = [str(name) for name in self.row_names(key)]
            places = {"rows": self.rows(key).tolist(), "row_names": names}
            own = self._own_entries(key)
            entries.append({"classes": self._name(key), **answer.to_dict(), **places, **own})
        notes = [] if self.reading is None else list(self.reading.notes)
        return {"against": self.against, "label": self.label, "notes": notes, self.called: entries}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} against {self.against}: {len(self)} {self.called}>"

    def __str__(self) -> str:
        return table_text(*self._table())

    def _repr_html_(self) -> str:
        return table_html(*self._table())
