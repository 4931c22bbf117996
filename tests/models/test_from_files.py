"""Estimators and certify on what `read` and `scan` give: the answers they give for arrays."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

import novikoff as nk
from novikoff.errors import FileError, InputError

MEMBERS = [
    nk.Perceptron,
    nk.AveragedPerceptron,
    nk.VotedPerceptron,
    partial(nk.PocketPerceptron, random_state=0),
    nk.KernelPerceptron,
    nk.RescaledPerceptron,
]


@pytest.fixture
def rows(tmp_path):
    X, y = nk.datasets.planted(300, 4, 0.05, random_state=0)
    lines = [",".join(map(repr, [*x, int(t)])) for x, t in zip(X.tolist(), y, strict=True)]
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["a,b,c,d,class", *lines]) + "\n")
    return path, X, y


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("how", ["read", "scan"])
def test_files_teach_and_are_predicted_as_arrays_are(member, how, rows, tmp_path):
    path, X, y = rows
    given = nk.read(path) if how == "read" else nk.scan(path, cache=tmp_path / "c")
    ours, plain = member().fit(given), member().fit(X, y)
    assert np.array_equal(ours.decision_function(X), plain.decision_function(X))
    assert np.array_equal(ours.decision_function(given), plain.decision_function(X))
    assert np.array_equal(ours.predict(given), plain.predict(X))
    assert (ours.reading_, ours.label_) == ({"columns": ["a", "b", "c", "d"]}, "class")
    ours.save(tmp_path / "m")
    assert nk.load(tmp_path / "m").reading_ == ours.reading_
    assert not hasattr(ours.fit(X, y), "reading_")


def test_sparse_files_teach_with_their_weights(tmp_path):
    path = tmp_path / "rows.vw"
    path.write_text("1 2.0 | a:1 b:2\n0 1.0 | a:1\n1 0.5 | b:1 c:1\n0 | c:3\n")
    data = nk.read(path)
    ours = nk.Perceptron().fit(data)
    plain = nk.Perceptron().fit(data.X, data.y, sample_weight=[2.0, 1.0, 0.5, 1.0])
    assert np.array_equal(ours.coef_, plain.coef_)
    assert ours.reading_ == {"encoding": {"features": ["a", "b", "c"]}}


def test_a_test_file_is_as_wide_as_the_file_learnt_from(tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, size=(40, 9)), rng.integers(0, 2, 40)
    X[0, 8] = 1
    dump_svmlight_file(X, y, str(tmp_path / "train.svm"), zero_based=True)
    dump_svmlight_file(X[5:9, :6], y[5:9], str(tmp_path / "test.svm"), zero_based=True)
    with pytest.warns(match="stopped"):
        model = nk.Perceptron(max_iter=3).fit(nk.read(tmp_path / "train.svm", zero_based=True))
    assert model.reading_ == {"zero_based": True, "n_columns": 9}
    narrow = np.column_stack([X[5:9, :6], np.zeros((4, 3))])
    read = nk.read(tmp_path / "test.svm", **model.reading_)
    assert np.array_equal(model.predict(read), model.predict(narrow.astype(float)))


@pytest.mark.parametrize("flips", [0, 3])
def test_a_scan_is_certified_like_its_arrays_and_its_proof_is_the_same(flips, rows, tmp_path):
    path, X, y = rows
    lines = path.read_text().splitlines()
    for k in range(1, 1 + flips):
        features, label = lines[k].rsplit(",", 1)
        lines[k] = f"{features},{-int(label)}"
        y[k - 1] = -y[k - 1]
    path.write_text("\n".join(lines) + "\n")
    verdict = nk.certify(nk.scan(path, cache=tmp_path))
    plain = nk.certify(X, y, label="class")
    assert verdict.status == plain.status == ("overlapping" if flips else "separable")
    found = verdict.certificate.to_dict()
    assert found["data"].pop("reading")["options"]["format"] == "csv"  # how, beside what
    assert found == plain.certificate.to_dict()
    verdict.certificate.verify(X, y)


def test_text_columns_are_named_by_their_level_in_a_verdict(tmp_path):
    path = tmp_path / "cars.csv"
    path.write_text("weight,color,old\n1.5,red,yes\n2.5,blue,no\n0.5,red,no\n1.5,blue,no\n")
    verdict = nk.certify(nk.read(path))
    assert verdict.status == "separable"
    assert verdict.signed_rows.table.names == ("weight", "color=blue", "color=red")


def test_classes_of_a_file_are_certified(rows):
    path, X, y = rows
    ours, plain = nk.certify_classes(nk.read(path)), nk.certify_classes(X, y)
    assert [v.status for v in ours.values()] == [v.status for v in plain.values()]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda data, _: nk.Perceptron().fit(data, [1]), "leave y out"),
        (lambda data, _: nk.certify(data, [1]), "leave y out"),
        (lambda _, bare: nk.Perceptron().fit(bare), "was read without labels"),
        (lambda _, bare: nk.certify(bare), "was read without labels"),
    ],
)
def test_labels_come_from_the_file_and_from_nowhere_else(call, message, rows):
    with pytest.raises(InputError, match=message):
        call(nk.read(rows[0]), nk.read(rows[0], label=False))


def test_columns_chooses_and_orders(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,color,b,y\n1,red,2,0\n3,blue,4,1\n")
    data = nk.read(path, columns=["b", "color", "a"], label="y")
    assert data.names == ("b", "color=blue", "color=red", "a")
    assert data.X.tolist() == [[2, 0, 1, 1], [4, 1, 0, 3]]
    again = nk.read(path, label=False, **data.reading)
    assert np.array_equal(again.X, data.X)
    for columns, message in (
        (["c"], "lacks the column 'c'"),
        (["a", "a"], "twice"),
        (["y"], "label"),
    ):
        with pytest.raises(FileError, match=message):
            nk.read(path, columns=columns, label="y")


def test_many_levels_keep_their_order_under_columns(tmp_path):
    words = [f"w{k:03d}" for k in range(150)]
    path = tmp_path / "t.csv"
    path.write_text("n,word,y\n" + "".join(f"{k},{w},{k % 2}\n" for k, w in enumerate(words)))
    data = nk.read(path, columns=["word", "n"], label="y", categorical="word")
    assert data.X.shape == (150, 151)
    dense = data.X.toarray()
    assert np.array_equal(dense[:, :150], np.eye(150))
    assert np.array_equal(dense[:, 150], np.arange(150))
    assert data.X.has_sorted_indices
