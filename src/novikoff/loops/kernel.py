"""The perceptron in its dual form: weights are mistakes, and scores are sums of kernel values.

A line tells one class from the rest. Its weights are never formed: they are Σ step·φ(row) over
the mistakes on its tape, so that the score of x is Σ step·K(x, row).
"""

from __future__ import annotations

from novikoff.loops.compiled import compiled


@compiled
def visit_block(gram, scores, steps, ties_positive, kept, room, place, places, lines):
    """Visit the rows of a block in order, from `place` on; each mistake moves all of its scores.

    steps[i, c] is what a mistake of line c on row i adds to the row's coefficient: its sign is
    that of the row on this line, and where it is 0 the row is never a mistake. Row i is a
    mistake when sign·score < 0; a score of zero is one too, except, where `ties_positive`, on
    a positive row. The score of row j then rises by steps[i, c]·gram[i, j].

    Invariant: all scores of the block, those of rows already visited too, hold all mistakes.
    kept[i] says whether row i is in the support; `room` more rows may join it. A row that joins
    when there is no room ends the visit after its own updates: the caller must make room.
    Writes each mistake to `places` and `lines`; returns how many, and where to go on.
    """
    n_mistakes = 0
    n_rows, n_lines = scores.shape
    while place < n_rows and room >= 0:
        joins = False
        for c in range(n_lines):
            step = steps[place, c]
            score = scores[place, c] if step > 0.0 else -scores[place, c]
            if step != 0.0 and (
                score < 0.0 or (score == 0.0 and not (ties_positive and step > 0.0))
            ):
                for j in range(n_rows):
                    scores[j, c] += step * gram[place, j]
                places[n_mistakes] = place
                lines[n_mistakes] = c
                n_mistakes += 1
                joins = not kept[place]
        if joins:
            kept[place] = True
            room -= 1
        place += 1
    return n_mistakes, place
