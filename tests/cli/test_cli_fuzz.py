"""Random commands on random files: see fuzz_cli.py for what is tried and what counts as a fault."""

from __future__ import annotations

import random
import sys

import pytest

import fuzz_cli
from command import every_command
from fuzz_cli import FaultError, search, try_case


@pytest.mark.parametrize("part", range(4))
def test_no_command_ends_in_a_traceback(part, fresh_seed, tmp_path):
    """What is tried is drawn anew in each run; `make evidence` tries far more."""
    ended = {try_case(fresh_seed, number, tmp_path) for number in range(60 * part, 60 * part + 60)}
    assert {code for _, code in ended} >= {1, 2}


def test_workers_are_held_to_a_limit_of_memory_and_of_time():
    assert sum(search(10, seed=1, workers=1).values()) == 10


def test_every_command_is_tried_with_every_option(tmp_path, monkeypatch):
    fuzz_cli.prepare()
    monkeypatch.setattr(fuzz_cli.Cases, "written", lambda *_: "a file")
    seen = set()
    for number in range(3000):
        name, *words = fuzz_cli.Cases(random.Random(number), tmp_path).line()
        seen.update((name, word) for word in words)
    for name, command in every_command().items():
        for option in command.params:
            if option.param_type_name == "option":
                assert all((name, word) in seen for word in option.opts), (name, option.opts)


def test_a_command_that_fails_is_caught(tmp_path, monkeypatch):
    """The search can fail: an exception, another exit code, and silence are faults."""
    from novikoff import cli

    def broken():
        raise ZeroDivisionError("by design")

    fuzz_cli.prepare()
    monkeypatch.setattr(cli, "main", broken)
    with pytest.raises(FaultError, match=r"case 3 of seed 5: novikoff .*ZeroDivisionError"):
        try_case(5, 3, tmp_path)
    monkeypatch.setattr(cli, "main", lambda: sys.exit(7))
    with pytest.raises(FaultError, match="exit code 7"):
        try_case(5, 3, tmp_path)
    monkeypatch.setattr(cli, "main", lambda: sys.exit(1))
    with pytest.raises(FaultError, match=r"exit code 1: $"):
        try_case(5, 3, tmp_path)
