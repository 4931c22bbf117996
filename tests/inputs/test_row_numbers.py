"""Row numbers are what the next line takes: `X[rows]` and `frame.iloc[rows]`."""

import json
import pickle

import numpy as np
import pandas as pd

import novikoff as nk

FRAME = pd.DataFrame(
    {"u": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "v": [1.0, 0.0, 1.0, 2.0, 0.0, 1.0]},
    index=list("abcdef"),
)
SEPARABLE = [0, 0, 0, 1, 1, 1]
TOUCHING = pd.DataFrame({"u": [0.0, 1.0, 1.0, 2.0, 2.0, 3.0]}, index=list("abcdef"))
OVERLAPPING = [0, 1, 0, 1, 0, 1]
THREE = [0, 1, 0, 1, 2, 2]


def answers():
    """Row numbers that anything public holds, the rows that they are of, and their names."""
    quasi = nk.certify(TOUCHING, [0, 0, 1, 1, 1, 1])
    assert quasi.status == "quasi-separable"
    overlap = nk.certify(FRAME, OVERLAPPING)
    classes = nk.certify_classes(TOUCHING, THREE, against="each")
    few = nk.fewest_mistakes(FRAME, OVERLAPPING, trusted=[0])
    many = nk.fewest_mistakes_classes(TOUCHING, THREE, against="each")
    margin = nk.max_margin(FRAME, SEPARABLE)
    fit = nk.certify_regression(TOUCHING, [0, 0, 1, 1, 1, 1], model="logistic")
    assert fit.status == "infinite"
    dropped = fit.drop()
    yield "verdict.rows", overlap.rows, FRAME, overlap.row_names
    yield "verdict.places", overlap.places, FRAME, None
    yield "verdict.separated", quasi.separated, TOUCHING, None
    yield "classes.rows", classes.rows((0, 1)), TOUCHING, classes[0, 1].row_names
    yield "classes.selected", classes.selected((0, 1)), TOUCHING, None
    yield "few.rows", few.rows, FRAME, few.row_names
    yield "few.suspects", few.suspects.rows, FRAME, [s.name for s in few.suspects]
    yield "few.trusted", few.certificate.trusted, FRAME, ["a"]
    yield "few.mistakes", few.certificate.mistakes, FRAME, None
    yield "few.obstructions", few.certificate.obstructions[0][0], FRAME, None
    yield "classes few", many.rows((0, 1)), TOUCHING, many[0, 1].row_names
    yield "margin.support", margin.support, FRAME, margin.support_names
    yield "fit.separated", fit.separated, TOUCHING, fit.separated_names
    yield "fit.rest", fit.rest, TOUCHING, fit.names_of(fit.rest)
    yield "fit.drop", dropped.observations, TOUCHING, fit.names_of(dropped.observations)
    yield "obstruction", overlap.obstruction.rows, FRAME, None
    yield "witness", overlap.certificate.witness.rows, FRAME, None
    yield "run.tape", nk.trace(FRAME, SEPARABLE).tape.rows, FRAME, None


def test_row_numbers_pick_rows_out_of_arrays_and_frames():
    for what, rows, frame, names in answers():
        assert (rows.dtype, rows.flags.writeable, len(rows) > 0) == (np.int64, False, True), what
        picked = frame.iloc[rows]
        np.testing.assert_array_equal(frame.to_numpy()[rows], picked.to_numpy(), what)
        assert len(picked) == len(rows), what
        if names is not None:
            pd.testing.assert_frame_equal(frame.loc[names], picked)


def test_answers_are_still_pickled_written_as_json_and_hashed():
    verdict = nk.certify(FRAME, OVERLAPPING)
    fit = nk.certify_regression(TOUCHING, [0, 0, 1, 1, 1, 1], model="logistic")
    few = nk.fewest_mistakes(FRAME, OVERLAPPING)
    classes = nk.certify_classes(TOUCHING, THREE, against="each")
    for answer in (verdict, fit, few, classes, few.suspects, verdict.certificate, few.certificate):
        json.dumps(answer.to_dict())
        again = pickle.loads(pickle.dumps(answer))
        assert (repr(again), str(again)) == (repr(answer), str(answer))
    assert len({verdict, fit, few, fit.drop(), verdict.certificate}) == 5
    assert fit.drop() == fit.drop()
    verdict.obstruction.verify(FRAME, OVERLAPPING)
