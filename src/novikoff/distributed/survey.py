"""What only all shards together show: how many rows and columns, which classes, which indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from novikoff.certificates import Reading
from novikoff.distributed.planning import Shard
from novikoff.distributed.shards import FileShard, Rows
from novikoff.distributed.tasks import Tasks
from novikoff.errors import InputError
from novikoff.io.column_warnings import MOST_NOTES
from novikoff.io.data import rounded_in_words, rows_left_out
from novikoff.io.formats import TEXT_TABLES
from novikoff.io.layout import too_many_levels
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


@dataclass(frozen=True, eq=False)
class Survey:
    """The shards that have rows, and what is true of all of them."""

    shards: tuple[Shard, ...]
    sizes: tuple[int, ...]
    n_columns: int
    dtype: Any
    is_sparse: bool
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
    """Look at every shard once; twice where text columns do not have the same levels in all."""
    shards, found = _look_at_all(tasks, shards, fit_intercept)
    if len({fact.classes.dtype.kind == "U" for fact in found}) > 1:  # text in one is text in all
        shards, found = _look_at_all(tasks, _labels_as_text(shards, found), fit_intercept)
    if any(fact.head.encoding != found[0].head.encoding for fact in found):
        levels = _all_levels(shards, found)
        shards, again = _look_at_all(tasks, levels, fit_intercept)
        guessed = found[0].head.guessed
        found = [fact._replace(head=replace(fact.head, guessed=guessed)) for fact in again]
    _check_texts(found)
    shards, n_columns = _aligned(shards, found)
    first = found[0]
    classes = None
    for shard, fact in zip(shards, found, strict=True):
        try:
            classes = union(classes, fact.classes)
        except InputError as error:
            raise InputError(f"{shard.name}: {error}") from None
        if fact.is_sparse != first.is_sparse:
            raise InputError(
                f"{shard.name} is {_layout(fact)} and {shards[0].name} is {_layout(first)}; "
                "all shards need one layout."
            )
    return Survey(
        shards=tuple(shards),
        sizes=tuple(fact.n_rows for fact in found),
        n_columns=n_columns,
        dtype=np.result_type(*(np.dtype(fact.dtype) for fact in found)),
        is_sparse=first.is_sparse,
        is_exact=all(fact.numbers == "binary64" for fact in found) and not _rounds(shards, found),
        classes=np.asarray(classes),
        radius=max(fact.radius for fact in found),
        names=first.head.names,
        label=first.head.label,
        reading=_reading(shards[0], first),
        digests=tuple(fact.digest for fact in found),
        origin=_origin(shards[0], found),
    )


def _look_at_all(
    tasks: Tasks, shards: Sequence[Shard], fit_intercept: bool
) -> tuple[list[Shard], list[Facts]]:
    """The shards that have rows, and the facts of each."""
    facts: list[Facts | None] = tasks.results(lambda: tasks.each(look, shards, fit_intercept))
    known = [(shard, fact) for shard, fact in zip(shards, facts, strict=True) if fact is not None]
    if not known:
        raise InputError("the data has 0 rows; at least 1 is needed.")
    return [shard for shard, _ in known], [fact for _, fact in known]


def look(rows: Rows, index: int, fit_intercept: bool) -> Facts | None:  # noqa: ARG001
    """What this shard tells; None if it has no rows."""
    if not rows.n_rows:
        return None
    table = rows.table
    if len(rows.y) != table.n_rows:
        raise InputError(f"X has {table.n_rows} rows and y has {len(rows.y)} labels.")
    signs = np.ones(table.n_rows, dtype=np.int8)
    return Facts(
        head=replace(rows, X=None, y=None, weights=None),
        n_rows=table.n_rows,
        n_columns=table.n_columns,
        dtype=table.matrix.dtype.str,
        is_sparse=table.is_sparse,
        numbers=table.numbers,
        classes=encode(np.asarray(rows.y))[0],
        radius=radius(SignedRows(table, signs, fit_intercept)),
        digest=digest_of_rows(table.matrix, rows.y, rows.weights, rows.names),
    )


def _aligned(shards: Sequence[Shard], found: list[Facts]) -> tuple[list[Shard], int]:
    """The shards such that all have the same columns."""
    indexed = [fact.head.indices for fact in found if fact.head.indices is not None]
    if indexed:
        return _aligned_indices(shards, indexed)
    for shard, fact in zip(shards, found, strict=True):
        if fact.n_columns != found[0].n_columns or fact.head.names != found[0].head.names:
            raise InputError(
                f"{shard.name} has other columns ({fact.n_columns}) than {shards[0].name} "
                f"({found[0].n_columns}); all shards need the same ones."
            )
    return list(shards), found[0].n_columns


def _aligned_indices(
    shards: Sequence[Shard], indexed: list[tuple[int, int]]
) -> tuple[list[Shard], int]:
    """svmlight: indices start at 0 if any file has a 0, and the largest of all is the last."""
    aligned: list[Shard] = []
    n_columns = 1
    for shard in shards:
        if not isinstance(shard, FileShard):
            raise InputError("svmlight files cannot be mixed with other shards.")
        given = shard.options
        first = int(min(low for low, _ in indexed) > 0)
        if given.zero_based != "auto":
            first = int(not given.zero_based)
        n_columns = given.n_columns or max(1, max(high for _, high in indexed) + 1 - first)
        told = replace(given, zero_based=not first, n_columns=n_columns)
        aligned.append(replace(shard, options=told))
    return aligned, n_columns


def _all_levels(shards: Sequence[Shard], found: list[Facts]) -> list[Shard]:
    """Shards of files whose text columns have every level that any of the files has."""
    together: dict[str, set[str]] = {name: set() for name in found[0].head.encoding}
    for shard, fact in zip(shards, found, strict=True):
        if fact.head.encoding.keys() != together.keys():
            raise InputError(
                f"{shard.name} has other text columns than {shards[0].name}; name them in "
                f"{keyword('categorical')}, or give {keyword('encoding')}."
            )
        for name, levels in fact.head.encoding.items():
            together[name].update(levels)
    encoding = {name: sorted(levels) for name, levels in together.items()}
    return [
        replace(shard, options=replace(shard.options, encoding=encoding))
        for shard in shards
        if isinstance(shard, FileShard)
    ]


def _labels_as_text(shards: Sequence[Shard], found: list[Facts]) -> list[Shard]:
    """The shards; of those that are text tables, labels are texts even where all are numbers."""
    return [
        replace(shard, options=replace(shard.options, labels="text"))
        if isinstance(shard, FileShard) and fact.head.options.get("format") in TEXT_TABLES
        else shard
        for shard, fact in zip(shards, found, strict=True)
    ]


def _reading(shard: Shard, fact: Facts) -> dict[str, Any]:
    if fact.head.indices is None or not isinstance(shard, FileShard):
        return fact.head.reading
    return {"zero_based": shard.options.zero_based, "n_columns": shard.options.n_columns}


def _check_texts(found: list[Facts]) -> None:
    """Raise where a text column that nobody named has so many levels that it names rows."""
    n_rows = sum(fact.n_rows for fact in found)
    for name in found[0].head.guessed:
        n_levels = len(found[0].head.encoding[name])
        if too_many_levels(n_levels, n_rows):
            raise InputError(
                f"column {name!r}: {n_levels:,} different texts in {n_rows:,} rows name the rows "
                f"rather than describe them; take them as levels with "
                f"{keyword('categorical', name)}, or leave the column out with "
                f"{keyword('drop', name)}."
            )


def _origin(shard: Shard, found: list[Facts]) -> Reading | None:
    """How all rows came out of their files, of which all shards must tell the same."""
    if not isinstance(shard, FileShard) or not found[0].head.options:
        return None
    told = dict(found[0].head.options)
    if found[0].head.indices is not None:
        told |= {"zero_based": shard.options.zero_based, "n_columns": shard.options.n_columns}
    left_out = rows_left_out((fact.n_rows, fact.head.left_out) for fact in found)
    notes = list(dict.fromkeys(note for fact in found for note in fact.head.notes))
    if n := sum(fact.head.n_rounded for fact in found):
        notes.append(rounded_in_words(n))
    if n := len(left_out):
        lacks = plural(n, "lacks a value", "lack a value")
        if told.get("format") == "vw":
            lacks += plural(n, " or has importance 0", " or have importance 0")
        what = plural(n, f"row {lacks} and is", f"rows {lacks} and are")
        notes.append(f"{n:,} {what} left out; the others keep their numbers")
    return Reading.of(told, [*notes, *_doubted(found)], left_out)


def _doubted(found: list[Facts]) -> list[str]:
    """What a shard alone makes one ask, of every column and kind the first that shows it."""
    said: dict[str, str] = {}
    for note in (note for fact in found for note in fact.head.doubted):
        said.setdefault(note.partition(", ")[2].partition(" (")[0], note)
    return list(said.values())[:MOST_NOTES]


def _rounds(shards: Sequence[Shard], found: list[Facts]) -> bool:
    """Whether numbers were rounded and nobody asked for floats."""
    asked = all(isinstance(one, FileShard) and one.options.numbers == "binary64" for one in shards)
    return not asked and any(fact.head.n_rounded for fact in found)


def _layout(fact: Facts) -> str:
    return "sparse" if fact.is_sparse else "dense"
