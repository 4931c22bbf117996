"""Vowpal Wabbit files against a reader of twenty lines and scikit-learn's MurmurHash3."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from sklearn.utils import murmurhash3_32

from fuzz_io import a_vw
from novikoff.errors import FileError
from novikoff.io import read, scan
from novikoff.io.vw import murmur

NAME = "rows.vw"


def textbook(text):
    """[(label, weight, tag, {(space, name): value})] of rows that all have a label."""
    rows = []
    for line in filter(str.strip, text.split("\n")):
        head, *spaces = line.split("|")
        words = head.split()
        tag = ""
        if words and (not head.endswith(" ") or words[-1].startswith("'")):
            tag = words.pop().removeprefix("'")
        features = {}
        for part in spaces:
            name, *items = part.split(" ") if part[:1] not in ("", " ") else ["", *part.split(" ")]
            space, _, scale = name.partition(":")
            for item in filter(None, items):
                word, _, value = item.partition(":")
                if value and value[0].isalpha():
                    key, number = (space, item), 1.0
                else:
                    key, number = (space, word), float(value or 1) * float(scale or 1)
                features[key] = features.get(key, 0.0) + number
        rows.append((float(words[0]), float(words[1]) if words[1:] else 1.0, tag, features))
    return rows


def vw_hash(word, seed):
    return int(word) + seed if word.isdecimal() else murmurhash3_32(word, seed, positive=True)


def index_of(space, name, bits):
    """Where `vw -b bits` puts a feature."""
    seed = vw_hash(space, 0) if space else 0
    for word in name.split(":"):
        seed = vw_hash(word, seed) % 2**32
    return seed % 2**bits


def labelled(seed, count):
    rng = random.Random(seed)
    texts = (a_vw(rng).decode() for _ in range(count))
    lines = [line for text in texts for line in text.splitlines() if not line.startswith("|")]
    return "\n".join(lines) + "\n"


def test_murmur_is_that_of_scikit_learn():
    rng = random.Random(0)
    for length in range(40):
        word, seed = rng.randbytes(length), rng.getrandbits(32)
        assert murmur(word, seed) == murmurhash3_32(word, seed, positive=True)


@pytest.mark.parametrize("seed", range(4))
def test_features_by_name_are_those_of_the_textbook_reader(file, seed):
    text = labelled(seed, 12)
    rows = textbook(text)
    data = read(file(text))
    assert data.y.tolist() == [label for label, *_ in rows]
    assert data.weights.tolist() == [weight for _, weight, *_ in rows]
    assert data.tags.tolist() == [tag for _, _, tag, _ in rows]
    assert list(data.names) == sorted(data.names) == data.encoding["features"]
    place = {name: k for k, name in enumerate(data.names)}
    expected = np.zeros(data.X.shape)
    for r, (*_, features) in enumerate(rows):
        for (space, name), value in features.items():
            expected[r, place[f"{space}^{name}" if space else name]] = value
    assert np.array_equal(data.X.toarray(), expected)


@pytest.mark.parametrize("bits", [4, 18])
def test_features_hashed_are_where_vw_puts_them(file, bits):
    text = labelled(9, 12)
    X = read(file(text), bits=bits).X
    assert X.shape[1] == 2**bits
    expected = np.zeros(X.shape)
    for r, (*_, features) in enumerate(textbook(text)):
        for (space, name), value in features.items():
            expected[r, index_of(space, name, bits)] += value
    assert np.allclose(X.toarray(), expected, rtol=1e-15, atol=0)


def test_a_test_file_is_encoded_like_its_training_file(file):
    train = read(file("1 |f a b:2\n-1 |g a\n"))
    kept = json.loads(json.dumps(train.encoding))
    test = file("1 |f b:5 new\n-1 |g a:7\n", "test.vw")
    assert train.names == ("f^a", "f^b", "g^a")
    X = read(test, encoding=kept, unseen="zeros").X
    assert X.toarray().tolist() == [[0, 5, 0], [0, 0, 7]]
    with pytest.raises(FileError, match=r"line 1: the feature 'f\^new' is not in the encoding"):
        read(test, encoding=kept)


def test_a_scan_by_name_surveys_first_and_hashed_does_not(file, monkeypatch):
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", 100)
    path = file(labelled(7, 20))
    whole = read(path)
    named, hashed = scan(path), scan(path, bits=6)
    assert np.array_equal(np.vstack([b.X.toarray() for b in named]), whole.X.toarray())
    assert named.encoding == whole.encoding
    expected = read(path, bits=6).X.toarray()
    assert np.array_equal(np.vstack([b.X.toarray() for b in hashed]), expected)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("1 |f a\n\n2 f a\n", {}, "line 3: no '|' in this row"),
        ("1 |f a\n|f a\n", {}, "line 2: the row has no label"),
        ("1|f a\n", {}, "the row has no label"),
        ("x |f a\n", {}, "line 1: the value is 'x'"),
        ("1 -2 |f a\n", {}, "the importance is '-2'"),
        ("1 x |f a\n", {}, "the importance is 'x'"),
        ("1 1 0.5 |f a\n", {}, "a base of '0.5'"),
        ("1 1 0 7 |f a\n", {}, "more than a label, an importance and a base"),
        ("1 |: a\n", {}, "a ':' without a name"),
        ("1 |f:x a\n", {}, "the value of the space in 'f:x' is not a number"),
        ("1 |f :1.5\n", {}, "':1.5' is a feature without a name"),
        ("1 |f a:\n", {}, "the value is missing"),
        ("1 |f a:nan\n", {}, "the value is missing ('nan')"),
        ("1 |f a:1.2.3\n", {}, "the value is '1.2.3'"),
        ("1 |f:1e200 a:1e200\n", {}, "beyond 1.8e308"),
        ("1 |f \n", {}, "no feature at all"),
        ("1 |a b^c\n1 |a^b c\n", {}, "two features written 'a^b^c'"),
        (b"1 |f \xff\n", {}, "line 1: not UTF-8"),
        (b"1 \xff|f a\n", {}, "line 1: not UTF-8"),
        ("1 |f a\n", {"encoding": {"x": []}}, "must list the names under 'features'"),
    ],
)  # fmt: skip
def test_a_bad_row_is_named(file, text, options, message):
    with pytest.raises(FileError) as error:
        read(file(text), **options)
    assert message in str(error.value)


def test_rows_without_a_label_or_a_value_are_dropped_and_counted(file):
    data = read(file("1 |f a\n|f a\nnan |f a\n1 |f a:nan\n2 |f a:3\n"), missing="drop")
    assert (data.y.tolist(), data.n_dropped) == ([1, 2], 3)
    assert read(file("|f a\n1 |f b\n"), label=False).X.toarray().tolist() == [[1, 0], [0, 1]]


def test_a_name_that_comes_again_after_others_is_summed(tmp_path):
    path = tmp_path / "rows.vw"
    path.write_text("1 |f b:2 a:3 |g c:5 |f a:7 b:11\n-1 |f c a a a\n")
    data = read(path)
    assert data.X.has_canonical_format
    assert all((np.diff(data.X.indices[start:stop]) > 0).all()
               for start, stop in zip(data.X.indptr, data.X.indptr[1:], strict=False))  # fmt: skip
    sums = dict(zip(data.names, data.X.toarray().T.tolist(), strict=True))
    assert sums == {"f^b": [13, 0], "f^a": [10, 3], "g^c": [5, 0], "f^c": [0, 1]}
