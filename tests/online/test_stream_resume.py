"""--resume under attack: whatever broke a run off, it goes on as if nothing were, or is refused."""

from __future__ import annotations

import io
import json
import random
import sys

import pytest

from command import novikoff
from novikoff.model_format import digest, read_stored
from novikoff.online.stream.checkpoint import Progress, load_checkpoint
from novikoff.online.stream.feed import Feed
from novikoff.online.stream.stream import Stream

STREAM = [sys.executable, "-m", "novikoff", "stream"]
ROWS = "a,b,y\n" + "".join(
    f"{a * 7 % 11},{a * 5 % 13},{'p' if a * 7 % 11 > 4 else 'q'}\n" for a in range(40)
)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stream(text, *more):
    words = ("-", "--format", "csv", "--checkpoint", "c", "--predictions", "p", "--quiet", *more)
    return novikoff("stream", *words, stdin=text)


def files(here, *names):
    return [(here / name).read_bytes() for name in names]


class Interrupted(io.RawIOBase):
    """An input at which Ctrl-C is pressed once these bytes were read."""

    def __init__(self, text):
        self.text = text

    def read(self, _size=-1):
        if not self.text:
            raise KeyboardInterrupt
        text, self.text = self.text, b""
        return text


def test_control_c_while_rows_are_passed_over_again_keeps_the_checkpoint(here):
    assert stream(ROWS).returncode == 0
    before = files(here, "c")
    model, progress = load_checkpoint("c", {})
    feed = Feed("-")
    feed._stream = Interrupted(ROWS.encode()[:100])
    job = Stream(feed, model, io.BytesIO(), checkpoint="c", progress=progress)
    with pytest.raises(KeyboardInterrupt):
        job.run()
    job.save()
    assert files(here, "c") == before


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_last_line_without_its_end_goes_on_only_with_one(end, here):
    text = ROWS.replace("\n", end)
    cut = text.index(end, 200)
    assert stream(text[:cut]).returncode == 0
    first = files(here, "c", "p")
    assert stream(text, "--resume").returncode == 0
    resumed = files(here, "c", "p")
    assert stream(text).returncode == 0
    assert files(here, "c", "p") == resumed
    (here / "c").write_bytes(first[0])
    (here / "p").write_bytes(first[1])
    done = stream(text[:cut] + "9" + text[cut:], "--resume")
    assert done.returncode == 1
    assert "goes on in the middle of the last line that the checkpoint has seen" in done.stderr
    assert files(here, "c", "p") == first


def test_a_carriage_return_is_no_line_of_its_own_when_its_line_feed_comes_later(here):
    text = ROWS.replace("\n", "\r\n")
    cut = text.index("\n", 200)
    assert stream(text[:cut]).returncode == 0
    assert stream(text, "--resume").returncode == 0
    resumed = files(here, "c", "p")
    assert stream(text).returncode == 0
    assert files(here, "c", "p") == resumed


def test_a_model_that_control_c_replaced_does_not_stop_the_run_from_going_on(here):
    (here / "d.csv").write_text(ROWS)
    alone = ("stream", "d.csv", "-q", "--predictions", "q")
    assert novikoff(*alone, "-o", "m").returncode == 0
    words = ("--model", "m", "-o", "m")
    half = ROWS[: ROWS.index("\n", 200) + 1]
    start = files(here, "m")[0]
    assert stream(half, *words).returncode == 0  # as Ctrl-C there would leave it
    assert files(here, "m")[0] != start
    assert stream(ROWS, *words, "--resume").returncode == 0
    resumed = files(here, "c", "p", "m")
    (here / "m").write_bytes(start)
    assert stream(ROWS, *words).returncode == 0
    assert files(here, "c", "p", "m") == resumed
    (here / "other").write_bytes(start)
    done = stream(ROWS, "--model", "other", "--resume")
    assert done.returncode == 0  # the very model that it began from, under another name
    assert novikoff(*alone, "-o", "third", "--model", "other").returncode == 0
    done = stream(ROWS, "--model", "third", "--resume")
    assert done.returncode == 2
    assert "was made with another --model; give the file that the run began from" in done.stderr


def forged(path, change):
    """The checkpoint with another head, whose digest fits."""
    from safetensors.numpy import save

    head, tensors = read_stored(path)
    head = {name: value for name, value in head.items() if name != "digest"}
    change(head["stream"])
    head["digest"] = digest(head, tensors)
    text = json.dumps(head, sort_keys=True, separators=(",", ":"))
    path.write_bytes(save(tensors, {"novikoff": text}))


COLUMNS = {"numbers": [], "words": {}, "labels_are_words": True, "rows": 40, "next": 100}
READER = {
    "delimiter": ",", "header": ["a", "b", "y"], "first": ["1", "2", "p"], "columns": COLUMNS,
    "asks_of_points": False, "begun": "",
}  # fmt: skip
FORGERIES = [
    *(("progress", name, value) for name in vars(Progress()) for value in (None, -1, "x", 0.5, [])),
    ("progress", "next_report", 3),
    ("progress", "reader", {"delimiter": ","}),
    *(
        ("progress", "reader", READER | wrong)
        for wrong in (
            {"delimiter": 1},
            {"first": ["1"]},
            {"first": [1, 2, 3]},
            {"header": []},
            {"header": ["a"]},
            {"begun": 3},
            {"columns": {}},
        )
    ),
    ("progress", "format", "parquet"),
]


@pytest.mark.parametrize(("part", "name", "value"), FORGERIES)
def test_a_forged_checkpoint_is_one_sentence(part, name, value, here):
    assert stream(ROWS).returncode == 0
    forged(here / "c", lambda held: held[part].__setitem__(name, value))
    done = stream(ROWS, "--resume")
    assert done.returncode in (1, 2)
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_a_truncated_or_damaged_checkpoint_is_one_sentence(here):
    assert stream(ROWS).returncode == 0
    whole = files(here, "c")[0]
    rng = random.Random(5)
    for _ in range(60):
        damaged = bytearray(whole[: rng.randrange(len(whole))] if rng.random() < 0.5 else whole)
        if len(damaged) == len(whole):
            damaged[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        (here / "c").write_bytes(damaged)
        done = stream(ROWS, "--resume")
        assert done.returncode == 1, bytes(damaged)
        assert done.stderr.count("\n") == 1
