"""A weight of 0 deletes a row, whoever reads it: the answer is that of the data without the row."""

from __future__ import annotations

import json

import numpy as np
import pytest

import novikoff as nk
from command import novikoff
from novikoff.errors import InputError

WITH = "1 |a x:1\n0 0 |a x:2 w:1\n1 2 |a x:3\n0 |a x:4\n5 0 |b c\n1 |a x:1.5\n0 1.5 'end|a x:3.5\n"
WITHOUT = "".join(line for line in WITH.splitlines(keepends=True) if line[1:4] != " 0 ")


@pytest.fixture
def pair(tmp_path):
    with_them, without = tmp_path / "with.vw", tmp_path / "without.vw"
    with_them.write_text(WITH)
    without.write_text(WITHOUT)
    return with_them, without


def test_rows_of_importance_0_are_left_out_by_every_command(pair, tmp_path):
    one, other = pair
    data, plain = nk.read(one), nk.read(other)
    assert (data.names, data.left_out.tolist()) == (plain.names, [1, 4])
    assert (data.X.toarray() == plain.X.toarray()).all()
    for words in (["certify"], ["fewest"], ["certify", "--model", "logistic"]):
        found, same = (json.loads(novikoff(*words, path, "--json").stdout) for path in pair)
        assert any("2 rows have importance 0" in note for note in found["notes"]), words
        for key in ("status", "n_rows", "coefficients", "lower", "upper", "infinite"):
            assert found.get(key) == same.get(key), (words, key)
    models = []
    for path in pair:
        assert novikoff("fit", path, "-o", tmp_path / "model").returncode == 0
        models.append(nk.load(tmp_path / "model"))
        streamed = tmp_path / "streamed"
        novikoff("stream", path, "-o", streamed, "--predictions", tmp_path / "answers")
        models.append(nk.load(streamed))
    for k in (0, 1):
        assert (models[k].coef_ == models[k + 2].coef_).all()
        assert list(models[k].classes_) == list(models[k + 2].classes_)
    assert len((tmp_path / "answers").read_text().splitlines()) == len(WITHOUT.splitlines())
    assert nk.read(one, label=False).n_rows == len(WITH.splitlines())  # each is to be answered


@pytest.mark.parametrize("kind", [nk.Perceptron, nk.KernelPerceptron, nk.RescaledPerceptron])
def test_two_classes_of_which_one_weighs_nothing_are_one(kind):
    X, y = np.array([[0.0], [1.0], [2.0]]), [0, 1, 1]
    for made, more in ((kind(), {"sample_weight": [0, 1, 1]}), (kind(class_weight={0: 0}), {})):
        with pytest.raises(InputError, match=r"1 class of positive weight \(1\)"):
            made.fit(X, y, **more)
