"""`scan`: the rows of `read` in constant memory, and from a cache that is never trusted blindly."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tracemalloc

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from command import in_shell
from command import novikoff as command
from novikoff.errors import FileError, InputError
from novikoff.inputs import read_table
from novikoff.io import read as read_exactly
from novikoff.io import scan
from novikoff.io.cache import Cache, checksum, sealed
from novikoff.io.chunks import chunks_of, count_lines
from novikoff.io.sources import Source

ROWS = range(60)
NUMBERS = "a,b,y\n" + "".join(f"{(i * 37) % 60 / 7!r},{-i % 11},{i % 3}\n" for i in ROWS)
WORDS = NUMBERS.replace(",0\n", ",no\n").replace(",1\n", ",yes\n").replace(",2\n", ",yes\n")
COLORS = "a,color,y\n" + "".join(f"{(i * 37) % 60 / 7!r},{'rgb'[i % 3]},c{i % 2}\n" for i in ROWS)
SVM = "".join(f"{(-1) ** i} {1 + i % 9}:{i / 7!r} {20 + i % 5}:2\n" for i in ROWS)
VW = "".join(f"{(-1) ** i} |f w{i % 7}:0.5 x{i % 5}\n" for i in ROWS)
TAKINGS = [{}, {"labels": "text"}, {"labels": "as written"}]
FILES = {
    "t.csv": "a,word,b,y\n"
    + "".join(f"{i / 7!r},{'xyz'[i % 3]},{-i % 60},c{i % 2}\n" for i in range(90)),
    "n.csv": "".join(f"{i},{i / 3!r},{i % 2}\n" for i in (0, 1, 3, 2, *range(4, 90))),
    "s.svm": "".join(f"{(-1) ** i} {1 + i % 9}:{i / 7!r} {20 + i % 5}:2\n" for i in range(90)),
    "q.svm": "".join(f"{i % 2} qid:{i // 10} {1 + i % 9}:1\n" for i in range(90)),
    "v.vw": "".join(f"{i % 2} {1 + i} 'tag{i}|f w{i % 7}:0.5 |g a\n" for i in range(90)),
    "plain.vw": "".join(f"{i % 2} |f w{i % 7}:0.5\n" for i in range(90)),
}


@pytest.fixture(params=list(FILES))
def path(request, tmp_path):
    made = tmp_path / request.param
    made.write_text(FILES[request.param])
    return made


@pytest.fixture
def table(tmp_path):
    made = tmp_path / "n.csv"
    made.write_text(FILES["n.csv"])
    return made


def read(path, **said):
    return read_exactly(path, numbers="binary64", **said)


def dense(X):
    return np.asarray(X) if isinstance(X, np.ndarray) else X.toarray()


def assert_same(data, other):
    assert np.array_equal(dense(data.X), dense(other.X))
    for name in ("y", "weights", "tags", "queries"):
        mine, theirs = getattr(data, name), getattr(other, name)
        assert (mine is None) == (theirs is None), name
        assert mine is None or (mine.dtype == theirs.dtype and np.array_equal(mine, theirs)), name
    assert (data.notes, data.options, data.source) == (other.notes, other.options, other.source)
    assert (data.names, data.label, data.encoding) == (other.names, other.label, other.encoding)


def caches(folder):
    return sorted(entry for entry in folder.iterdir() if entry.name.endswith(".novikoff"))


@pytest.mark.parametrize("chunk", [50, 1 << 21])
def test_blocks_are_the_rows_of_read_in_order(path, chunk, monkeypatch):
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", chunk)
    whole, lazy = read(path), scan(path)
    assert (lazy.n_rows, lazy.n_columns) == (None, None)
    for _ in range(2):
        blocks = list(lazy)
        assert (len(blocks) > 1) == (chunk == 50)
        assert np.array_equal(np.vstack([dense(b.X) for b in blocks]), dense(whole.X))
        assert np.array_equal(np.concatenate([b.y for b in blocks]), whole.y)
    assert (lazy.n_rows, lazy.n_columns) == (90, whole.n_columns)
    assert (lazy.names, lazy.encoding, lazy.label) == (whole.names, whole.encoding, whole.label)


@pytest.mark.parametrize("where", [True, "elsewhere"])
def test_a_cache_holds_what_read_gives_and_is_mapped(path, tmp_path, where):
    whole = read(path)
    folder = tmp_path if where is True else tmp_path / where
    data = scan(path).cached(where if where is True else folder)
    assert_same(data, whole)
    assert len(caches(folder)) == 1
    arrays = [data.X] if isinstance(data.X, np.ndarray) else [data.X.data, data.X.indices]
    of_words = path.suffix == ".csv"  # whose labels are taken from them, one small array
    assert all(isinstance(array, np.memmap) for array in [*arrays, *([] if of_words else [data.y])])
    table = read_table(data.X)  # what the library computes with is the file, not a copy
    inner = table.matrix if isinstance(table.matrix, np.ndarray) else table.matrix.data
    assert np.shares_memory(inner, arrays[0])


def test_the_first_pass_writes_the_cache_and_later_ones_read_it(path, tmp_path, monkeypatch):
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", 300)
    whole = read(path)
    lazy = scan(path, cache=True)
    first = [dense(block.X).copy() for block in lazy]
    assert len(caches(tmp_path)) == 1
    monkeypatch.setattr("novikoff.io.scanning.Scan._parsed", None)  # nothing is parsed any more
    second = [dense(block.X).copy() for block in lazy]
    again = scan(path, cache=True)
    third = [dense(block.X).copy() for block in again]
    for blocks in (first, second, third):
        assert np.array_equal(np.vstack(blocks), dense(whole.X))
    assert (again.n_rows, again.n_columns) == (90, whole.n_columns)


def test_a_changed_file_is_read_anew_even_if_size_and_time_are_as_before(table):
    lazy = scan(table)
    lazy.cached()
    seen, text = table.stat(), table.read_text()
    table.write_text(text.replace("\n7,", "\n8,"))
    os.utime(table, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert (table.stat().st_size, table.stat().st_mtime_ns) == (seen.st_size, seen.st_mtime_ns)
    assert scan(table).cached().X[7, 0] == 8
    table.write_text(text + "1,2,3\n")
    assert scan(table).cached().X.shape == (91, 2)


def test_a_file_that_was_only_touched_or_copied_keeps_its_cache(table, monkeypatch):
    scan(table).cached()
    monkeypatch.setattr("novikoff.io.scanning.Scan._parsed", None)
    os.utime(table)
    assert scan(table).cached().n_rows == 90
    content = table.read_bytes()
    table.unlink()
    table.write_bytes(content)
    assert scan(table).cached().n_rows == 90


def test_an_old_file_is_not_read_at_all(table, monkeypatch):
    monkeypatch.setattr("novikoff.io.cache.CLOCK_TICK_NS", -(10**18))
    scan(table).cached()
    with monkeypatch.context() as blind:
        blind.setattr("novikoff.io.cache.digest", None)
        assert scan(table).cached().n_rows == 90
    table.write_text(table.read_text().replace("\n7,", "\n8,"))
    assert scan(table).cached().X[7, 0] == 8


@pytest.mark.parametrize("path", ["t.csv", "v.vw"], indirect=True)
def test_any_damage_of_a_cache_is_noticed_and_it_is_made_again(path, tmp_path, monkeypatch):
    monkeypatch.setattr("novikoff.io.cache.PIECE_BYTES", 256)
    expected = read(path)
    scan(path).cached()
    (folder,) = caches(tmp_path)
    dice = random.Random(3)
    for file in sorted(folder.iterdir()):
        content = file.read_bytes()
        damaged = [content[:-3], b"", content + b"x", None]
        for _ in range(6):
            changed = bytearray(content)
            changed[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
            damaged.append(bytes(changed))
        for changed in damaged:
            file.unlink() if changed is None else file.write_bytes(changed)
            for _ in range(2):
                assert_same(scan(path).cached(), expected)
            assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("made", "name", "change"),
    [
        ("s.svm", "columns", lambda a: np.where(np.arange(len(a)) == 5, 10**6, a)),
        ("s.svm", "columns", lambda a: np.where(np.arange(len(a)) == 5, -1, a)),
        ("s.svm", "starts", lambda a: np.where(np.arange(len(a)) == 5, a[-1], a)),
        ("s.svm", "starts", lambda a: np.where(np.arange(len(a)) == 0, 1, a)),
        ("t.csv", "y", lambda a: np.where(np.arange(len(a)) == 5, 7, a)),
        ("t.csv", "words", lambda a: a[:1]),
    ],
)
def test_a_forged_place_never_reaches_compiled_code(made, name, change, tmp_path):
    """Even where all checksums were made to agree with it."""
    path = tmp_path / made
    path.write_text(FILES[made])
    scan(path).cached()
    (folder,) = caches(tmp_path)
    header = json.loads((folder / "header.json").read_text())
    file = folder / f"{name}.npy"
    array = np.load(file)
    forged = change(array).astype(array.dtype)
    np.save(file, forged)
    header["arrays"][name] |= {"crc32": checksum(forged), "shape": [len(forged)]}
    (folder / "header.json").write_text(json.dumps(sealed(header)))
    assert_same(scan(path).cached(), read(path))


@pytest.mark.parametrize(
    "change",
    [
        {"shape": [90, 3]},
        {"shape": "x"},
        {"arrays": {}},
        {"arrays": {"X": {"dtype": "|O", "shape": [90, 2]}}},
        {"key": {}},
        {"files": []},
        {"names": 5},
    ],
)
def test_a_header_that_does_not_fit_is_not_believed(table, tmp_path, change):
    scan(table).cached()
    (folder,) = caches(tmp_path)
    header = json.loads((folder / "header.json").read_text())
    (folder / "header.json").write_text(json.dumps(header | change))
    assert_same(scan(table).cached(), read(table))
    again = json.loads((folder / "header.json").read_text())
    assert all(again[name] == header[name] for name in ("key", "shape", "names", "arrays"))


def test_only_what_a_killed_process_left_is_removed_by_the_next(table, tmp_path, monkeypatch):
    """Other processes tidy up beside this one, between any two of its looks."""
    scan(table).cached()
    (made,) = caches(tmp_path)
    remains = tmp_path / f".{made.name}.0123abcd"
    remains.mkdir()
    (remains / "X.npy").write_bytes(b"half a row")
    (tmp_path / f".{made.name}.file").write_text("mine")
    (tmp_path / f".{made.name}.gone").symlink_to(tmp_path / "nowhere")
    (made / "header.json").write_text("{}")
    assert_same(scan(table).cached(), read(table))
    assert remains.exists()  # it may be another process at work
    monkeypatch.setattr("novikoff.io.cache.ABANDONED_AFTER", -1.0)
    (made / "header.json").write_text("{}")
    scan(table).cached()
    assert not remains.exists()
    assert (tmp_path / f".{made.name}.file").read_text() == "mine"


def test_two_processes_may_make_one_cache(table, tmp_path):
    code = f"from novikoff.io import scan; print(scan({str(table)!r}).cached().X.sum())"
    words = [sys.executable, "-c", code]
    both = [subprocess.Popen(words, stdout=subprocess.PIPE) for _ in range(2)]
    sums = [process.communicate()[0] for process in both]
    assert sums[0] == sums[1] != b""
    assert len(list(tmp_path.iterdir())) == 2


def test_rows_that_all_lack_a_value_are_not_cached(tmp_path):
    path = tmp_path / "m.csv"
    path.write_text("a,y\n,0\n,1\n")
    for _ in range(2):
        with pytest.raises(FileError, match="has no rows left: 2 lack a value"):
            scan(path, missing="drop").cached()


def test_labels_widen_as_they_come(tmp_path, monkeypatch):
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", 64)
    path = tmp_path / "w.csv"
    path.write_text("a,y\n" + "1,2\n" * 50 + "1,2.5\n" + "1,3\n" * 50)
    y = scan(path).cached().y
    assert (y.dtype, y[0], y[50]) == (np.float64, 2, 2.5)
    path.write_text("a,y\n" + "1,1\n" * 50 + "1,perhaps\n" + "1,1\n" * 50)
    assert scan(path).cached().y.tolist() == read(path).y.tolist()  # a block alone has numbers


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_chunks_are_whole_lines_whatever_ends_them(tmp_path, monkeypatch, end):
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", 10)
    path = tmp_path / "lines"
    text = "".join(f"line {i}{end}" for i in range(50)).encode()
    path.write_bytes(text)
    chunks = [chunk.text for chunk in chunks_of([Source(str(path), path)])]
    assert b"".join(chunks) == text
    assert all(chunk.endswith(end.encode()) for chunk in chunks)
    assert max(map(len, chunks)) < 40
    assert sum(count_lines(chunk) for chunk in chunks) == 50


def test_memory_does_not_grow_with_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", 1 << 14)

    def peak(n):
        path = tmp_path / f"{n}.csv"
        path.write_text("a,b,y\n" + "0.12345678,0.87654321,1\n" * n)
        lazy = scan(path)
        next(iter(lazy))
        tracemalloc.start()
        assert sum(len(y) for _, y in lazy) == n
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    peak(5_000)  # what is loaded at first is not the file's
    few, many = peak(5_000), peak(25_000)
    assert many < 1.5 * few


def test_standard_input_cannot_be_cached_nor_surveyed_when_long():
    code = (
        "from novikoff.io import scan, sources; sources.MOST_KEPT_BYTES = 1000\n"
        "try: list(scan('-'))\n"
        "except ValueError as e: print(e)\n"
        "try: scan('-', cache=True)\n"
        "except ValueError as e: print(e)\n"
    )
    given = b"1 1:2\n" * 15_000
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, input=given, capture_output=True, check=True)
    lines = done.stdout.decode().splitlines()
    assert "standard input can be read only once" in lines[0]
    assert "standard input cannot be cached" in lines[1]


def test_bad_arguments_are_named(table):
    with pytest.raises(InputError, match="cache is 5"):
        scan(table, cache=5)
    with pytest.raises(FileError, match="does not exist"):
        list(scan(table.with_name("none.csv")))
    empty = table.with_name("empty.svm")
    empty.write_text("# nothing\n")
    with pytest.raises(FileError, match="has no rows"):
        list(scan(empty, n_columns=2, zero_based=True))


@pytest.mark.parametrize("maker", TAKINGS)
@pytest.mark.parametrize("chunk", [100, 1 << 21])
def test_labels_are_taken_alike_whoever_made_the_cache(tmp_path, monkeypatch, maker, chunk):
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", chunk)
    path = tmp_path / "n.csv"
    path.write_text(NUMBERS.replace(",2\n", ",2.0\n"))
    scan(path, **maker).cached()
    monkeypatch.setattr("novikoff.io.scanning.Scan._parsed", None)
    for taking in TAKINGS:
        assert_same(scan(path, **taking).cached(), read(path, **taking))
    assert len(caches(tmp_path)) == 1


@pytest.mark.parametrize(
    ("name", "text"), [("n.csv", WORDS), ("s.svm", SVM), ("v.vw", VW), ("t.csv", COLORS)]
)
def test_fit_certify_and_verify_share_a_cache(tmp_path, name, text):
    """Where there are columns of text, certify has a reference level and fit none: two tables."""
    path, proof, kept = tmp_path / name, tmp_path / "p.json", tmp_path / "kept"
    path.write_text(text)
    words = ["--cache", str(kept), "-q"]
    assert (
        command("fit", str(path), "-o", str(tmp_path / "m.st"), "--passes", "2", *words).returncode
        == 0
    )
    assert len(caches(kept)) == 1
    assert command("certify", str(path), "--proof", str(proof), *words).returncode == 0
    made = caches(kept)
    assert len(made) == (2 if text is COLORS else 1)
    times = [file.stat().st_ino for folder in made for file in folder.glob("*.npy")]
    assert command("verify", str(proof), str(path), *words).returncode == 0
    assert caches(kept) == made
    assert [file.stat().st_ino for folder in made for file in folder.glob("*.npy")] == times


def test_what_was_found_and_what_was_said_are_one_cache(tmp_path):
    path = tmp_path / "n.csv"
    path.write_text(NUMBERS)
    scan(path).cached()
    for said in ({"header": True}, {"label": "y"}, {"label": 3}, {"delimiter": ","},
                 {"format": "csv"}, {"columns": ["a", "b"]}, {"levels": "reference"}):  # fmt: skip
        scan(path, **said).cached()
    assert len(caches(tmp_path)) == 1
    scan(path, columns=["b", "a"]).cached()
    assert len(caches(tmp_path)) == 2


def test_levels_that_were_given_have_the_cache_of_a_survey_that_found_them(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(COLORS)
    scan(path).cached()
    assert_same(scan(path, encoding={"color": ["b", "g", "r"]}).cached(), read(path))
    assert len(caches(tmp_path)) == 1
    other = {"color": ["r", "g", "b", "black"]}
    assert_same(scan(path, encoding=other).cached(), read(path, encoding=other))
    assert_same(scan(path).cached(), read(path))
    assert len(caches(tmp_path)) == 1  # of who asked last


def test_svmlight_read_wider_than_it_is_is_read_anew(tmp_path):
    path = tmp_path / "s.svm"
    path.write_text(SVM)
    found = scan(path).cached()
    assert scan(path, **found.reading).cached().X.shape == (60, 24)
    assert len(caches(tmp_path)) == 1
    assert scan(path, n_columns=30).cached().X.shape == (60, 30)
    assert scan(path, zero_based=True).cached().X.shape == (60, 25)
    assert scan(path).cached().X.shape == (60, 24)


def test_a_guess_is_no_safer_for_a_cache_of_what_was_said(tmp_path):
    path = tmp_path / "i.csv"
    path.write_text("a,who,y\n" + "".join(f"{i % 7 / 3!r},name{i},{i % 2}\n" for i in ROWS))
    scan(path, categorical=["who"]).cached()
    with pytest.raises(FileError, match="name the rows rather than describe them"):
        scan(path).cached()


def test_notes_and_names_are_those_of_who_asks(tmp_path, monkeypatch):
    path = tmp_path / "n.csv"
    path.write_text(NUMBERS)
    monkeypatch.chdir(tmp_path)
    assert scan(path, drop=["b"]).cached().notes[0] == "left out, as asked: column 'b'"
    asked = scan("n.csv", columns=["a"]).cached()
    assert (asked.source, len(caches(tmp_path))) == ("n.csv", 1)


@pytest.mark.parametrize("way", [read, lambda path: scan(path).cached()])
def test_long_whole_labels_stay_apart_beside_others_in_another_block(tmp_path, monkeypatch, way):
    """2^53 + 1 and 2^53 are one float: as numbers, two classes would become one."""
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", 128)
    path = tmp_path / "w.csv"
    rows = [f"{i % 7},{2**53 + i % 2}\n" for i in range(50)] + ["1,0.5\n"] * 50
    path.write_text("a,y\n" + "".join(rows))
    assert len(set(way(path).y.tolist())) == 3


@pytest.mark.parametrize("chunk", [64, 1 << 21])
def test_a_cache_knows_the_extremes_of_its_columns(tmp_path, monkeypatch, chunk):
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", chunk)
    path = tmp_path / "n.csv"
    path.write_text(NUMBERS.replace("a,b,y\n", "a,b,y\n" + ",1,0\n" * 20))
    data = scan(path, missing="drop").cached()
    assert data.n_dropped == 20
    assert np.array_equal(data.extremes, [data.X.min(axis=0), data.X.max(axis=0)])
    assert data.rows(0, 5).extremes is None


def test_a_cache_that_another_process_removes_is_made_again(tmp_path, monkeypatch):
    path = tmp_path / "n.csv"
    path.write_text(NUMBERS)
    write, made = Cache.write, []

    def removed_once(self, *given):
        write(self, *given)
        made.append(caches(tmp_path)[0])
        if len(made) == 1:
            shutil.rmtree(made[0])

    monkeypatch.setattr(Cache, "write", removed_once)
    assert_same(scan(path).cached(), read(path))
    assert len(made) == 2


def test_columns_named_as_text_first_and_guessed_later_are_one_cache(tmp_path):
    """What was named was not looked through; who leaves it to a guess has that done, once."""
    path = tmp_path / "t.csv"
    rows = [f"{'rgb'[i % 3]},{'xy'[i // 2 % 2]},{i * 7 % 11},{i % 2}\n" for i in ROWS]
    path.write_text("a,b,n,y\n" + "".join(rows))
    for said in ({"categorical": ["a", "b"]}, {"categorical": ["a"]}, {"categorical": ["b"]}, {}):
        assert_same(scan(path, **said).cached(), read(path, **said))
        assert len(caches(tmp_path)) == 1
    (made,) = caches(tmp_path)
    before = (made / "X.npy").stat().st_ino
    for said in ({"categorical": ["a"]}, {}, {"categorical": ["b"]}):
        assert_same(scan(path, **said).cached(), read(path, **said))
    assert (made / "X.npy").stat().st_ino == before


@pytest.mark.parametrize("form", ["npz", "arrow", "parquet"])
@pytest.mark.parametrize("words", [("no", "yes"), ("spam", "ham and eggs")])
def test_words_of_typed_files_are_no_wider_in_a_cache_and_models_no_other(tmp_path, form, words):
    path = tmp_path / f"w.{form}"
    X = np.array([[i * 37 % 60 / 7, i % 11] for i in ROWS])
    labels = np.array([words[i % 3 > 0] for i in ROWS])
    if form == "npz":
        np.savez(path, X=X, y=labels)
    else:
        table = pa.table({"a": X[:, 0], "b": X[:, 1], "y": labels.tolist()})
        (feather.write_feather if form == "arrow" else parquet.write_table)(table, path)
    assert_same(scan(path).cached(), read(path))
    models = [tmp_path / "plain", tmp_path / "cached"]
    for model, more in zip(models, ([], ["--cache"]), strict=True):
        assert command("fit", path, "-o", model, "--passes", "3", "-q", *more).returncode == 0
    assert models[0].read_bytes() == models[1].read_bytes()


def test_a_cache_that_cannot_be_written_is_said_to_be_so(tmp_path):
    """A file may have 512 KB here, as on a disk that is full; nothing is left behind."""
    path, kept = tmp_path / "n.csv", tmp_path / "kept"
    path.write_text(
        "a,b,y\n" + "".join(f"{i * 37 % 61},{i % 11}.5,{i % 2}\n" for i in range(50_000))
    )
    kept.mkdir()
    done = in_shell('ulimit -f 512 && "$@"', "certify", path, "--cache", kept, "-q")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"cannot write the cache in {kept}: File too large; name another folder" in done.stderr
    assert "--cache DIR" in done.stderr
    assert not list(kept.iterdir())
    with pytest.raises(FileError, match=r"cannot write the cache in .*: Not a directory; name"):
        scan(path, cache=path / "below").cached()
