"""A linter of lessons: what the words name is on the screen, and what the screen shows is right.

For every step of every lesson that ships: a thing that the words name is drawn, in view, and is
what the words call it; a number that the screen shows is accepted when it is typed; a task is done
by its own example; what would give an answer away is shown once an answer was given.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import pytest

import novikoff as nk
from node import in_node, marks_of, needs_node, told
from novikoff.studio.lessons.asking import QUANTITIES, quantity
from novikoff.studio.lessons.mathml import in_line
from novikoff.studio.lessons.shelf import SHIPPED, shipped
from novikoff.studio.session import Session
from novikoff.studio.state import State
from novikoff.studio.values import Section
from novikoff.wording import number

pytestmark = needs_node
STEPS = [(name, place) for name in SHIPPED for place in range(len(shipped(name).steps))]


@cache
def shown(name: str, place: int) -> tuple:
    """The step, its state, and its screen once an answer was given."""
    session = Session()
    session.handle({"edits": [{"do": "lesson", "name": name, "step": place}]})
    session.decide(session.state)
    step, state = shipped(name).steps[place], session.state
    closed = told(session)
    ask = step.ask
    if ask is not None and ask.kind != "do":
        session.handle({"edits": [{"do": "answer", "value": 0 if ask.kind == "choice" else "0"}]})
    view = told(session)
    return step, state, closed, view | {"marks": marks_of(session, view)}


def text_of(nodes) -> str:
    return re.sub(r"\s+", " ", "".join(map(in_line, nodes)))


def body(step) -> str:
    return " ".join(text_of([node]) for node in step.body)


def in_view(view, x, y) -> bool:
    left, right, bottom, top = view["frame"]["window"]
    return left <= x <= right and bottom <= y <= top


def drawn(view, *roles) -> bool:
    """Whether a mark of one of these roles is drawn, at least some of it in view."""
    for mark in (*view["marks"]["under"], *view["marks"]["over"]):
        if mark["role"] not in roles:
            continue
        flat = [v for part in mark["at"] for v in part] if mark["kind"] == "path" else mark["at"]
        if mark["kind"] == "path" and flat[:2] * (len(flat) // 2) == flat:
            continue  # a line without length is not seen
        if any(in_view(view, x, y) for x, y in zip(flat[::2], flat[1::2], strict=True)):
            return True
    return False


def curves(view) -> set[str]:
    return {mark["role"] for mark in view["chart"]["marks"]} if view["chart"] else set()


def is_linear(view) -> bool:
    return view["chart"] is not None and "log" not in view["chart"]["x_label"]


class Screen(NamedTuple):
    state: State
    view: Section

    def has(self, *roles: str) -> bool:
        return drawn(self.view, *roles)

    def shows(self, picture: str) -> bool:
        return self.view["extra"] is not None and self.view["extra"]["name"] == picture


def counts_of_runs(view) -> set[str]:
    """What the legend says of each compared run."""
    over = view["marks"]["over"]
    return {mark["text"].split(":")[1] for mark in over if mark["role"] == "caption"}


# What words may name, and how one sees that it is there.
NAMED = {
    r"dotted purple line": lambda one: one.has("score"),
    r"dashed green line|dashed line": lambda one: one.has("maximum"),
    r"green band|the band\b": lambda one: one.has("gamma", "band"),
    r"green arrow|the green one": lambda one: any(
        mark["kind"] == "arrow" and mark["role"] == "best" for mark in one.view["marks"]["over"]
    ),
    r"dotted ring": lambda one: one.has("ball"),
    r"right angle": lambda one: one.state.stretch == 1.0,
    r"\bhollow\b": lambda one: bool(one.view["scene"]["wrong"]),
    r"ringed rows": lambda one: one.has("blocking"),
    r"shared point|share a point|point that both": lambda one: one.has("shared"),
    r"blue half-plane|: blue,": lambda one: one.has("region"),
    r"The arrow in the picture|the arrow has": lambda one: one.has("normal"),
    r"straight green line": lambda one: "lower" in curves(one.view) and is_linear(one.view),
    r"curved red one": lambda one: "upper" in curves(one.view) and is_linear(one.view),
    r"straight line in the chart": lambda one: "lower" in curves(one.view),
    r"Below the chart": lambda one: bool(one.view["live"]),
    r"\b[Tt]he chart\b": lambda one: bool(one.view["chart"] or one.view["extra"]),
    r"the table has": lambda one: bool(one.view["table"]["entries"]),
    r"stretched|on a scale of its own": lambda one: one.state.stretch != 1.0 and one.has("caption"),
    r"lie over each other": lambda one: one.has("overlay") and len(counts_of_runs(one.view)) > 1,
    r"Turn the picture\.|Turn the picture with|picture turns": lambda one: one.shows("space"),
    r"two curves show": lambda one: one.shows("passes"),
    r"bars are the votes": lambda one: one.shows("gallery"),
    r"[Cc]hoose n with the slider": lambda one: one.shows("race"),
}


@pytest.mark.parametrize(("name", "place"), STEPS)
def test_what_the_words_of_a_step_name_is_on_its_screen(name, place):
    step, state, _, view = shown(name, place)
    said = body(step)
    named = [words for words in NAMED if re.search(words, said)]
    missing = [words for words in named if not NAMED[words](Screen(state, view))]
    assert missing == []


def test_every_thing_that_the_linter_knows_is_named_somewhere():
    said = " ".join(body(shown(*step)[0]) for step in STEPS)
    assert [words for words in NAMED if not re.search(words, said)] == []


@pytest.mark.parametrize(("name", "place"), STEPS)
def test_every_row_that_is_lit_or_blocks_is_in_view(name, place):
    step, state, _, view = shown(name, place)
    lit = [int(word[4:]) - 1 for word in step.light if word.startswith("row ")]
    for mark in view["marks"]["over"]:
        if mark["role"] in ("current", "blocking", "shared"):
            assert in_view(view, *mark["at"][:2])
        if mark["kind"] == "arrow" and mark["role"] == "ball":
            assert in_view(view, *mark["at"][:2])  # the centre of the ball
            assert in_view(view, *mark["at"][2:])  # and its label
    assert all(in_view(view, *state.points[row]) for row in lit)


ASKED = [(name, place) for name, place in STEPS if shipped(name).steps[place].ask]


NUMBERS = [one for one in ASKED if shipped(one[0]).steps[one[1]].ask.kind == "number"]


@pytest.mark.parametrize(("name", "place"), NUMBERS)
def test_the_answer_that_the_screen_prints_is_accepted_and_hidden_until_then(name, place):
    step, state, closed, _ = shown(name, place)
    ask, session = step.ask, Session(state)
    assert (closed["lesson"]["fault"], closed["lesson"]["ask"]["right"]) == ("", None)
    true = ask.answer
    if true in QUANTITIES:
        true = quantity(true, session, state, state)
    text = number(float(true))
    session.handle({"edits": [{"do": "answer", "value": text}]})
    view = told(session)
    assert view["lesson"]["ask"]["right"] is True
    if "facts" in ask.hides:
        facts = [fact["value"] for fact in closed["verdict"]["facts"]]
        assert all(text not in fact for fact in facts)
        assert closed["chart"] is None
        if ask.answer in QUANTITIES:
            assert any(text in fact["value"] for fact in view["verdict"]["facts"])


def texts(value) -> str:
    """All texts of a part of the view."""
    if isinstance(value, dict):
        return " ".join(texts(one) for name, one in value.items() if name != "legend")
    if isinstance(value, list):
        return " ".join(map(texts, value))
    return value if isinstance(value, str) else ""


PLAYED = {
    ("tour", 1),
    ("000", 18),
    ("004", 13),
}  # the question is what the run ends with: it is played
CHANCE = {("000", 0)}  # the number is on the screen as the score of a row, which nobody asks about


@pytest.mark.parametrize(("name", "place"), [one for one in NUMBERS if one not in PLAYED | CHANCE])
def test_no_answer_stands_on_the_screen_before_one_is_given(name, place):
    step, state, closed, _ = shown(name, place)
    true = step.ask.answer
    if true in QUANTITIES:
        true = quantity(true, Session(state), state, state)
    # Whole numbers below 10 are everywhere, and a count of things in the picture is to be counted.
    if float(true) in range(10):
        return
    text = re.escape(number(float(true)).replace("-", "−"))
    parts = ("step", "table", "scene", "live", "inset", "proof", "verdict", "extra")
    said = texts([closed[part] for part in parts]).replace("-", "−")
    assert not re.search(rf"(?<![\w.−]){text}(?![\w.])", said)


def test_the_table_shows_the_future_once_a_row_was_chosen():
    step, state, closed, opened = shown("000", 7)
    assert (step.ask.kind, state.k) == ("row", 0)
    assert len(closed["table"]["entries"]) == 1
    assert closed["table"]["total"] == 0
    assert len(opened["table"]["entries"]) == opened["table"]["total"] + 1 == 4


def test_each_part_that_a_question_hides_is_not_shown():
    _, state, _, opened = shown("000", 12)  # the largest margin is drawn
    assert drawn(opened, "maximum")
    parts = ("table", "facts", "best", "update")
    script = "return given.parts.map((one) => page.withoutAnswer(given.view, { hides: [one] }));"
    found = in_node(script, {"view": opened, "parts": parts})
    hidden = dict(zip(parts, found, strict=True))
    bare = hidden["best"] | {"marks": marks_of(Session(state), hidden["best"])}
    assert not drawn(bare, "maximum", "band")
    assert opened["inset"] is not None
    assert hidden["update"]["inset"] is None
    assert opened["verdict"]["facts"]
    assert hidden["facts"]["verdict"]["facts"] == []
    assert hidden["table"]["table"]["total"] == opened["controls"]["k"]


@pytest.mark.parametrize(("name", "place"), ASKED)
def test_a_wrong_choice_is_explained_and_a_task_is_done_by_its_example(name, place):
    step, state, _, _ = shown(name, place)
    ask = step.ask
    if ask.kind == "choice":
        wrong = [i for i in range(len(ask.options)) if i != ask.right_option]
        assert [i for i in wrong if not ask.because[i]] == []
        session = Session(state)
        for i in wrong:
            session.handle({"edits": [{"do": "answer", "value": i}]})
            said = told(session)["lesson"]["ask"]["said"]
            assert text_of(ask.because[i]) in text_of(said)
        session.handle({"edits": [{"do": "answer", "value": ask.right_option}]})
        assert told(session)["lesson"]["ask"]["right"] is True
    elif ask.kind == "draw":
        session = Session(state)
        assert told(session)["lesson"]["ask"]["right"] is False
        a, b, c = ask.line
        ends = (-c / a, 0.0, 0.0, -c / b)
        session.state = replace(state, line=ends)
        assert told(session)["lesson"]["ask"]["right"] is True
        session.state = replace(state, line=(*ends[:2], 0.3, ends[3]))
        assert told(session)["lesson"]["ask"]["right"] is False
    elif ask.kind == "do":
        assert ask.example, "a task has an example"
        session = Session(state)
        assert told(session)["lesson"]["ask"]["right"] is False
        session.handle({"edits": list(ask.example)})
        assert told(session)["lesson"]["ask"]["right"] is True
    else:
        assert ask.hint, "a number or a row has a hint"
    if ask.kind == "row":
        session, right = Session(state), []
        for i in range(1, state.n_rows + 1):
            session.handle({"edits": [{"do": "answer", "value": str(i)}]})
            right.append(told(session)["lesson"]["ask"]["right"])
        assert sorted(right) == [False] * (state.n_rows - 1) + [True]


def test_answers_survive_next_and_back():
    session = Session()
    lesson = {"do": "lesson", "name": "000"}
    session.handle({"edits": [{**lesson, "step": 0}, {"do": "answer", "value": "1/2"}]})
    session.handle({"edits": [{**lesson, "step": 1}]})
    assert told(session)["lesson"]["ask"]["given"] is None
    session.handle({"edits": [{"do": "answer", "value": "2"}, {**lesson, "step": 0}]})
    view = told(session)["lesson"]["ask"]
    assert (view["given"], view["right"]) == ("1/2", True)
    session.handle({"edits": [{**lesson, "name": "001", "step": 0}]})
    assert told(session)["lesson"]["ask"]["given"] is None


def test_the_scales_that_change_the_mistakes_with_an_offset_are_as_lesson_000_says():
    data = nk.datasets.load("lecture:002")
    said = body(shown("000", 18)[0])
    found = [nk.trace(data.X * scale, data.y).n_mistakes for scale in (1, 10, 0.1)]
    assert found == [9, 10, 185]
    assert "cost 9 mistakes as they are, and 10 when" in said
    assert quantity("mistakes", Session(), shown("000", 18)[1], shown("000", 18)[1]) == 185
    data = nk.datasets.load("planted:200,2,0.02")
    assert nk.trace(data.X, data.y, **data.conventions).n_mistakes == 24


def test_a_lesson_says_whose_lecture_it_follows():
    for name in SHIPPED:
        assert name == "tour" or "After " in text_of(shipped(name).about)


def test_votes_and_averages_do_better_on_rows_left_out_as_lesson_003_says():
    place = next(i for i, one in enumerate(shipped("003").steps) if "vote" in one.heading)
    step, state, _, _ = shown("003", place)
    session = Session(state)
    session.handle({"ask": "decide"})
    panels = session.view(state)["extra"]["panels"]
    left_out = {one["title"]: int(one["text"].split()[-3]) for one in panels
                if one["text"].endswith("left out")}  # fmt: skip
    last, mean, vote = (left_out[name] for name in ("Perceptron", "Averaged", "Voted"))
    assert max(mean, vote) < last
    said = body(step)
    assert f"gets {last} wrong, the averaged one {mean} and the vote {vote}" in said
