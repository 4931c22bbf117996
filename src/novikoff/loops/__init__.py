"""Compiled passes over rows. Nothing here knows of files, labels or scikit-learn.

compiled.py, code_cache.py       one source, two speeds; compiled code on disk
rows.py, scores.py               rows, dense or CSR, and their scores
at_once.py, tiles.py             many rows at a time, where a loop runs interpreted; many rows and
                                 lines at a time, where it is compiled
tile_sums.py                     the sums of these, while the next rows come from memory
doubt.py, exact_sign.py          how far a score can be off, and its sign exactly
perceptron.py, averaged.py, voted.py, pocket.py, kernel.py, rescaled.py, joint.py
                                 a pass of each kind; joint: of all classes together
planes.py                        hyperplanes through rows, counted
online.py, trace.py, counting.py one row; a run with its tape; mistakes of each row
online_rows.py                   many rows, each predicted and then learnt
text.py, numerals.py             text as bytes, lines and words; numerals as floats
csv.py, svmlight.py, vw.py       text in these formats as numbers
"""
