"""The page of evidence: each part writes its own section, and all others stay as they are."""

from __future__ import annotations

from collections import Counter

import evidence


def test_a_part_writes_its_section_alone(tmp_path):
    page = tmp_path / "evidence.md"
    whole = evidence.PAGE.read_text(encoding="utf-8")
    assert evidence.sections_of(whole).keys() <= {*evidence.PARTS, *evidence.SECTIONS}
    page.write_text(whole, encoding="utf-8")
    before = evidence.sections_of(whole)
    evidence.write_section("sets", "## sets\n\nanew", page)
    after = evidence.sections_of(page.read_text(encoding="utf-8"))
    assert after.pop("sets") == "## sets\n\nanew"
    before.pop("sets", None)
    assert after == before
    assert page.read_text(encoding="utf-8").startswith(evidence.HEAD)


def test_a_section_counts_the_files_that_were_attacked_and_says_seed_and_pace():
    seen = Counter({"file refused": 90, "claim accepted": 10, "none accepted": 7,
                    "file refused by the checker alone": 90})  # fmt: skip
    lines = evidence.section("proofs", seen, 5, 36.0, 2).splitlines()
    assert lines[0] == "## 100 attacked proofs: nothing false was accepted"
    assert ", seed 5, 0.6 minutes on 2 processes (10,000 an hour)." in lines[2]


def test_what_an_error_names_repeats_the_batch():
    for name, part in evidence.PARTS.items():
        if name in ("claims", "sets"):
            assert evidence.batch_of(name, 5, 20) == part.run(5, 20)
