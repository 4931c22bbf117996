"""numpy and scipy files: the arrays that were saved, and nothing unpickled."""

from __future__ import annotations

import gzip
import zipfile

import numpy as np
import pytest
from scipy import sparse

from novikoff.errors import FileError
from novikoff.io import read, scan

X = np.random.default_rng(0).normal(size=(20, 4))
Y = np.arange(20) % 3


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, np.uint64, bool])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_plain_array_holds_its_label_in_the_last_column(tmp_path, dtype, order):
    saved = np.asarray((X * 10).astype(dtype), order=order)
    np.save(tmp_path / "a.npy", saved)
    data = read(tmp_path / "a.npy", numbers="binary64")
    assert np.array_equal(data.X, saved[:, :3])
    assert np.array_equal(data.y, saved[:, 3])
    assert data.X.dtype == (dtype if dtype in (np.float32, np.float64) else np.float64)
    binary = {"numbers": "binary64"}
    assert np.array_equal(read(tmp_path / "a.npy", 2, **binary).X, saved[:, [0, 2, 3]])
    assert np.array_equal(read(tmp_path / "a.npy", False, **binary).X, saved)


def test_an_archive_holds_x_and_y(tmp_path):
    path = tmp_path / "a.npz"
    np.savez_compressed(path, X=X, y=Y, kind=Y == 1)
    assert np.array_equal(read(path).X, X)
    assert np.array_equal(read(path).y, Y)
    assert np.array_equal(read(path, "kind").y, Y == 1)
    np.savez(path, rows=X, y=np.array(["a", "b"])[Y % 2])
    assert set(read(path).y) == {"a", "b"}
    packed = tmp_path / "packed.npz.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert np.array_equal(read(packed).X, X)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "dia"])
def test_scipys_sparse_files_are_read_in_every_form(tmp_path, form):
    held = sparse.random(20, 6, 0.3, random_state=0, format="csr")
    sparse.save_npz(tmp_path / "s.npz", held.asformat(form))
    data = read(tmp_path / "s.npz", False)
    assert data.X.has_canonical_format
    assert np.array_equal(data.X.toarray(), held.toarray())
    labelled = read(tmp_path / "s.npz", 1)
    assert np.array_equal(labelled.X.toarray(), held.toarray()[:, 1:])
    assert np.array_equal(labelled.y, held.toarray()[:, 0])


def test_a_scan_gives_the_rows_of_read(tmp_path, monkeypatch):
    monkeypatch.setattr("novikoff.io.arrays.NUMBERS_AT_ONCE", 12)
    np.save(tmp_path / "a.npy", X)
    np.savez(tmp_path / "s.npz", y=Y, **_parts(sparse.csr_matrix(X)))
    for name in ("a.npy", "s.npz"):
        whole = read(tmp_path / name)
        blocks = list(scan(tmp_path / name))
        assert len(blocks) > 1
        assert np.array_equal(np.concatenate([_dense(b.X) for b in blocks]), _dense(whole.X))
        assert np.array_equal(np.concatenate([b.y for b in blocks]), whole.y)


def _dense(matrix):
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()


def _parts(matrix, **changed):
    parts = {
        "format": np.array(b"csr"),
        "shape": np.array(matrix.shape),
        "data": matrix.data,
        "indices": matrix.indices,
        "indptr": matrix.indptr,
    }
    return parts | changed


def test_rows_that_lack_a_value_are_dropped_or_named(tmp_path):
    held = X.copy()
    held[3, 1] = held[5, 3] = np.nan
    np.save(tmp_path / "a.npy", held)
    with pytest.raises(FileError, match=r"a\.npy, row 4: a value is missing"):
        read(tmp_path / "a.npy")
    assert read(tmp_path / "a.npy", missing="drop").n_dropped == 2
    held[0, 0] = np.inf
    np.save(tmp_path / "a.npy", held)
    with pytest.raises(FileError, match=r"row 1: a value is infinite"):
        read(tmp_path / "a.npy", missing="drop")


@pytest.mark.parametrize(
    ("arrays", "options", "message"),
    [
        ({"X": X, "y": Y[:5]}, {}, "X has 20 rows and y has shape (5,)"),
        ({"X": X[0], "y": Y}, {}, "X has 1 dimensions"),
        ({"X": X.astype(complex), "y": Y}, {}, "X has dtype complex128"),
        ({"X": X.astype(str), "y": Y}, {}, "X has dtype <U"),
        ({"a": X, "b": X}, {}, "holds 2 arrays ('a', 'b'); X is needed"),
        ({"X": np.array([[object()]]), "y": Y}, {}, "Python objects, which are not read"),
        ({"X": X}, {"label": 9}, "no column 9; give its number, from 1 to 4"),
        ({"X": X[:, :1]}, {}, "X has no columns"),
        ({"X": X[:0], "y": Y[:0]}, {}, "has no rows"),
        (_parts(sparse.csr_matrix(X)), {}, "holds no labels"),
        (_parts(sparse.csr_matrix(X), indices=np.full(80, 9)), {"label": False}, "not a npz file"),
        (_parts(sparse.csr_matrix(X), indptr=np.arange(21)[::-1]), {"label": False}, "not a npz"),
        (_parts(sparse.csr_matrix(X), format=np.array(b"xyz")), {"label": False}, "not a npz"),
    ],
)  # fmt: skip
def test_a_bad_archive_is_named(tmp_path, arrays, options, message):
    np.savez(tmp_path / "bad.npz", **arrays)
    with pytest.raises(FileError, match=r"bad\.npz") as error:
        read(tmp_path / "bad.npz", **options)
    assert message in str(error.value)


def test_damaged_files_are_named(tmp_path):
    np.save(tmp_path / "a.npy", X)
    np.savez(tmp_path / "a.npz", X=X, y=Y)
    for name in ("a.npy", "a.npz"):
        content = (tmp_path / name).read_bytes()
        for size in (0, 5, 60, len(content) - 20):
            (tmp_path / name).write_bytes(content[:size])
            with pytest.raises(FileError, match=name.replace(".", "\\.")):
                read(tmp_path / name)


def npy_that_says(shape):
    """A header of npy, and nothing after it."""
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"notes.txt": b"hello"}, "is a zip archive with 'notes.txt' in it and no array; unpack"),
        ({}, "is a zip archive with nothing in it and no array"),
        ({"X": b"hello"}, "is a zip archive with 'X' in it"),
        ({"X.npy": b"hello", "readme": b"?"}, "is not a npz file"),
        ({"X.npy": npy_that_says((2**62, 4))}, r"needs 147,574 PB, and 128 bytes are stored"),
        ({"X.npy": npy_that_says((2**62, 2**62))}, r"needs more than 10\^21 bytes, and 128 bytes"),
        ({"X.npy": npy_that_says((10**7, 40))}, r"needs 3.2 GB, and 128 bytes are stored"),
    ],
)
def test_an_archive_of_something_else_is_refused_in_a_sentence(members, said, tmp_path):
    for name in ("rows.npz", "rows.zip", "rows"):
        with zipfile.ZipFile(tmp_path / name, "w") as file:
            for member, content in members.items():
                file.writestr(member, content)
        with pytest.raises(FileError, match=said):
            read(tmp_path / name)


@pytest.mark.parametrize("form", ["csr", "coo"])
def test_a_label_is_taken_out_of_2_to_the_60_sparse_columns_at_the_cost_of_what_is_stored(
    form, tmp_path
):
    places = np.arange(50)
    matrix = sparse.coo_matrix((places + 1.0, (places, places % 7)), shape=(50, 2**60))
    few = sparse.coo_matrix((places + 1.0, (places, places % 7)), shape=(50, 7)).toarray()
    sparse.save_npz(tmp_path / "wide.npz", matrix.asformat(form))
    for label in (1, 4, 7):
        data = read(tmp_path / "wide.npz", label=str(label))
        assert data.X.shape == (50, 2**60 - 1)
        np.testing.assert_array_equal(data.y, few[:, label - 1])
        coo = data.X.tocoo()
        back = sparse.coo_matrix((coo.data, (coo.row, coo.col)), shape=(50, 6)).toarray()
        np.testing.assert_array_equal(back, np.delete(few, label - 1, axis=1))


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "dia", "bsr"])
def test_a_sparse_file_of_2_to_the_62_rows_is_refused_before_they_are_made(form, tmp_path):
    made = sparse.csr_matrix(np.eye(2)).asformat(form)
    parts = {name: getattr(made, name) for name in ("indices", "indptr", "row", "col", "offsets")
             if hasattr(made, name)}  # fmt: skip
    np.savez(tmp_path / "x.npz", format=form, shape=(2**62, 2), data=made.data, y=[0, 1], **parts)
    with pytest.raises(FileError, match=r"4,611,686,018,427,387,904 rows needs about .* of memory"):
        read(tmp_path / "x.npz")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_what_follows_an_array_is_not_lost_in_silence(pack, tmp_path):
    with (tmp_path / "two").open("wb") as file:
        np.save(file, np.eye(3))
        np.save(file, np.ones((3, 3)))
    (tmp_path / "a.npy").write_bytes(pack((tmp_path / "two").read_bytes()))
    with pytest.raises(FileError, match="200 bytes after its array"):
        read(tmp_path / "a.npy")
