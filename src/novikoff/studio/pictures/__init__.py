"""Further pictures beside the plane, of which one is shown at a time.

    curves.py     updates and errors of each pass; the potential ⟨w, v⟩/‖w‖; mistakes on a stream
                  of rows; margins of 2⁻ⁿ, the plain perceptron against the rescaled one
    space.py      rows and w in three dimensions
    weights.py    the space of weights: each row a half-plane, the run a walk
    gallery.py    several perceptrons on the same rows, side by side
    choice.py     which of them is shown

Each is a function of the state and its run alone.
"""
