"""What tests in a browser share: a studio that is running, pages in it, and waiting for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import ConsoleMessage, Error, Page, expect

from novikoff.studio.export import decode
from novikoff.studio.server import Server, bound_socket, warm
from novikoff.studio.session import Session
from novikoff.studio.state import State

# Python has answered every edit and decided what it decides in the background, all of it is drawn,
# and frames in which the page measures itself have changed nothing.
REST = """async () => {
  const until = performance.now() + 20000;
  const rests = () => !document.querySelector(".nk-busy.on, .nk-plane.moving")
    && document.querySelector('[data-part="verdict"]')?.getAttribute("aria-busy") === "false";
  for (let frames = 0; frames < 3; frames = rests() ? frames + 1 : 0) {
    if (performance.now() > until) throw new Error("the studio does not come to rest");
    await new Promise(requestAnimationFrame);
  }
}"""
AXE = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 140))]);
}"""


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

    def told(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            found.append(message.text)

    def failed(error: Error) -> None:
        found.append(str(error))

    page.on("pageerror", failed)
    page.on("console", told)
    yield found
    page.remove_listener("pageerror", failed)
    page.remove_listener("console", told)
    assert found == []


def first_visit(page: Page, server: Server) -> None:
    """The studio as a browser shows it that has never met it; a page serves many tests so."""
    if page.url != "about:blank":
        page.goto("about:blank")
        page.mouse.up()
        page.mouse.move(0, 0)
        everything = {"origin": server.origin, "storageTypes": "all"}
        page.context.new_cdp_session(page).send("Storage.clearDataForOrigin", everything)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    page.goto(server.url)
    ready(page)


def ready(page: Page) -> None:
    """The studio is drawn, and rests."""
    expect(page.locator(".nk-pill")).to_be_visible()
    at_rest(page)


def at_rest(page: Page) -> None:
    """Nothing more will move before a hand does: what is measured now is what there is."""
    page.evaluate(REST)


def faults(page: Page) -> list[Any]:
    """What axe finds on a page."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE_SCRIPT)
    found: list[Any] = page.evaluate(AXE)
    return found


def in_address(page: Page) -> State | None:
    """The state that the address holds; None where it holds none."""
    return decode(page.url, (640.0, 480.0)) if "#s1." in page.url else None


def eventually(page: Page, measured: Callable[[], Any], expected: Any) -> None:
    """What is measured on a page is as expected within ten seconds, once it is drawn."""
    for _ in range(200):
        if measured() == expected:
            return
        page.wait_for_timeout(50)
    assert measured() == expected
