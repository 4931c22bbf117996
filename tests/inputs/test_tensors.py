"""Short numbers and other libraries' arrays: the same verdict, no table of float64."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import novikoff as nk
from novikoff.errors import InputError
from novikoff.inputs import read_table

ROWS = np.array([[0, 3], [1, 5], [2, -1], [4, 2], [-3, 0], [7, 7]])
FLOATS = ROWS.astype(float)
LABELS = np.array([0, 0, 1, 1, 0, 1])


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "float16", "bool"])
def test_short_numbers_become_float32_exactly(dtype):
    X = (ROWS % 2 if dtype == "bool" else np.abs(ROWS)).astype(dtype)
    table = read_table(X)
    assert table.matrix.dtype == np.float32
    assert (table.matrix == X.astype(float)).all()
    assert nk.certify(X, LABELS).status == nk.certify(X.astype(float), LABELS).status


def test_every_half_is_a_float32():
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    halves = halves[np.isfinite(halves)].reshape(-1, 1)
    assert (read_table(halves).matrix == halves.astype(np.float64)).all()


def test_bfloat16_is_read_as_it_is():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    random = np.random.default_rng(0)
    X = random.standard_normal((40, 3)).astype(ml_dtypes.bfloat16)
    y = np.arange(40) % 2
    table = read_table(X)
    assert table.matrix.dtype == np.float32
    assert (table.matrix == X.astype(np.float64)).all()
    verdict = nk.certify(X, y)
    verdict.certificate.verify(X.astype(np.float64), y)


def test_sparse_integers_of_a_byte_stay_small():
    X = sparse.csr_array(ROWS.astype(np.int8))
    assert read_table(X).matrix.dtype == np.float32
    assert nk.certify(X, LABELS).status == nk.certify(ROWS.astype(float), LABELS).status


class Tensor:
    """What a library's tensor offers: DLPack, a device, and no more."""

    def __init__(self, values: np.ndarray, device: int = 1, label: str = "cpu") -> None:
        self.values, self.kind, self.device = np.asarray(values), device, label

    @property
    def shape(self):
        return self.values.shape

    def __len__(self):
        return len(self.values)

    def __dlpack_device__(self):
        return (self.kind, 0)

    def __dlpack__(self, **kwargs):
        return self.values.__dlpack__(**kwargs)


class Torch(Tensor):
    """Torch's way: it is an array too, and refuses to be one where a step is left out."""

    requires_grad = False
    dtype = "torch.float64"

    def __array__(self, *args, **kwargs):
        if self.kind != 1:
            raise TypeError("can't convert cuda:0 device type tensor to numpy.")
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        if self.dtype == "torch.bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        if self.dtype == "torch.float64":
            return np.asarray(self.values, *args)
        raise NotImplementedError("Cannot copy out of meta tensor; no data!\nmore lines")

    def __iter__(self):
        return (type(self)(row) for row in self.values)

    def detach(self):
        return Torch(self.values)

    def float(self):
        return Torch(self.values.astype(np.float32))


class Trained(Torch):
    requires_grad = True


class Brain(Torch):
    dtype = "torch.bfloat16"


class Meta(Torch):
    dtype = "torch.float32"

    def __dlpack_device__(self):
        raise ValueError("Unknown device type meta")


w, b = np.array([1.0, -0.5]), 0.25


def made(name):
    is_random = name != "RescaledPerceptron"
    return getattr(nk, name)(**({"random_state": 0} if is_random else {}))


def fitted(name):
    return made(name).fit(ROWS.astype(float), LABELS)


def doors():
    """Every public function of X or y, as one of X and y that gives something to compare."""
    yield from {
        "certify": lambda X, y: nk.certify(X, y).status,
        "certify_classes": lambda X, y: [v.status for v in nk.certify_classes(X, y).values()],
        "certify_regression": lambda X, y: nk.certify_regression(X, y, model="logistic").status,
        "fewest_mistakes": lambda X, y: nk.fewest_mistakes(X, y).upper,
        "max_margin": lambda X, y: nk.max_margin(X, y).upper,
        "trace": lambda X, y: nk.trace(X, y, max_iter=20).tape.rows.tolist(),
        "verify": lambda X, y: nk.certify(ROWS * 1.0, LABELS).certificate.verify(X, y),
        "row_margins": lambda X, y: nk.geometry.row_margins(X, y, w, b).tolist(),
        "zero_one_error": lambda X, y: nk.geometry.zero_one_error(X, y, w, b),
        "radius": lambda X, **_: nk.geometry.radius(X),
        "signed_distance": lambda X, **_: nk.geometry.signed_distance(X, w, b).tolist(),
    }.items()
    for name in ("Perceptron", "AveragedPerceptron", "VotedPerceptron", "PocketPerceptron",
                 "KernelPerceptron", "RescaledPerceptron"):  # fmt: skip
        yield (
            f"{name}.fit",
            lambda X, y, name=name: answers(made(name).fit(X, y)),
        )
        yield f"{name}.predict", lambda X, name=name, **_: answers(fitted(name), X)
        yield f"{name}.score", lambda X, y, name=name: fitted(name).score(X, y)
        if name != "RescaledPerceptron":
            yield (
                f"{name}.partial_fit",
                lambda X, y, name=name: answers(made(name).partial_fit(X, y)),
            )


def answers(model, X=FLOATS):
    return model.predict(X).tolist(), np.asarray(model.decision_function(X)).tolist()


DOORS = dict(doors())


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_function_takes_a_tensor_that_the_processor_can_read(door):
    ask = DOORS[door]
    for kind in (Tensor, Torch, Trained, Brain):
        X = ROWS.astype(np.float32 if kind is Brain else np.float64)
        plain = ask(X=X, y=LABELS)
        assert ask(X=kind(X), y=(Torch if kind is Brain else kind)(LABELS)) == plain
        assert ask(X=[kind(row) for row in X], y=[Torch(label) for label in LABELS]) == plain


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_function_refuses_other_tensors_and_masks_in_one_sentence(door):
    ask, given = DOORS[door], {"X": ROWS.astype(np.float64), "y": LABELS}
    takes_labels = not door.endswith(("predict", "radius", "signed_distance"))
    for place in ("X", "y") if takes_labels else ("X",):
        values = given[place]
        for kind in (Tensor, Torch):
            far = kind(values, device=2, label="cuda:0")
            with pytest.raises(
                InputError, match=rf"(?i)^{place} is a tensor on cuda:0; .*cpu\(\)\.$"
            ):
                ask(**{**given, place: far})
        with pytest.raises(
            InputError, match=rf"(?i)^{place} is of type Meta .* \(Cannot .*!\); .*\.$"
        ):
            ask(**{**given, place: Meta(values)})
        hidden = np.ma.masked_array(values, mask=values == values.flat[-1])
        with pytest.raises(
            InputError, match=f"(?i){place} has masked values|missing in . of 6 rows"
        ):
            ask(**{**given, place: hidden})


@pytest.mark.parametrize("dtype", [float, int, object])
def test_masked_rows_of_a_regression_are_left_out_as_missing_ones_are(dtype):
    rng = np.random.default_rng(3)
    X, y = rng.integers(-9, 9, (40, 2)).astype(dtype), rng.integers(0, 2, 40)
    hides_x, hides_y = rng.random(X.shape) < 0.1, rng.random(40) < 0.1
    kept = ~(hides_x.any(axis=1) | hides_y)
    masked = np.ma.masked_array(X, hides_x), np.ma.masked_array(y, hides_y)
    verdict = nk.certify_regression(*masked, model="logistic", missing="drop")
    plain = nk.certify_regression(X[kept], y[kept], model="logistic")
    assert verdict.n_rows == plain.n_rows == kept.sum()
    assert (verdict.status, verdict.infinite) == (plain.status, plain.infinite)
    with pytest.raises(InputError, match="values are missing"):
        nk.certify_regression(*masked, model="logistic")


def test_a_tensor_of_float64_is_not_rounded():
    assert read_table(Torch(np.array([[0.1]]))).matrix[0, 0] == 0.1


def test_a_mask_that_hides_nothing_hides_nothing():
    X = np.ma.masked_array(ROWS * 1.0, mask=False)
    assert nk.certify(X, np.ma.masked_array(LABELS)).status == nk.certify(ROWS, LABELS).status


def test_long_doubles_among_objects_are_the_numbers_that_they_are():
    from fractions import Fraction

    fine = np.longdouble(1) + np.finfo(np.longdouble).eps  # no float64 is equal to it
    X = np.array([[fine, np.longdouble("0.5")], [np.longdouble(1), 2]], dtype=object)
    table = read_table(X)
    exact = [[Fraction(*v.as_integer_ratio()) for v in row] for row in X.tolist()]
    whole, scale = table.integers([0, 1])
    assert [[Fraction(v, scale) for v in row] for row in whole.tolist()] == exact
    assert nk.certify(X[:, :1], ["a", "b"]).status == "separable"
    for bad in (np.longdouble("nan"), np.longdouble("inf"), np.complex64(1j), np.datetime64("now")):
        with pytest.raises(InputError, match="row 1, column 0"):
            nk.certify(np.array([[fine], [bad]], dtype=object), ["a", "b"])
