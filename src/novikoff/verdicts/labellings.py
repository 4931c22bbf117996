"""Labellings: the verdicts of many labellings of the same rows, as a table.

A labelling that was decided together with others is kept as what was proven of it; its `Verdict`
is made when it is asked for, so that a thousand of them cost no more than they must.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from novikoff.certificates.digest import digests_of
from novikoff.errors import InputError, NoTruthValue
from novikoff.inputs import Labels, Table, row_numbers, with_gaps
from novikoff.inputs.device import Place
from novikoff.inputs.frames import as_frame, data_frame
from novikoff.inputs.labels import read_labels, without_missing
from novikoff.inputs.tensors import is_elsewhere
from novikoff.verdicts.numerals import above, below
from novikoff.verdicts.verdict import Status, Verdict
from novikoff.wording import count, first_few, table_html, table_text

MOST_LINES = 30  # labellings that are all shown
MOST_OF_A_STATUS = 8  # of more than that
MOST_FOLDED = 500  # of a status, in a notebook, behind a fold
STATUSES: tuple[Status, ...] = ("undecided", "quasi-separable", "separable", "overlapping")
HEADERS = ("labelling", "status", "rows", "separated", "margin", "seconds")


class Labelling(NamedTuple):
    """One question: its name, and the rows of X that have a label, with their signs."""

    name: Any
    rows: np.ndarray | None  # None for all
    labels: Labels

    def signs(self, n_rows: int) -> np.ndarray:
        """The sign of every row of X, and 0 where it has no label."""
        if self.rows is None:
            return self.labels.signs
        signs = np.zeros(n_rows, dtype=np.int8)
        signs[self.rows] = self.labels.signs
        return signs


def is_many(y: Any) -> bool:
    """Whether y is a table of more than one column, or a mapping from names to columns."""
    if isinstance(y, Mapping):
        return True
    if isinstance(y, (list, tuple)):
        return bool(y) and isinstance(y[0], (list, tuple)) and len(y[0]) > 1
    shape = getattr(y, "shape", None)
    return shape is not None and len(shape) == 2 and int(shape[1]) > 1


def read_labellings(
    Y: Any, n_rows: int, positive: Any = None
) -> tuple[list[Labelling], np.ndarray]:
    """The columns of Y, each with its two labels as signs; InputError names the one that has not.

    Rows without a label are left out of that column's question only. The second value is the
    signs of all rows, a column for each labelling: 0 where there is no label.
    """
    whole = _whole(Y) if positive is None else None
    known = None if whole is None or len(whole) != n_rows else _read_whole(whole)
    if known is not None:
        return known
    found = []
    for name, column in _columns_of(Y if whole is None else whole).items():
        words = f"labelling {name!r}"
        if len(column) != n_rows:
            raise InputError(
                f"X and Y do not match: X has {n_rows} rows and {words} has {len(column)} labels."
            )
        rows, values = without_missing(column)
        n_labels = n_rows if rows is None else len(rows)
        if n_labels == 0:
            raise InputError(f"{words} has no labels; 2 are needed.")
        found.append(Labelling(name, rows, read_labels(values, n_labels, positive, words)))
    return found, np.stack([one.signs(n_rows) for one in found]).T


def _whole(Y: Any) -> np.ndarray | None:
    """Y as a matrix of truth values or whole numbers; None where it is anything else."""
    if is_elsewhere(Y):
        Y = Place.of(Y, "Y").fetch(Y)
    is_matrix = isinstance(Y, np.ndarray) and not isinstance(Y, np.ma.MaskedArray)
    return Y if is_matrix and Y.ndim == 2 and Y.dtype.kind in "biu" and Y.size else None


def _read_whole(Y: np.ndarray) -> tuple[list[Labelling], np.ndarray] | None:
    """All columns at once; None unless each has two values."""
    low, high = Y.min(axis=0), Y.max(axis=0)
    is_high = high == Y if Y.dtype.kind != "b" else Y
    if not ((low != high).all() and (Y.dtype.kind == "b" or (is_high | (low == Y)).all())):
        return None
    signs = np.ascontiguousarray(is_high).view(np.int8) * np.int8(2) - np.int8(1)
    classes = zip(low.tolist(), high.tolist(), strict=True)
    found = [Labelling(k, None, Labels(signs[:, k], both)) for k, both in enumerate(classes)]
    return found, signs


def _columns_of(Y: Any) -> dict[Any, Any]:
    """The columns of a table of labels, by name."""
    if isinstance(Y, Mapping):
        if not Y:
            raise InputError("Y has no columns; give at least one labelling.")
        return dict(Y)
    if hasattr(Y, "tocsr"):
        Y = Y.toarray()
    elif isinstance(Y, (list, tuple)):
        widths = {len(row) for row in Y}
        if len(widths) > 1:
            raise InputError(
                "the rows of Y differ in length; each needs a label for each labelling."
            )
        Y = np.array(Y, dtype=object)
    frame = None if isinstance(Y, np.ndarray) else as_frame(Y, "Y")
    if frame is not None:
        return {name: frame.get_column(name).to_native() for name in frame.columns}
    Y = with_gaps(Place.of(Y, "Y").fetch(Y) if is_elsewhere(Y) else Y, "Y")
    if isinstance(Y, np.ndarray):
        Y = np.asfortranarray(Y)  # each column is read several times
    return {k: Y[:, k] for k in range(int(Y.shape[1]))}


@dataclass(frozen=True)
class Entry:
    """What the table says of one labelling, without making its verdict."""

    status: Status
    n_rows: int
    n_separated: int | None
    margin: tuple[float, float]
    seconds: float


class LabellingVerdicts(NoTruthValue, Mapping[Any, Verdict]):
    """A mapping from the name of a labelling to its verdict, and a table of all of them.

    A verdict and its certificate count rows within X[selected(name)], the rows that have a label;
    `rows(name)` gives the few rows that rule out a strict separator by their number in X.
    """

    ask_instead = "verdicts.status == 'separable'"

    def __init__(
        self,
        table: Table,
        labellings: list[Labelling],
        entries: list[Entry],
        make: Callable[[int], Verdict],
        seconds: float,
    ) -> None:
        self._table_of_rows, self._labellings, self._entries = table, labellings, entries
        self._make = make
        self._made: dict[int, Verdict] = {}
        self._places = {labelling.name: k for k, labelling in enumerate(labellings)}
        self.seconds = seconds

    def __getitem__(self, name: Any) -> Verdict:
        k = self._place(name)
        if k not in self._made:
            self._made[k] = self._make(k)
        return self._made[k]

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

    @property
    def status(self) -> np.ndarray:
        """The status of each labelling, as an array of text, in the order of the columns."""
        return np.array([entry.status for entry in self._entries], dtype=str)

    @property
    def counts(self) -> dict[Status, int]:
        """How many labellings have each status that occurs."""
        found = Counter(entry.status for entry in self._entries)
        return {status: found[status] for status in STATUSES if found[status]}

    def selected(self, name: Any) -> np.ndarray:
        """The rows of X that have a label."""
        rows = self._labellings[self._place(name)].rows
        return row_numbers(np.arange(self._table_of_rows.n_rows) if rows is None else rows)

    def rows(self, name: Any) -> np.ndarray:
        """The few rows that rule out a strict separator, by their number in X, from 0."""
        verdict = self[name]
        _ = verdict.rows  # which are searched for when they are asked for
        return row_numbers(self.selected(name)[verdict.places])

    def to_dict(self) -> dict[str, Any]:
        """The table as numbers, lists and texts that JSON can hold."""
        return {
            "n_labellings": len(self),
            "counts": dict(self.counts),
            "seconds": self.seconds,
            "labellings": [dict(zip(self.fields(), line, strict=True)) for line in self.lines()],
        }

    @staticmethod
    def fields() -> tuple[str, ...]:
        """What stands in each of the `lines`."""
        return (
            "labelling", "status", "n_rows", "n_separated", "margin_lower", "margin_upper",
            "seconds",
        )  # fmt: skip

    def lines(self) -> list[tuple[Any, ...]]:
        """The table line by line, in the order of the columns; `to_frame` has the same."""
        return [
            (
                _plain(labelling.name), entry.status, entry.n_rows, entry.n_separated,
                _number(entry.margin[0]), _number(entry.margin[1]), entry.seconds,
            )
            for labelling, entry in zip(self._labellings, self._entries, strict=True)
        ]  # fmt: skip

    def to_frame(self) -> Any:
        """One line for each labelling, as a DataFrame of whichever library is installed."""
        columns = dict(zip(self.fields(), map(list, zip(*self.lines(), strict=True)), strict=True))
        return data_frame({**columns, "labelling": self.names})

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write the proof of every labelling that is decided, one file each, and their paths.

        The numbers of X are read once, for the digests of all proofs of labellings with a label on
        every row. The folder is made; files of the same name in it are replaced.
        """
        home = Path(folder)
        home.mkdir(parents=True, exist_ok=True)
        decided = [k for k, entry in enumerate(self._entries) if entry.status != "undecided"]
        self._stamp(decided)
        width = len(str(max(len(self) - 1, 0)))
        paths = []
        for k in decided:
            word = re.sub(r"[^A-Za-z0-9_-]+", "_", str(self._labellings[k].name)).strip("_")[:60]
            path = home / f"{k:0{width}d}{'_' * bool(word)}{word}.json"
            certificate = self[self._labellings[k].name].certificate
            if certificate is not None:
                certificate.save(path)
                paths.append(path)
        return paths

    def _stamp(self, which: list[int]) -> None:
        """Give the proofs of labellings of all rows their digests, by one pass over X."""
        whole = [k for k in which if self._labellings[k].rows is None]
        stamps = []
        for k in whole:
            certificate = self[self._labellings[k].name].certificate
            if certificate is not None and not isinstance(certificate.stamp.source, str):
                stamps.append((k, certificate.stamp))
        if not stamps:
            return
        signs = np.stack([self._labellings[k].labels.signs for k, _ in stamps], axis=1)
        digests = digests_of(self._table_of_rows.unchanged(), signs)
        for (_, stamp), digest in zip(stamps, digests, strict=True):
            object.__setattr__(stamp, "source", digest)

    # Words

    def _order(self) -> dict[Status, list[int]]:
        """Labellings by status; separable ones from the widest margin to the narrowest."""
        groups: dict[Status, list[int]] = {status: [] for status in STATUSES}
        for k, entry in enumerate(self._entries):
            groups[entry.status].append(k)
        groups["separable"].sort(key=lambda k: -self._entries[k].margin[0])
        return {status: group for status, group in groups.items() if group}

    def _cells(self, k: int) -> list[str]:
        entry = self._entries[k]
        margin = ""
        if entry.status == "separable":
            margin = f"{below(entry.margin[0], 3)} to {above(entry.margin[1], 3)}"
        elif entry.status == "undecided":
            margin = f"at most {above(entry.margin[1], 3)}"
        separated = "" if entry.n_separated is None else str(entry.n_separated)
        name = str(self._labellings[k].name)
        return [name, entry.status, str(entry.n_rows), separated, margin, f"{entry.seconds:.2f}"]

    def sentence(self) -> str:
        """How many labellings have each status."""
        parts = [f"{number:,} {status}" for status, number in self.counts.items()]
        size = f"{self._table_of_rows.n_rows:,} × {self._table_of_rows.n_columns:,} numbers"
        found = count(len(self), "labelling", ",")
        return f"{found} of {size}: {', '.join(parts)}, in {self.seconds:.3g} s"

    def __str__(self) -> str:
        entries: list[list[str]] = []
        for status, group in self._order().items():
            most = len(group) if len(self) <= MOST_LINES else MOST_OF_A_STATUS
            entries += [self._cells(k) for k in group[:most]]
            if len(group) > most:
                more = f"… {len(group) - most:,} more"
                entries.append([more, status, "", "", "", ""])
        return f"{self.sentence()}\n\n{table_text(HEADERS, entries)}"

    def _repr_html_(self) -> str:
        from html import escape

        parts = [f"<p>{escape(self.sentence())}</p>"]
        for status, group in self._order().items():
            table = table_html(list(HEADERS), [self._cells(k) for k in group[:MOST_FOLDED]])
            rest = len(group) - MOST_FOLDED
            more = f"<p>… {rest:,} more; ask for .to_frame()</p>" if rest > 0 else ""
            is_open = " open" if len(self) <= MOST_LINES else ""
            title = f"<summary>{len(group):,} {status}</summary>"
            parts.append(f"<details{is_open}>{title}{table}{more}</details>")
        return "".join(parts)

    def __repr__(self) -> str:
        return f"<LabellingVerdicts {self.sentence()}>"


def _plain(name: Any) -> Any:
    """A name as JSON holds it."""
    value = name.item() if isinstance(name, np.generic) else name
    return value if isinstance(value, (str, int, float, bool)) else str(value)


def _number(value: float) -> float | None:
    return value if np.isfinite(value) else None
