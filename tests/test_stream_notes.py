"""Columns that a person would ask about are said of a stream, once, and change nothing."""

from __future__ import annotations

import json

import pytest

from command import novikoff

WORDS = ("--quiet", "--predictions", "p")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows(n):
    """x: plain; copy: the label in other numbers; ticket: another whole number each; sorted."""
    for i in range(n):
        x, y = (i * 37 % 101) / 4, i * 37 % 101 > 50
        yield {"x": x, "copy": 7 if y else 3, "ticket": (i * 7 + 3) % n, "level": i // 4 * 0.5,
               "y": "p" if y else "q"}  # fmt: skip


def text_of(form, n):
    if form == "jsonl":
        return "".join(json.dumps(row) + "\n" for row in rows(n))
    head = "x,copy,ticket,level,y\n" if form == "csv" else ""
    pattern = {
        "csv": "{x},{copy},{ticket},{level},{y}\n",
        "svmlight": "{label} 1:{x} 2:{copy} 3:{ticket} 4:{level}\n",
        "vw": "{label} |f x:{x} copy:{copy} ticket:{ticket} level:{level}\n",
    }[form]
    return head + "".join(
        pattern.format(**row, label=1 if row["y"] == "p" else -1) for row in rows(n)
    )


@pytest.mark.parametrize("n", [101, 1500])
@pytest.mark.parametrize("form", ["csv", "jsonl", "svmlight", "vw"])
def test_the_label_in_other_numbers_tickets_and_sorted_columns_are_said_once(form, n):
    more = ("--label", "y") if form in ("csv", "jsonl") else ()
    text = text_of(form, n)
    done = novikoff("stream", "-", "--format", form, *more, "--predictions", "p", stdin=text)
    assert done.returncode == 0, done.stderr
    notes = [line for line in done.stderr.splitlines() if line.startswith("novikoff: ")]
    assert len(notes) == 1
    assert notes[0].startswith(f"novikoff: in the first {min(n, 1000):,} rows column")
    name = {"svmlight": "'2'", "vw": "'f^copy'"}.get(form, "'copy'")
    assert f"column {name} has one value for each class, as the label has, and is kept" in notes[0]
    assert ("--drop copy leaves it out" in notes[0]) == bool(more)
    assert "only rises or only falls from row to row" in notes[0]
    assert "has another whole number in each row" in notes[0]
    quiet = novikoff("stream", "-", "--format", form, *more, *WORDS, stdin=text)
    assert (quiet.returncode, quiet.stderr) == (0, "")


def test_columns_that_are_kept_on_purpose_and_resumed_runs_are_not_spoken_of():
    text = text_of("csv", 60)
    words = ("stream", "-", "--format", "csv", "--predictions", "p")
    kept = [word for name in ("copy", "ticket", "level") for word in ("--keep", name)]
    assert "novikoff:" not in novikoff(*words, *kept, stdin=text).stderr
    first = novikoff(*words, "--checkpoint", "c", stdin=text)
    assert "novikoff: in the first 60 rows" in first.stderr
    again = novikoff(*words, "--checkpoint", "c", "--resume", stdin=text + "1,3,400,99,q\n")
    assert "novikoff:" not in again.stderr
    assert again.returncode == 0
