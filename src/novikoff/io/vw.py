"""Vowpal Wabbit files: `[label [importance]] ['tag]|space[:scale] name[:value] … |…`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import FileError, ParameterError
from novikoff.io.chunks import Chunk, TextError, chunks_of, count, loop_for, parsed
from novikoff.io.data import Data, join_columns, rows_left_out
from novikoff.io.fields import is_missing, shown
from novikoff.io.identity import Identified
from novikoff.io.labels import signs_of
from novikoff.io.options import Options
from novikoff.io.rounding import Budget
from novikoff.io.sources import Source
from novikoff.io.sparse import SparseBlock, judge, keep_rows
from novikoff.io.sparse_exact import sparse_rows, vw_values
from novikoff.io.word_codes import coded_words, words_at
from novikoff.loops import vw as loops
from novikoff.loops.numerals import powers_of_ten
from novikoff.wording import hint, keyword

FEATURES = "features"  # the key of the names in an encoding
UNSEEN = -1
BETWEEN = "\n"  # a space and a name in one key: neither can hold a line end


class VwReader(Identified):
    """Blocks of Vowpal Wabbit files, and what they are together.

    Features are kept by name, one column each in sorted order; or, with `bits`, hashed to
    2^bits columns exactly as `vw -b bits` does: MurmurHash3 (x86, 32 bits) of the name, seeded
    with that of its space, where a word of digits alone hashes to its number plus the seed.
    """

    format = "vw"
    surveyed = ("encoding", "unseen")

    def __init__(self, sources: list[Source], options: Options) -> None:
        self.sources = sources
        self.options = options
        self.source = sources[0].name if len(sources) == 1 else f"{len(sources)} files"
        if options.label not in (None, False):
            raise ParameterError(
                f"{self.source} is Vowpal Wabbit text, where every row begins with its label; "
                f"leave {keyword('label')} out."
            )
        self.budget = Budget(options.numbers)
        self.names: list[str] | None = None
        self.places: _Places | None = None
        if options.encoding is not None:
            if options.bits is not None or FEATURES not in options.encoding:
                raise FileError(
                    f"{keyword('encoding')} for Vowpal Wabbit text must list the names under "
                    f"{FEATURES!r}, and goes without {keyword('bits')}."
                )
            self.names = list(options.encoding[FEATURES])

    @property
    def needs_survey(self) -> bool:
        """Whether one pass must come first, to collect the names."""
        return self.options.bits is None and self.names is None

    def said_beforehand(self) -> dict[str, Any]:
        """Of what a survey finds, what was given."""
        given = self.options.encoding
        return {} if given is None else {"encoding": given, "unseen": self.options.unseen}

    def fits(self, kept: Data) -> bool:
        """Whether rows of this identity have the features that were asked for, and no others."""
        given = self.options.encoding
        return given is None or list(given[FEATURES]) == kept.encoding.get(FEATURES)

    def blocks(self) -> Iterator[SparseBlock]:
        names = self.options.encoding[FEATURES] if self.options.encoding else None
        known = None if names is None else frozenset(names)
        yield from parsed(chunks_of(self.sources), lambda chunk: self.parse(chunk, known))

    def parse(self, chunk: Chunk, known: frozenset[str] | None) -> tuple[int, SparseBlock]:
        """The lines of the chunk and its rows, or TextError."""
        text, options = chunk.text, self.options
        n_lines, n_blanks, n_bars = count(text, b" ", b"|")
        n_blanks += text.count(b"\t")
        rows, given = loop_for(loops.vw_rows, text)
        labels, weights = np.empty((2, n_lines))
        tags = np.empty((n_lines, 2), dtype=np.int64)
        starts, places = np.zeros((2, n_lines + 1), dtype=np.int64)
        spaces, names = np.empty((n_bars, 2), np.int64), np.empty((n_blanks, 2), np.int64)
        scales, groups = np.empty(n_bars), np.empty(n_blanks, dtype=np.int64)
        values = np.empty(n_blanks)
        doubtful = np.empty((64, 3), dtype=np.int64)
        while True:
            code, at, n, n_spaces, n_entries, n_doubtful = rows(
                given, powers_of_ten(), np.empty((5, 2), np.int64), labels, weights, tags,
                starts, places, spaces, scales, groups, names, values, doubtful,
            )  # fmt: skip
            if n_doubtful <= len(doubtful):
                break
            doubtful = np.empty((n_doubtful, 3), dtype=np.int64)
        keep = np.ones(n_lines, dtype=bool)
        for entry, start, stop in doubtful[:n_doubtful].tolist():
            if entry >= 0 and _is_word(text[start:stop]):
                names[entry, 1], values[entry] = stop, 1.0
                continue
            number = judge(text, start, stop, options.missing == "drop")
            if number is None:
                row = -1 - entry if entry < 0 else np.searchsorted(starts[:n], entry, "right") - 1
                keep[row] = False
            elif entry < 0:
                labels[-1 - entry] = number
            else:
                values[entry] = number * scales[groups[entry]]
        if code != loops.DONE:
            raise TextError(_complaint(code, text, at), at)
        huge = np.flatnonzero(~np.isfinite(values[:n_entries]))
        if len(huge):
            raise TextError(": a value times its space's is beyond 1.8e308", int(names[huge[0], 0]))
        bare = np.isnan(labels[:n]) & keep[:n]
        if options.label is not False and bare.any():
            if options.missing != "drop":
                place = int(places[np.argmax(bare)])
                raise TextError(
                    f": the row has no label{hint(' ({} reads such rows)', 'label', False)}", place
                )
            keep[:n] &= ~bare
        if options.label is not False:  # without labels every row is answered
            keep[:n] &= weights[:n] != 0
        features = Features(text, spaces[:n_spaces], groups[:n_entries], names[:n_entries])
        if options.bits is None:
            columns, distinct = features.coded(known, options.unseen == "error")
        else:
            columns, distinct = features.hashed(options.bits), []
        written = partial(vw_values, text, spaces[:n_spaces], groups[:n_entries], names[:n_entries])
        exact, n_rounded = self.budget.exact(values[:n_entries], written)
        if self.budget.is_spent and options.numbers == "decimal":
            raise TextError(
                " and above: too many features for exact decimals"
                f"{hint('; say {}', 'numbers', 'binary64')}",
                at,
            )
        block = SparseBlock(
            None if options.label is False else labels[:n],
            starts[: n + 1], columns, values[:n_entries], exact=exact, n_rounded=n_rounded,
            weights=weights[:n], tags=_tags(text, tags[:n]), names=distinct,
        )  # fmt: skip
        kept = keep_rows(_without_unseen(block), keep[:n], options.classes)
        return n_lines, kept if options.bits is not None else _with_used_names(kept)

    def survey(self, blocks: Iterable[SparseBlock]) -> None:
        """Collect the names of all blocks, in sorted order."""
        if not self.needs_survey:
            return
        keys: set[str] = set()
        for block in blocks:
            keys.update(block.names)
        names = sorted(full_name(key) for key in keys)
        for name, other in pairwise(names):
            if name == other:
                raise FileError(
                    f"{self.source} has two features written {shown(name)}; a '^' in a name or "
                    f"in a space makes them alike: rename one, or use {keyword('bits')}."
                )
        self.names = names

    def finish(self, blocks: list[SparseBlock]) -> Data:
        """The blocks' rows as X and y; the list is emptied."""
        names, bits = self.names, self.options.bits
        if names is not None:
            self.places = self.places or _Places({name: k for k, name in enumerate(names)})
            for k, block in enumerate(blocks):
                found = np.fromiter(map(self.places.__getitem__, block.names), dtype=np.int32)
                blocks[k] = block._replace(columns=found[block.columns])
        n_columns = len(names or ()) if bits is None else 1 << bits
        if not n_columns:
            raise FileError(f"{self.source} has no feature at all.")
        y = signs_of(join_columns(block.labels for block in blocks), self.options.positive)
        weights = join_columns(block.weights for block in blocks)
        tags = join_columns(block.tags for block in blocks)
        left_out = rows_left_out((block.n_rows, block.dropped) for block in blocks)
        named = None if names is None else tuple(names)
        rows = sparse_rows(blocks, n_columns, self.source, self.budget, named, sum_repeats=True)
        told = replace(self.options, numbers=rows.numbers)
        return Data(
            X=rows.X,
            y=y,
            weights=weights,
            tags=tags,
            left_out=left_out,
            n_rounded=rows.n_rounded,
            notes=rows.notes,
            told=told.told(
                self.format,
                None,
                bits=bits,
                encoding=self.options.encoding,
                **self.options.told_of_text(),
            ),
            names=named,
            encoding={} if names is None else {FEATURES: names},
            source=self.source,
            format=self.format,
            reading={"bits": bits} if names is None else {"encoding": {FEATURES: names}},
        )


def _with_used_names(block: SparseBlock) -> SparseBlock:
    """The block; names that only rows had which are left out are no columns."""
    if not len(block.dropped):
        return block
    used, columns = np.unique(block.columns, return_inverse=True)
    names = [block.names[k] for k in used.tolist()]
    return block._replace(columns=columns.astype(block.columns.dtype), names=names)


class _Places(dict[str, int]):
    """The column of a key, looked up by its full name only once."""

    def __init__(self, by_name: dict[str, int]) -> None:
        super().__init__()
        self.by_name = by_name

    def __missing__(self, key: str) -> int:
        place = self[key] = self.by_name[full_name(key)]
        return place


class Features(NamedTuple):
    """Feature i is text[names[i]], in the space text[spaces[groups[i]]]."""

    text: bytes
    spaces: np.ndarray
    groups: np.ndarray
    names: np.ndarray

    def hashed(self, bits: int) -> np.ndarray:
        columns = np.empty(len(self.groups), dtype=np.int32)
        hash_features, given = loop_for(loops.hash_features, self.text)
        hash_features(given, self.spaces, self.groups, self.names, (1 << bits) - 1, columns)
        return columns

    def coded(
        self, known: frozenset[str] | None, must_be_known: bool
    ) -> tuple[np.ndarray, list[str]]:
        """A code for every feature, as they appear, and the space and name of each code.

        A feature that is not `known` has the code UNSEEN, or is TextError.
        """
        space_codes, first_spaces = coded_words(self.text, self.spaces)
        groups = space_codes[self.groups]
        codes, firsts = coded_words(self.text, self.names, groups.astype(np.int64))
        starts = [f"{word}{BETWEEN}" for word in words_at(self.text, self.spaces[first_spaces])]
        words = words_at(self.text, self.names[firsts])
        keys = [starts[g] + word for g, word in zip(groups[firsts].tolist(), words, strict=True)]
        if known is None:
            return codes, keys
        is_known = np.array([full_name(key) in known for key in keys], dtype=bool)
        if must_be_known and not is_known.all():
            k = int(np.argmin(is_known))
            raise TextError(
                f": the feature {shown(full_name(keys[k]))} is not in the encoding"
                f"{hint(' ({} leaves such features out)', 'unseen', 'zeros')}",
                int(self.names[firsts[k], 0]),
            )
        kept = [key for key, good in zip(keys, is_known, strict=True) if good]
        return np.where(is_known, np.cumsum(is_known) - 1, UNSEEN).astype(np.int32)[codes], kept


def full_name(key: str) -> str:
    """What a column is called: space^name, or the name alone in the space without a name."""
    space, _, name = key.partition(BETWEEN)
    return f"{space}^{name}" if space else name


def _without_unseen(block: SparseBlock) -> SparseBlock:
    seen = block.columns != UNSEEN
    if seen.all():
        return block
    starts = np.concatenate([[0], np.cumsum(seen)])[block.starts].astype(np.int64)
    exact = None if block.exact is None else block.exact[seen]
    columns, values = block.columns[seen], block.values[seen]
    return block._replace(starts=starts, columns=columns, values=values, exact=exact)


def _is_word(value: bytes) -> bool:
    """Whether the value of a feature is a word, as in city:paris, which is a feature of its own."""
    text = value.decode("utf-8", "replace")
    is_infinite = text.lower() in ("inf", "infinity")
    return not is_missing(text) and not is_infinite and text[0] not in "+-.0123456789"


def _tags(text: bytes, tags: np.ndarray) -> np.ndarray:
    if (tags[:, 0] == tags[:, 1]).all():
        return np.full(len(tags), "")
    return np.array(words_at(text, tags))


def _complaint(code: int, text: bytes, at: int) -> str:
    words = text[at : at + 99].split()
    word = shown(words[0].decode("utf-8", "replace")) if words else "the end of the line"
    return {
        loops.NO_BAR: ": no '|' in this row; a bar must stand before its features",
        loops.MANY_WORDS: ": more than a label, an importance and a base before the bar",
        loops.BAD_IMPORTANCE: f": the importance is {word}; a number of at least 0 is needed",
        loops.BASE: f": a base of {word}; only 0 can be used, so leave it out",
        loops.NO_SPACE: ": a ':' without a name after '|'",
        loops.BAD_SCALE: f": the value of the space in {word} is not a number",
        loops.NO_NAME: f": {word} is a feature without a name",
    }[code]
