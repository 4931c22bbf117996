"""Every lesson walked to its end in a browser, in all 16 ways, with axe on every step.

A Chromium or Chrome is needed; `python scripts/lesson_walks.py` walks alone and prints its table.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browser import running_studio, without_complaints
from conftest import ARGUMENTS, browser_path
from novikoff.studio.lessons.shelf import SHIPPED, shipped
from walking import WALKS, begin, walked


def walk_all(ways: int = len(WALKS)) -> Counter:
    """Steps that were looked at, by lesson and way; AssertionError where one is at fault."""
    seen: Counter = Counter()
    expect.set_options(timeout=60_000)
    with running_studio() as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path(), args=list(ARGUMENTS))
        for name in SHIPPED:
            steps = shipped(name).steps
            page = browser.new_page()
            with without_complaints(page):
                page.goto(server.url)
                begin(page, name)
                for walk in WALKS[:ways]:
                    found = walked(page, steps, walk, dict.fromkeys(range(len(steps)), True))
                    assert found == [], found
                    seen[f"lesson {name}", walk.place, walk.scheme, walk.by] = len(steps)
                    print(name, walk, flush=True)
            page.close()
        browser.close()
    return seen


if __name__ == "__main__":
    for what, times in walk_all().items():
        print(*what, times, sep=", ")
