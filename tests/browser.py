"""What tests in a browser share: a studio that is running, and a page without complaints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from playwright.sync_api import Page

from novikoff.studio.server import Server, bound_socket, warm
from novikoff.studio.session import Session


@contextmanager
def running_studio() -> Iterator[Server]:
    """A studio on a port of its own."""
    warm()
    with ExitStack() as stack:
        listener = stack.enter_context(bound_socket("127.0.0.1", 0))
        yield stack.enter_context(Server(listener, "127.0.0.1", Session).running())


@contextmanager
def without_complaints(page: Page) -> Iterator[list[str]]:
    """What the browser complains about; there is nothing in the end."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda m: m.type in ("error", "warning") and found.append(m.text))
    yield found
    assert found == []


def eventually(page: Page, measured: Callable[[], Any], expected: Any) -> None:
    """What is measured on a page is as expected within ten seconds, once it is drawn."""
    for _ in range(200):
        if measured() == expected:
            return
        page.wait_for_timeout(50)
    assert measured() == expected
