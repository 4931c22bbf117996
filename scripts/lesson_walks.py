"""Every lesson walked to its end in a browser, in all 16 ways.

At each size, light and dark, axe looks at every step and its colours on the walk by keys; the walk
by mouse shows the same. A Chromium or Chrome is needed; `python scripts/lesson_walks.py 000 001`
walks these lessons alone.
"""

from __future__ import annotations

import runpy
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from browser import running_studio, without_complaints
from novikoff.studio.lessons.shelf import SHIPPED, shipped
from walking import WALKS, begin, walked

# by its path: rooms of the tests have a conftest of their own, which may go by that name
TESTS = runpy.run_path(str(Path(__file__).parent.parent / "tests" / "conftest.py"))


def walk_all(names: Sequence[str] = SHIPPED, ways: int = len(WALKS)) -> Counter:
    """Steps that were looked at, by way; AssertionError where one is at fault."""
    seen: Counter = Counter()
    expect.set_options(timeout=60_000)
    with running_studio() as server, sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=TESTS["browser_path"](), args=list(TESTS["ARGUMENTS"])
        )
        for name in names:
            steps = shipped(name).steps
            page = browser.new_page()
            with without_complaints(page):
                page.goto(server.url)
                begin(page, name)
                for walk in WALKS[:ways]:
                    looks = range(len(steps) if walk.by == "keys" else 0)
                    found = walked(page, steps, walk, dict.fromkeys(looks, True))
                    assert found == [], found
                    seen[str(walk)] += len(steps)
                    print(name, walk, flush=True)
            page.close()
        browser.close()
    return seen


if __name__ == "__main__":
    for way, times in walk_all(sys.argv[1:] or SHIPPED).items():
        print(f"| {way} | {times} |")
