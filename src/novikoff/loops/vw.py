"""Vowpal Wabbit text: `[label [importance [base]]] ['tag]|space[:scale] name[:value] … |…`.

One row a line. The last word before the first bar is a tag where it touches the bar or begins
with a quote, as in Vowpal Wabbit itself. Blank lines hold no row. Nothing is raised here: see
loops/svmlight.py for how a bad line or a doubtful number comes back.
"""

from __future__ import annotations

import numpy as np

from novikoff.loops.compiled import compiled
from novikoff.loops.numerals import NUMBER, read_number, read_number_inline
from novikoff.loops.svmlight import note
from novikoff.loops.text import BAR, COLON, byte, is_blank, is_line_end

DONE, NO_BAR, MANY_WORDS, BAD_IMPORTANCE, BASE, NO_SPACE, BAD_SCALE, NO_NAME = range(8)
APOSTROPHE = 39


@compiled(forceinline=True)
def ends_word(c):
    return is_blank(c) or is_line_end(c) or c == BAR


@compiled(forceinline=True)
def ends_name(c):
    return ends_word(c) or c == COLON


@compiled
def read_head(text, at, words):
    """Everything before the first bar of the line at `at`: its first four words.

    words[k] is (start, stop) of word k. Returns (words, has a tag, where the bar is, or -1).
    """
    n_words = 0
    stop = at
    c = byte(text, at)
    while c != BAR:
        if is_line_end(c):
            return n_words, False, -1
        if is_blank(c):
            at += 1
        else:
            stop = at
            while not ends_word(byte(text, stop)):
                stop += 1
            words[min(n_words, 4), 0] = at
            words[min(n_words, 4), 1] = stop
            n_words += 1
            at = stop
        c = byte(text, at)
    if n_words == 0:
        return 0, False, at
    last = min(n_words - 1, 4)
    return n_words, stop == at or byte(text, words[last, 0]) == APOSTROPHE, at


@compiled
def vw_rows(
    text, powers, words, labels, weights, tags, starts, places,
    spaces, scales, groups, names, values, doubtful,
):  # fmt: skip
    """Fill the arrays from every line of `text`; starts[0] is 0, `words` is scratch of (5, 2).

    Per row: its label (NaN where there is none), its importance, the (start, stop) of its tag.
    Per `|space`: the (start, stop) of its name, and its scale. Per feature: in `groups` which
    `|space` it stands in, the (start, stop) of its name, and its value times that scale.

    Returns (code, position, rows, spaces, features, length of the list).
    """
    at = 0
    row = 0
    space = 0
    entry = 0
    n_doubtful = 0
    code = DONE
    while at < len(text) and code == DONE:
        c = byte(text, at)
        if is_blank(c) or is_line_end(c):
            at += 1
            continue
        places[row] = at
        n_words, has_tag, bar = read_head(text, at, words)
        if bar < 0:
            code = NO_BAR
            break
        tags[row, 0] = bar
        tags[row, 1] = bar
        if has_tag:
            n_words -= 1
            start = words[min(n_words, 4), 0]
            tags[row, 0] = start + 1 if byte(text, start) == APOSTROPHE else start
            tags[row, 1] = words[min(n_words, 4), 1]
        labels[row] = np.nan
        weights[row] = 1.0
        if n_words > 3:
            code = MANY_WORDS
            break
        if n_words > 0:
            value, stop, kind = read_number(text, words[0, 0], powers)
            labels[row] = value
            if kind != NUMBER or stop != words[0, 1]:
                n_doubtful = note(doubtful, n_doubtful, -1 - row, words[0, 0], words[0, 1])
        if n_words > 1:
            value, stop, kind = read_number(text, words[1, 0], powers)
            weights[row] = value
            if kind != NUMBER or stop != words[1, 1] or value < 0.0:
                at = words[1, 0]
                code = BAD_IMPORTANCE
                break
        if n_words > 2:
            value, stop, kind = read_number(text, words[2, 0], powers)
            if kind != NUMBER or stop != words[2, 1] or value != 0.0:
                at = words[2, 0]
                code = BASE
                break
        at = bar
        while code == DONE and byte(text, at) == BAR:
            at += 1
            stop = at
            while not ends_name(byte(text, stop)):
                stop += 1
            spaces[space, 0] = at
            spaces[space, 1] = stop
            scale = 1.0
            if byte(text, stop) == COLON:
                if stop == at:
                    code = NO_SPACE
                    break
                scale, end, kind = read_number(text, stop + 1, powers)
                if kind != NUMBER or not ends_word(byte(text, end)):
                    code = BAD_SCALE
                    break
                stop = end
            scales[space] = scale
            at = stop
            while True:
                c = byte(text, at)
                while is_blank(c):
                    at += 1
                    c = byte(text, at)
                if c == BAR or is_line_end(c):
                    break
                if c == COLON:
                    code = NO_NAME
                    break
                stop = at
                while not ends_name(byte(text, stop)):
                    stop += 1
                groups[entry] = space
                names[entry, 0] = at
                names[entry, 1] = stop
                value = 1.0
                if byte(text, stop) == COLON:
                    value, end, kind = read_number_inline(text, stop + 1, powers)
                    if kind != NUMBER or not ends_word(byte(text, end)):
                        while not ends_word(byte(text, end)):
                            end += 1
                        n_doubtful = note(doubtful, n_doubtful, entry, stop + 1, end)
                    stop = end
                values[entry] = value * scale
                entry += 1
                at = stop
            space += 1
        if code == DONE:
            row += 1
            starts[row] = entry
    return code, at, row, space, entry, n_doubtful


@compiled
def murmur(text, start, stop, seed):
    """MurmurHash3 (x86, 32 bits) of text[start:stop]."""
    mask = 0xFFFFFFFF
    h = seed & mask
    n_blocks = (stop - start) // 4
    for b in range(n_blocks + 1):
        k = 0
        at = start + 4 * b
        for i in range(min(4, stop - at)):
            k |= int(byte(text, at + i)) << (8 * i)
        k = (k * 0xCC9E2D51) & mask
        k = ((k << 15) | (k >> 17)) & mask
        k = (k * 0x1B873593) & mask
        h ^= k
        if b < n_blocks:
            h = ((h << 13) | (h >> 19)) & mask
            h = (h * 5 + 0xE6546B64) & mask
    h ^= stop - start
    h ^= h >> 16
    h = (h * 0x85EBCA6B) & mask
    h ^= h >> 13
    h = (h * 0xC2B2AE35) & mask
    return h ^ (h >> 16)


@compiled
def hash_word(text, start, stop, seed):
    """Vowpal Wabbit's hash of a word, mod 2^32: digits are their number, after `seed`."""
    number = 0
    for at in range(start, stop):
        digit = int(byte(text, at)) - 48
        if digit < 0 or digit > 9:
            return murmur(text, start, stop, seed)
        number = (number * 10 + digit) & 0xFFFFFFFF
    return (number + seed) & 0xFFFFFFFF


@compiled
def hash_features(text, spaces, groups, names, mask, columns):
    """columns[i] = hash of name i seeded with the hash of its space, cut to the bits of `mask`.

    A name that holds a colon is `name:word`: the word's hash, seeded with the name's.
    """
    seed = 0
    previous = -1
    for i in range(len(groups)):
        if groups[i] != previous:
            previous = groups[i]
            seed = hash_word(text, int(spaces[previous, 0]), int(spaces[previous, 1]), 0)
        start = int(names[i, 0])
        stop = int(names[i, 1])
        h = seed
        for at in range(start, stop):
            if byte(text, at) == COLON:
                h = hash_word(text, start, at, h)
                start = at + 1
                break
        columns[i] = hash_word(text, start, stop, h) & mask
