"""Further pictures beside the plane, of which one is shown at a time.

    passes.py     updates of each pass, and rows wrong after it: two different curves
    potential.py  the cosine of the angle between w and v, mistake by mistake
    space.py      rows and w in three dimensions
    weights.py    the space of weights: each row a half-plane, the run a walk
    gallery.py    several perceptrons on the same rows, side by side
    stream.py     rows that arrive one by one, and the mistakes made on them
    race.py       margins of 2⁻ⁿ: the plain perceptron against the rescaled one
    blank.py, choice.py    what they begin from, and which of them is shown

Each is a function of the state and its run alone.
"""
