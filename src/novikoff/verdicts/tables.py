"""The answers to many questions about one table, as a table.

A labelling that was decided together with others is kept as what was proven of it; its `Verdict`
is made when it is asked for, so that a thousand of them cost no more than they must.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from novikoff.certificates import Claim, Reading
from novikoff.certificates.digest import digests_of
from novikoff.errors import NoTruthValue
from novikoff.inputs import Table, row_numbers
from novikoff.inputs.frames import data_frame
from novikoff.verdicts.answer import listed
from novikoff.verdicts.labellings import Labelling
from novikoff.verdicts.numerals import above, below
from novikoff.verdicts.verdict import Status, Verdict
from novikoff.wording import count, first_few, table_html, table_text

MOST_ROWS = 4  # numbers in a cell
MOST_LINES = 30  # labellings that are all shown
MOST_OF_A_STATUS = 8  # of more than that
MOST_FOLDED = 500  # of a status, in a notebook, behind a fold
STATUSES: tuple[Status, ...] = ("undecided", "quasi-separable", "separable", "overlapping")

AnswerT = TypeVar("AnswerT")


class Answers(NoTruthValue, Mapping[Any, AnswerT]):
    """A mapping from the name of a labelling to its answer, and a table of all of them.

    The name is that of the column, a class, or a pair of classes. An answer and its certificate
    count rows within X[selected(name)], the rows that have a label; `rows(name)` has their numbers
    in X, from 0, or in the file that X was read from.
    """

    ask_instead = "answer.optimal for each of answers.values()"

    def __init__(
        self,
        table: Table,
        labellings: Sequence[Labelling],
        entries: Sequence[dict[str, Any]],
        made: dict[int, AnswerT],
        reading: Reading | None = None,
        make: Callable[[int], AnswerT] | None = None,
        seconds: float = 0.0,
    ) -> None:
        self._table_of_rows, self._labellings, self._entries = table, labellings, entries
        self._made, self._make, self._reading, self.seconds = made, make, reading, seconds
        self._places = {labelling.name: k for k, labelling in enumerate(labellings)}

    def _answer(self, k: int) -> AnswerT:
        if k not in self._made and self._make is not None:
            self._made[k] = self._make(k)
        return self._made[k]

    def __getitem__(self, name: Any) -> AnswerT:
        return self._answer(self._place(name))

    def _place(self, name: Any) -> int:
        try:
            return self._places[name]
        except (KeyError, TypeError):
            few = first_few(self._places)
            raise KeyError(f"there is no labelling {name!r}; there are {few}") from None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._labellings)

    @property
    def names(self) -> list[Any]:
        return list(self._places)

    def selected(self, name: Any) -> np.ndarray:
        """The rows of X that have a label."""
        rows = self._labellings[self._place(name)].rows
        return row_numbers(np.arange(self._table_of_rows.n_rows) if rows is None else rows)

    def rows(self, name: Any) -> np.ndarray:
        """`rows` of an answer, by their number in X or in the file that X was read from."""
        answer: Any = self[name]
        rows = answer.rows
        return rows if self._reading is not None else row_numbers(self.selected(name)[rows])

    def lines(self) -> list[dict[str, Any]]:
        """The table line by line, in the order of the labellings; `to_frame` has the same."""
        return [
            {"labelling": one.title or _plain(one.name), **entry}
            for one, entry in zip(self._labellings, self._entries, strict=True)
        ]

    def to_frame(self) -> Any:
        """One line for each labelling, as a DataFrame of whichever library is installed."""
        lines = self.lines()
        columns = {field: [line[field] for line in lines] for field in lines[0]}
        return data_frame(
            {**columns, "labelling": [one.title or one.name for one in self._labellings]}
        )

    def to_dict(self) -> dict[str, Any]:
        """The table as numbers, lists and texts that JSON can hold."""
        return {
            "n_labellings": len(self),
            "label": None if self._reading is None else self._reading.label,
            "notes": [] if self._reading is None else list(self._reading.notes),
            "labellings": self.lines(),
        }

    @property
    def _headers(self) -> list[str]:
        label = None if self._reading is None else self._reading.label
        first = "labelling" if label is None else f"labels of {label!r}"
        return [first, *(field.replace("_", " ") for field in self._entries[0])]

    def _cells(self, which: Iterable[int]) -> list[list[str]]:
        return [
            [self._labellings[k].words, *map(_cell, self._entries[k], self._entries[k].values())]
            for k in which
        ]

    def __str__(self) -> str:
        return table_text(self._headers, self._cells(range(len(self))))

    def _repr_html_(self) -> str:
        return table_html(self._headers, self._cells(range(len(self))))


class LabellingVerdicts(Answers[Verdict]):
    """The verdicts of many labellings of one table, or of its classes.

    `rows(name)` gives the few rows that rule out a strict separator.
    """

    ask_instead = "verdicts.status == 'separable'"

    @property
    def status(self) -> np.ndarray:
        """The status of each labelling, as an array of text, in the order of the columns."""
        return np.array([entry["status"] for entry in self._entries], dtype=str)

    @property
    def counts(self) -> dict[Status, int]:
        """How many labellings have each status that occurs."""
        return {status: len(group) for status, group in self._order().items()}

    def to_dict(self) -> dict[str, Any]:
        return {"counts": dict(self.counts), "seconds": self.seconds, **super().to_dict()}

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write the proof of every labelling that is decided, one file each, and their paths.

        The numbers of X are read once, for the digests of all proofs of labellings with a label on
        every row. The folder is made; files of the same name in it are replaced.
        """
        home = Path(folder)
        home.mkdir(parents=True, exist_ok=True)
        proofs = {k: proof for k in range(len(self)) if (proof := self._proof(k)) is not None}
        whole = {
            k: proof.stamp
            for k, proof in proofs.items()
            if self._labellings[k].rows is None and not isinstance(proof.stamp.source, str)
        }
        if whole:
            signs = np.stack([self._labellings[k].labels.signs for k in whole], axis=1)
            digests = digests_of(self._table_of_rows.unchanged(), signs)
            for stamp, digest in zip(whole.values(), digests, strict=True):
                object.__setattr__(stamp, "source", digest)
        width = len(str(max(len(self) - 1, 0)))
        paths = []
        for k, proof in proofs.items():
            word = re.sub(r"[^A-Za-z0-9_-]+", "_", str(self._labellings[k].name)).strip("_")[:60]
            paths.append(home / f"{k:0{width}d}{'_' * bool(word)}{word}.json")
            proof.save(paths[-1])
        return paths

    def _proof(self, k: int) -> Claim | None:
        is_open = self._entries[k]["status"] == "undecided"
        return None if is_open else self._answer(k).certificate

    # Words

    def _order(self) -> dict[Status, list[int]]:
        """Labellings by status; separable ones from the widest margin to the narrowest."""
        groups: dict[Status, list[int]] = {status: [] for status in STATUSES}
        for k, entry in enumerate(self._entries):
            groups[entry["status"]].append(k)
        groups["separable"].sort(key=lambda k: -self._entries[k]["margin_lower"])
        return {status: group for status, group in groups.items() if group}

    def sentence(self) -> str:
        """How many labellings have each status."""
        parts = [f"{number:,} {status}" for status, number in self.counts.items()]
        size = f"{self._table_of_rows.n_rows:,} × {self._table_of_rows.n_columns:,} numbers"
        found = count(len(self), "labelling", ",")
        return f"{found} of {size}: {', '.join(parts)}, in {self.seconds:.3g} s"

    def __str__(self) -> str:
        lines: list[list[str]] = []
        for status, group in self._order().items():
            most = len(group) if len(self) <= MOST_LINES else MOST_OF_A_STATUS
            lines += self._cells(group[:most])
            if len(group) > most:
                blank = [""] * (len(self._entries[0]) - 1)
                lines.append([f"… {len(group) - most:,} more", status, *blank])
        return f"{self.sentence()}\n\n{table_text(self._headers, lines)}"

    def _repr_html_(self) -> str:
        from html import escape

        parts = [f"<p>{escape(self.sentence())}</p>"]
        for status, group in self._order().items():
            table = table_html(self._headers, self._cells(group[:MOST_FOLDED]))
            rest = len(group) - MOST_FOLDED
            more = f"<p>… {rest:,} more; ask for .to_frame()</p>" if rest > 0 else ""
            is_open = " open" if len(self) <= MOST_LINES else ""
            title = f"<summary>{len(group):,} {status}</summary>"
            parts.append(f"<details{is_open}>{title}{table}{more}</details>")
        return "".join(parts)

    def __repr__(self) -> str:
        return f"<LabellingVerdicts {self.sentence()}>"


def _cell(field: str, value: Any) -> str:
    """A number or a word of the table; bounds are rounded outward."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return listed(value, MOST_ROWS)
    if isinstance(value, float):
        shown = {"margin_lower": below, "margin_upper": above}.get(field)
        return f"{value:.2f}" if shown is None else shown(value, 3)
    return str(value)


def _plain(name: Any) -> Any:
    """A name as JSON holds it."""
    value = name.item() if isinstance(name, np.generic) else name
    return value if isinstance(value, (str, int, float, bool)) else str(value)
