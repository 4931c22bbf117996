"""What is no regular file is opened and read once, by every command and in every format."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import socket
import threading
import time
from contextlib import contextmanager, suppress

import numpy as np
import pytest

import novikoff as nk
from command import in_shell, novikoff
from novikoff.errors import FileError, InputError

N = 9000  # rows: more than the 64 KB that are looked at first


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(5)
    X = rng.integers(-99, 100, (N, 3)) / 8
    return X, np.where(X @ [1.0, -2.0, 0.5] > 0.3, 1, 0)


def as_bytes(form, X, y):
    out = io.BytesIO()
    pairs = zip(X.tolist(), y.tolist(), strict=True)
    if form == "npy":
        np.save(out, np.column_stack([X, y]))
    elif form == "npz":
        np.savez(out, X=X, y=y)
    elif form in ("parquet", "arrow"):
        import pyarrow
        from pyarrow import feather, parquet

        made = pyarrow.table({**{f"x{j}": X[:, j] for j in range(3)}, "y": y})
        (parquet.write_table if form == "parquet" else feather.write_feather)(made, out)
    else:
        line = {
            "csv": lambda x, t: ",".join(map(str, [*x, t])),
            "svmlight": lambda x, t: f"{t} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(x)),
            "vw": lambda x, t: f"{2 * t - 1} | " + " ".join(f"x{j}:{v}" for j, v in enumerate(x)),
        }[form]
        head = "x0,x1,x2,y\n" if form == "csv" else ""
        out.write((head + "\n".join(line(x, t) for x, t in pairs) + "\n").encode())
    return out.getvalue()


def zstd(content):
    import pyarrow

    return pyarrow.compress(content, codec="zstd", asbytes=True)


FORMATS = ["csv", "svmlight", "vw", "npy", "npz", "parquet", "arrow"]
PRESSED = {"plain": bytes, "gz": gzip.compress, "zst": zstd}


@contextmanager
def piped(content, path=None, slowly=False):
    """A path that leads to a pipe with this content: a named one, or one of this process."""
    if path is None:
        reading, writing = os.pipe()

        def opened():
            return os.fdopen(writing, "wb", buffering=0)
    else:
        os.mkfifo(path)

        def opened():
            return path.open("wb", buffering=0)

    def write():
        with opened() as out:
            if slowly:  # one byte, and the next after a while
                out.write(content[:1])
                time.sleep(0.05)
            left = memoryview(content)[1 if slowly else 0 :]
            while left:
                left = left[out.write(left) :]

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    try:
        yield path or f"/dev/fd/{reading}"
        writer.join(10)
        assert not writer.is_alive()
    finally:
        if path is None:
            os.close(reading)


def same(found, expected):
    assert found.names == expected.names
    dense = [X.X if isinstance(X.X, np.ndarray) else X.X.toarray() for X in (found, expected)]
    assert np.array_equal(*dense)
    assert np.array_equal(found.y, expected.y)


@pytest.mark.parametrize("pressed", PRESSED)
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("named", [True, False])
def test_a_pipe_gives_the_rows_of_the_file(form, pressed, named, table, tmp_path):
    content = PRESSED[pressed](as_bytes(form, *table))
    (tmp_path / "file").write_bytes(content)
    expected = nk.read(tmp_path / "file")
    assert expected.n_rows == N
    with piped(content, tmp_path / "pipe" if named else None, slowly=True) as path:
        same(nk.read(path), expected)


@pytest.mark.parametrize("form", FORMATS)
def test_a_scan_of_a_pipe_gives_the_rows_of_the_file(form, table, tmp_path):
    content = as_bytes(form, *table)
    (tmp_path / "file").write_bytes(content)
    with piped(content, tmp_path / "pipe") as path:
        blocks = list(nk.scan(path))
    assert sum(block.n_rows for block in blocks) == N
    assert np.array_equal(np.concatenate([b.y for b in blocks]), nk.read(tmp_path / "file").y)


def test_a_second_pass_over_a_long_pipe_is_refused_by_its_name(monkeypatch, table, tmp_path):
    monkeypatch.setattr("novikoff.io.sources.MOST_KEPT_BYTES", 1000)
    content = as_bytes("csv", *table)
    with piped(content, tmp_path / "pipe") as path:
        scan = nk.scan(path)
        assert sum(block.n_rows for block in scan) == N
        with pytest.raises(FileError, match="pipe can be read only once, and this needs a second"):
            list(scan)


def test_a_pipe_has_no_cache(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="pipe cannot be cached; save it to a file first"):
        nk.scan(tmp_path / "pipe", cache=True)


@pytest.mark.parametrize("form", ["csv", "svmlight", "npy", "parquet"])
def test_fit_learns_from_every_row_of_a_process_substitution(form, table, tmp_path):
    (tmp_path / "rows").write_bytes(as_bytes(form, *table))
    words = ["--passes", "2", "--json"]
    by_name = novikoff("fit", tmp_path / "rows", "-o", tmp_path / "a", *words)
    line = '"$@" <(cat rows)' if form != "csv" else '"$@" /dev/stdin < <(cat rows)'
    done = in_shell(line, "fit", "-o", "b", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f'"rows": {N}' in done.stdout
    assert f'"rows": {N}' in by_name.stdout
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("form", ["csv", "svmlight", "npz"])
def test_every_command_reads_a_pipe_as_it_reads_the_file(form, table, tmp_path):
    X, y = table
    content = as_bytes(form, X[:4000], y[:4000])
    rows = tmp_path / "rows"
    rows.write_bytes(content)
    novikoff("fit", rows, "-o", tmp_path / "m", "--passes", "2")
    novikoff("certify", rows, "--proof", tmp_path / "proof.json", "-q")
    for words in (
        ["predict", tmp_path / "m"],
        ["predict", tmp_path / "m", "--scores"],
        ["verify", tmp_path / "proof.json", "--json"],
        ["certify", "--json", "--numbers", "binary64"],
    ):
        expected = novikoff(*words, rows)
        assert expected.returncode == 0, expected.stderr
        with piped(content) as path:
            done = novikoff(*words, path)
        assert done.returncode == 0, done.stderr
        if words[0] == "certify":  # which tells how long it took
            assert done.stdout[:30] == expected.stdout[:30]
        else:
            assert done.stdout == expected.stdout


@pytest.mark.parametrize("form", ["csv", "svmlight", "vw"])
@pytest.mark.parametrize("pressed", PRESSED)
def test_a_stream_reads_a_pipe_once(form, pressed, table, tmp_path):
    X, y = table
    content = as_bytes(form, X, y)
    (tmp_path / "rows").write_bytes(content)
    novikoff("stream", tmp_path / "rows", "--predictions", tmp_path / "a", "--format", form)
    assert (tmp_path / "a").read_bytes().count(b"\n") == N
    with piped(PRESSED[pressed](content), tmp_path / "pipe") as path:
        done = novikoff("stream", path, "--predictions", tmp_path / "b", "--format", form)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_stream_answers_a_row_of_a_named_pipe_before_the_next_arrives(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    line = '"$@" pipe --predictions out --format csv --no-header & exec 3> pipe; echo 1,a >&3;'
    line += " while ! [ -s out ]; do sleep 0.05; done; echo 2,b >&3; exec 3>&-; wait; cat out"
    done = in_shell(line, "stream", cwd=tmp_path, timeout=120)
    assert done.stdout == "\na\n", done.stderr


def test_a_stdin_that_does_not_block_is_read_to_its_end(tmp_path):
    line = "(echo a,y; echo 1,p; sleep 1; echo 2,n; echo 3,n) | "
    code = "import os,sys; os.set_blocking(0, False); os.execvp(sys.argv[1], sys.argv[1:])"
    line += f"python3 -c '{code}' \"$@\""
    done = in_shell(line, "fit", "-", "-o", tmp_path / "m", "--json")
    assert '"rows": 3' in done.stdout, done.stderr


def test_what_has_no_end_or_is_no_file_is_refused(tmp_path):
    stream = ["stream", "--predictions", tmp_path / "p"]
    for command in (["fit", "-o", tmp_path / "m"], stream, ["certify"], ["trace"]):
        for path, what in (("/dev/zero", "is a device"), ("/dev/full", "is a device")):
            done = novikoff(*command, path)
            assert (done.returncode, done.stdout) == (1, "")
            assert f"{path} {what}, and no file" in done.stderr
        assert "is a folder; give a file" in novikoff(*command, tmp_path).stderr
        assert "empty" in novikoff(*command, os.devnull).stderr
    with socket.socket(socket.AF_UNIX) as here:
        here.bind(str(tmp_path / "s"))
        with pytest.raises(FileError, match="is a socket, and no file"):
            nk.read(tmp_path / "s")
    with pytest.raises(FileError, match="is a device, and no file"):
        nk.scan("/dev/zero")


def test_one_pipe_cannot_be_two_inputs(tmp_path):
    (tmp_path / "rows.csv").write_text("a,y\n1,p\n2,n\n")
    for one, other in (("-", "-"), ("/dev/stdin", "-"), ("-", "/dev/fd/0")):
        done = in_shell('"$@" < rows.csv', "fit", one, "--test", other, "-o", "m", cwd=tmp_path)
        assert done.returncode == 2
        assert "can be read only once" in done.stderr
        assert not (tmp_path / "m").exists()


def test_shards_are_files(tmp_path):
    from novikoff.distributed.shards import file_shards

    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe cannot be sharded"):
        file_shards([tmp_path / "pipe"], 10, {})


COMPRESSORS = {"bz2": bz2.compress, "xz": lzma.compress, "gz": gzip.compress}


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_compressed_parts_are_read_to_the_last_byte_or_not_at_all(tmp_path, kind):
    """Of two parts, the second damaged in any byte: its rows are never left out in silence."""
    compress = COMPRESSORS[kind]
    first = "".join(f"{i % 7},{i % 2}\n" for i in range(40)).encode()
    other = "".join(f"{i % 5},{i % 2}\n" for i in range(40)).encode()
    path, whole = tmp_path / f"d.csv.{kind}", compress(first) + compress(other)
    path.write_bytes(whole)
    data = nk.read(path)
    assert (data.n_rows, data.format) == (80, "csv")  # by the suffix before that of compression
    path.write_bytes(whole + b"\0" * 512)  # as a tape fills its blocks
    assert nk.read(path).n_rows == 80
    for damaged in (whole + b"more", whole[:-1], compress(first) + b"x" + compress(other)):
        path.write_bytes(damaged)
        with pytest.raises(FileError, match="is cut short or damaged"):
            nk.read(path)
    at = len(compress(first))
    for place in range(at, min(at + 12, len(whole))):
        changed = bytearray(whole)
        changed[place] ^= 0x41
        path.write_bytes(changed)
        with suppress(FileError):
            assert nk.read(path).n_rows == 80  # a byte that says when, or by what machine
