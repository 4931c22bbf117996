"""A lesson, or a set, as one HTML file that needs no Python and no network: it runs by itself.

The file holds the page's own modules and, as JSON, what they cannot compute: for the rows of each
step the verdict, the proof of the bound, further pictures, and the answers (`Packing`). The run is
made in the page (page/perceptron.js), so rows can be dragged there. A step with several classes or
with features is recorded instead, at some of its mistakes.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.conventions import read_random
from novikoff.report.markup import Markup, element, escaped, joined
from novikoff.studio.assets import page_file, pocket_script, styles
from novikoff.studio.computations import Computations
from novikoff.studio.edits import PRESETS
from novikoff.studio.lessons.asking import OF_FINDING, quantity
from novikoff.studio.lessons.mathml import in_line
from novikoff.studio.lessons.reading import Lesson, LessonStep
from novikoff.studio.lessons.shelf import SHIPPED, shipped, step_state
from novikoff.studio.menu import menu
from novikoff.studio.pictures import train_gallery
from novikoff.studio.plane import short
from novikoff.studio.state import LessonPlace, State, as_json
from novikoff.studio.values import Mark
from novikoff.studio.views import view_of
from novikoff.wording import number

SIZE = (640.0, 480.0)  # of the plane for which a step is recorded; the page fits it to its own
MOST_RECORDED = 40  # mistakes of a run at which the sections that need the library are recorded
MOST_FROZEN = 20  # the same where all sections are, with curves of many points
SEEDS = 20  # whose random starts are embedded
ROOM = 2.0  # how much wider than the window a recorded plane is drawn: screens have all shapes
OF_PROOFS = ("cursor", "live", "extra")  # what a page that makes the run itself cannot know
RECORDED = (*OF_PROOFS, "run", "lines", "scene", "chart", "proof", "verdict")
_LEFT_OUT = ("size", "center", "span", "stretch", "lesson", "origin")


def handout(
    lesson: Lesson, computations: Computations, command: str, following: str | None = None
) -> str:
    """The page of a lesson. Verdicts and perceptrons that take long are waited for.

    command : what opens the lesson in the studio, for what only the studio can do
    following : the next lesson, whose page is in the same folder
    """
    packing = Packing(computations)
    steps = []
    for at, step in enumerate(lesson.steps):
        state = step_state(lesson, LessonPlace("own", at), SIZE, computations)
        asked = step.ask and step.ask.asked(computations, state)
        words = {"head": step.head, "body": step.body, "light": step.light, "ask": asked}
        steps.append(packing.step(state) | words)
    named = {
        "name": "own", "title": lesson.title, "headings": [one.heading for one in lesson.steps],
    }  # fmt: skip
    static = [_words(at, step, asked) for at, (step, asked) in enumerate(
        zip(lesson.steps, (one["ask"] for one in steps), strict=True), start=1)]  # fmt: skip
    article = element(
        "article",
        element("h1", *map(html_of, lesson.title)),
        element("p", *map(html_of, lesson.about)),
        *static,
        class_="nk-handout",
    )
    data = packing.data(named, steps, command)
    if following is not None:
        title = list(shipped(following).title)
        data["menu"]["following"] = {"name": following, "href": f"{following}.html", "title": title}
    return _page("".join(map(in_line, lesson.title)), data, article)


def set_page(state: State, computations: Computations, command: str) -> str:
    """The page of a set: the studio with its rows, and no lesson."""
    packing = Packing(computations)
    step = packing.step(replace(state, size=SIZE)) | {"light": [], "ask": None}
    title = str(state.source.get("name") or "rows")
    return _page(title, packing.data(None, [step], command), Markup(""))


def lesson_page(name: str, following: str | None = None) -> str:
    """The page of a lesson that comes with the studio, with a link to the next if there is one."""
    command = f"novikoff studio --lesson {name}"
    return handout(shipped(name), Computations(), command, following)


def index_page() -> str:
    """A list of links to the lessons' pages beside it."""
    links = []
    for name in SHIPPED:
        lesson = shipped(name)
        link = element("a", *map(html_of, lesson.title), href=f"{name}.html")
        links.append(element("li", link, " ", *map(html_of, lesson.about)))
    article = element(
        "article", element("h1", "Lessons"), element("ul", *links), class_="nk-handout"
    )
    return _document("Lessons", article)


class Packing:
    """What the page needs to be told, each part once."""

    def __init__(self, computations: Computations) -> None:
        self.computations = computations
        self._parts: list[Any] = []
        self._places: dict[str, int] = {}

    def part(self, section: Any) -> int | None:
        """The place of a section among the parts."""
        if section is None:
            return None
        text = json.dumps(section)
        if text not in self._places:
            self._places[text] = len(self._parts)
            self._parts.append(section)
        return self._places[text]

    def data(
        self, lesson: dict[str, Any] | None, steps: list[dict[str, Any]], command: str
    ) -> dict[str, Any]:
        offered: Any = menu()
        offered |= {"lessons": [], "sets": []}
        starts = {
            size: [read_random(seed).standard_normal(size).tolist() for seed in range(SEEDS)]
            for size in (2, 3)
        }
        return {
            "command": command, "lesson": lesson, "steps": steps, "parts": self._parts,
            "menu": offered, "starts": starts,
            "presets": {name: as_json(runs) for name, runs in PRESETS.items()},
        }  # fmt: skip

    def step(self, state: State) -> dict[str, Any]:
        """One step: its state, what is proven of it, and its sections at some of its mistakes."""
        computations = self.computations
        is_frozen = state.feature_map != "none" or not state.is_binary
        settings = {key: v for key, v in state.settings().items() if key not in _LEFT_OUT}
        made: dict[str, Any] = {
            "state": settings, "rows": self.part(state.rows_json()), "frozen": is_frozen,
            "at": {}, "levels": {}, "found": {}, "total": 0, "proven": None, "verdict": None,
            "chart": None, "proof": None,
        }  # fmt: skip
        if computations.problem(state):
            return made
        computations.decide(state)
        train_gallery(computations, state)
        timeline, view = computations.timeline(state), self._view(state)
        k, total = view["run"]["k"], timeline.n_updates
        if is_frozen:
            ks = recorded_ks(total, k, MOST_FROZEN)
            wide = replace(state, span=state.span * ROOM)
            at = {k: self._recorded(replace(wide, k=k), RECORDED) for k in ks}
            return made | {"total": total, "at": at}
        ks, slider = recorded_ks(total, k, MOST_RECORDED), (view["extra"] or {}).get("slider")
        levels = range(slider["least"], slider["most"] + 1) if slider else ()
        return made | {
            "total": total, "proven": self.part(view["scene"]["proof"]),
            **{name: self.part(view[name]) for name in ("verdict", "chart", "proof")},
            "found": {name: quantity(name, computations, state, state) for name in OF_FINDING},
            "at": {k: self._recorded(replace(state, k=k), OF_PROOFS) for k in ks},
            "levels": {
                level: self.part(self._view(replace(state, level=level))["extra"])
                for level in levels
            },
        }  # fmt: skip

    def _view(self, state: State) -> dict[str, Any]:
        return view_of(self.computations, state, False)

    def _recorded(self, state: State, names: tuple[str, ...]) -> dict[str, Any]:
        """Some sections at one mistake, curves with fewer digits."""
        view = self._view(state)
        view["scene"]["under"] = [*map(_shorter, view["scene"]["under"])]
        return {name: self.part(view[name]) for name in names}


def _shorter(mark: Mark) -> Mark:
    """A mark with fewer digits, still finer than a pixel: curves have thousands of points."""
    if mark["kind"] != "path":
        return mark
    return {**mark, "at": [[short(value, 4) for value in stroke] for stroke in mark["at"]]}


def recorded_ks(total: int, k: int, most: int) -> list[int]:
    """Mistakes of a run: all of a short one; of a long one the first, some, k and the last."""
    if total <= most:
        return list(range(total + 1))
    few = most // 2
    some = np.unique(np.geomspace(few, total, few).round().astype(int)).tolist()
    return sorted({*range(few), *some, k, total})


# The words, for paper and for browsers without scripts.


def html_of(node: Any) -> Markup:
    """A node of a lesson's text as HTML; whatever is text in it stays text."""
    if not isinstance(node, list):
        return escaped(str(node))
    name, given, *children = node
    if name == "picture":  # drawn by the page; on paper its numbers
        name, given = "pre", {}
    inner = "".join(map(html_of, children))
    attributes = "".join(f' {key}="{escaped(str(value))}"' for key, value in given.items())
    return Markup(f"<{name}{attributes}>" + ("" if name in ("br", "hr") else f"{inner}</{name}>"))


def _words(at: int, step: LessonStep, asked: Mapping[str, Any] | None) -> Markup:
    heading = element("h2", f"{at}. ", *map(html_of, step.head))
    parts = [heading, element("div", *map(html_of, step.body), class_="nk-lesson-body")]
    if asked is None:
        return element("section", *parts)
    options = [element("li", *map(html_of, one)) for one in asked["options"]]
    parts.append(element("p", *map(html_of, asked["question"]), class_="nk-question"))
    parts += [element("ol", *options)] if options else []
    if asked["kind"] not in ("do", "draw"):
        answer: list[Any] = [f"{_said(asked['value'])}. "]
        if asked["kind"] == "choice":
            answer = [*map(html_of, asked["options"][asked["right_option"]]), " "]
        answer += map(html_of, asked["right"])
        parts.append(element("details", element("summary", "Answer"), element("p", *answer)))
    return element("section", *parts)


def _said(value: Any) -> str:
    return number(value) if isinstance(value, float) else str(value)


# The file.


def _page(title: str, data: dict[str, Any], article: Markup) -> str:
    # No "<" is left in it, so that nothing in a lesson can end the element.
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    told = Markup(f'<script type="application/json" id="novikoff-data">{text}</script>')
    root = Markup('<div id="novikoff-pocket"></div>')
    return _document(title, joined([root, article, told]), pocket_script())


def _document(title: str, body: Markup, script: str = "") -> str:
    """A whole file; its policy allows the script that stands in it, and no request."""
    css = styles().decode() + page_file("handout.css").decode()
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(css)}; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    head = joined([
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        element("title", title),
        Markup(f"<style>{css}</style>"),
    ])  # fmt: skip
    run = f'<script type="module">{script}</script>\n' if script else ""
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n'
        f'<body class="nk-page">\n{body}\n{run}</body>\n</html>\n'
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
