"""A fit that is saved and goes on, pass by pass, gives the bits of one that never stopped."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array

import novikoff as nk
from command import novikoff
from novikoff import models
from novikoff.models.kernel.training import KernelColumns

rng = np.random.default_rng(11)
X = rng.normal(size=(70, 3))
TWO = np.where(X @ [1, 2, -1] + rng.normal(0, 1, 70) > 0, "b", "a")
THREE = np.digitize(X @ [1.0, 0, 1] + rng.normal(0, 0.5, 70), [-0.5, 0.5])

CASES = [
    ("Perceptron", {"order": "shuffled"}),
    ("Perceptron", {"order": "restart", "max_iter": 40}),
    ("Perceptron", {"multiclass": "joint", "start": "random"}),
    ("AveragedPerceptron", {"order": "shuffled"}),
    ("AveragedPerceptron", {"multiclass": "joint"}),
    ("VotedPerceptron", {"order": "shuffled", "start": "random"}),
    ("VotedPerceptron", {"multiclass": "joint"}),
    ("PocketPerceptron", {}),
    ("PocketPerceptron", {"multiclass": "joint", "order": "cyclic"}),
    ("KernelPerceptron", {"kernel": "rbf", "cache_size": 0.002}),
    ("KernelPerceptron", {"order": "shuffled", "degree": 3}),
    ("KernelPerceptron", {"budget": 9, "prediction": "last"}),
    ("KernelPerceptron", {"budget": 9, "prediction": "last", "order": "shuffled"}),
    ("RescaledPerceptron", {"max_rescalings": 7}),
    ("RescaledPerceptron", {"max_rescalings": 7, "multiclass": "joint"}),
]


def blank(kind, options):
    known = models.KINDS[kind].parameter_names()
    settled = {"max_iter": 8, "random_state": 2, **options}
    return models.KINDS[kind](**{name: v for name, v in settled.items() if name in known})


def finished(*given, **options):
    return list(models.passes(*given, **options))[-1]


def content(model, path):
    models.write(model, path)
    return path.read_bytes()


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("rows", [X, csr_array(X)], ids=["dense", "csr"])
@pytest.mark.parametrize(("kind", "options"), CASES)
def test_going_on_from_any_pass_gives_the_same_bits(kind, options, rows, y, tmp_path):
    whole = [
        content(model, tmp_path / "whole") for model in models.passes(blank(kind, options), rows, y)
    ]
    model, parts = blank(kind, options), []
    while True:  # a process for each pass
        model = next(models.passes(model, rows, y, same_rows=bool(parts)), None)
        if model is None:
            break
        parts.append(content(model, tmp_path / "part"))
        model = models.read(tmp_path / "part")
    assert len(parts) > 2
    assert parts == whole


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize(("kind", "options"), CASES)
def test_pass_by_pass_learns_what_a_fit_learns(kind, options, y):
    model = finished(blank(kind, options), X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf = getattr(nk, kind)(**blank(kind, options).parameters()).fit(X, y)
    for name, value in clf.__dict__.items():
        if name.endswith("_") and isinstance(value, np.ndarray):
            assert np.array_equal(getattr(model, name), value), name
    assert (model.n_iter_, model.n_mistakes_) == (clf.n_iter_, clf.n_mistakes_)
    assert (model.stop_reason_, model.converged_) == (clf.stop_reason_, clf.converged_)
    assert np.array_equal(model.predict(X), clf.predict(X))


class BrokenOffError(Exception):
    pass


@pytest.mark.parametrize(("kind", "options"), CASES[:-2])
def test_a_pass_that_is_broken_off_never_was(kind, options, tmp_path, monkeypatch):
    monkeypatch.setattr("novikoff.models.kernel.training.ROWS_A_BLOCK", 16)
    whole = content(finished(blank(kind, options), X, THREE), tmp_path / "whole")
    fit = models.passes(blank(kind, options), X, THREE)
    model = next(fit)
    before = content(model, tmp_path / "before")

    def breaking(method, after):
        def broken(self, *args):
            made = method(self, *args)
            if next(after) >= 1:
                raise BrokenOffError
            return made

        return broken

    kinds = models.KINDS[kind]
    with monkeypatch.context() as patch:
        if kind == "KernelPerceptron":
            patch.setattr(KernelColumns, "fresh", breaking(KernelColumns.fresh, iter(range(9))))
        else:
            patch.setattr(kinds, "_visit", breaking(kinds._visit, iter((1,))))
        with pytest.raises(BrokenOffError):
            next(fit)
    assert content(model, tmp_path / "after") == before
    assert content(finished(model, X, THREE, same_rows=True), tmp_path / "last") == whole


@pytest.mark.parametrize("kind", ["perceptron", "averaged", "voted", "pocket", "kernel"])
def test_the_command_goes_on_with_every_kind_and_with_new_data(kind, tmp_path):
    def table(name, rows, labels):
        lines = [",".join([*map(repr, x), str(y)]) for x, y in zip(rows, labels, strict=True)]
        (tmp_path / name).write_text("a,b,c,y\n" + "\n".join(lines) + "\n")
        return tmp_path / name

    first, second = table("1.csv", X.tolist(), TWO), table("2.csv", X[::-2].tolist(), TWO[::2])

    def fit(data, model, passes, *words):
        done = novikoff("fit", data, "-o", model, "--kind", kind, "--passes", passes, *words)
        assert done.returncode == 0, done.stderr
        return model.read_bytes()

    whole = fit(first, tmp_path / "whole", 7)
    fit(first, tmp_path / "part", 3)
    assert fit(first, tmp_path / "part", 7, "--resume") == whole
    other = fit(second, tmp_path / "whole", 5, "--resume", "--new-data")
    fit(second, tmp_path / "part", 2, "--resume", "--new-data")
    assert fit(second, tmp_path / "part", 5, "--resume") == other
    assert nk.load(tmp_path / "whole").n_iter_ == 5


def test_rescaling_goes_on_too(tmp_path):
    """Killed after each rescaling, it ends where it would have; new rows it does not take."""
    data = nk.datasets.badmargin(40)
    *parts, whole = models.passes(models.KINDS["RescaledPerceptron"](), data.X, data.y)
    assert whole.n_rescalings_ > 1
    for part in parts:
        models.write(part, tmp_path / "part")
        *_, last = models.passes(models.read(tmp_path / "part"), data.X, data.y, same_rows=True)
        assert content(last, tmp_path / "last") == content(whole, tmp_path / "whole")
    np.savez(tmp_path / "rows.npz", X=data.X, y=data.y)
    words = ["fit", tmp_path / "rows.npz", "-o", tmp_path / "m", "--kind", "rescaled"]
    assert novikoff(*words, "--resume").returncode == 0
    done = novikoff(*words, "--resume", "--new-data")
    assert done.returncode == 2
    assert "--new-data is for --kind perceptron, averaged, voted, pocket or kernel." in done.stderr
