"""A stream by blocks and by lines: the same answers, weights, counts, checkpoints and errors."""

from __future__ import annotations

import io
import random
import re
import subprocess
import sys
from dataclasses import asdict

import pytest

import novikoff as nk
from novikoff.errors import NovikoffError
from novikoff.io.options import options
from novikoff.online import block
from novikoff.online.stream import first_rows, many_rows, row_blocks
from novikoff.online.stream import stream as streams
from novikoff.online.stream.feed import Feed
from novikoff.online.stream.stream import Stream

NEVER = sys.maxsize
N_STREAMS = 25


class Pieces:
    """An input that comes in these pieces."""

    def __init__(self, pieces):
        self.pieces = [piece for piece in pieces if piece]

    def read(self, _size):
        return self.pieces.pop(0) if self.pieces else b""


def cut(text, rng, n_pieces):
    """The text in so many pieces, cut anywhere: in rows, in letters, between \\r and \\n."""
    places = sorted(rng.randrange(len(text) + 1) for _ in range(n_pieces - 1))
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


def ran(pieces, form, enough, every=7, model=None, out=None, **given):
    """All that can be seen of a run: answers, model, counts, checkpoints, the table, errors."""
    drops = given.pop("missing", None) == "drop"
    feed = Feed("-")
    feed._stream = Pieces(pieces)
    saved, told, notes, error = [], [], [], None
    out = io.BytesIO() if out is None else out
    model = nk.OnlinePerceptron(**given.pop("model_options", {})) if model is None else model
    stream = Stream(
        feed, model, out, format=form, given=options(**given), drops_missing=drops,
        checkpoint="there", every=every,
        note=notes.append,
        report=lambda now, *last: told.append((now.rows, now.labelled, now.wrong, *last)),
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(many_rows, "ENOUGH", enough)
        patch.setattr(many_rows, "LEAST", 1)
        patch.setattr(first_rows, "MOST", 12)
        patch.setattr(many_rows, "FEW_LINES", re.compile(rb"(?:[^\r\n]*(?:\r\n|\r|\n)){1,3}"))
        patch.setattr(
            streams,
            "save_checkpoint",
            lambda _path, model, progress, _options: saved.append(
                (out.getvalue(), model.to_bytes(), asdict(progress))
            ),
        )
        try:
            stream.run()
        except NovikoffError as raised:
            error = str(raised)
    reader = stream.reader.state() if stream.reader else None
    return {
        "answers": out.getvalue(),
        "model": model.to_bytes(),
        "progress": asdict(stream.progress),
        "reader": reader,
        "checkpoints": saved,
        "table": told,
        "notes": notes,
        "error": error,
    }


@pytest.fixture
def counted(monkeypatch):
    """How many rows went through the loop."""
    counts = {"rows": 0}
    learn = block.BlockLearner.learn

    def learns(self, first, last):
        learnt = learn(self, first, last)
        counts["rows"] += learnt.stop - first
        return learnt

    monkeypatch.setattr(block.BlockLearner, "learn", learns)
    return counts


def assert_alike(text, form, rng, **more):
    expected = ran([text], form, NEVER, **more)
    for n_pieces in (1, 2, rng.randrange(3, 9)):
        pieces = cut(text, rng, n_pieces)
        found = ran(pieces, form, 0, **more)
        for what, value in expected.items():
            assert found[what] == value, (what, pieces, more)
    return expected


NUMERALS = ["0", "-0", "1", "2.5", "-.5", "3.", "1e2", "+7", "0.1", "123456789.123456789", "1E-3",
            "9007199254740993", "0.30000000000000004440892098500626", " 2 ", "1e-320"]  # fmt: skip
ODD = ["", "NA", "1e400", "4e150", "x", "1,5", "inf", "1_0", "0x1", "\x0b1", "nan", "²"]
ENDS = ["\n", "\n", "\n", "\r\n", "\r", "\n\n", "\n \t\n", "\r\n\r\n"]


def csv_text(rng):
    """A table of numbers and words, most of it plain, and what it is read with."""
    n_numbers, n_words = rng.randrange(1, 5), rng.randrange(0, 3)
    mark, n_rows = rng.choice([",", ",", ";", "\t", "|"]), rng.randrange(40, 130)
    columns = [*(f"n{j}" for j in range(n_numbers)), *(f"w{j}" for j in range(n_words))]
    rng.shuffle(columns)
    has_index, is_named = rng.random() < 0.2, rng.random() < 0.8
    labels = rng.choice([["no", "yes"], ["0", "1", "1.0"], ["é", "b", "a,b"], ["-1", "+1"]])
    rate = rng.choice([0.0, 0.0, 0.03, 0.2])
    words = ["red", "blue", "grün", "a b", 'x"y', "two\nlines" if rate else "two", "d,e"]

    def cell(text):
        if mark in text or "\n" in text or rng.random() < 0.05:
            return '"' + text.replace('"', '""') + '"'
        return text

    lines = []
    place = rng.randrange(len(columns) + 1)
    if is_named:
        names = [*columns[:place], "y", *columns[place:]]
        lines.append(mark.join(["", *names] if has_index else names))
    for i in range(n_rows):
        cells = []
        for column in columns:
            plain = rng.choice(NUMERALS[: 3 + i // 10]) if column[0] == "n" else None
            word = rng.choice(words[: 1 + min(i // 12, 6)])
            odd = rng.choice(ODD) if rng.random() < rate / len(columns) else None
            cells.append(cell(odd if odd is not None else word if plain is None else plain))
        label = rng.choice(labels[: 1 + (i > 3)] if i < 50 else [*labels, *labels, *labels, ""])
        cells.insert(place, cell(label))
        index = rng.choice(["i7", ".5", "1e1"]) if rng.random() < rate / 5 else str(i)
        lines.append(mark.join([index, *cells] if has_index and is_named else cells))
        if rng.random() < rate / 20:
            lines.append(rng.choice([mark.join(cells[1:]), '""', '"open', "\x1c", "a\0b"]))
    end = rng.choice(["\n", "\r\n", "\r", None])
    text = "".join(line + (rng.choice(ENDS) if end is None else end) for line in lines)
    if rng.random() < 0.3:
        text = text.rstrip("\r\n")
    mark_first = "\ufeff" if rng.random() < 0.2 else ""
    given = {"label": "y" if is_named else str(place + 1), "delimiter": mark}
    given["header"] = is_named
    if rng.random() < 0.5:
        given["missing"] = "drop"
    if is_named and len(columns) > 2 and rng.random() < 0.3:
        given["drop"] = [columns[0]]
    if is_named and n_words and rng.random() < 0.4:
        given["categorical"] = ["w0"]
    return (mark_first + text).encode(), given


def svmlight_text(rng):
    rate = rng.choice([0.0, 0.0, 0.02, 0.1])
    lines = []
    for i in range(rng.randrange(40, 130)):
        indices = rng.sample(range(rng.choice([1, 3])), 1) + rng.sample(range(3, 9 + i), 4)
        if rng.random() < 0.8:
            indices.sort()
        if rng.random() < rate:
            indices.append(rng.choice([2**31 - 2, 2**31, 10**30, indices[0]]))
        entries = [f"{j}:{rng.choice(NUMERALS).strip()}" for j in indices[rng.randrange(4) :]]
        label = rng.choice(["1", "-1", "+1", "2.0", "-1", "1"][: 1 + i // 4 if i < 60 else 6])
        words = [*([label] if rng.random() < 0.9 else []), *entries]
        if rng.random() < rate:
            odd = ["qid:3", "2:x", "nan", "1:nan", "a:1", ":", "1:2:3", "\x0b", "7:1e999", "1,2",
                   "7:4e150"]  # fmt: skip
            words.insert(rng.randrange(len(words) + 1), rng.choice(odd))
        note = rng.choice(["", "", " # 3:4", "#é", "  "])
        lines.append(rng.choice([" ", " ", "  ", "\t"]).join(words) + note)
    return lines


def vw_text(rng):
    rate = rng.choice([0.0, 0.0, 0.02, 0.1])
    lines = []
    for i in range(rng.randrange(40, 130)):
        heads = ["1 ", "-1 ", "1 2 ", "-1 0.3 'tag", "1 tag", "", "1 0 'a ", "2 1 0 "]
        head = rng.choice(heads[: 1 + i // 4 if i < 60 else 8])
        parts = []
        for _ in range(rng.randrange(1, 3)):
            space = rng.choice(["", "f", "g:2", "é:0.5", "f"])
            names = [f"{rng.choice('abcé^')}{rng.randrange(2 + i // 3)}" for _ in range(4)]
            values = ["", ":1", ":-2.5", ":0.1", ":word", ":+.5e1", "::3"]
            features = [name + rng.choice(values) for name in names]
            if rng.random() < rate:
                features.append(rng.choice([":3", "a:1e", "a:", "a:nan", "a\x0cb", "a:inf", "²:²"]))
            parts.append(f"|{space} " + " ".join(features))
        line = head + " ".join(parts)
        if rng.random() < rate / 4:
            line = rng.choice([line.replace("|", ""), "1 -2 |f a", "1 1 0 9 |f a", "1 |f:x a"])
        lines.append(line)
    return lines


def joined(lines, rng):
    end = rng.choice(["\n", "\r\n", "\r", None])
    text = "".join(line + (rng.choice(ENDS) if end is None else end) for line in lines)
    return (text.rstrip("\r\n") if rng.random() < 0.3 else text).encode()


def any_text(form, rng):
    """A stream in a format, the options to read it with, and those of the model."""
    given = {"missing": rng.choice(["drop", None])}
    if form == "csv":
        text, given = csv_text(rng)
    else:
        text = joined({"svmlight": svmlight_text, "vw": vw_text}[form](rng), rng)
    if rng.random() < 0.1:
        at = rng.randrange(len(text) // 2, len(text))
        text = text[:at] + rng.choice([b"\xff", b"\0", b"\xc3"]) + text[at:]
    tie = rng.choice(["mistake", "positive", "zero"])
    return text, {
        **given,
        "model_options": {"tie": tie, "fit_intercept": rng.random() < 0.7},
        "every": rng.choice([1, 7, 1000]),
    }


def test_random_streams_are_alike_by_block_and_by_line(form, seed, counted):
    rng = random.Random(f"{form} {seed}")
    n_errors = n_rows = 0
    for _ in range(N_STREAMS):
        text, more = any_text(form, rng)
        expected = assert_alike(text, form, rng, **more)
        n_errors += expected["error"] is not None
        n_rows += expected["progress"]["rows"]
    assert n_errors >= 2
    assert counted["rows"] >= n_rows  # of three runs by block


def pytest_generate_tests(metafunc):
    if "form" in metafunc.fixturenames:
        metafunc.parametrize("form", ["csv", "svmlight", "vw"])
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(3))


def test_interpreted_blocks_are_alike_too(form, monkeypatch, counted):
    for module in (block, row_blocks):
        monkeypatch.setattr(module, "has_compiler", lambda: False)
    rng = random.Random(f"interpreted {form}")
    for _ in range(5):
        text, more = any_text(form, rng)
        assert_alike(text, form, rng, **more)
    assert counted["rows"] > 100


@pytest.mark.parametrize("blanks", ["", " ", "\t  "])
def test_lines_that_begin_with_blanks_are_counted_once(form, blanks, counted):
    """Every third row is set aside by the loop, and the last is an error that names its line."""
    rows = {"csv": "{},{}", "svmlight": "{1} 1:{0}", "vw": "{1} |f a:{0}"}[form]
    lines = [rows.format("1e-320" if k % 3 == 0 else k % 7, k % 2) for k in range(90)]
    text = "".join(f"{blanks}{line}\n{blanks}\n" for line in [*lines, rows.format("no", 1)])
    given = {"header": False} if form == "csv" else {}
    found = assert_alike(text.encode(), form, random.Random(form), **given)
    if form == "vw":
        assert found["progress"]["lines"] == 182
    else:
        assert "line 181: " in found["error"]
    assert counted["rows"] > 100


def test_two_columns_that_make_one_feature_are_refused_by_block_too(counted):
    rows = [f"{i % 3},b=d,x,{'pq'[i % 2]}\n" for i in range(60)]
    rows += [f"{i % 3},{'b=c' if i % 2 else 'b=d'},{'x' if i % 2 else 'c'},p\n" for i in range(60)]
    text = "".join(["n,a,a=b,y\n", *rows, "1,b=c,c,q\n", *rows]).encode()
    found = assert_alike(text, "csv", random.Random(0), header=True)
    assert "line 122: two features are called 'a=b=c'" in found["error"]
    assert counted["rows"] > 100


def test_labels_that_come_late_and_rows_that_are_wider_than_a_piece(form, counted):
    rng = random.Random(form)
    rows = [[rng.randrange(-9, 9) / 4 for _ in range(300)] for _ in range(90)]
    lines = [",".join([*(f"x{j}" for j in range(300)), "y"])] if form == "csv" else []
    for i, row in enumerate(rows):
        label = (i > 20) + (i > 60) if i % 5 else 0
        pairs = " ".join(f"{j}:{value}" for j, value in enumerate(row))
        lines.append(
            ",".join(map(str, [*row, label])) if form == "csv"
            else f"{label} {'|f ' if form == 'vw' else ''}{pairs}"
        )  # fmt: skip
    text = "\n".join(lines).encode()
    expected = ran([text], form, NEVER)
    assert len(expected["checkpoints"]) == 13
    pieces = [text[k : k + 1000] for k in range(0, len(text), 1000)]
    assert ran(pieces, form, 0) == ran([text], form, 0) == expected
    assert counted["rows"] > 100


def test_a_model_of_many_classes_is_no_label_that_names_rows(form):
    """Thirty classes were met before the stream, so thirty rows of it prove nothing."""

    def model():
        known = nk.OnlinePerceptron()
        for k in range(30):
            known.learn_one({"f^a" if form == "vw" else "a" if form == "csv" else 1: k}, k)
        return known

    rows = {"csv": "{},{}\n", "svmlight": "{1} 1:{0}\n", "vw": "{1} |f a:{0}\n"}[form]
    text = "a,y\n" if form == "csv" else ""
    text += "".join(rows.format(0.5, k % 30) for k in range(200))
    given = {"header": True} if form == "csv" else {}
    expected = ran([text.encode()], form, NEVER, model=model(), **given)
    assert expected["error"] is None
    assert ran([text.encode()], form, 0, model=model(), **given) == expected


def test_a_stopped_stream_ends_after_whole_rows_and_goes_on(form, monkeypatch):
    """Whenever it is stopped: what was consumed, answered and counted are one."""
    rng = random.Random(f"stopped {form}")
    text, more = any_text(form, rng)
    while (whole := ran([text], form, NEVER, **more))["error"] or whole["progress"]["rows"] < 50:
        text, more = any_text(form, rng)
    after = Stream.after_row
    for stop in (5, 17, 40):

        def stops(self, *args, stop=stop):
            after(self, *args)
            self.is_stopped = self.is_stopped or self.progress.rows >= stop

        monkeypatch.setattr(Stream, "after_row", stops)
        monkeypatch.setattr(Stream, "rows_to_go", lambda _: 3)
        first = ran(cut(text, rng, 3), form, 0, **more)
        assert stop <= first["progress"]["rows"] < stop + 3
        assert whole["answers"].startswith(first["answers"])
        monkeypatch.undo()


def test_what_has_arrived_is_answered_before_more_is_asked_for(form, counted, monkeypatch):
    """One row a piece, and some pieces of many rows: no answer waits for a block to fill."""
    rows = {"csv": "{},{},{}\n", "svmlight": "{2} 1:{0} 2:{1}\n", "vw": "{2} |f a:{0} b:{1}\n"}
    rng = random.Random(form)
    lines = [rows[form].format(a := rng.randrange(99), b := rng.randrange(99), int(a > b))
             for _ in range(300)]  # fmt: skip
    text = [b"a,b,y\n"] if form == "csv" else []
    for n in (1, 40, 1, 1, 100, 1, 1, 1, 100, 1, 1):
        text.append("".join(lines[:n]).encode())
        del lines[:n]
    out, given = io.BytesIO(), 0
    read = Pieces.read

    def checks(self, size):
        nonlocal given
        assert out.getvalue().count(b"\n") == given
        piece = read(self, size)
        given += piece.count(b"\n") - (piece == b"a,b,y\n")
        return piece

    monkeypatch.setattr(Pieces, "read", checks)
    found = ran(text, form, 0, out=out)
    assert (given, found["error"]) == (248, None)
    assert counted["rows"] > 100


def test_a_long_stream_of_json_loads_no_compiler():
    """There is no loop for its lines; nor is one loaded for a short table."""
    program = (
        "import io, sys, novikoff as nk\n"
        "from novikoff.online.stream import many_rows\n"
        "from novikoff.online.stream.feed import Feed\n"
        "from novikoff.online.stream.stream import Stream\n"
        "many_rows.LEAST = 1\n"
        "for enough, text in ((0, b'{\"a\": 1, \"label\": 1}\\n'), (1 << 22, b'1 1:1\\n')):\n"
        "    many_rows.ENOUGH = enough\n"
        "    feed = Feed('-')\n"
        "    feed._stream = io.BytesIO(3000 * text)\n"
        "    Stream(feed, nk.OnlinePerceptron(), io.BytesIO()).run()\n"
        "print('numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
