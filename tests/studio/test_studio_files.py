"""A file that is opened in the studio loses no column in silence, and its label is asked for."""

from __future__ import annotations

import base64
import os

import numpy as np
import pytest
from click.testing import CliRunner

import novikoff as nk
from novikoff.cli.studio import opened_file, studio
from novikoff.errors import FileError
from novikoff.studio.files import MOST_BYTES, OpenFile, UnclearLabelError
from novikoff.studio.guard import kept_token
from novikoff.studio.session import Session
from novikoff.studio.sources import load_set, open_columns
from novikoff.studio.state import MOST_ROWS

CSV = "name,width,height,kind\na,1,2.5,oak\nb,-3,0.1,elm\nc,4,4,oak\n"


def columns(text: str | bytes, label: str | None = None, name: str = "trees.csv", **more):
    raw = text.encode() if isinstance(text, str) else text
    return OpenFile(name, "csv", "key", raw=raw).columns(label, more)


def test_a_file_brings_all_its_columns_and_says_what_was_made_of_them():
    lines = [f"{'ab'[i % 2]},{i % 19},{i * i % 17},{'elm' if i < 9 else 'oak'}" for i in range(20)]
    found = columns("\n".join(["place,width,height,kind", *lines]))
    assert found.names == ("place=a", "place=b", "width", "height")
    assert found.others == ("place", "width", "height", "kind")
    assert found.classes == ("elm", "oak")
    assert any("place" in note for note in found.notes)
    assert any("kind" in note for note in found.notes)


def test_what_is_left_out_is_on_the_page():
    found = columns(CSV, drop=["name"])
    assert found.names == ("width", "height")
    state = open_columns(found)
    assert state.points.tolist() == [[1, 2.5], [-3, 0.1], [4, 4]]
    assert state.codes.tolist() == [1, 0, 1]
    gone = columns(CSV.replace("2.5", "NA"), drop=["name"], missing="drop")
    assert gone.table.n_rows == 2
    one = Session(open_columns(gone))
    assert any("1 row" in note and "left out" in note for note in one.state.source["notes"])


@pytest.mark.parametrize("cell", ["", "NA", "nan"])
def test_a_missing_number_is_a_question_not_a_lost_column(cell):
    one = Session()
    data = base64.b64encode(CSV.replace("2.5", cell).encode()).decode()
    edit = {"do": "file", "file": "k", "name": "trees.csv", "data": data}
    reply = one.handle({"edits": [edit]})
    assert "trees.csv" in reply["question"]["text"]
    assert one.state.source["name"] == "lecture:002"
    answer = {"do": "file", "file": "k", "reading": {"missing": "drop", "drop": ["name"]}}
    reply = one.handle({"edits": [answer]})
    assert "question" not in reply
    assert one.state.n_rows == 2
    assert one.state.source["reading"] == {"missing": "drop", "drop": ["name"]}


def test_numbers_in_another_notation_are_a_question_that_the_page_can_answer():
    one = Session()
    text = "n;a;b;y\n" + "".join(f"{k};{k % 7},5;1.{k % 3}00,25;{'pq'[k % 2]}\n" for k in range(20))
    data = base64.b64encode(text.encode()).decode()
    reply = one.handle({"edits": [{"do": "file", "file": "k", "name": "d.csv", "data": data}]})
    assert "decimal=','" in reply["question"]["text"]
    reading = {"decimal": ",", "thousands": "."}
    reply = one.handle({"edits": [{"do": "file", "file": "k", "reading": reading}]})
    assert "keep='n'" in reply["question"]["text"]
    assert reply["question"]["reading"] == reading
    reading["keep"] = ["n"]
    reply = one.handle({"edits": [{"do": "file", "file": "k", "reading": reading}]})
    assert "question" not in reply
    assert one.state.n_rows == 20
    for wrong in ({"decimal": "x"}, {"thousands": ["."]}, {"delimiter": ";"}):
        reply = one.handle({"edits": [{"do": "file", "file": "k", "reading": wrong}]})
        assert "error" in reply


def test_the_label_is_that_of_every_command_unless_it_is_unclear(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("a,b,kind\n1,2,x\n3,4,y\n")
    data = nk.read(path, labels="as written")
    found = columns(path.read_bytes())
    assert found.source["label"] == data.label == "kind"
    assert list(found.labels) == data.y.tolist()


@pytest.mark.parametrize(
    "text",
    [
        "kind,a,b\n" + "".join(f"{'xy'[i % 2]},{i}.5,{i}\n" for i in range(12)),
        "kind,a,b\nx,1,0\ny,2,1\nx,3,1\n",
    ],
    ids=["too many values", "text beside numbers"],
)
def test_a_label_that_comes_first_is_asked_for(text):
    with pytest.raises(UnclearLabelError) as asked:
        columns(text)
    assert asked.value.choices == ("kind", "a", "b")
    assert columns(text, "kind").classes == ("x", "y")


def test_classes_are_in_the_order_of_the_command_line_which_gives_the_sign(tmp_path):
    path = tmp_path / "n.csv"
    path.write_text("1;2;10\n3;4;9\n")
    found = columns(path.read_bytes(), name="n.csv")
    verdict = nk.certify(nk.read(path, labels="as written"))
    assert found.classes == verdict.labels.classes


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "rows"),
        ("a\n1\n", "column"),
        ("a,b\n1,2,3\n", "2"),
        ("x,y\n", "rows"),
        ("x,y\n1,\n", "label"),
        ("1,2\n" * (MOST_ROWS + 2), "rows"),
        ("1,2\n" * (MOST_BYTES // 4 + 1), "too large"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence_that_names_it(text, reason):
    with pytest.raises(FileError, match=reason) as error:
        columns(text)
    assert "trees.csv" in str(error.value)
    assert "/tmp" not in str(error.value)


def test_other_formats_are_read_by_the_same_reader(tmp_path):
    import pandas as pd

    frame = pd.DataFrame({"a": [1.5, 2, 3], "b": [0, 1, 0.5], "c": [1, 1, 2], "kind": list("uvu")})
    path = tmp_path / "x.parquet"
    frame.to_parquet(path)
    found = opened_file(str(path), {}).columns()
    assert found.names == ("a", "b", "c")
    assert (frame[["a", "b", "c"]].to_numpy() == found.X).all()
    assert columns(path.read_bytes(), name="x.parquet").names == ("a", "b", "c")


def test_what_is_not_a_regular_file_is_read_once(tmp_path):
    import threading

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=lambda: pipe.write_text(CSV), daemon=True).start()
    found = opened_file(str(pipe), {"drop": ["name"]}).columns()
    assert found.table.n_rows == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ["--label", "kind"],
        ["lecture:002", "--label", "kind"],
        ["--columns", "a,b"],
        ["lecture:002", "--missing", "drop"],
        ["--projection"],
        ["iris", "--columns", "a,b", "--projection"],
    ],
)
def test_an_option_that_cannot_act_is_refused(arguments):
    told = CliRunner().invoke(studio, [*arguments, "--no-browser"])
    assert told.exit_code == 2
    refused = [word for word in arguments if word.startswith("--")]
    assert any(f"{word} goes with" in told.output or f"{word} is about files" in told.output
               or f"{word} does not go with" in told.output for word in refused)  # fmt: skip


def test_the_columns_that_are_drawn_first_have_the_largest_f_ratios():
    from sklearn.feature_selection import f_classif

    for name in ("iris", "wine", "breast_cancer"):
        data = load_set(name)
        ratios, _ = f_classif(data.X, np.array(data.labels))
        best = sorted(np.argsort(-ratios)[:2].tolist())
        assert open_columns(data).source["columns"] == best


def test_a_token_is_kept_for_a_day_and_only_where_nobody_else_can_read_it(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    token = kept_token(8765)
    path = tmp_path / "novikoff" / "studio-8765.token"
    assert kept_token(8765) == token
    assert kept_token(8766) != token
    assert kept_token(0) is None
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    second = kept_token(8765)
    assert second != token
    os.utime(path, (1, 1))
    third = kept_token(8765)
    assert third not in (token, second)
    path.write_text("short")
    assert kept_token(8765) not in ("short", third)
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/nowhere")
    assert kept_token(8765) is None


def packed(kind: str) -> tuple[str, bytes]:
    """A small file that holds 6 MB of text, or 10,000,000 numbers."""
    import bz2
    import gzip
    import io
    import lzma

    import pyarrow as pa
    import pyarrow.parquet as pq

    text = ("a,b,y\n" + f"{'1' * 100},0.5,0\n" * 60_000).encode()
    plain = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
    if kind in plain:
        return f"rows.csv.{kind}", plain[kind](text)
    out, n = io.BytesIO(), 20_000
    if kind == "npz":
        np.savez_compressed(out, X=np.zeros((n, 500)), y=np.zeros(n))
        return "rows.npz", out.getvalue()
    column = pa.array(np.zeros(n, dtype=np.int8))
    table = pa.table({f"c{j}": column for j in range(500)})
    if kind == "parquet":
        pq.write_table(table, out)
    else:
        make = pa.ipc.new_file if kind == "feather" else pa.ipc.new_stream
        with make(out, table.schema) as writer:
            writer.write_table(table.slice(0, 1))
    return f"rows.{kind}", out.getvalue()


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "npz", "parquet", "feather", "arrow"])
def test_a_small_file_that_holds_much_is_refused_before_it_is_unpacked(kind):
    import tracemalloc

    import pyarrow as pa

    name, raw = packed(kind)
    assert len(raw) < MOST_BYTES / 5
    columns(CSV, drop=["name"])  # what is imported and kept for good
    before = pa.default_memory_pool().max_memory()
    tracemalloc.start()
    with pytest.raises(FileError, match=rf"{name} .*the studio takes"):
        columns(raw, name=name)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2 * MOST_BYTES
    assert pa.default_memory_pool().max_memory() <= max(before, MOST_BYTES)


def test_a_table_of_too_many_rows_columns_or_levels_is_refused_before_it_is_made():
    rows = "".join(f"0.{i % 7},w{i % 1001},{i % 2}\n" for i in range(20_000))
    with pytest.raises(FileError, match="20,000 rows and 1,002 columns; the studio takes 1,000"):
        columns("a,t,y\n" + rows, categorical=["t"])
    with pytest.raises(FileError, match="1,000,000 columns; the studio takes 1,000"):
        columns("1," * 999_999 + "0\n" + "1," * 999_999 + "1\n")


@pytest.mark.parametrize("name", ["..", ".", "/", "", "a\0b.csv", "x" * 5000 + ".csv", "con:"])
def test_the_name_of_a_file_is_no_path(name):
    data = base64.b64encode(CSV.encode()).decode()
    edit = {"do": "file", "file": "k", "name": name, "data": data, "reading": {"drop": ["name"]}}
    one = Session()
    reply = one.handle({"edits": [edit]})
    assert not {"question", "error"} & set(reply)
    assert one.state.n_rows == 3


def test_half_a_character_is_one_sentence_wherever_it_stands():
    one = Session()
    edit = {"do": "file", "file": "k", "name": "\ud800.csv", "data": ""}
    for message in ({"edits": [edit]}, {"ask": "\udc00"}, {"edits": [{"do": {"\ud801": 1}}]}):
        assert "Unicode" in one.handle(message)["error"]
