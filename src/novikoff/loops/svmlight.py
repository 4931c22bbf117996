"""svmlight (libsvm) text to CSR: `label [qid:n] index:value … # comment`, one row a line.

Lines end in \\n, \\r\\n or \\r; blank lines and lines of comment alone hold no row. Nothing is
raised here: a line that does not parse ends the loop with a code and its position; a token
that is no plain number (too long, nan, a word) goes on a list for Python to judge.
"""

from __future__ import annotations

import numpy as np

from novikoff.loops.compiled import compiled
from novikoff.loops.numerals import NUMBER, read_number, read_number_inline
from novikoff.loops.text import COLON, HASH, byte, is_blank, is_line_end

DONE, NO_LABEL, MANY_LABELS, BAD_INDEX, INDEX_OUTSIDE, BAD_QUERY = range(6)
LARGEST_INDEX = 2**31 - 2  # so that an index and a count of columns fit int32
NO_QUERY = -1
COMMA = 44
QID = (113, 105, 100)  # the letters


@compiled(forceinline=True)
def ends_token(c):
    return is_blank(c) or is_line_end(c) or c == HASH


@compiled(forceinline=True)
def skip_line(text, at):
    """The place of the line end from `at` on."""
    while not is_line_end(byte(text, at)):
        at += 1
    return at


@compiled(forceinline=True)
def note(doubtful, n_doubtful, entry, start, stop):
    """Put text[start:stop] on the list, if there is room, and count it."""
    if n_doubtful < doubtful.shape[0]:
        doubtful[n_doubtful, 0] = entry
        doubtful[n_doubtful, 1] = start
        doubtful[n_doubtful, 2] = stop
    return n_doubtful + 1


@compiled(forceinline=True)
def read_query(text, at):
    """The number of `qid:number` at `at` and where it ends; NO_QUERY where it is no such thing."""
    if byte(text, at + 1) != QID[1] or byte(text, at + 2) != QID[2] or byte(text, at + 3) != COLON:
        return NO_QUERY, at
    start = at + 4
    at = start
    query = 0
    digit = byte(text, at) - 48
    while 0 <= digit <= 9 and at < start + 18:
        query = query * 10 + digit
        at += 1
        digit = byte(text, at) - 48
    return (query if at > start and ends_token(byte(text, at)) else NO_QUERY), at


@compiled
def svmlight_rows(
    text, powers, needs_label, least, most,
    labels, queries, starts, columns, values, places, doubtful,
):  # fmt: skip
    """Fill the arrays from every line of `text`; starts[0] is 0 already.

    An index must be from `least` to `most` <= LARGEST_INDEX. labels, queries and places (where
    the row begins) have an entry per row; a label that is not needed and not there is NaN.
    columns and values have one entry per index:value, those of row r in starts[r]:starts[r+1].
    A line of `doubtful` is (the entry, or -1 - row for a label; where its text begins; where it
    ends). The list may be too short: the count returned says how long it should be.

    Returns (code, position, rows, length of the list, smallest index, largest index, rows whose
    indices do not ascend).
    """
    at = 0
    row = 0
    entry = 0
    n_doubtful = 0
    smallest = LARGEST_INDEX + 1
    largest = -1
    n_unsorted = 0
    code = DONE
    while at < len(text) and code == DONE:
        c = byte(text, at)
        if is_blank(c) or is_line_end(c):
            at += 1
            continue
        if c == HASH:
            at = skip_line(text, at)
            continue
        places[row] = at
        queries[row] = NO_QUERY
        value, stop, kind = read_number(text, at, powers)
        labels[row] = value
        c = byte(text, stop)
        if c == COLON and not needs_label:
            labels[row] = np.nan
            stop = at
        elif kind != NUMBER or not ends_token(c):
            if c == COMMA:
                code = MANY_LABELS
                break
            while not ends_token(byte(text, stop)):
                if byte(text, stop) == COLON:
                    code = NO_LABEL
                stop += 1
            if code != DONE:
                break
            n_doubtful = note(doubtful, n_doubtful, -1 - row, at, stop)
        at = stop
        previous = -1
        unsorted = 0
        while True:
            c = byte(text, at)
            while is_blank(c):
                at += 1
                c = byte(text, at)
            digit = c - 48
            if digit < 0 or digit > 9:
                if is_line_end(c):
                    break
                if c == HASH:
                    at = skip_line(text, at)
                    break
                if c != QID[0]:
                    code = BAD_INDEX
                    break
                query, stop = read_query(text, at)
                if query == NO_QUERY:
                    code = BAD_QUERY
                    break
                queries[row] = query
                at = stop
                continue
            stop = at
            index = 0
            while 0 <= digit <= 9 and index <= LARGEST_INDEX:
                index = index * 10 + digit
                stop += 1
                digit = byte(text, stop) - 48
            if digit != COLON - 48 and index <= LARGEST_INDEX:
                code = BAD_INDEX
                break
            if index < least or index > most:
                code = INDEX_OUTSIDE
                break
            if index <= previous:
                unsorted = 1
            previous = index
            smallest = min(smallest, index)
            largest = max(largest, index)
            columns[np.uint64(entry)] = index
            value, at, kind = read_number_inline(text, stop + 1, powers)
            values[np.uint64(entry)] = value
            if kind != NUMBER or not ends_token(byte(text, at)):
                while not ends_token(byte(text, at)):
                    at += 1
                n_doubtful = note(doubtful, n_doubtful, entry, stop + 1, at)
            entry += 1
        if code == DONE:
            n_unsorted += unsorted
            row += 1
            starts[row] = entry
    return code, at, row, n_doubtful, smallest, largest, n_unsorted
