"""Short numbers and other libraries' arrays: the same verdict, no table of float64."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import novikoff as nk
from novikoff.errors import InputError
from novikoff.inputs import read_table

ROWS = np.array([[0, 3], [1, 5], [2, -1], [4, 2], [-3, 0], [7, 7]])
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
    """What a library's tensor offers: DLPack, a device, and __array__ or not."""

    def __init__(self, values: np.ndarray, device: int = 1, label: str = "cpu") -> None:
        self.values, self.kind, self.device = values, device, label

    def __dlpack_device__(self):
        return (self.kind, 0)

    def __dlpack__(self, **kwargs):
        return self.values.__dlpack__(**kwargs)


def test_anything_with_dlpack_on_the_processor_is_read():
    verdict = nk.certify(Tensor(ROWS.astype(np.float32)), Tensor(LABELS))
    assert verdict.status == nk.certify(ROWS.astype(float), LABELS).status


@pytest.mark.parametrize("place", ["X", "y"])
def test_a_tensor_on_a_gpu_gets_one_sentence(place):
    far = Tensor(ROWS.astype(np.float32) if place == "X" else LABELS, device=2, label="cuda:0")
    given = (far, LABELS) if place == "X" else (ROWS, far)
    with pytest.raises(InputError, match=rf"{place} is a tensor on cuda:0; .* {place}.cpu\(\)"):
        nk.certify(*given)


def test_a_tensor_that_is_being_trained_is_read_as_its_values():
    class Trained(Tensor):
        requires_grad = True

        def detach(self):
            return Tensor(self.values)

        def __array__(self, *args, **kwargs):
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")

    verdict = nk.certify(Trained(ROWS.astype(np.float64)), LABELS)
    assert verdict.status == nk.certify(ROWS.astype(float), LABELS).status
