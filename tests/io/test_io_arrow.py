"""Parquet and Arrow files: the table that pyarrow wrote."""

from __future__ import annotations

import gzip
import subprocess
import sys

import numpy as np
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

from novikoff.errors import FileError, InputError
from novikoff.io import read, scan


def write(table, path, form):
    if form == "parquet":
        pyarrow.parquet.write_table(table, path, row_group_size=7)
    elif form == "feather":
        pyarrow.feather.write_feather(table, str(path))
    else:
        new = pyarrow.ipc.new_file if form == "arrow" else pyarrow.ipc.new_stream
        with pyarrow.OSFile(str(path), "wb") as out, new(out, table.schema) as writer:
            writer.write_table(table, max_chunksize=7)
    return path


@pytest.fixture(params=["parquet", "arrow", "feather", "stream"])
def save(request, tmp_path):
    return lambda table, name="t": write(table, tmp_path / f"{name}.{request.param}", request.param)


def mixed_table(n=50):
    rng = np.random.default_rng(0)
    words = [["red", "blue", "green"][k] for k in rng.integers(0, 3, n)]
    return pyarrow.table(
        {
            "f": rng.normal(size=n),
            "single": rng.normal(size=n).astype(np.float32),
            "i": rng.integers(-5, 5, n),
            "u": rng.integers(0, 5, n).astype(np.uint8),
            "b": rng.random(n) < 0.5,
            "word": words,
            "coded": pyarrow.array(words).dictionary_encode(),
            "y": [f"class{k}" for k in rng.integers(0, 2, n)],
        }
    )


def test_every_column_is_the_one_written(save):
    table = mixed_table()
    data = read(save(table))
    levels = ["blue", "green", "red"]
    words = table["word"].to_pylist()
    hot = [[float(word == level) for level in levels] for word in words]
    expected = np.column_stack(
        [np.array(table[name].to_pylist(), dtype=float) for name in ("f", "single", "i", "u", "b")]
        + [hot, hot]
    )
    assert np.array_equal(data.X, expected)
    assert data.y.tolist() == table["y"].to_pylist()
    assert data.encoding == {"word": levels, "coded": levels}
    assert data.names[-1] == "coded=red"


def test_labels_keep_their_type(save):
    n = 10
    table = pyarrow.table({"x": np.arange(n) / 2, "whole": np.arange(n), "real": np.arange(n) / 4})
    path = save(table)
    assert read(path, "whole").y.dtype == np.int64
    assert read(path, "real").y.tolist() == (np.arange(n) / 4).tolist()


def test_a_scan_gives_the_rows_of_read_and_the_encoding(save, monkeypatch):
    monkeypatch.setattr("novikoff.io.arrow.BATCH_ROWS", 8)
    path = save(mixed_table())
    whole, parts = read(path), scan(path)
    blocks = list(parts)
    assert np.array_equal(np.concatenate([block.X for block in blocks]), whole.X)
    assert (parts.n_rows, parts.encoding, parts.names) == (50, whole.encoding, whole.names)


def test_missing_values_are_named_by_row_and_column_or_dropped(save):
    table = pyarrow.table(
        {
            "a": [1.0, None, 3.0, float("nan"), 5.0, 6.0],
            "c": ["u", "v", None, "u", "v", "u"],
            "y": [0, 1, 0, 1, None, 1],
        }
    )
    path = save(table)
    with pytest.raises(FileError, match="row 2, column 'a': the value is missing"):
        read(path)
    data = read(path, missing="drop")
    assert (data.X.tolist(), data.y.tolist(), data.n_dropped) == ([[1, 1], [6, 1]], [0, 1], 4)
    assert data.names == ("a", "c=u")


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        ({"a": [1.0, float("inf")], "y": [0, 1]}, {}, "row 2, column 'a': the value is infinite"),
        ({"a": [[1], [2]], "y": [0, 1]}, {}, "column 'a' holds list"),
        ({"a": [1, None], "y": [0, 1]}, {"label": "a"}, "row 2: the label (column 'a') is missing"),
        ({"a": [1, 2], "y": [0, 1]}, {"label": "z"}, "no column 'z'"),
        ({"a": [1], "y": [0]}, {"header": True}, "header=True is for csv"),
        ({"a": ["1.5", "2", "3"], "y": [0, 1, 0]}, {}, "is of text and holds numbers ('1.5')"),
        ({"a": ["1,5", "2,5"], "y": [0, 1]}, {}, "column 'a': '1,5' is a number with a dec"),
    ],
)  # fmt: skip
def test_a_bad_table_is_named(save, table, options, message):
    path = save(pyarrow.table(table))
    with pytest.raises(InputError) as error:
        read(path, **options)
    assert message in str(error.value)


def test_what_cannot_be_used_can_be_dropped(save):
    table = pyarrow.table({"a": [1, 2], "when": pyarrow.array([0, 1], "date32"), "y": [0, 1]})
    assert read(save(table), drop=["when"]).X.tolist() == [[1], [2]]


def test_files_of_a_pattern_must_share_their_columns(save, tmp_path):
    table = mixed_table(10)
    for name in ("p2", "p1"):
        path = save(table, name)
    assert read(tmp_path / f"p*{path.suffix}").n_rows == 20
    save(table.drop_columns(["u"]), "p3")
    with pytest.raises(FileError, match="does not have the columns of"):
        read(tmp_path / f"p*{path.suffix}")


def test_damaged_files_are_named(save):
    path = save(mixed_table())
    content = path.read_bytes()
    for size in (len(content) - 9, len(content) // 2, 12):
        path.write_bytes(content[:size])
        with pytest.raises(FileError, match="t\\."):
            read(path)


def test_a_compressed_file_is_read_too(save):
    path = save(mixed_table())
    packed = path.with_name("packed")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read(packed).n_rows == 50


def test_reading_imports_no_pandas(save):
    path = save(mixed_table())
    code = (
        "import sys; from novikoff.io import read; "
        f"read({str(path)!r}); read({str(path)!r}, missing='drop', numbers='decimal'); "
        "print('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"False"


def test_without_pyarrow_the_extra_is_named(save, monkeypatch):
    path = save(mixed_table())
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(FileError, match=r"needs pyarrow: pip install 'novikoff\[io\]'"):
        read(path)
