"""Compiled passes over rows. Nothing here knows of files, labels or scikit-learn.

compiled.py                      one source, two speeds; compiled code on disk
rows.py, scores.py               rows, dense or CSR, and their scores
tiles.py                         four rows under five lines at a time
bounds.py, exact_sign.py         how far a score can be off, and its exact sign
perceptron.py, pocket.py, kernel.py, rescaled.py, joint.py
                                 a pass of each kind; joint: of all classes together
voted.py                         weights made again from the tape that a pass has written
trace.py, counting.py            a run with its tape; mistakes of each row
"""
