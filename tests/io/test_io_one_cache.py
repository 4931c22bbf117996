"""One cache for all who read the same rows, whatever takes the labels."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import novikoff.inputs.table
from command import in_shell
from command import novikoff as command
from novikoff import certify
from novikoff.errors import FileError
from novikoff.io import read as read_exactly
from novikoff.io import scan
from novikoff.io.cache.growing import checksum
from novikoff.io.cache.store import sealed
from novikoff.io.scanning import Scan

ROWS = range(60)
NUMBERS = "a,b,y\n" + "".join(f"{(i * 37) % 60 / 7!r},{-i % 11},{i % 3}\n" for i in ROWS)
WORDS = NUMBERS.replace(",0\n", ",no\n").replace(",1\n", ",yes\n").replace(",2\n", ",yes\n")
TEXTS = "a,color,y\n" + "".join(f"{(i * 37) % 60 / 7!r},{'rgb'[i % 3]},c{i % 2}\n" for i in ROWS)
SVM = "".join(f"{(-1) ** i} {1 + i % 9}:{i / 7!r} {20 + i % 5}:2\n" for i in ROWS)
VW = "".join(f"{(-1) ** i} |f w{i % 7}:0.5 x{i % 5}\n" for i in ROWS)
TAKINGS = [{}, {"labels": "text"}, {"labels": "as written"}, {"positive": "1"}]


def read(path, **said):
    return read_exactly(path, numbers="binary64", **said)


def caches(folder):
    return sorted(entry for entry in folder.iterdir() if entry.name.endswith(".novikoff"))


def assert_same(data, other):
    assert np.array_equal(
        *(np.asarray(X) if isinstance(X, np.ndarray) else X.toarray() for X in (data.X, other.X))
    )
    assert data.y.dtype == other.y.dtype
    assert data.y.tolist() == other.y.tolist()
    assert (data.notes, data.options, data.source) == (other.notes, other.options, other.source)


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
    ("name", "text"), [("n.csv", WORDS), ("s.svm", SVM), ("v.vw", VW), ("t.csv", TEXTS)]
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
    assert len(made) == (2 if text is TEXTS else 1)
    times = [file.stat().st_ino for folder in made for file in folder.glob("*.npy")]
    assert command("verify", str(proof), str(path), *words).returncode == 0
    assert caches(kept) == made
    assert [file.stat().st_ino for folder in made for file in folder.glob("*.npy")] == times


def test_a_model_is_the_same_to_the_bit_with_and_without_a_cache(tmp_path):
    path, models = tmp_path / "n.csv", [tmp_path / "plain", tmp_path / "cached"]
    path.write_text(WORDS.replace("yes", "perhaps"))
    for model, more in zip(models, ([], ["--cache"]), strict=True):
        assert command("fit", path, "-o", model, "--passes", "3", "-q", *more).returncode == 0
    assert models[0].read_bytes() == models[1].read_bytes()


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
    path.write_text(TEXTS)
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


def test_words_after_numbers_are_words_for_all(tmp_path, monkeypatch):
    """A block alone would have been numbers; the cache knows all of them."""
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", 64)
    path = tmp_path / "w.csv"
    path.write_text("a,y\n" + "".join(f"{i % 7},{i % 2}\n" for i in range(99)) + "1,maybe\n")
    y = scan(path).cached().y
    assert (y.dtype.kind, y[0], y[-1]) == ("U", "0", "maybe")


@pytest.mark.parametrize("way", [read, lambda path: scan(path).cached()])
def test_long_whole_labels_stay_apart_beside_others_in_another_block(tmp_path, monkeypatch, way):
    """2^53 + 1 and 2^53 are one float: as numbers, two classes would become one."""
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", 128)
    path = tmp_path / "w.csv"
    rows = [f"{i % 7},{2**53 + i % 2}\n" for i in range(50)] + ["1,0.5\n"] * 50
    path.write_text("a,y\n" + "".join(rows))
    assert len(set(way(path).y.tolist())) == 3


@pytest.mark.parametrize("name", ["y", "words"])
def test_a_forged_label_is_not_believed(tmp_path, name):
    path = tmp_path / "n.csv"
    path.write_text(WORDS)
    scan(path).cached()
    (folder,) = caches(tmp_path)
    header = json.loads((folder / "header.json").read_text())
    file = folder / f"{name}.npy"
    array = np.load(file)
    array = np.where(np.arange(len(array)) == 5, 7, array) if name == "y" else array[:1]
    np.save(file, array)
    header["arrays"][name] |= {"crc32": checksum(array), "shape": [len(array)]}
    (folder / "header.json").write_text(json.dumps(sealed(header)))
    assert_same(scan(path).cached(), read(path))


@pytest.mark.parametrize("chunk", [64, 1 << 21])
def test_a_cache_knows_the_extremes_of_its_columns(tmp_path, monkeypatch, chunk):
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", chunk)
    path = tmp_path / "n.csv"
    path.write_text(NUMBERS.replace("a,b,y\n", "a,b,y\n" + ",1,0\n" * 20))
    data = scan(path, missing="drop").cached()
    assert data.n_dropped == 20
    assert np.array_equal(data.extremes, [data.X.min(axis=0), data.X.max(axis=0)])
    assert data.rows(0, 5).extremes is None


def test_a_verdict_looks_for_the_largest_number_once(tmp_path, monkeypatch):
    """A pass over a cache that is larger than memory is a pass over the disk."""
    path = tmp_path / "n.csv"
    path.write_text(WORDS)
    data = scan(path).cached()
    assert data.names == ("a", "b")
    looked = []
    largest_of = novikoff.inputs.table.largest_of

    def counted(values):
        looked.append(values.size)
        return largest_of(values)

    for where in ("inputs.table", "exact.norms"):
        monkeypatch.setattr(f"novikoff.{where}.largest_of", counted)
    verdict = certify(data)
    assert verdict.status == "overlapping"
    assert looked.count(data.X.size) == 1


def test_remains_that_vanish_or_are_no_folder_are_left_alone(tmp_path):
    """Other processes tidy up beside this one, between any two of its looks."""
    path = tmp_path / "n.csv"
    path.write_text(NUMBERS)
    scan(path).cached()
    (made,) = caches(tmp_path)
    (made / "header.json").write_text("{}")
    (tmp_path / f".{made.name}.file").write_text("mine")
    (tmp_path / f".{made.name}.gone").symlink_to(tmp_path / "nowhere")
    assert_same(scan(path).cached(), read(path))
    assert (tmp_path / f".{made.name}.file").read_text() == "mine"


def test_a_cache_that_another_process_removes_is_made_again(tmp_path, monkeypatch):
    path = tmp_path / "n.csv"
    path.write_text(NUMBERS)
    make, made = Scan._make, []

    def removed_once(self):
        make(self)
        made.append(caches(tmp_path)[0])
        if len(made) == 1:
            shutil.rmtree(made[0])

    monkeypatch.setattr(Scan, "_make", removed_once)
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


def test_a_command_that_names_a_column_of_text_leaves_a_cache_for_one_that_does_not(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TEXTS)
    for more in (["--categorical", "color"], []):
        done = command("certify", path, "--cache", "-q", *more)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("form", ["npz", "arrow", "parquet"])
@pytest.mark.parametrize("words", [("no", "yes"), ("a", "b"), ("spam", "ham and eggs")])
def test_words_of_arrays_are_no_wider_in_a_cache_and_models_no_other(tmp_path, form, words):
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
