"""The voted perceptron of Freund & Schapire: every weight vector votes, none of them is kept.

Training writes a tape: which row was a mistake on which line, and when (see
loops/perceptron.py). Prediction replays it:
with G(x, row) = x·row the score of x after k mistakes is the running sum of step·G over the
first k entries, so a matrix of G and one sweep along the tape give all k scores.
"""

from __future__ import annotations

from novikoff.loops.compiled import compiled


@compiled
def add_votes_by_line(
    values,
    members,
    steps,
    survivals,
    ends,
    ties_positive,
    norms,
    error_bounds,
    scores,
    votes,
    unsure,
):
    """Let every weight vector on the tapes of all lines vote on every row.

    values[i, m] is x_i·row_m. The entries up to ends[0] are those of line 0, those from there to
    ends[1] of line 1, and so on. Entry k adds steps[k]·values[i, members[k]] to the score of its
    line; the vector so made votes with survivals[k] times the sign of that score. The sign of
    zero is 0, or + where `ties_positive`. That score is off by at most norms[i]·error_bounds[k]:
    where its sign might be another, unsure[i] is set.
    """
    for i in range(values.shape[0]):
        begin = 0
        for c in range(ends.shape[0]):
            score, vote = scores[i, c], votes[i, c]
            for k in range(begin, ends[c]):
                score += steps[k] * values[i, members[k]]
                if not abs(score) > norms[i] * error_bounds[k]:
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
    values, members, lines, steps, survivals, ties_last, norms, error_bounds, scores, votes, unsure
):
    """Let every matrix of weights on a joint tape vote for the class it scores highest.

    values[i, m] is x_i·row_m. Entry k adds steps[k]·values[i, members[k]] to
    scores[i, lines[k]]; where survivals[k] is not zero, that matrix then gives so many votes to
    the class of the highest score. Where several are equal, the last gets them if `ties_last`,
    else none. Scores are off by at most norms[i]·error_bounds[k]: where another might be the
    highest, unsure[i] is set.
    """
    for i in range(values.shape[0]):
        for k in range(members.shape[0]):
            scores[i, lines[k]] += steps[k] * values[i, members[k]]
            if survivals[k] > 0:
                best = best_class(scores[i], ties_last)
                bar = scores[i].max() - 2.0 * norms[i] * error_bounds[k]
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
