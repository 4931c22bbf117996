"""The weights of a voted perceptron, made again from the tape that its training has written."""

from __future__ import annotations

from novikoff.loops.compiled import compiled
from novikoff.loops.rows import add_row


@compiled
def replay(rows, members, lines, steps, W, made):
    """Make the mistakes of a tape again: made[k] = line lines[k] of W after entry k.

    The same updates as in training, so W ends as the bits that it had there.
    """
    for k in range(members.shape[0]):
        w = W[lines[k]]
        add_row(rows, members[k], steps[k], w)
        for j in range(w.shape[0]):
            made[k, j] = w[j]
