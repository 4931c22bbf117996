"""What only all shards together show: how many rows and columns, which classes, which indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from novikoff.certificates import Reading
from novikoff.distributed.shards import FileShard, Rows, Shard
from novikoff.distributed.tasks import Tasks
from novikoff.errors import InputError
from novikoff.io.column_warnings import MOST_NOTES
from novikoff.io.data import rounded_in_words, rows_left_out
from novikoff.io.rows_digest import digest_of_rows
from novikoff.models.labels import encode, union
from novikoff.search.margins import radius
from novikoff.search.signed_rows import SignedRows
from novikoff.wording import keyword, plural


class Facts(NamedTuple):
    """What one shard tells."""

    head: Rows  # all but its rows and labels
    n_rows: int
    n_columns: int
    dtype: str
    is_sparse: bool
    numbers: str
    classes: np.ndarray
    radius: float  # max ‖(x, 1)‖, or max ‖x‖ without an offset
    digest: str  # of the rows and their labels

    @property
    def layout(self) -> tuple[Any, ...]:
        """What all shards must have alike; the last index of svmlight is no part of it."""
        n_columns = None if self.head.indices is not None else self.n_columns
        return self.is_sparse, n_columns, self.head.names, self.head.encoding


@dataclass(frozen=True, eq=False)
class Survey:
    """The shards that have rows, and what is true of all of them."""

    shards: tuple[Shard, ...]
    sizes: tuple[int, ...]
    n_columns: int
    dtype: Any
    is_exact: bool  # whether every number is a binary float as it was given
    classes: np.ndarray
    radius: float
    names: tuple[str, ...] | None
    label: str | None
    reading: dict[str, Any]  # what to tell novikoff.read to get these columns from other files
    digests: tuple[str, ...]  # of the rows of each shard
    origin: Reading | None = None  # how the rows came out of their files

    @property
    def n_rows(self) -> int:
        return sum(self.sizes)

    @property
    def offsets(self) -> list[int]:
        """The number of the first row of each shard, among all rows."""
        return [0, *np.cumsum(self.sizes[:-1], dtype=np.int64).tolist()]


def survey(tasks: Tasks, shards: Sequence[Shard], fit_intercept: bool) -> Survey:
    """Look at every shard once."""
    facts: list[Facts | None] = tasks.results(lambda: tasks.each(look, shards, fit_intercept))
    shards = [shard for shard, fact in zip(shards, facts, strict=True) if fact is not None]
    found = [fact for fact in facts if fact is not None]
    if not found:
        raise InputError("the data has 0 rows; at least 1 is needed.")
    first, classes = found[0], None
    for shard, fact in zip(shards, found, strict=True):
        if fact.layout != first.layout:
            theirs, ours = (
                f"{one.n_columns}, {'sparse' if one.is_sparse else 'dense'}"
                for one in (fact, first)
            )
            raise InputError(
                f"{shard.name} has other columns ({theirs}) than {shards[0].name} "
                f"({ours}); all shards need the same ones, and of text columns the same "
                f"levels: {keyword('encoding')} takes those of novikoff.read."
            )
        try:
            classes = union(classes, fact.classes)
        except InputError as error:
            raise InputError(f"{shard.name}: {error}") from None
    indexed = [fact.head.indices for fact in found if fact.head.indices is not None]
    n_columns, told = first.n_columns, dict[str, Any]()
    if indexed:  # svmlight: indices start at 0 if any file has a 0; the largest is the last
        files = [shard for shard in shards if isinstance(shard, FileShard)]
        given = files[0].options  # those of all
        start = int(min(low for low, _ in indexed) > 0)
        if given.zero_based != "auto":
            start = int(not given.zero_based)
        n_columns = given.n_columns or max(1, max(high for _, high in indexed) + 1 - start)
        told = {"zero_based": not start, "n_columns": n_columns}
        shards = [replace(file, options=replace(given, **told)) for file in files]
    asked = all(isinstance(one, FileShard) and one.options.numbers == "binary64" for one in shards)
    n_rounded = sum(fact.head.n_rounded for fact in found)
    return Survey(
        shards=tuple(shards),
        sizes=tuple(fact.n_rows for fact in found),
        n_columns=n_columns,
        dtype=np.result_type(*(np.dtype(fact.dtype) for fact in found)),
        is_exact=all(fact.numbers == "binary64" for fact in found) and (asked or not n_rounded),
        classes=np.asarray(classes),
        radius=max(fact.radius for fact in found),
        names=first.head.names,
        label=first.head.label,
        reading=told or first.head.reading,
        digests=tuple(fact.digest for fact in found),
        origin=_origin(shards, found, told, n_rounded),
    )


def look(rows: Rows, _index: int, fit_intercept: bool) -> Facts | None:
    """What this shard tells; None if it has no rows."""
    if not rows.n_rows:
        return None
    table = rows.table
    if len(rows.y) != table.n_rows:
        raise InputError(f"X has {table.n_rows} rows and y has {len(rows.y)} labels.")
    signs = np.ones(table.n_rows, dtype=np.int8)
    return Facts(
        head=replace(rows, X=None, y=None),
        n_rows=table.n_rows,
        n_columns=table.n_columns,
        dtype=table.matrix.dtype.str,
        is_sparse=table.is_sparse,
        numbers=table.numbers,
        classes=encode(np.asarray(rows.y))[0],
        radius=radius(SignedRows(table, signs, fit_intercept)),
        digest=digest_of_rows(table.matrix, rows.y, None, rows.names),
    )


def _origin(
    shards: Sequence[Shard], found: list[Facts], told: dict[str, Any], n_rounded: int
) -> Reading | None:
    """How all rows came out of their files, of which all shards must tell the same."""
    if not found[0].head.options:
        return None
    left_out = rows_left_out((fact.n_rows, fact.head.left_out) for fact in found)
    notes = list(dict.fromkeys(note for fact in found for note in fact.head.notes))
    if n_rounded:
        notes.append(rounded_in_words(n_rounded))
    if n := len(left_out):
        what = plural(n, "row lacks a value and is", "rows lack a value and are")
        notes.append(f"{n:,} {what} left out; the others keep their numbers")
    asked: dict[str, str] = {}  # of every column and kind the first that shows it
    for shard, fact in zip(shards, found, strict=True):
        for note in fact.head.warnings:
            asked.setdefault(note.partition(" (")[0], f"in {shard.name}, {note}")
    notes += list(asked.values())[:MOST_NOTES]
    return Reading.of(dict(found[0].head.options) | told, notes, left_out)
