"""Tests marked `browser` run in any Chromium or Chrome that is found, or not at all; tests marked
`rocq` run where the proof assistant Rocq (coqc) and an OCaml compiler are installed.

Random examples are fresh in every run: hypothesis draws them from the run's seed, and a test that
draws its own takes the fixture `fresh_seed`. The seed stands beside every failure; NOVIKOFF_SEED
repeats a run. No test fails because a machine is slow: random examples have no deadline.
"""

from __future__ import annotations

import faulthandler
import os
import secrets
import shutil
import sys
import warnings
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "novikoff",
    deadline=None,
    derandomize=False,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("novikoff")
# Helpers, and what tests share with those of another room, are imported by their own names.
TESTS = Path(__file__).parent
sys.path[:0] = [str(folder) for folder in sorted(TESTS.iterdir()) if folder.is_dir()]
sys.path.append(str(TESTS.parent / "scripts"))
SEED = "NOVIKOFF_SEED"
MOST_SECONDS_TO_END = 300  # of a process whose tests have all run: seen are 5

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
ROCQ_ADVICE = (
    "The tests of the Rocq theory and its native checker were left out: no coqc was found.\n"
    "Install it (Debian: apt-get install coq)."
)


def browser_path() -> str | None:
    """The browser that tests run in."""
    named = os.environ.get("NOVIKOFF_BROWSER")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: needs a Chromium or Chrome")
    config.addinivalue_line("markers", "rocq: needs coqc and ocamlopt")
    os.environ.setdefault(SEED, str(secrets.randbelow(2**32)))  # workers inherit it
    if config.getoption("hypothesis_seed", None) is None:
        config.option.hypothesis_seed = os.environ[SEED]


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    """A process that does not end, since a thread lives on, is ended with its stacks printed."""
    faulthandler.dump_traceback_later(MOST_SECONDS_TO_END, exit=True, file=sys.__stderr__)


@pytest.fixture
def fresh_seed() -> int:
    """Another whole number in each run, below 2^32."""
    return int(os.environ[SEED])


@pytest.fixture
def quiet_about_convergence() -> Iterator[None]:
    """No warning of a fit that ends before it has converged."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        report.sections.append(("Seed", f"{SEED}={os.environ[SEED]} repeats the random examples"))
    return report


def missing() -> dict[str, str]:
    """The marks of tests that cannot run here, each with what to do about it."""
    found = {}
    if browser_path() is None:
        found["browser"] = ADVICE
    if not all(map(shutil.which, ("coqc", "ocamlopt", "make"))):
        found["rocq"] = ROCQ_ADVICE
    return found


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if any(map(item.get_closest_marker, missing()))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for advice in missing().values():
        terminalreporter.ensure_newline()
        terminalreporter.write_line(advice, yellow=True)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict) -> dict:
    return {**browser_type_launch_args, "executable_path": browser_path(), "args": list(ARGUMENTS)}


@pytest.fixture(scope="session")
def server():
    """A studio that is running, for all tests of a worker."""
    from browser import running_studio

    with running_studio() as server:
        yield server


@pytest.fixture(scope="session")
def one_page(browser):
    """A page that serves many tests, one after the other."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def studio(one_page, server):
    """The studio at a first visit, 1440 pixels wide; the test ends without complaints."""
    from browser import first_visit, without_complaints

    with without_complaints(one_page):
        first_visit(one_page, server)
        yield one_page


@pytest.fixture
def used_studio(one_page, server):
    """The same, but as another test has left it: for tests that choose all that they look at."""
    from browser import first_visit, ready, without_complaints

    with without_complaints(one_page):
        if not one_page.evaluate("Boolean(window.isUsed)"):
            first_visit(one_page, server)
            one_page.evaluate("window.isUsed = true")
        one_page.set_viewport_size({"width": 1440, "height": 900})
        one_page.emulate_media(color_scheme="light", reduced_motion="reduce")
        ready(one_page)
        yield one_page


@pytest.fixture(scope="session")
def base_url() -> None:
    """The plugin's own fixture of this name raises a warning of pytest's; tests give whole URLs."""
