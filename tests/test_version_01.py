"""Files that version 0.1 wrote still load, and mean the same. They were made by its own code."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import novikoff as nk
from command import novikoff
from novikoff import models

HERE = Path(__file__).parent / "files" / "0.1"
EXPECTED = json.loads((HERE / "expected.json").read_text())
ROWS = np.array(EXPECTED["rows"])
PROOFS = json.loads((HERE / "proofs.json").read_text())


@pytest.mark.parametrize("name", sorted(set(EXPECTED["models"]) - {"online"}))
def test_a_model_predicts_what_it_predicted(name):
    expected = EXPECTED["models"][name]
    scores = [float.fromhex(score) for score in expected["scores"]]
    for model in (nk.load(HERE / f"{name}.safetensors"), models.read(HERE / f"{name}.safetensors")):
        assert model.kind == expected["class"]
        assert model.predict(ROWS).tolist() == expected["labels"]
        assert model.decision_function(ROWS).ravel().tolist() == scores
    assert type(nk.load(HERE / f"{name}.safetensors")).__name__ == expected["class"]


@pytest.mark.parametrize("name", ["perceptron", "averaged", "voted", "pocket", "kernel"])
def test_a_model_learns_on(name):
    clf = nk.load(HERE / f"{name}.safetensors")
    before = clf.n_iter_
    clf.partial_fit(ROWS, EXPECTED["models"][name]["labels"])
    assert clf.n_iter_ == before + 1


def test_an_online_model_predicts_what_it_predicted():
    model, expected = nk.load(HERE / "online.safetensors"), EXPECTED["models"]["online"]
    rows = [dict(zip("abc", row, strict=True)) for row in ROWS.tolist()]
    assert [model.predict_one(row) for row in rows] == expected["labels"]
    assert [float(model.score_one(row)).hex() for row in rows] == expected["scores"]


def test_a_checkpoint_says_that_it_does_not_know_its_rows_and_asks(tmp_path):
    model = shutil.copy(HERE / "checkpoint.safetensors", tmp_path / "model")
    before = nk.load(model)
    words = ["fit", HERE / "rows.csv", "-o", model, "--kind", "averaged", "--order", "shuffled"]
    done = novikoff(*words, "--passes", 5, "--resume")
    assert done.returncode == 1
    assert "does not say which rows it has learnt from" in done.stderr
    assert "--new-data" in done.stderr
    assert novikoff(*words, "--passes", 2, "--resume", "--new-data").returncode == 0
    X, y = nk.read(HERE / "rows.csv")
    for _ in range(2):
        before.partial_fit(X, y)
    after = nk.load(model)
    assert np.array_equal(after.last_coef_, before.last_coef_)
    assert np.array_equal(after.coef_, before.coef_)


def test_a_checkpoint_of_a_stream_goes_on(tmp_path):
    checkpoint = shutil.copy(HERE / "stream.safetensors", tmp_path / "checkpoint")
    words = ["stream", HERE / "rows.csv", "--predictions", tmp_path / "said.txt"]
    assert novikoff(*words).returncode == 0
    said = (tmp_path / "said.txt").read_text()  # what was said then is said now
    words += ["--checkpoint", checkpoint, "--resume", "-o", tmp_path / "model"]
    done = novikoff(*words)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "said.txt").read_text() == said
    assert nk.load(tmp_path / "model").n_rows_ == 30


@pytest.mark.parametrize("status", PROOFS)
def test_a_proof_is_still_a_proof(status):
    X, y = PROOFS[status]
    certificate = nk.load_certificate(HERE / f"{status}.proof.json")
    assert certificate.status == status
    certificate.verify(X, y)
    with pytest.raises(nk.CertificateError):
        certificate.verify(X, y[::-1] if y != y[::-1] else [1 - label for label in y[:2]] + y[2:])
