"""How long the studio takes from a mouse move to the row, and to a new boundary, on the screen.

Writes docs/benchmarks/studio.md and studio.json. A Chromium or Chrome is needed (its path in
NOVIKOFF_BROWSER, or found by name). Times are taken inside the page: from the pointer event to
the row and its marks at their new place (*follows*), to the end of the frame in which the browser
has painted them (*painted*), and to the boundary that Python has computed (*boundary*).
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import statistics
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, sync_playwright

from novikoff.studio.assets import MODULES, STYLES, page_file
from novikoff.studio.export import encode
from novikoff.studio.plane import window
from novikoff.studio.server import Server, bound_socket, warm
from novikoff.studio.session import Session
from novikoff.studio.sources import load_set, open_columns
from novikoff.studio.state import read_state

ROOT = Path(__file__).resolve().parent.parent
MOVES = 60
FRAME = 16.0  # milliseconds
CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("lecture:002", "lecture:002", {}),
    ("lecture:002, quadratic features", "lecture:002", {"map": "quadratic"}),
    ("50 rows of a needle, quadratic features", "needle:50,2,0.001", {"map": "quadratic"}),
    ("200 rows, separable", "planted:200,2,0.05", {}),
    ("5,000 rows, overlapping", "planted_obstruction:5000,2", {}),
    ("10,000 rows, separable", "planted:10000,2,0.05", {}),
    ("10,000 rows as decimals", "planted:10000,2,0.05", {"numbers": "decimal"}),
    ("digits, ten classes", "digits", {}),
]

DRAG = """async ({x, y, moves}) => {
  const plane = document.querySelector(".nk-plane"), root = document.querySelector(".nk");
  const follows = [], painted = [], boundary = [];
  const places = () => [...document.querySelectorAll(".rows path")].map((one) =>
    one.getAttribute("transform")).join();
  for (let i = 0; i < moves; i++) {
    const before = places();
    const begin = performance.now();
    const change = new Promise((done) => root.addEventListener("nk-drawn",
      () => done(performance.now()), { once: true }));
    plane.dispatchEvent(new PointerEvent("pointermove", {
      bubbles: true, pointerType: "mouse",
      clientX: x + 60 * Math.sin((i + 1) / 7), clientY: y + 60 * Math.cos((i + 1) / 5) }));
    const moved = performance.now() - begin;
    if (places() === before) throw new Error("the row did not follow");
    follows.push(moved);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    painted.push(performance.now() - begin);
    boundary.push(await change - begin);
  }
  return { follows, painted, boundary };
}"""
SCRUB = """async (stops) => {
  const root = document.querySelector(".nk");
  const slider = document.querySelector(".nk-transport input[type=range]");
  const drawn = [];
  for (const stop of stops) {
    const begin = performance.now();
    const change = new Promise((done) => root.addEventListener("nk-drawn", done, { once: true }));
    slider.value = stop;
    slider.dispatchEvent(new Event("input"));
    await change;
    drawn.push(performance.now() - begin);
  }
  return drawn;
}"""
OPENED = """() => new Promise((done) => {
  const look = () => document.querySelector(".nk-transport output")?.textContent.includes("100,000")
    ? done(performance.now()) : setTimeout(look, 5);
  look();
})"""


def browser_path() -> str:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    found = os.environ.get("NOVIKOFF_BROWSER") or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        sys.exit("No Chromium or Chrome was found; set NOVIKOFF_BROWSER to the path of one.")
    return found


def settle(page: Page) -> None:
    """Wait until the page shows a run and has stopped asking for anything."""
    page.locator(".nk-pill").wait_for()
    page.wait_for_timeout(900)


def drag(page: Page, server: Server, name: str, settings: dict[str, Any]) -> dict[str, list[float]]:
    state = read_state({**open_columns(load_set(name)).to_json(), **settings})
    page.goto(f"{server.url}#{encode(state)}")
    page.reload()
    settle(page)
    box = page.locator(".nk-plane").bounding_box() or {"x": 0, "y": 0, "width": 1, "height": 1}
    view = window(replace(state, size=(box["width"], box["height"])))
    row = int(np.argmin(np.abs(state.points - view.center).sum(axis=1)))
    point = state.points[row]
    at = {
        "x": box["x"] + float(point[0] - view.left) / view.unit,
        "y": box["y"] + float(view.top - point[1]) / (view.unit * state.stretch),
    }
    page.mouse.move(at["x"], at["y"])
    page.mouse.down()
    page.mouse.move(at["x"] + 6, at["y"])
    settle(page)
    found: dict[str, list[float]] = page.evaluate(DRAG, {**at, "moves": MOVES})
    page.mouse.up()
    return found


def long_run(page: Page, server: Server) -> tuple[float, list[float]]:
    state = open_columns(load_set("planted_obstruction:60,2"))
    changed = {**state.to_json(), "limit": 100_000, "passes": 1_000_000}
    page.goto("about:blank")
    page.goto(f"{server.url}#{encode(read_state(changed))}", wait_until="commit")
    opened = float(page.evaluate(OPENED))
    settle(page)
    stops = [(i * 7919) % 100_000 for i in range(1, 101)]
    return opened, page.evaluate(SCRUB, stops)


def main() -> None:
    warm()
    results: list[dict[str, Any]] = []
    with ExitStack() as stack:
        listener = stack.enter_context(bound_socket("127.0.0.1", 0))
        server = stack.enter_context(Server(listener, "127.0.0.1", Session).running())
        play = stack.enter_context(sync_playwright())
        browser = play.chromium.launch(
            executable_path=browser_path(),
            args=["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
                  "--disable-background-networking", "--disable-component-update"],
        )  # fmt: skip
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(server.url)
        settle(page)
        for title, name, settings in CASES:
            found = drag(page, server, name, settings)
            for what, times in found.items():
                wanted = FRAME if what == "follows" else None
                results.append(summary(f"drag, {title}: {what}", times, wanted))
                print(results[-1], file=sys.stderr)
        opened, scrubbed = long_run(page, server)
        results.append(summary("100,000 mistakes: page opened", [opened], 2000.0))
        results.append(summary("100,000 mistakes: jump of the slider, drawn", scrubbed, 50.0))
        version = browser.version
        browser.close()
    names = ("index.html", *MODULES, *STYLES, "gate.html", "gate.js")
    weight = sum(len(page_file(name)) for name in names)
    about = {
        "browser": f"Chromium {version}",
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load of the machine meanwhile": round(os.getloadavg()[0], 1),
        "page bytes": weight,
    }
    write(results, about)


def summary(name: str, times: list[float], wanted: float | None) -> dict[str, Any]:
    ordered = sorted(times)
    return {
        "what": name,
        "n": len(times),
        "median ms": round(statistics.median(times), 1),
        "95th ms": round(ordered[int(0.95 * (len(ordered) - 1))], 1),
        "wanted ms": wanted,
    }


def write(results: list[dict[str, Any]], about: dict[str, Any]) -> None:
    lines = [
        "# The studio: from a hand to the screen",
        "",
        "Milliseconds inside the page from the event. A row and its marks *follow* the hand by",
        "themselves, and are *painted* at the end of the frame. Every move goes to Python, which",
        "runs the perceptron anew; the *boundary* is drawn from its answer. Where the verdict and",
        "the audit take more than 50 ms, they are found when the hand rests. By",
        "`python benchmarks/studio.py`.",
        "",
        "| what | n | median | 95th percentile | wanted (median) |",
        "|---|---|---|---|---|",
    ]
    for one in results:
        wanted = "" if one["wanted ms"] is None else f"under {one['wanted ms']:g}"
        lines.append(
            f"| {one['what']} | {one['n']} | {one['median ms']} | {one['95th ms']} | {wanted} |"
        )
    facts = ", ".join(f"{name} {value}" for name, value in about.items())
    lines += ["", f"The page weighs {about['page bytes'] / 1000:.0f} kB. {facts}.", ""]
    folder = ROOT / "docs" / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "studio.md").write_text("\n".join(lines), encoding="utf-8")
    (folder / "studio.json").write_text(
        json.dumps({"about": about, "results": results}, indent=1) + "\n", encoding="utf-8"
    )
    print("\n".join(lines))


if __name__ == "__main__":
    main()
