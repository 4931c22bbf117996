"""Delimited text (CSV, TSV) to an array of numbers, with the words of its text columns.

The grammar is that of Python's csv module, strict and with spaces before a field skipped: a
field in quotes may hold delimiters, line ends and doubled quotes; a quote elsewhere is itself.
Lines end in \\n, \\r\\n or \\r; blank lines hold no row. Nothing is raised here: see
loops/svmlight.py for how a bad line or a doubtful number comes back.
"""

from __future__ import annotations

import numpy as np

from novikoff.loops.compiled import compiled
from novikoff.loops.numerals import NUMBER, read_number, read_number_inline
from novikoff.loops.svmlight import note
from novikoff.loops.text import QUOTE, SPACE, byte, is_blank, is_line_end

AS_NUMBER, AS_TEXT, SKIPPED = 0, 1, 2
DONE, BAD_WIDTH, OPEN_QUOTE, AFTER_QUOTE, LONG_FIELD = range(5)
FIELD_LIMIT = 131072  # as in Python's csv module


@compiled(forceinline=True)
def end_of_quoted(text, at):
    """From inside a quoted field to its closing quote: (where, has doubled quotes, code)."""
    start = at
    doubled = 0
    while at < len(text):
        if byte(text, at) == QUOTE:
            if at + 1 >= len(text) or byte(text, at + 1) != QUOTE:
                return at, doubled, DONE
            doubled = 1
            at += 1
        at += 1
        if at - start > FIELD_LIMIT:
            return at, doubled, LONG_FIELD
    return at, doubled, OPEN_QUOTE


@compiled(forceinline=True)
def is_empty(text, start, stop):
    """Whether text[start:stop] is blanks alone."""
    while start < stop and is_blank(byte(text, start)):
        start += 1
    return start >= stop


@compiled
def last_record_end(text, delimiter):
    """Where the last whole record of `text` ends, past its line end: (place, code).

    `text` need not end in a line end. A quote that is still open is no fault: it may close in
    what is read next. LONG_FIELD says that it never will.
    """
    at = 0
    last = 0
    fresh = True  # at the start of a field
    while at < len(text):
        c = byte(text, at)
        if fresh and c == QUOTE:
            at, _, code = end_of_quoted(text, at + 1)
            if code != DONE:
                return last, (LONG_FIELD if code == LONG_FIELD else DONE)
        at += 1
        fresh = c == delimiter or is_line_end(c) or (fresh and c == SPACE)
        if is_line_end(c):
            last = at
    return last, DONE


@compiled
def csv_rows(text, delimiter, kinds, slots, powers, values, words, places, doubtful):
    """Fill the arrays from every record of `text`, which must all have len(kinds) fields.

    Field c of a row goes to values[row, slots[c]] where kinds[c] is AS_NUMBER, NaN if it is
    empty; where AS_TEXT, words[slots[c], row] is its (start, stop, has doubled quotes), blanks
    around it cut off. The entry of a doubtful number is row·len(kinds) + c. A record of one
    empty field is a blank line.

    Returns (code, position, rows, fields of the last record, empty numbers, length of the list).
    """
    at = 0
    row = 0
    n_fields = 0
    n_empty = 0
    n_doubtful = 0
    width = len(kinds)
    code = DONE
    while at < len(text):
        c = byte(text, at)
        if is_line_end(c):
            at += 1
            continue
        places[row] = at
        n_fields = 0
        empty = 0
        start = at
        stop = at
        while True:
            kind = kinds[n_fields] if n_fields < width else SKIPPED
            c = byte(text, at)
            while c == SPACE:
                at += 1
                c = byte(text, at)
            start = at
            doubled = 0
            if c == QUOTE:
                start = at + 1
                stop, doubled, code = end_of_quoted(text, start)
                if code != DONE:
                    break
                at = stop + 1
                c = byte(text, at)
                if c != delimiter and not is_line_end(c):
                    code = AFTER_QUOTE
                    break
            else:
                if kind == AS_NUMBER:
                    value, stop, found = read_number_inline(text, at, powers)
                    c = byte(text, stop)
                    if found == NUMBER and (c == delimiter or is_line_end(c)):
                        values[np.uint64(row), np.uint64(slots[n_fields])] = value
                        at = stop
                        kind = SKIPPED
                c = byte(text, at)
                while c != delimiter and not is_line_end(c):
                    at += 1
                    c = byte(text, at)
                stop = at
                if stop - start > FIELD_LIMIT:
                    code = LONG_FIELD
                    break
            if kind != SKIPPED:
                while start < stop and is_blank(byte(text, start)):
                    start += 1
                while start < stop and is_blank(byte(text, stop - 1)):
                    stop -= 1
                slot = slots[n_fields]
                if kind == AS_TEXT:
                    words[slot, row, 0] = start
                    words[slot, row, 1] = stop
                    words[slot, row, 2] = doubled
                elif start == stop:
                    values[row, slot] = np.nan
                    empty += 1
                else:
                    value, end, found = read_number(text, start, powers)
                    values[row, slot] = value
                    if found != NUMBER or end != stop:
                        entry = row * width + n_fields
                        n_doubtful = note(doubtful, n_doubtful, entry, start, stop)
            n_fields += 1
            if c != delimiter:
                break
            at += 1
        if code != DONE:
            break
        if n_fields == 1 and is_empty(text, start, stop):
            continue
        if n_fields != width:
            code = BAD_WIDTH
            break
        n_empty += empty
        row += 1
    return code, at, row, n_fields, n_empty, n_doubtful
