"""Mutated files: see fuzz_io.py for what is tried and what counts as a fault."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz_io import MAKERS, FaultError, examine, fuzz


@pytest.mark.parametrize("form", list(MAKERS))
def test_mutated_files_are_read_in_full_or_refused_in_a_sentence(form, tmp_path):
    tally = fuzz(60, seed=7, folder=tmp_path, forms=(form,))
    assert sum(tally.values()) == 60
    assert tally[form, "refused"] > 0


@pytest.mark.parametrize("form", ["csv", "svmlight", "vw"])
def test_files_left_as_they_are_are_read(form, tmp_path):
    rng = random.Random(11)
    outcomes = set()
    for _ in range(20):
        content = MAKERS[form](rng)
        path = tmp_path / f"file.{form}"
        path.write_bytes(content)
        outcomes.add(examine(path, content, form, {"missing": "drop"}))
    assert "read" in outcomes


@pytest.mark.parametrize("form", list(MAKERS))
def test_any_bytes_at_all_are_refused_in_a_sentence_or_read(form, tmp_path):
    letters = st.sampled_from(b"0123456789+-.eE,;:|\t \r\n\"#'NaAf")

    @settings(max_examples=60, deadline=None)
    @given(st.one_of(st.binary(max_size=60), st.lists(letters, max_size=60).map(bytes)))
    def try_one(content):
        path = tmp_path / f"file.{form}"
        path.write_bytes(content)
        examine(path, content, form, {"missing": "drop"})

    try_one()


def test_a_reader_that_loses_rows_is_caught(tmp_path, monkeypatch):
    """The fuzzer can fail: a block that is silently left out is a fault."""
    from novikoff.io.svmlight import SvmlightReader

    whole = SvmlightReader.blocks
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", 16)
    monkeypatch.setattr(
        SvmlightReader, "blocks", lambda self: list(whole(self))[:-1] or whole(self)
    )
    with pytest.raises(FaultError, match="rows in the file"):
        fuzz(30, seed=1, folder=tmp_path, forms=("svmlight",))
