"""The voted perceptron of Freund & Schapire: every weight vector votes, none of them is kept.

Training writes a tape: which row was a mistake on which line, and when. Prediction replays it:
with G(x, row) = x·row the score of x after k mistakes is the running sum of step·G over the
first k entries, so a matrix of G and one sweep along the tape give all k scores.
"""

from __future__ import annotations

from novikoff.loops.compiled import compiled
from novikoff.loops.doubt import reach_after
from novikoff.loops.perceptron import (
    NOT_FINITE,
    is_finite,
    next_mistake,
    step_of,
)
from novikoff.loops.rows import FIRST, add_row
from novikoff.loops.tiles import begin_turn, keep_radius, radius_of_norms, rows_a_block, start_of


@compiled(borrows=True)
def voted_pass(
    rows, targets, order, lines, positives, W, sizes, gains, ties_positive, reaches, mistakes, tape,
    tile=None, norms=None,
):  # fmt: skip
    """`perceptron_pass` that writes (place in `order`, line) of every mistake to `tape`.

    The tape needs room for len(order)·len(lines) entries. Those of one line are in the order in
    which they happened; lines take turns on blocks of rows.
    Returns the mistakes, which are the entries written, or NOT_FINITE.
    """
    first = n_mistakes = FIRST
    block = rows_a_block(rows, order, lines)
    radius, known = radius_of_norms(norms)
    while first < order.shape[0]:
        end, measure, radius = begin_turn(
            rows, targets, order, first, block, n_mistakes, lines, positives, W, reaches, radius,
            known, tile,
        )  # fmt: skip
        if radius != radius:
            return NOT_FINITE
        for k in range(lines.shape[0]):
            c, place = lines[k], start_of(tile, first, k)
            w, reach = W[c], reaches[c]
            while True:
                place, radius = next_mistake(
                    rows, targets, order, place, end, positives[c], w, ties_positive, reach,
                    radius, k == 0 and measure,
                )  # fmt: skip
                if place >= end:
                    break
                if radius != radius:
                    return NOT_FINITE
                i = order[place]
                step = step_of(targets, i, positives[c], sizes, gains[c])
                if step != 0.0:
                    add_row(rows, i, step, w)
                    reach = reach_after(reach, float(step), radius)
                    if not is_finite(reach, w):
                        return NOT_FINITE
                    tape[n_mistakes, 0] = place
                    tape[n_mistakes, 1] = c
                    mistakes[c] += 1
                    n_mistakes += 1
                place += 1
            reaches[c] = reach
        first = end
    keep_radius(norms, lines, radius)
    return n_mistakes


@compiled
def add_votes_by_line(
    values, members, steps, survivals, ends, ties_positive, norms, doubts, scores, votes, unsure
):
    """Let every weight vector on the tapes of all lines vote on every row.

    values[i, m] is x_i·row_m. The entries up to ends[0] are those of line 0, those from there to
    ends[1] of line 1, and so on. Entry k adds steps[k]·values[i, members[k]] to the score of its
    line; the vector so made votes with survivals[k] times the sign of that score. The sign of
    zero is 0, or + where `ties_positive`. That score is off by at most norms[i]·doubts[k]: where
    its sign might be another, unsure[i] is set.
    """
    for i in range(values.shape[0]):
        begin = 0
        for c in range(ends.shape[0]):
            score, vote = scores[i, c], votes[i, c]
            for k in range(begin, ends[c]):
                score += steps[k] * values[i, members[k]]
                if not abs(score) > norms[i] * doubts[k]:
                    unsure[i] = True
                if score > 0.0 or (ties_positive and score == 0.0):
                    vote += survivals[k]
                elif score < 0.0:
                    vote -= survivals[k]
            scores[i, c] = score
            votes[i, c] = vote
            begin = ends[c]


@compiled
def add_joint_votes(
    values, members, lines, steps, survivals, ties_last, norms, doubts, scores, votes, unsure
):
    """Let every matrix of weights on a joint tape vote for the class it scores highest.

    values[i, m] is x_i·row_m. Entry k adds steps[k]·values[i, members[k]] to
    scores[i, lines[k]]; where survivals[k] is not zero, that matrix then gives so many votes to
    the class of the highest score. Where several are equal, the last gets them if `ties_last`,
    else none. Scores are off by at most norms[i]·doubts[k]: where another might be the highest,
    unsure[i] is set.
    """
    for i in range(values.shape[0]):
        for k in range(members.shape[0]):
            scores[i, lines[k]] += steps[k] * values[i, members[k]]
            if survivals[k] > 0:
                best = best_class(scores[i], ties_last)
                bar = scores[i].max() - 2.0 * norms[i] * doubts[k]
                n_near = 0
                for c in range(scores.shape[1]):
                    n_near += not scores[i, c] < bar
                if n_near > 1:
                    unsure[i] = True
                if best >= 0:
                    votes[i, best] += survivals[k]


@compiled
def best_class(scores, ties_last):
    """The class of the highest score; of several the last if `ties_last`, else none: -1."""
    best = 0
    alone = True
    for c in range(1, scores.shape[0]):
        if scores[c] > scores[best]:
            best = c
            alone = True
        elif scores[c] == scores[best]:
            alone = False
            if ties_last:
                best = c
    return best if alone or ties_last else -1


@compiled
def add_until(values, members, lines, steps, visits, slices, scores):
    """Add to row i's scores the entries of the tape made at visit slices[i] or before.

    scores[i, lines[k]] += steps[k]·values[i, members[k]] for all k with visits[k] <= slices[i].
    """
    for i in range(values.shape[0]):
        for k in range(members.shape[0]):
            if visits[k] <= slices[i]:
                scores[i, lines[k]] += steps[k] * values[i, members[k]]
