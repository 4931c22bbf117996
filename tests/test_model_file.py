"""Model files: what is saved is what is loaded, equal models give equal bytes, nothing runs."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import novikoff as nk
from novikoff.estimators import MEMBERS
from novikoff.model_format import KEY

rng = np.random.default_rng(0)
X = rng.integers(-3, 4, (60, 4)).astype(float)
TWO = np.where(X @ [1, 2, -1, 1] + 0.5 > 0, "spam", "ham")
THREE = np.digitize(X @ [1.0, 0, 0, 1], [-1.5, 1.5])


def fitted(member, y=TWO, rows=X, **options):
    if member is not nk.RescaledPerceptron:
        options = {"max_iter": 5, **options}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return member(**options).fit(rows, y)


LABELS = {
    "int8": np.array([-1, 1], dtype=np.int8),
    "uint64": np.array([1, 2**63 + 5], dtype=np.uint64),
    "big-endian integers": np.array([-1, 1], dtype=">i4"),
    "big-endian floats": np.array([0.0, 1.0], dtype=">f8"),
    "float16": np.array([0.0, 1.0], dtype=np.float16),
    "bool": np.array([False, True]),
    "text": np.array(["", "日本"]),
    "objects": np.array(["a", "b"], dtype=object),
    "integers of any size": np.array([1, 2**70], dtype=object),
}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
@pytest.mark.parametrize("member", MEMBERS)
def test_labels_of_every_type_come_back(member, labels, tmp_path):
    model = fitted(member, labels[(TWO == "spam").astype(int)])
    model.save(tmp_path / "model.safetensors")
    again = nk.load(tmp_path / "model.safetensors")
    assert again.classes_.tolist() == labels.tolist()
    assert again.classes_.dtype == labels.dtype.newbyteorder("=")
    assert np.array_equal(again.predict(X), model.predict(X))


def test_labels_that_no_model_file_holds_are_named(tmp_path):
    days = np.array(["2020-01-01", "2021-01-01"], dtype="M8[D]")
    model = fitted(nk.Perceptron, days[(TWO == "spam").astype(int)])
    with pytest.raises(nk.InputError, match="a model file holds numbers, text"):
        model.save(tmp_path / "model.safetensors")


def test_any_changed_byte_is_noticed(tmp_path):
    path = tmp_path / "model.safetensors"
    fitted(nk.VotedPerceptron).save(path)
    content = bytearray(path.read_bytes())
    for place in range(0, len(content), max(1, len(content) // 150)):
        changed = bytearray(content)
        changed[place] ^= 1
        path.write_bytes(changed)
        with pytest.raises(nk.FileError):
            nk.load(path)


def test_any_truncation_is_noticed(tmp_path):
    path = tmp_path / "model.safetensors"
    fitted(nk.Perceptron).save(path)
    content = path.read_bytes()
    for end in range(0, len(content), 37):
        path.write_bytes(content[:end])
        with pytest.raises(nk.FileError):
            nk.load(path)


def forged(tmp_path, change):
    """A file whose digest is right, but whose content was changed on purpose."""
    from safetensors.numpy import load_file, save_file

    from novikoff import model_format

    path = tmp_path / "model.safetensors"
    fitted(nk.VotedPerceptron).save(path)
    from safetensors import safe_open

    with safe_open(path, framework="numpy") as file:
        head = json.loads(file.metadata()[KEY])
    tensors = load_file(path)
    head.pop("digest")
    change(head, tensors)
    head["digest"] = model_format.digest(head, tensors)
    save_file(tensors, path, {KEY: json.dumps(head, sort_keys=True)})
    return path


def _bad_class(head, _tensors):
    head["class"] = "Popen"


def _bad_member(_head, tensors):
    name = next(name for name in tensors if name.startswith("_tape") and name.endswith("[0]"))
    tensors[name] = tensors[name] + 10_000


def _bad_shape(_head, tensors):
    tensors["last_coef_"] = tensors["last_coef_"][:, :2]


def _bad_version(head, _tensors):
    head["version"] = 99


def _bad_parameter(head, _tensors):
    head["parameters"]["danger"] = 1


@pytest.mark.parametrize(
    "change", [_bad_class, _bad_member, _bad_shape, _bad_version, _bad_parameter]
)
def test_a_forged_file_is_refused(change, tmp_path):
    with pytest.raises(nk.FileError):
        nk.load(forged(tmp_path, change))


def test_a_foreign_file_is_refused(tmp_path):
    from safetensors.numpy import save_file

    path = tmp_path / "other.safetensors"
    save_file({"x": np.ones(3)}, path)
    with pytest.raises(nk.FileError, match="no novikoff model"):
        nk.load(path)
    with pytest.raises(nk.FileError, match="does not exist"):
        nk.load(tmp_path / "missing.safetensors")


def test_a_function_cannot_be_saved(tmp_path):
    model = fitted(nk.KernelPerceptron, kernel=lambda A, B: A @ B.T)
    with pytest.raises(nk.InputError, match="a model file holds numbers"):
        model.save(tmp_path / "model.safetensors")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("member", [nk.Perceptron, nk.AveragedPerceptron, nk.PocketPerceptron])
def test_onnx_gives_the_same_labels(member, y, dtype, tmp_path):
    import onnxruntime

    rows = X.astype(dtype)
    model = fitted(member, y, rows)
    model.to_onnx(tmp_path / "model.onnx")
    session = onnxruntime.InferenceSession(str(tmp_path / "model.onnx"))
    labels, scores = session.run(None, {"X": rows})
    assert np.array_equal(labels, model.predict(rows))
    expected = model.decision_function(rows).reshape(len(rows), -1)
    assert np.allclose(scores, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("tie", ["mistake", "positive", "zero"])
@pytest.mark.parametrize("multiclass", ["rest", "joint"])
@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_onnx_sends_a_tie_where_predict_sends_it(y, multiclass, tie):
    import onnxruntime

    model = fitted(nk.Perceptron, y, tie=tie, multiclass=multiclass, fit_intercept=False)
    rows = np.vstack([np.zeros((1, 4)), X])  # a row of zeros ties all scores
    session = onnxruntime.InferenceSession(model.to_onnx().SerializeToString())
    assert np.array_equal(session.run(["label"], {"X": rows})[0], model.predict(rows))


@pytest.mark.parametrize("labels", [[0, 0, 1, 1], ["a", "b", "c", "c"]], ids=["two", "three"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_pipeline_is_exported_by_skl2onnx(labels, dtype):
    skl2onnx, runtime = pytest.importorskip("skl2onnx"), pytest.importorskip("onnxruntime")
    X = np.array([[0.0, 1.0], [1.0, 0.0], [3.0, 2.0], [5.0, 3.0]], dtype=dtype)
    pipeline = make_pipeline(StandardScaler(), nk.AveragedPerceptron()).fit(X, labels)
    content = skl2onnx.to_onnx(pipeline, X[:1]).SerializeToString()
    found, scores = runtime.InferenceSession(content).run(None, {"X": X})
    assert found.tolist() == pipeline.predict(X).tolist()
    expected = pipeline.decision_function(X)
    np.testing.assert_allclose(scores.reshape(expected.shape), expected, rtol=1e-4, atol=1e-4)
    kernel = make_pipeline(StandardScaler(), nk.KernelPerceptron()).fit(X, labels)
    with pytest.raises(nk.InputError, match="fitted linear members"):
        skl2onnx.to_onnx(kernel, X[:1])


def test_onnx_is_refused_for_a_model_that_has_seen_one_class():
    model = nk.Perceptron().partial_fit(X, np.ones(len(X)))
    with pytest.raises(nk.InputError, match="has seen 1 class only"):
        model.to_onnx()


def test_onnx_is_refused_for_a_kernel():
    with pytest.raises(nk.InputError, match="no coef_"):
        fitted(nk.KernelPerceptron).to_onnx()


def test_a_forged_width_of_texts_is_refused_before_they_are_made():
    from novikoff.model_format import decode

    assert decode({"array": ["a", "bc"], "dtype": "<U9"}, {}, {}).tolist() == ["a", "bc"]
    with pytest.raises(ValueError, match="2 texts of 2000000000 bytes each"):
        decode({"array": ["a", "bc"], "dtype": "<U500000000"}, {}, {})
