"""The page of evidence: each part writes its own section, and all others stay as they are."""

from __future__ import annotations

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


def test_what_an_error_names_repeats_the_batch():
    for name, part in evidence.PARTS.items():
        if name in ("claims", "sets"):
            assert evidence.batch_of(name, 5, 20) == part.run(5, 20)
