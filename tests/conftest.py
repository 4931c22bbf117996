"""Tests marked `browser` run in any Chromium or Chrome that is found, or not at all.

No test fails because a machine is slow: random examples have no deadline.
"""

from __future__ import annotations

import os
import shutil

import pytest
from hypothesis import settings

settings.register_profile("novikoff", deadline=None)
settings.load_profile("novikoff")

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
)
# Nothing of the browser's own may go out either: a test counts every request.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
ADVICE = (
    "The browser tests of the studio were left out: no Chromium or Chrome was found.\n"
    "Install one (Debian: apt-get install chromium), or set NOVIKOFF_BROWSER to its path."
)


def browser_path() -> str | None:
    """The browser that tests run in."""
    named = os.environ.get("NOVIKOFF_BROWSER")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: needs a Chromium or Chrome")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if browser_path() is None:
        left_out = [item for item in items if item.get_closest_marker("browser")]
        if left_out:
            config.hook.pytest_deselected(items=left_out)
            items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if browser_path() is None:
        terminalreporter.ensure_newline()
        terminalreporter.write_line(ADVICE, yellow=True)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict) -> dict:
    return {
        **browser_type_launch_args,
        "executable_path": browser_path(),
        "args": list(ARGUMENTS),
    }


@pytest.fixture(scope="session")
def base_url() -> None:
    """The plugin's own fixture of this name raises a warning of pytest's; tests give whole URLs."""
