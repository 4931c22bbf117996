"""A lesson as one HTML file that needs no Python: its words, its mathematics, each step's pictures.

Nothing in it runs: no script, nothing from elsewhere. What a hand would change (rows, the run, the
turn of three dimensions) stands as the step shows it; an answer is folded away below its question.
"""

from __future__ import annotations

import re
from typing import Any

from novikoff.report.markup import Markup, element, escaped, joined
from novikoff.studio.assets import page_file, styles
from novikoff.studio.computations import Computations
from novikoff.studio.fields import View
from novikoff.studio.lessons.asking import QUANTITIES, Ask, next_row
from novikoff.studio.lessons.concealing import without_answer
from novikoff.studio.lessons.drawing import picture_parts, plane_svg, plot_svg
from novikoff.studio.lessons.mathml import in_line
from novikoff.studio.lessons.reading import Lesson, LessonStep
from novikoff.studio.lessons.showing import step_state
from novikoff.studio.pictures.choice import train_gallery
from novikoff.studio.state import LessonPlace, State
from novikoff.studio.views import view_of
from novikoff.wording import number

SIZE = (640.0, 480.0)  # of the plane, in pixels
MOST_LINES = 30  # of a table
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_DARK = re.compile(r'\.nk\[data-theme="dark"\] (\{.*?\n\})', re.DOTALL)


def handout(lesson: Lesson, computations: Computations, name: str = "lesson.md") -> str:
    """The page. Verdicts and perceptrons that take long are waited for."""
    steps = [
        _step(lesson, place, step, computations, name) for place, step in enumerate(lesson.steps)
    ]  # fmt: skip
    contents = [
        element("li", element("a", *map(html_of, step.head), href=f"#step-{place}"))
        for place, step in enumerate(lesson.steps, start=1)
    ]
    css = styles().decode()
    dark = _DARK.search(css)
    night = f"@media (prefers-color-scheme: dark) {{ .nk {dark[1]} }}" if dark else ""
    head = joined([
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        element("title", "".join(map(in_line, lesson.title))),
        Markup(f"<style>\n{css}{night}\n{page_file('handout.css').decode()}</style>"),
    ])  # fmt: skip
    body = element(
        "main",
        element("h1", *map(html_of, lesson.title)),
        element("p", *map(html_of, lesson.about), class_="about"),
        element("nav", element("ol", *contents), aria_label="Steps"),
        *steps,
        element("footer", "Made by novikoff. Nothing moves on this page; to touch it, open its "
                "Markdown file: ", element("code", f"novikoff studio {name}")),
        class_="nk nk-handout",
    )  # fmt: skip
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n'
        f'<body class="nk-page">\n{body}\n</body>\n</html>\n'
    )


def html_of(node: Any) -> Markup:
    """A node of a lesson's text as HTML; whatever is text in it stays text."""
    if not isinstance(node, list):
        return escaped(str(node))
    name, given, *children = node
    inner = "".join(map(html_of, children))
    attributes = "".join(f' {key}="{escaped(str(value))}"' for key, value in given.items())
    if name == "math":
        attributes += ' xmlns="http://www.w3.org/1998/Math/MathML"'
    return Markup(f"<{name}{attributes}>" + ("" if name in ("br", "hr") else f"{inner}</{name}>"))


def _step(
    lesson: Lesson, place: int, step: LessonStep, computations: Computations, name: str
) -> Markup:
    state = step_state(lesson, LessonPlace("own", place), SIZE, computations)
    if not computations.problem(state):
        computations.decide(state)
        train_gallery(computations, state)
    view = view_of(computations, state, False)
    if step.ask is not None:
        view = without_answer(view, step.ask)
    words = element("div", *map(html_of, step.body), class_="nk-lesson-body")
    parts = [words, *_pictures(state, view, step)]
    if step.ask is not None:
        parts.append(_question(step.ask, computations, state, name, place))
    heading = element("h2", f"{place + 1}. ", *map(html_of, step.head))
    return element("section", heading, *parts, id=f"step-{place + 1}")


def _pictures(state: State, view: View, step: LessonStep) -> list[Markup]:
    """The plane with its caption, and what else the step speaks of."""
    if view["problem"]:
        return [element("p", view["problem"], class_="nk-note")]
    verdict, one = view["verdict"], view["step"]
    said = "" if one is None else one["outcome"] if one["last"] else one["text"]
    title = "" if one is None else one["title"]
    headline = "" if verdict is None else verdict["headline"]
    lit = [int(word[4:]) - 1 for word in step.light if word.startswith("row ")]
    name = str(state.source.get("name") or "rows")
    says = f"The plane of {name}. {title}. {said} Verdict: {headline}."
    caption = [element("strong", f"{name}. {headline}. "), f"{title}: {said}"]
    made = [element("figure", plane_svg(state, view, says, lit), element("figcaption", *caption))]
    extra = view["extra"]
    if extra is not None:
        note = element("figcaption", element("strong", f"{extra['title']}. "), extra["note"])
        drawn = picture_parts(view, extra["title"])
        made.append(element("figure", *drawn, note, class_="panels" if extra["panels"] else ""))
    if "table" in step.light and view["table"] is not None:
        made.append(_table(view))
    if "bound" in step.light and view["chart"] is not None:
        chart = plot_svg(view["chart"], view["cursor"] or (), "The bound and its proof",
                         (420.0, 260.0))  # fmt: skip
        told = [element("li", line["text"], " ", element("small", line["why"]))
                 for line in view["live"] or ()]  # fmt: skip
        legend = ", ".join(line["text"] for line in view["chart"].get("legend", ()))
        made.append(element("figure", chart, element("figcaption", legend), element("ul", *told)))
    return made


def _table(view: View) -> Markup:
    table: Any = view["table"]
    entries = table["entries"][-MOST_LINES:]
    head = element("tr", *(element("th", text) for text in table["header"]))
    made = [element("tr", *(element("td", cell) for cell in entry)) for entry in entries]
    caption = element("caption", table["caption"])
    return element("table", caption, element("thead", head), element("tbody", *made))


def _question(ask: Ask, computations: Computations, state: State, name: str, place: int) -> Markup:
    """The question, and the answer as the library gives it."""
    parts = [element("p", *map(html_of, ask.question), class_="nk-question")]
    if ask.options:
        parts.append(element("ol", *(element("li", *map(html_of, one)) for one in ask.options)))
    if ask.kind == "do":
        parts.append(element("p", f"To be done in the studio: novikoff studio {name}.",
                             class_="nk-note"))  # fmt: skip
    else:
        answer = [
            element("strong", *_answer(ask, computations, state)),
            " ",
            *map(html_of, ask.right),
        ]
        parts.append(element("details", element("summary", "Answer"), element("p", *answer)))
    return element("aside", *parts, class_="nk-ask", aria_label=f"Question of step {place + 1}")


def _answer(ask: Ask, computations: Computations, state: State) -> list[Markup]:
    if ask.kind == "choice":
        return [html_of(node) for node in ask.options[ask.right_option]]
    if ask.kind == "row":
        row = next_row(computations, state) if ask.answer == "next" else int(ask.answer)
        return [escaped(f"Row {row}." if row else "No row.")]
    if ask.answer not in QUANTITIES:
        return [escaped(f"{ask.answer}.")]
    value = QUANTITIES[ask.answer](computations, state, state)
    return [escaped(f"{number(value) if isinstance(value, float) else value}.")]
