"""Many rows, one after the other: each is predicted, then learnt, where nothing is in question.

A row is some codes, each with a number. place_of[code] is the column of the code's weights, or
UNPLACED: as an index that is the last column of the memory, which is spare and always zero. Which
sums are certain is told by `square_factor` in exact/bounds.py, in whatever order they were added;
the others are decided exactly. So the weights are those of one row at a time, to the last bit.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff.exact.bounds import SQUARE_FAR, SQUARE_LEAST, SQUARE_TINY
from novikoff.loops.compiled import compiled
from novikoff.loops.doubt import square_reach_after
from novikoff.loops.exact_sign import LIMBS, add_product, sign_of
from novikoff.loops.text import FREE

UNPLACED = -1
NO_LABEL, SET_ASIDE = -1, -2  # in place of a class: to be predicted only; not for this loop


@compiled(fastmath={"reassoc", "contract"})
def score_of(codes, values, start, stop, place_of, w, constant):
    """The score of a row under w, as a float sum in any order."""
    score = constant * w[0]
    for p in range(start, stop):
        score += values[p] * w[place_of[codes[p]]]
    return score


@compiled(fastmath={"reassoc", "contract"})
def square_of(values, start, stop, constant):
    """The square of a row's norm, and SQUARE_TINY."""
    square = SQUARE_TINY + constant
    for p in range(start, stop):
        square += values[p] * values[p]
    return square


@compiled
def add_exactly(codes, values, start, stop, place_of, w, constant, sign, limbs):
    """limbs += sign·score, exactly."""
    add_product(limbs, sign * constant, w[0])
    for p in range(start, stop):
        add_product(limbs, sign * values[p], w[place_of[codes[p]]])


@compiled
def add_row(codes, values, start, stop, place_of, w, constant, step):
    """w += step·row, by two roundings; all names must have their places."""
    w[0] += step * constant
    for p in range(start, stop):
        w[place_of[codes[p]]] += step * values[p]


@compiled
def has_repeats(codes, start, stop, stamps, stamp):
    """Whether a code stands twice in a row; each row needs a stamp of its own."""
    for p in range(start, stop):
        if stamps[codes[p]] == stamp:
            return True
        stamps[codes[p]] = stamp
    return False


@compiled
def online_rows(
    starts, codes, values, labels, weights, first, last, stamps, place_of, n_names,
    memory, reaches, factor, constant, n_classes, ties_positive, guesses, met,
):  # fmt: skip
    """Visit the rows from `first` to `last` in order; see online/lines.py for the rules.

    labels[i] is the class of row i, NO_LABEL or SET_ASIDE. Line c is memory[c], and of two
    classes there is one line; reaches[c] >= ‖w‖², 0 only where w is zero. guesses[i] becomes the
    class that was predicted. A name that a row with a label brings gets the next column; its code
    is put on the list `met`. Where `stamps` has entries, rows may repeat a code.

    Stops before a row that is set aside, repeats a code, holds NaN or whose squares come near the
    end of the floats, with nothing done to it; also before one whose names may not find room in
    the memory. Returns (where it stopped, whether for room, length of `met`, updates, wrong
    predictions, rows with a label).
    """
    n_lines = reaches.shape[0]
    room = memory.shape[1] - 2
    scores = np.zeros(n_lines)
    signs = np.zeros(n_lines, np.int64)
    steps = np.zeros(n_lines)
    grown = np.zeros(n_lines)
    n_met = 0
    n_updates = 0
    n_wrong = 0
    n_labelled = 0
    needs_room = False
    i = first
    while i < last:
        label = labels[i]
        start = starts[i]
        stop = starts[i + 1]
        if label == SET_ASIDE:
            break
        if label >= 0 and n_names + stop - start > room:
            n_new = 0
            for p in range(start, stop):
                n_new += place_of[codes[p]] == UNPLACED
            if n_names + n_new > room:
                needs_room = True
                break
        if stamps.shape[0] > 0 and has_repeats(codes, start, stop, stamps, i):
            break
        square = square_of(values, start, stop, constant)
        if not square < math.inf:
            break
        is_far = False
        largest = 0.0
        best = 0
        for c in range(n_lines):
            reach = reaches[c]
            score = 0.0
            sign = 0
            if reach > 0.0:
                w = memory[c]
                score = score_of(codes, values, start, stop, place_of, w, constant)
                if score * score > factor * reach * square + SQUARE_LEAST:
                    sign = 1 if score > 0.0 else -1
                else:
                    limbs = np.zeros(LIMBS, np.int64)
                    add_exactly(codes, values, start, stop, place_of, w, constant, 1.0, limbs)
                    sign = sign_of(limbs)
            scores[c] = score
            signs[c] = sign
            is_far = is_far or not abs(score) < math.inf
            largest = max(largest, reach)
            if score > scores[best]:
                best = c
            positive = label == c if n_lines > 1 else label == n_classes - 1
            is_mistake = (sign > 0) != positive if sign != 0 else not (positive and ties_positive)
            steps[c] = 0.0
            if label >= 0 and is_mistake:
                steps[c] = weights[i] if positive else -weights[i]
                grown[c] = square_reach_after(reach, steps[c], square)
                is_far = is_far or not grown[c] < SQUARE_FAR
        if is_far:
            break
        if n_lines == 1:
            high = signs[0] > 0 or (signs[0] == 0 and ties_positive)
            best = n_classes - 1 if high else 0
        else:
            doubt = factor * largest * square + SQUARE_LEAST
            for c in range(n_lines):
                gap = 0.5 * (scores[best] - scores[c])
                if c != best and not gap * gap > doubt:
                    limbs = np.zeros(LIMBS, np.int64)
                    w = memory[c]
                    add_exactly(codes, values, start, stop, place_of, w, constant, 1.0, limbs)
                    w = memory[best]
                    add_exactly(codes, values, start, stop, place_of, w, constant, -1.0, limbs)
                    sign = sign_of(limbs)
                    if sign > 0 or (sign == 0 and c < best):
                        best = c
        guesses[i] = best
        if label >= 0:
            for p in range(start, stop):
                if place_of[codes[p]] == UNPLACED:
                    n_names += 1
                    place_of[codes[p]] = n_names
                    met[n_met] = codes[p]
                    n_met += 1
            for c in range(n_lines):
                if steps[c] != 0.0:
                    add_row(codes, values, start, stop, place_of, memory[c], constant, steps[c])
                    reaches[c] = grown[c]
                    n_updates += 1
            n_wrong += best != label
            n_labelled += 1
        i += 1
    return i, needs_room, n_met, n_updates, n_wrong, n_labelled


@compiled
def code_numbers(numbers, factor, table, known, n_known, codes):
    """codes[i] = where numbers[i], from 0 to 2^31, stands in `known`; new ones join it there.

    `table` has 2^b entries, FREE or such a place, and at least twice as many as numbers will be
    known. `factor` is odd, at random, and below 2^31 (multiply and shift, Dietzfelbinger 1997):
    no file can be written to make this slow. Returns how many numbers are known.
    """
    mask = len(table) - 1
    shift = 32
    while (mask >> (32 - shift)) > 0:
        shift -= 1
    for i in range(len(numbers)):
        number = int(numbers[i])
        slot = ((number * factor) & 0xFFFFFFFF) >> shift
        code = table[slot]
        while code != FREE and known[code] != number:
            slot = (slot + 1) & mask
            code = table[slot]
        if code == FREE:
            code = n_known
            table[slot] = code
            known[code] = number
            n_known += 1
        codes[i] = code
    return n_known
