"""What does not fit is refused before it is made, in a sentence with its size."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

import novikoff as nk
from novikoff import datasets, memory
from novikoff.errors import InputError
from novikoff.inputs import read_table
from novikoff.memory import check_room, in_words
from novikoff.studio.export import decode, encode
from novikoff.studio.sources import load_set, open_columns

WIDE = 2**31 - 2
MEMBERS = ["Perceptron", "AveragedPerceptron", "VotedPerceptron", "PocketPerceptron",
           "RescaledPerceptron"]  # fmt: skip


@pytest.fixture
def small_machine(monkeypatch):
    monkeypatch.setattr(memory, "room", lambda: 3 << 30)
    monkeypatch.setattr(memory, "installed", lambda: 8 << 30)


@pytest.fixture
def wide():
    """Two rows of two numbers, the second in column 2^31 - 2."""
    return sparse.csr_matrix(([1.0, 0.5], ([0, 1], [0, WIDE - 1])), shape=(2, WIDE)), [0, 1]


def refused(do):
    with pytest.raises(InputError, match=r"about [\d.,]+ (GB|TB|PB) of memory, and 3\.22 GB of "
                       r"this machine's 8\.59 GB are free"):  # fmt: skip
        do()


@pytest.mark.usefixtures("small_machine")
def test_work_that_is_dense_in_the_columns_is_refused_with_its_size(wide):
    refused(lambda: nk.certify(*wide))
    refused(lambda: nk.certify_classes(*wide))
    refused(lambda: nk.max_margin(*wide))
    refused(lambda: nk.trace(*wide))
    for member in MEMBERS:
        refused(lambda member=member: getattr(nk, member)().fit(*wide))


@pytest.mark.usefixtures("small_machine")
def test_a_kernel_needs_only_what_the_rows_store(wide):
    model = nk.KernelPerceptron(kernel="poly", degree=2).fit(*wide)
    assert model.predict(wide[0]).tolist() == [0, 1]


@pytest.mark.usefixtures("small_machine")
@pytest.mark.parametrize(
    "name",
    ["planted:1000000000,2,0.1", "planted:2,1000000000,0.1", f"planted:{'9' * 20},{'9' * 20},0.1",
     "needle:1000000000,2,0.1", "planted_obstruction:100000000,100",
     "planted_obstruction:1000000,100000", "tight:100000"],
)  # fmt: skip
def test_a_built_in_set_that_has_no_room_is_not_begun(name, monkeypatch):
    monkeypatch.setattr(np.random, "RandomState", None)  # nothing may be drawn
    monkeypatch.setattr(np, "diag", None)
    with pytest.raises(InputError, match=r"columns needs .* of memory.*; ask for fewer"):
        datasets.load(name)


@pytest.mark.parametrize("name", [name for name in datasets.names() if datasets.shape_of(name)])
def test_the_shape_that_a_name_asks_for_is_the_shape_that_it_gets(name):
    assert datasets.shape_of(name) == datasets.load(name).X.shape


@pytest.mark.parametrize(
    "name", ["planted:30000000,2,0.1", "parity:20", "tight:20000", "needle:50001,2,0.01",
             "planted_obstruction:50000,100"]
)  # fmt: skip
def test_the_studio_refuses_a_large_set_before_it_is_made(name, monkeypatch):
    monkeypatch.setattr(datasets, "load", None)
    with pytest.raises(InputError, match="the studio takes at most 50,000 rows"):
        load_set(name)


def test_a_link_that_names_a_large_set_is_refused_before_it_is_made(monkeypatch):
    import base64
    import json
    import zlib

    link = encode(open_columns(load_set("planted:60,2,0.1"))).removeprefix("s1.")
    state = json.loads(zlib.decompress(base64.urlsafe_b64decode(link + "=" * (-len(link) % 4))))
    state["source"]["name"] = "planted:30000000,2,0.1"
    forged = base64.urlsafe_b64encode(zlib.compress(json.dumps(state).encode())).decode()
    monkeypatch.setattr(datasets, "load", None)
    with pytest.raises(InputError, match="has 30,000,000 rows and 2 columns"):
        decode(f"s1.{forged}", (640.0, 480.0))


def test_24_bytes_of_svmlight_do_not_take_the_memory_of_the_machine(tmp_path):
    """Under a limit of 3 GB every command ends with a sentence or an answer."""
    path = tmp_path / "wide.svm"
    path.write_text("1 2147483646:0.5\n-1 1:1\n")
    run = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30)); "
        "from novikoff.cli import main; sys.argv = ['novikoff', *sys.argv[1:]]; main()"
    )
    for command in (["certify"], ["fit", "-o", "m.st"]):
        done = subprocess.run(
            [sys.executable, "-c", run, *command, str(path)],
            capture_output=True, text=True, cwd=tmp_path, check=False,
        )  # fmt: skip
        assert done.returncode == 1
        assert re.fullmatch(
            r"novikoff: .* on 2,147,483,64\d columns needs about \d+ GB of memory, and .*\n",
            done.stderr,
        )


def test_room_is_asked_for_only_by_what_is_large(monkeypatch):
    monkeypatch.setattr(memory, "room", lambda: 0)
    check_room(memory.GRANTED_UNASKED, "a small thing")
    with pytest.raises(InputError, match="a large thing needs about 268 MB of memory"):
        check_room(memory.GRANTED_UNASKED + 1, "a large thing")
    monkeypatch.setattr(memory, "room", lambda: None)
    check_room(2**80, "on a system that does not say")


def test_the_room_is_positive_and_no_more_than_the_machine_has():
    assert 0 < memory.room() <= memory.installed()


@pytest.mark.parametrize(
    ("size", "said"),
    [(0, "0 bytes"), (999, "999 bytes"), (17_179_869_184, "17.2 GB"), (10**18, "1,000 PB"),
     (10**500, "more than 10^21 bytes")],
)  # fmt: skip
def test_sizes_are_said_as_people_say_them(size, said):
    assert in_words(size) == said


def test_a_parquet_file_says_that_its_rows_have_no_room_before_they_are_read(tmp_path, monkeypatch):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path, column = tmp_path / "rows.parquet", pa.array(np.zeros(1_000_000, dtype=np.int8))
    pq.write_table(pa.table({f"c{j}": column for j in range(41)}), path)
    monkeypatch.setattr(memory, "room", lambda: 300 << 20)
    before = pa.default_memory_pool().max_memory()
    with pytest.raises(InputError, match=r"1,000,000 rows and 40 columns, needs about 320 MB"):
        nk.read(path)
    assert pa.default_memory_pool().max_memory() <= max(before, 64 << 20)
    assert next(iter(nk.scan(path))).n_columns == 40  # a part of the rows has room


def test_a_long_word_is_kept_once_however_many_rows_have_it(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path, words = tmp_path / "words.parquet", ["x" * 100_000, "y"]
    codes = pa.array([0, 1] * 2000, pa.int32())
    text = pa.DictionaryArray.from_arrays(codes, pa.array(words))
    table = pa.table({"t": text, "a": np.arange(4000) % 3, "y": np.arange(4000) % 2})
    pq.write_table(table, path, store_schema=False)
    before = pa.default_memory_pool().max_memory()
    data = nk.read(path)
    assert pa.default_memory_pool().max_memory() <= max(before, 16 << 20)
    assert (data.X[:, 0] == 1 - np.arange(4000) % 2).all()


def test_text_that_outgrows_the_memory_is_refused_while_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "rows.csv"
    path.write_text("a,b,y\n" + "3,4,1\n5,7,0\n" * 500)
    monkeypatch.setattr(memory, "GRANTED_UNASKED", 1000)
    monkeypatch.setattr(memory, "room", lambda: 2000)
    with pytest.raises(InputError, match=r"1,000 rows are read, takes about \d+ kB of memory"):
        nk.read(path)


@pytest.mark.parametrize("packs", ["gzip", "bz2", "lzma"])
def test_numbers_are_exact_by_the_length_of_text_and_not_of_what_it_is_packed_into(
    tmp_path, monkeypatch, packs
):
    import importlib

    from novikoff.io import reading

    text = b"a,b,y\n" + b"0.1,0.3,1\n0.2,0.1,0\n" * 500
    path = tmp_path / "rows.csv.packed"
    path.write_bytes(importlib.import_module(packs).compress(text))
    for most, numbers in ((len(text), "decimal"), (len(text) - 1, "binary64")):
        monkeypatch.setattr(reading, "MOST_EXACT_BYTES", most)
        data = nk.read(path, numbers="as written")
        assert read_table(data.X).numbers == numbers
        assert ("nearest float64" in " ".join(data.remarks)) == (numbers == "binary64")
