"""Vowpal Wabbit files: `[label [importance]] ['tag]|space[:scale] name[:value] … |…`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from novikoff.errors import FileError
from novikoff.io.chunks import Chunk
from novikoff.io.data import Data
from novikoff.io.fields import is_missing, is_number, shown
from novikoff.io.opening import checked
from novikoff.io.options import Options
from novikoff.io.sources import Source
from novikoff.io.sparse import (
    IN_NUMERALS,
    SparseBlock,
    SparseReader,
    SparseRows,
    shown_word,
    words_of,
)
from novikoff.wording import keyword

FEATURES = "features"  # the key of the names in an encoding
UNSEEN, UNKNOWN = -1, -2  # a feature that is not in the encoding, and may be left out or not
BETWEEN = "\n"  # a space and a name in one key: neither can hold a line end
MASK = 0xFFFFFFFF
_NUMERIC = frozenset(bytes([c]) for c in b"+-.0123456789")


class VwReader(SparseReader):
    """Blocks of Vowpal Wabbit files, and what they are together.

    Features are kept by name, one column each in sorted order; or, with `bits`, hashed to
    2^bits columns exactly as `vw -b bits` does: MurmurHash3 (x86, 32 bits) of the name, seeded
    with that of its space, where a word of digits alone hashes to its number plus the seed.
    """

    called = "Vowpal Wabbit text"
    surveyed = ("encoding", "unseen")

    def __init__(self, sources: list[Source], options: Options) -> None:
        super().__init__(sources, options)
        self.names: list[str] | None = None
        self.places: dict[str, int] = {}  # the column of a space and a name
        if options.encoding is not None:
            if options.bits is not None or FEATURES not in options.encoding:
                raise FileError(
                    f"{keyword('encoding')} for Vowpal Wabbit text must list the names under "
                    f"{FEATURES!r}, and goes without {keyword('bits')}."
                )
            self.names = list(options.encoding[FEATURES])

    @property
    def needs_survey(self) -> bool:
        return self.options.bits is None and self.names is None

    def parse(self, chunk: Chunk) -> tuple[int, SparseBlock]:
        """The lines of the chunk and its rows; names that no row has are no columns."""
        n_lines, block = super().parse(chunk)
        if self.options.bits is not None or not len(block.dropped):
            return n_lines, block
        used, columns = np.unique(block.columns, return_inverse=True)
        names = [block.names[k] for k in used.tolist()]
        return n_lines, block._replace(columns=columns.astype(np.int32), names=names)

    def block_of(self, text: bytes) -> SparseBlock:
        """The rows of a text; those that lack a value, or have importance 0, are marked."""
        checked(text)
        rows = SparseRows(self.options.missing == "drop", self.is_exact)
        features = Features(self.names, self.options)
        for line, written in enumerate(text.splitlines(), 1):
            rows.line = line
            self.add_line(written, rows, features)
        block = rows.block(self.has_labels)
        lacking = block.lacking
        if self.has_labels:  # without labels every row is answered
            lacking = lacking | (np.array(rows.weights) == 0)
        return block._replace(names=features.names, lacking=lacking)

    def add_line(self, written: bytes, rows: SparseRows, features: dict[Any, Any]) -> bool:
        """Add the row of a line; whether it holds one."""
        if not words_of(written):
            return False
        head, bar, body = written.partition(b"|")
        if not bar:
            raise rows.wrong("no '|' in this row; a bar must stand before its features")
        self._add_head(rows, head)
        for part in body.split(b"|"):
            self._add_space(rows, features, part)
        rows.starts.append(len(rows.values))
        return True

    def _add_head(self, rows: SparseRows, head: bytes) -> None:
        """Add label, importance and tag of a row, from what stands before its first bar."""
        words, tag = words_of(head), b""
        if words and (not head.endswith((b" ", b"\t")) or words[-1].startswith(b"'")):
            tag = words.pop().removeprefix(b"'")
        if len(words) > 3:
            raise rows.wrong("more than a label, an importance and a base before the bar")
        label, weight = np.nan, 1.0
        if words:
            label = rows.number(words[0])
        elif self.needs_labels and self.options.missing != "drop":
            raise rows.wrong(f"the row has no label ({keyword('label', False)} reads such rows)")
        if len(words) > 1:
            weight = _plain_number(words[1])
            if not weight >= 0:
                raise rows.wrong(
                    f"the importance is {shown_word(words[1])}; a number of at least 0 is needed"
                )
        if len(words) > 2 and _plain_number(words[2]) != 0:
            raise rows.wrong(
                f"a base of {shown_word(words[2])}; only 0 can be used, so leave it out"
            )
        rows.labels.append(label)
        rows.weights.append(weight)
        rows.tags.append(tag.decode())

    def _add_space(self, rows: SparseRows, features: dict[Any, Any], part: bytes) -> None:
        """Add the features between two bars: `space[:scale] name[:value] …`."""
        words = words_of(part)
        named = words.pop(0) if words and not part.startswith((b" ", b"\t")) else b""
        space, colon, scale = named.partition(b":")
        if colon and not space:
            raise rows.wrong("a ':' without a name after '|'")
        if colon and not np.isfinite(_plain_number(scale)):
            raise rows.wrong(f"the value of the space in {shown_word(named)} is not a number")
        factor = scale or b"1"
        if words and not scale:  # nearly always numerals
            names, _, values = zip(*(word.partition(b":") for word in words), strict=True)
            is_usual = all(names) and all(values)
            if is_usual and not b"".join(values).translate(None, IN_NUMERALS):
                columns = [features[space, name] for name in names]
                is_known = UNKNOWN not in columns and UNSEEN not in columns
                if is_known and rows.add_usual(columns, values):
                    return
        for word in words:
            name, colon, value = word.partition(b":")
            if not name:
                raise rows.wrong(f"{shown_word(word)} is a feature without a name")
            if not colon:
                value, times = b"1", factor
            elif _is_word(value):
                name, value, times = word, b"1", b"1"
            else:
                times = factor
            column = features[space, name]
            if column == UNKNOWN:
                raise rows.wrong(
                    f"the feature {shown(full_name(key_of(space, name)))} is not in the "
                    f"encoding ({keyword('unseen', 'zeros')} leaves such features out)"
                )
            if column == UNSEEN:
                rows.number(value)
                continue
            rows.columns.append(column)
            rows.add(value, times)

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
        if names is None:
            made = self.data(blocks, 1 << (bits or 0), {"bits": bits}, sum_repeats=True)
            return replace(made, reading={"bits": bits})
        if not names:
            raise FileError(f"{self.source} has no feature at all.")
        if not self.places:
            self.column_of = {name: k for k, name in enumerate(names)}
        for k, block in enumerate(blocks):
            new = set(block.names).difference(self.places)  # a full name is made only once
            self.places |= {key: self.column_of[full_name(key)] for key in new}
            found = np.fromiter(map(self.places.__getitem__, block.names), dtype=np.int32)
            blocks[k] = block._replace(columns=found[block.columns])
        facts = {"encoding": self.options.encoding}
        made = self.data(blocks, len(names), facts, tuple(names), sum_repeats=True)
        return replace(made, encoding={FEATURES: names}, reading={"encoding": {FEATURES: names}})


class Features(dict[tuple[bytes, bytes], int]):
    """The column of a feature by its space and its name: a code as they appear, or a hash."""

    def __init__(self, known: Sequence[str] | None, options: Options) -> None:
        super().__init__()
        given = options.encoding is not None and known is not None
        self.known = frozenset(known or ()) if given else None
        self.bits, self.fails = options.bits, options.unseen == "error"
        self.names: list[str] = []  # the space and the name of each code

    def __missing__(self, feature: tuple[bytes, bytes]) -> int:
        space, name = feature
        if self.bits is not None:
            column = hashed(space, name) & ((1 << self.bits) - 1)
        else:
            key = key_of(space, name)
            if self.known is not None and full_name(key) not in self.known:
                return UNKNOWN if self.fails else UNSEEN
            column = len(self.names)
            self.names.append(key)
        self[feature] = column
        return column


def hashed(space: bytes, name: bytes) -> int:
    """Where `vw` puts a feature, mod 2^32: its name is hashed with the hash of its space as seed.

    A name that holds a colon is `name:word`: the word's hash, seeded with the name's. Digits alone
    are their number, after the seed.
    """
    seed = 0
    for word in (space, *name.split(b":", 1)):
        if not word or word.isdigit():
            number = 0
            for digit in word:
                number = (number * 10 + digit - ord("0")) & MASK
            seed = (number + seed) & MASK
        else:
            seed = murmur(word, seed)
    return seed


def murmur(word: bytes, seed: int) -> int:
    """MurmurHash3 (x86, 32 bits)."""
    h = seed & MASK
    for start in range(0, len(word), 4):
        block = word[start : start + 4]
        k = (int.from_bytes(block, "little") * 0xCC9E2D51) & MASK
        k = ((k << 15) | (k >> 17)) & MASK
        h ^= (k * 0x1B873593) & MASK
        if len(block) == 4:
            h = ((h << 13) | (h >> 19)) & MASK
            h = (h * 5 + 0xE6546B64) & MASK
    h ^= len(word)
    h ^= h >> 16
    h = (h * 0x85EBCA6B) & MASK
    h ^= h >> 13
    h = (h * 0xC2B2AE35) & MASK
    return h ^ (h >> 16)


def key_of(space: bytes, name: bytes) -> str:
    """A space and a name in one text."""
    return f"{space.decode()}{BETWEEN}{name.decode()}"


def full_name(key: str) -> str:
    """What a column is called: space^name, or the name alone in the space without a name."""
    space, _, name = key.partition(BETWEEN)
    return f"{space}^{name}" if space else name


def _is_word(value: bytes) -> bool:
    """Whether the value of a feature is a word, as in city:paris, which is a feature of its own."""
    if value[:1] in _NUMERIC:
        return False
    text = value.decode()
    return not is_missing(text) and text.lower() not in ("inf", "infinity")


def _plain_number(word: bytes) -> float:
    """The number in a word that has no other meaning; NaN where it is none."""
    field = word.decode()
    return float(field) if is_number(field) else np.nan
