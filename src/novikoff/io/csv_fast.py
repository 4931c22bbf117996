"""A chunk of delimited text as a block of a table, by the compiled loop."""

from __future__ import annotations

import numpy as np

from novikoff.io.chunks import TextError
from novikoff.io.csv_records import checked, records
from novikoff.io.fields import FieldError, as_float, as_fraction, is_missing
from novikoff.io.labels import Coded, wanted_rows
from novikoff.io.layout import Layout
from novikoff.io.options import Options
from novikoff.io.rounding import count_rounded, large_places
from novikoff.io.tables import MISSING_CODE, TableBlock, Words, make_block
from novikoff.io.word_codes import coded_words, decoded
from novikoff.loops import csv as loops
from novikoff.loops.numerals import powers_of_ten


def fast_block(
    text: bytes, start: int, n_lines: int, delimiter: str, layout: Layout, options: Options,
    first_line: int,
) -> TableBlock:  # fmt: skip
    """The rows of text[start:], a text of `n_lines`, or TextError."""
    if not text.isascii() or b"\0" in text:
        checked(text)
    body = text[start:] if start else text
    given = np.frombuffer(body, np.uint8)
    width = len(layout.kinds)
    room = min(n_lines, len(body) // width) + 1
    kinds, slots, n_texts = _slots(layout)
    numbers = np.empty((room, len(layout.numbers)))
    words = np.empty((n_texts, room, 3), dtype=np.int64)
    places = np.empty(room, dtype=np.int64)
    doubtful = np.empty((64, 3), dtype=np.int64)
    while True:
        code, _, n, n_fields, n_missing, n_doubtful = loops.csv_rows.fast(
            given, ord(delimiter), kinds, slots, powers_of_ten(), numbers, words, places, doubtful
        )
        if n_doubtful <= len(doubtful):
            break
        doubtful = np.empty((n_doubtful, 3), dtype=np.int64)
    unwanted = _unwanted(body, words, n, layout, options)
    for entry, begin, end in doubtful[:n_doubtful].tolist():
        row, c = divmod(entry, width)
        if row < n and unwanted is not None and unwanted[row]:
            numbers[row, slots[c]] = 0.0
            continue
        field = body[begin:end].decode("utf-8", "replace")
        if options.missing == "drop" and is_missing(field):
            numbers[row, slots[c]] = np.nan
            n_missing += 1
            continue
        try:
            numbers[row, slots[c]] = as_float(field)
        except FieldError as error:
            raise TextError(f", column {layout.quoted(c)}: {error}", start + begin) from None
    if code == loops.BAD_WIDTH:
        message = f": {n_fields} fields where line {first_line} has {width}{options.twice_used}"
        raise TextError(message, start + int(places[n]))
    if code != loops.DONE:
        raise TextError(_COMPLAINTS[code], start + int(places[n]))
    texts = [_words(body, words[k, :n]) for k in range(n_texts)]
    cells = (
        (tuple(place), _cell(body, places, n, place[0], layout.numbers[place[1]], delimiter))
        for place in large_places(numbers[:n]).tolist()
    )
    n_rounded = count_rounded(numbers, cells, as_fraction)
    return make_block(
        layout,
        options,
        numbers[:n],
        np.isnan(numbers[:n]) if n_missing else None,
        texts[: len(layout.texts)],
        texts[-1] if layout.label is not None else None,
        lambda row, message: TextError(message, start + int(places[row])),
        n_rounded,
    )


def _unwanted(
    body: bytes, words: np.ndarray, n: int, layout: Layout, options: Options
) -> np.ndarray | None:
    """The rows of classes that are not kept, of which nothing can be wrong; None if all are."""
    if options.classes is None or layout.label is None:
        return None
    return ~wanted_rows(Coded(*_words(body, words[-1, :n])[:2]), options.classes)


def _cell(text: bytes, places: np.ndarray, n: int, row: int, c: int, delimiter: str) -> str:
    """A cell of a record, by its row and its column."""
    stop = int(places[row + 1]) if row + 1 < n else len(text)
    _, fields = next(records(text[int(places[row]) : stop], delimiter))
    return fields[c]


_COMPLAINTS = {
    loops.OPEN_QUOTE: ": unexpected end of data; a quote is not closed",
    loops.AFTER_QUOTE: ": a delimiter is expected after a closing quote",
    loops.LONG_FIELD: f": a field of more than {loops.FIELD_LIMIT} bytes; is a quote missing?",
}


def _slots(layout: Layout) -> tuple[np.ndarray, np.ndarray, int]:
    """For each column its kind and its place among those of that kind; the label comes last."""
    slots = np.zeros(len(layout.kinds), dtype=np.int64)
    slots[layout.numbers] = np.arange(len(layout.numbers))
    texts = layout.texts if layout.label is None else [*layout.texts, layout.label]
    slots[texts] = np.arange(len(texts))
    return np.array(layout.kinds, dtype=np.int8), slots, len(texts)


def _words(text: bytes, words: np.ndarray) -> Words:
    """The words of one column; where quotes are doubled in them, they stand for one."""
    codes, firsts = coded_words(text, words, np.ascontiguousarray(words[:, 2]))
    levels: dict[str, int] = {}
    rows: list[int] = []
    merged = np.empty(len(firsts), dtype=np.int32)
    for code, row in enumerate(firsts.tolist()):
        start, stop, doubled = words[row].tolist()
        word = decoded(text, start, stop)
        word = word.replace('""', '"') if doubled else word
        if is_missing(word):
            merged[code] = MISSING_CODE
            continue
        if word not in levels:
            levels[word] = len(levels)
            rows.append(row)
        merged[code] = levels[word]
    return Words(merged[codes], list(levels), rows)
