"""The stand-alone checker and `read`, which share no code, read the same odd files alike."""

from __future__ import annotations

import random
from fractions import Fraction

import novikoff as nk
from novikoff.certificates import checker
from novikoff.errors import NovikoffError
from novikoff.inputs import read_table

FILES = 700
NUMBERS = ["0", "1", "-2.5", "+3", ".5", "5.", "1e3", "1E-2", "+.5e+1", "-0", "00012", "0.1",
           "123456789012345678901", "1e-400", "2.5e-7", "-.75", "9007199254740993"]  # fmt: skip
ODD = ["1e400", "1e99999", "inf", "nan", "NaN", "", "NA", "?", "1_000", "0x10", "1,5", "1.000,5",
       "\u0661", "\u22121", "1/2", "- 1", "+-1", "1e", "e1", ".", "\u00a05", "7\u2003", "\x0b8",
       "1 2", "five", "True", "1e5.0", "1d3"]  # fmt: skip
LABELS = [("a", "b"), ("0", "1"), ("-1", "+1"), ("1.0", "2"), ("no", "yes"), ("a b", "a,b"),
          ("ä", "ö"), ("x", " y "), ('u"v', "w"), ("1", "01"), ("n;a", "k")]  # fmt: skip
NAMES = ["a", "b", "size", "x y", "weight,kg", " dose ", "1", "0.5", "", 'q"t', "é", "Unnamed: 0"]


def quoted(draw, cell, delimiter):
    """The cell, sometimes in quotes or between blanks, and mostly where it must be."""
    needed = any(mark in cell for mark in (delimiter, '"', "\n"))
    if draw.random() < (0.97 if needed else 0.08):
        cell = '"' + cell.replace('"', '""') + '"'
    if draw.random() < 0.05:
        cell = draw.choice([f" {cell}", f"{cell} ", f"\t{cell}", f" {cell}  "])
    return cell


def odd_file(draw):
    """A small CSV file, with up to a few things that no tidy file has."""
    width, n_rows = draw.randint(1, 4), draw.randint(2, 7)
    delimiter = draw.choice([",", ",", ";", "\t"])
    oddity = draw.choice([0, 0, 0, 0.03, 0.1])
    labels, place = draw.choice(LABELS), draw.choice([width, width, draw.randint(0, width)])
    lines = []
    if draw.random() < 0.6:
        names = draw.sample(["c", "d", *NAMES[: draw.choice([3, len(NAMES)])]], width + 1)
        lines.append(names)
    for i in range(n_rows):
        pool = ODD if draw.random() < oddity else NUMBERS
        cells = [draw.choice(pool) for _ in range(width)]
        cells.insert(place, labels[i % 2] if i < 2 else draw.choice(labels))
        if draw.random() < oddity / 3:
            cells = draw.choice([cells[:-1], [*cells, "1"], [*cells, ""]])
        lines.append(cells)
    end = draw.choice(["\n", "\n", "\r\n", "\r"])
    text = ""
    for cells in lines:
        text += delimiter.join(quoted(draw, cell, delimiter) for cell in cells)
        text += draw.choice(["\n", "\r\n"]) if draw.random() < oddity else end
        text += draw.choice(["", "", " ", delimiter * width]) + end if draw.random() < 0.04 else ""
    if draw.random() < 0.3:
        text = text.removesuffix(end)
    return ("\ufeff" if draw.random() < 0.15 else "").encode() + text.encode()


def exact_rows(X):
    table = read_table(X)
    cells = table.matrix if table.exact is None else table.exact
    return [[Fraction(cell) for cell in row] for row in cells.tolist()]


def read_both(draw, path):
    """The file's rows and signs as `read` has them, and as the checker has, told what a proof of
    the first would say; None for one that refuses."""
    numbers = draw.choice(["decimal", "binary64"])
    label = draw.choice([None, None, "1", "a", "size"])
    try:
        data = nk.read(path, label, numbers=numbers, labels="text", levels="reference",
                       missing=draw.choice(["error", "drop"]))  # fmt: skip
    except NovikoffError:
        return None, None
    classes = sorted(set(data.y.tolist()))
    if len(classes) != 2:
        return None, None
    negative, positive = classes
    ours = exact_rows(data.X), [1 if y == positive else -1 for y in data.y.tolist()]
    stamp = {"rows": data.n_rows, "columns": data.n_columns, "label": data.label,
             "negative": negative, "positive": positive}  # fmt: skip
    try:
        proof = {"kind": "claim", "data": stamp, "numbers": numbers, "header": None}
        theirs = checker.read_data(str(path), proof)
    except (checker.ProofError, checker.CannotTellError):
        return ours, None
    return ours, ([[Fraction(cell) for cell in row] for row in theirs[0]], theirs[1])


def test_what_the_checker_accepts_it_reads_as_read_does(fresh_seed, tmp_path):
    draw = random.Random(fresh_seed)
    path, both, alone = tmp_path / "odd.csv", 0, 0
    for _ in range(FILES):
        content = odd_file(draw)
        path.write_bytes(content)
        ours, theirs = read_both(draw, path)
        if theirs is not None:
            assert ours == theirs, content
        both += theirs is not None
        alone += ours is not None and theirs is None
    assert both > FILES // 5  # so that the files are not all refused
    assert alone > 0
