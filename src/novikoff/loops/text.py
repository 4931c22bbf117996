"""Text as bytes: counting lines, and giving equal words equal codes.

In every loop over text, `text` is an array of uint8 where compiled and a bytes object where
interpreted; its last byte is a line end, which stops each inner loop.
"""

from __future__ import annotations

import numpy as np

from novikoff.loops.compiled import compiled

LF, CR, TAB, SPACE, QUOTE, HASH, COLON, BAR = 10, 13, 9, 32, 34, 35, 58, 124
FREE = -1


@compiled(forceinline=True)
def byte(text, at):
    """text[at] for at >= 0: compiled, an unsigned index saves a test for negative ones."""
    return text[np.uint64(at)]


@compiled(forceinline=True)
def is_line_end(c):
    return (c == LF) | (c == CR)


@compiled(forceinline=True)
def is_blank(c):
    return (c == SPACE) | (c == TAB)


@compiled
def count_lines(text, first, second):
    """The lines of `text` (ended by \\n, \\r\\n or \\r), and how often two other bytes occur."""
    n_lf = 0
    n_cr = 0
    n_first = 0
    n_second = 0
    for i in range(len(text)):
        c = byte(text, i)
        n_lf += c == LF
        n_cr += c == CR
        n_first += c == first
        n_second += c == second
    n_pairs = 0
    if n_cr > 0:
        for i in range(1, len(text)):
            n_pairs += (byte(text, i) == LF) & (byte(text, i - 1) == CR)
    n_ends = n_lf + n_cr - n_pairs
    return n_ends, n_first, n_second


@compiled
def code_words(text, groups, words, seed, table, codes, firsts):
    """Give equal words of one group one code: codes are 0, 1, … in order of first appearance.

    Word i is text[words[i, 0]:words[i, 1]] in group groups[i]. `table` has a power of two of
    entries, at least twice the words, all FREE. firsts[code] is the first word of that code.
    `seed` starts the hash, so that no file can be written to make it slow.
    Returns the number of codes.
    """
    n_codes = 0
    mask = len(table) - 1
    for i in range(len(words)):
        start = int(words[i, 0])
        length = int(words[i, 1]) - start
        h = seed ^ int(groups[i])
        for k in range(length):
            h = ((h ^ byte(text, start + k)) * 16777619) & 0xFFFFFFFF
        slot = (h ^ (h >> 15)) & mask
        while True:
            code = table[slot]
            if code == FREE:
                code = n_codes
                table[slot] = code
                firsts[code] = i
                n_codes += 1
                break
            j = firsts[code]
            if groups[j] == groups[i] and words[j, 1] - words[j, 0] == length:
                other = int(words[j, 0])
                same = True
                for k in range(length):
                    if byte(text, start + k) != byte(text, other + k):
                        same = False
                        break
                if same:
                    break
            slot = (slot + 1) & mask
        codes[i] = code
    return n_codes
