"""Lessons: what a file may say, what is refused, and that every question has its answer."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import novikoff as nk
from node import in_node, needs_node, told
from novikoff.errors import FileError, InputError
from novikoff.studio.computations import Computations
from novikoff.studio.lessons.mathml import in_line, math, plain
from novikoff.studio.lessons.prose import line_nodes, nodes_of, tokens_of
from novikoff.studio.lessons.reading import MOST_TEXT, read_lesson
from novikoff.studio.lessons.shelf import SHIPPED, OwnLesson, shipped, step_state
from novikoff.studio.session import Session
from novikoff.studio.sources import of_arrays, open_columns
from novikoff.studio.state import LessonPlace, read_state

PAGE = Path(nk.__file__).parent / "studio" / "page"
TINY = "## One\nWords.\n```show\ndata: lecture:002\nk: 3\n```\n"


# Mathematics

FORMULAS = [  # as it stands on lines of its own, and in a line of text
    (r"k \le (R/\gamma)^2", "k≤(R/γ)2", "k≤(R/γ)²"),
    (r"x_1 + x_{12}^{n+1}", "x1+x12n+1", "x₁+x₁₂ⁿ⁺¹"),
    (r"e^{-x}", "e−x", "e^(−x)"),
    (r"\frac{a+b}{2}", "a+b2", "(a+b)/2"),
    (r"\sqrt{2} + \sqrt[3]{x+1}", "2+x+13", "√2+³√(x+1)"),
    (r"w'", "w′", "w′"),
    (r"\|w\|^2", "‖w‖2", "‖w‖²"),
    (r"\hat y = \operatorname{sign}(wx + b)", "y^=sign(wx+b)", "y^=sign(wx+b)"),
    (r"\mathbf{w} \cdot \mathbf{0}", "w·0", "w·0"),
    (r"x \in \mathbb{R}^M", "x∈ℝM", "x∈ℝ^M"),
    (r"\begin{cases} +1 & z \ge 0 \\ -1 & z < 0 \end{cases}", "{+1z≥0−1z<0", "{+1z≥0−1z<0"),
    (r"\begin{aligned} a &= b \\ &\le c \end{aligned}", "a=b≤c", "a=b≤c"),
    (r"\text{for all } i", "for\u00a0all\u00a0i", "for\u00a0all\u00a0i"),
    (r"\tilde w, \mathcal{E}_n", "w~,ℰn", "w~,ℰ_n"),
]


@pytest.mark.parametrize(("tex", "text", "line"), FORMULAS)
def test_a_formula_becomes_mathml_and_a_line_of_text(tex, text, line):
    node = math(tex)
    assert node[0] == "math"
    assert (plain(node), in_line(node)) == (text, line)


def test_a_fraction_and_a_limit_have_the_elements_that_mathml_names_them():
    assert math(r"\frac12")[2][2] == ["mfrac", {}, ["mn", {}, "1"], ["mn", {}, "2"]]
    assert math(r"\argmax_i f")[2][2][0] == "munder"
    assert math("x", display=True)[1] == {"display": "block"}
    bold = math(r"\mathbf{0}")
    assert "𝟎" in json.dumps(bold, ensure_ascii=False)  # MathML Core has no bold digits of its own


@pytest.mark.parametrize(
    ("tex", "prefix"),
    [("-1", [True]), ("(-1, -2)", [True, True]), ("a - b", [False]), ("x = -1 - 2", [True, False]),
     ("(a) - b", [False]), (r"\|x\| - 1", [False]), ("x_i - 1", [False]),
     ("2 - (-3)", [False, True])],
)  # fmt: skip
def test_a_minus_is_a_sign_or_an_operation(tex, prefix):
    def found(node):
        if isinstance(node, str):
            return []
        own = [node[1].get("form") == "prefix"] if node[0] == "mo" and node[2] == "−" else []
        return own + [one for child in node[2:] for one in found(child)]

    assert found(math(tex)) == prefix


@pytest.mark.parametrize(
    ("tex", "reason"),
    [
        (r"\href{javascript:alert(1)}{x}", "href"),
        (r"\class{nk-card}{x}", "class"),
        (r"\style{color:red}{x}", "style"),
        (r"\hspace{900em}", "width"),
        (r"\newcommand{\a}{\b\b}\a", "defines a command"),
        (r"\def\x{1}", "defines a command"),
        (r"\frac{a}", "missing"),
        ("{x", "} is missing"),
        ("x}", "stands alone"),
        ("x^2^3", "double superscripts"),
        ("^2", "missing before or after"),
        ("a & b", "no table"),
        (r"\begin{picture} x \end{picture}", "is not among"),
        (r"\frca{1}{2}", r"perhaps \\frac is meant"),
        (r"\left( x", "right"),
        ("x" * 3000, "characters"),
        ("{" * 60 + "x" + "}" * 60, "inside each other"),
    ],
)
def test_a_formula_that_is_not_understood_is_refused_with_the_reason(tex, reason):
    with pytest.raises(InputError, match=reason.replace("^", r"\^").replace("}", r"\}")):
        math(tex)


COMMANDS = ("frac", "sqrt", "left", "right", "hat", "text", "begin", "end", "not", "big", "mathbf",
            "underbrace", "limits", "sum")  # fmt: skip
PIECES = [f"\\{name}" for name in COMMANDS]


@given(
    st.text(alphabet=r"\{}^_&$ abfrc1.+-'()[]|", max_size=40)
    | st.lists(st.sampled_from([*PIECES, *"{}[]^_'&12x()", "{cases}"]), max_size=80).map("".join)
)
def test_any_text_is_a_formula_or_an_error_of_ours(tex):
    with contextlib.suppress(InputError):
        json.dumps(math(tex))


# Words


def names_of(nodes):
    found = set()
    for node in nodes:
        if isinstance(node, list):
            found |= {node[0], *names_of(node[2:])}
    return found


HOSTILE = """<script>alert(1)</script> <img src=x onerror=alert(2)>

[click](javascript:alert(3)) ![picture](http://evil.example/x.png) <b onclick="x">bold</b>

<iframe src="http://evil.example"></iframe>

`<style>*{display:none}</style>`
"""


def test_a_hostile_text_stays_text():
    nodes = nodes_of(tokens_of(HOSTILE))
    assert names_of(nodes) <= {"p", "code"}
    said = "".join(map(plain, nodes))
    assert "<script>alert(1)</script>" in said
    assert "<iframe" in said
    attributes = json.dumps(nodes)
    assert "onerror" not in [key for node in nodes for key in node[1]]
    assert '"href"' not in attributes
    assert '"src"' not in attributes


def test_the_page_builds_the_elements_of_its_own_list_and_no_others():
    for name in ("lesson.js", "nodes.js", "shelf.js"):
        assert "innerHTML" not in (PAGE / name).read_text()
        assert "insertAdjacentHTML" not in (PAGE / name).read_text()
    text = (PAGE / "nodes.js").read_text()
    allowed = text.split("const WORDS")[1].split("const ATTRIBUTES")[0]
    made = set()
    for name in SHIPPED:
        for step in shipped(name).steps:
            made |= names_of(step.body)
            if step.ask:
                for nodes in (step.ask.question, step.ask.right, step.ask.hint, *step.ask.options):
                    made |= names_of(nodes)
    assert made
    assert [name for name in made if f'"{name}"' not in allowed] == []
    for name in ("script", "iframe", "style", "a", "img", "object", "form", "svg", "annotation"):
        assert f'"{name}"' not in allowed


def test_a_picture_is_rows_of_numbers_and_nothing_else():
    (node,) = nodes_of(tokens_of("```picture a 5\n 0  5\n16  2\n```\n"))
    assert node == ["picture", {"label": "a 5"}, "0 5\n16 2"]
    for rows in ("0 5\n16", "0 x", "1e3", "-1", "0 1000", "", " ".join(["1"] * 1025)):
        with pytest.raises(InputError, match="the picture 'a 5'"):
            nodes_of(tokens_of(f"```picture a 5\n{rows}\n```\n"))


def test_the_digit_of_lecture_002_is_one_of_the_set():
    (step,) = (s for s in shipped("002").steps if "picture" in names_of(s.body))
    (node,) = (node for node in step.body if node[0] == "picture")
    digits = nk.datasets.load("digits")
    pixels = np.array(node[2].split(), dtype=float)
    assert 5 in digits.y[(pixels == digits.X).all(axis=1)].astype(int)


def test_markdown_has_its_emphasis_lists_tables_and_code():
    nodes = nodes_of(
        tokens_of("A *b* **c** `d` $x$\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    )
    assert {"p", "em", "strong", "code", "math", "ul", "li", "table", "td"} <= names_of(nodes)
    assert plain(["p", {}, *line_nodes("costs $5 and $6")]) == "costs $5 and $6"
    (name, _, formula, stop), rest = line_nodes("$x$, then $5")
    assert (name, formula[0], stop, rest) == ("span", "math", ",", " then $5")  # on one line


# Files


def test_a_step_shows_what_it_says_and_keeps_the_rest_of_the_step_before():
    lesson = read_lesson(
        "---\ntitle: T\nnotation: 002\n---\n"
        "## One\n```show\ndata: lecture:002\nk: 3\norder: restart\nlight: table, row 2\n```\n"
        "## Two\nOnly words.\n"
        "## Three\n```show\nk: end\n```\n"
        "## Four\n```show\ndata: xor\n```\n"
    )
    computations = Computations()
    states = [step_state(lesson, LessonPlace("own", i), (600, 400), computations) for i in range(4)]
    assert [state.k for state in states] == [3, 3, None, None]
    assert [state.run.order for state in states] == ["restart", "restart", "restart", "cyclic"]
    assert states[0].notation == states[3].notation == "002"
    assert lesson.steps[0].light == ("table", "row 2")
    assert lesson.steps[1].light == ()
    assert states[3].source["name"] == "xor"
    assert read_lesson("# My lesson\n\n## A\nWords.\n").title == ("My lesson",)
    assert read_lesson("---\ntitle: Front\n---\n# My lesson\n## A\n").title == ("Front",)


@pytest.mark.parametrize("scale", ["1e-300", "1e-160", "1e11"])
@pytest.mark.parametrize("features", ["none", "quadratic", "xor"])
def test_rows_of_any_size_are_shown_in_every_picture(scale, features):
    """A class may drag a row anywhere; nothing overflows, and all of it is JSON."""
    factor = float(scale)
    X = np.array([[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [0.5, 2.0]]) * factor
    session = Session(open_columns(of_arrays(X, [1, -1, -1, 1])))
    session.handle({"edits": [{"do": "set", "key": "map", "value": features}]})
    for view in ("passes", "potential", "space", "weights"):
        for k in (0, 1, None):
            edits = [{"do": "set", "key": "view", "value": view}, {"do": "go", "k": k}]
            reply = session.handle({"hello": True, "edits": edits})
            assert "error" not in reply
            json.dumps(reply, allow_nan=False)


def test_a_lesson_brings_its_own_rows():
    lesson = read_lesson(
        "## A\n```data mine\nx,y,label\n1,2,a\n3,4,b\n```\n```show\ndata: mine\n```\n"
    )
    state = step_state(lesson, LessonPlace("own"), (600, 400), Computations())
    assert (state.points.tolist(), state.classes) == ([[1, 2], [3, 4]], ("a", "b"))
    assert state.axes == ("x", "y")
    assert read_state(state.to_json()).lesson == LessonPlace("own")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Just words", "line 1: words before the first step"),
        ("", "line 1: a lesson has steps"),
        ("## A\n```show\nspeed: 3\n```", "line 2: 'speed' is not one of"),
        ("## A\n```show\nk: three\n```", "line 2: k is 'three'"),
        ("## A\n```show\nlight: moon\n```", "line 2: 'moon' cannot be lit"),
        ("## A\n```show\noffset: perhaps\n```", "line 2: offset is 'perhaps'"),
        ("## A\n```show\njust text\n```", "line 3: 'just text' is not written as"),
        ("## A\n```ask\nquestion: Q\nkind: riddle\n```", "line 2: the kind is 'riddle'"),
        ("## A\n```ask\nkind: row\nanswer: next\n```", "a question is missing"),
        ("## A\n```ask\nquestion: Q\n- [ ] a\n- [ ] b\n```", "of which one is right"),
        ("## A\n```ask\nquestion: Q\nkind: number\nanswer: many\n```", "answer is 'many'"),
        ("## A\n```ask\nquestion: Q\nkind: do\nuntil: joy > 3\n```", "until is 'joy > 3'"),
        ("## A\n```ask\nquestion: Q\nkind: do\nuntil: status > open\n```", "a word is = or !="),
        ("## A\n```data\nx,y,l\n```", "rows of a lesson have a name"),
        ("## A\n$\\foo$", "line 1: step 'A', in the formula"),
        ("# On $\\nonsense$\n\n## A\n", "line 1: in the formula $\\nonsense$"),
        ("---\ntitle: Fine\n---\n\n## $\\nonsense$\n", "line 5: in the formula $\\nonsense$"),
        ("---\ncolour: red\n---\n## A", "line 2: 'colour' is not title"),
        ("---\nnotation: 99\n---\n## A", "line 2: notation is one of"),
        ("## A\n```show\nselect: x\n```", "line 2: select is 'x'"),
        ("## A\n```show\nk: " + "9" * 5000 + "\n```", "line 2: k is '999"),
        ("## A\n```show\ncompare: moon\n```", "line 2: compare is 'moon'; it is one of orders"),
        ("## A\n```show\nk: 1\nk: 2\n```", "line 4: k is said twice"),
        ("## A\n```show\nk: 1\n```\n```show\nk: 2\n```", "line 5: a step has one show block"),
        ("---\ntitle: a\ntitle: b\n---\n## A", "line 3: title is said twice"),
        ("## A\n```data d\n1\n```\n```data d\n2\n```", "line 5: there are two data blocks 'd'"),
        ("## A\n```ask\nquestion: Q\nquestion: P\n```", "line 2: question is said twice"),
        ("## A\n```ask\nquestion: Q\nkind: number\nanswer: status\n```", "answer is 'status'"),
        ("## A\n```ask\nquestion: Q\nkind: row\nanswer: " + "9" * 5000 + "\n```", "answer is '999"),
        (
            "## A\n```ask\nquestion: Q\nkind: do\nuntil: mistakes = many\n```",
            "mistakes is a number",
        ),
        ("## A\n```ask\nquestion: Q\nkind: do\nuntil: status = good\n```", "is one of separable"),
        ("## A\n```ask\nquestion: Q\nkind: do\nuntil: status = 3\n```", "is one of separable"),
        ("## A\n" + "*" * 400 + "x" + "*" * 400, "emphases inside each other"),
        ("## A\n" + "x" * MOST_TEXT, "characters"),
        ("## A\n" * 300, "300 steps"),
    ],
)
def test_a_fault_is_said_with_its_line(text, reason):
    with pytest.raises(InputError) as raised:
        read_lesson(text, "mine.md")
    assert reason in str(raised.value)
    assert "mine.md" in str(raised.value)


@pytest.mark.parametrize(
    ("shows", "reason"),
    [
        ("data: moon", "moon"),
        ("data: mine", "3 columns"),
        ("tie: never", "tie"),
        ("compare: orders\nk: 0\nselect: 9", "selected"),
        ("limit: many", "limit"),
        ("limit: " + "9" * 5000, "limit"),
        ("data: lecture:002\nlight: row 9", "row 9 cannot be lit: there are 4 rows"),
        ("data: lecture:002\norder: 1, 1", "order"),
        ("data: lecture:002\nstart: 1", "start"),
        ("data: two\ncolumns: a, b", "columns go with a built-in set"),
    ],
)
def test_a_step_that_cannot_be_shown_is_found_before_a_class_is(shows, reason, tmp_path):
    from novikoff.cli.studio import opened_lesson

    path = tmp_path / "lesson.md"
    two = "```data two\na,b,l\n1,2,x\n2,3,y\n```\n"
    mine = "```data mine\na,b,c,l\n1,2,3,x\n2,3,4,y\n```\n"
    path.write_text(f"## A\n{mine}{two}```show\n{shows}\n```\n")
    with pytest.raises(InputError, match=reason) as raised:
        opened_lesson(str(path), Computations())
    assert "step 1 (A)" in str(raised.value)


def test_a_file_that_is_saved_is_read_again_and_a_fault_leaves_the_last_one(tmp_path):
    path = tmp_path / "lesson.md"
    path.write_text(TINY)
    own = OwnLesson.open(path)
    session = Session(own=own)
    assert session.view(session.state)["lesson"]["head"] == ["One"]
    assert session.state.k == 3
    assert not own.has_changed()
    path.write_text(TINY.replace("One", "First").replace("k: 3", "k: 5"))
    assert own.has_changed()
    reply = session.handle({"reload": True})
    assert reply["view"]["lesson"]["head"] == ["First"]
    assert session.state.k == 5
    path.write_text("## Broken\n```show\nk: x\n```")
    reply = session.handle({"reload": True})
    assert reply["view"]["lesson"]["head"] == ["First"]
    assert "line 2: k is 'x'" in reply["view"]["lesson"]["fault"]
    path.write_text("## Gone\n```show\ndata: moon\n```")
    assert "moon" in session.handle({"reload": True})["view"]["lesson"]["fault"]
    path.write_text(TINY)
    assert session.handle({"reload": True})["view"]["lesson"]["fault"] == ""
    path.unlink()
    assert not own.has_changed()


def test_a_lesson_that_is_no_text_or_too_large_or_not_there_is_one_sentence(tmp_path):
    path = tmp_path / "lesson.md"
    with pytest.raises(FileError, match=r"lesson\.md"):
        OwnLesson.open(path)
    path.write_bytes(b"## A\n\xff\xfe")
    with pytest.raises(FileError, match="UTF-8"):
        OwnLesson.open(path)
    path.write_bytes(b"x" * (4 * MOST_TEXT + 1))
    with pytest.raises(InputError, match="too large"):
        OwnLesson.open(path)


def test_a_state_of_a_lesson_that_is_not_here_is_shown_without_it():
    session = Session()
    state = replace(session.state, lesson=LessonPlace("own", 2))
    assert session.view(state)["lesson"] is None
    assert "no lesson" in session.handle({"edits": [{"do": "lesson", "name": "moon"}]})["error"]
    session.handle({"edits": [{"do": "lesson", "name": "002", "step": 999}]})
    assert session.state.lesson.step == len(shipped("002").steps) - 1


# Questions


QUESTIONS = """## Row
```show
data: lecture:002
k: 2
```
```ask
question: Q
kind: row
answer: next
```
## Bound
```ask
question: Q
kind: number
answer: bound
hint: Look.
```
## Fraction
```ask
question: Q
kind: number
answer: 1/8
```
## Choice
```ask
question: Q
- [ ] a
- [x] b
```
## Task
```ask
question: Q
kind: do
until: status = overlapping, moved <= 1
example: row 3 at -4, 1
```
"""


@pytest.fixture
def asked(tmp_path):
    """What is said of an answer to a question of the lesson above, after some edits."""
    path = tmp_path / "lesson.md"
    path.write_text(QUESTIONS)
    session = Session(own=OwnLesson.open(path))

    def said(step, *edits):
        session.handle({"edits": [{"do": "lesson", "name": "own", "step": step}, *edits]})
        return told(session)["lesson"]["ask"]

    return said


@needs_node
def test_what_is_right_is_asked_of_the_library(asked):
    run = nk.trace(*nk.datasets.load("lecture:002"))
    right = int(run.tape.rows[2]) + 1

    def answer(step, value):
        return asked(step, {"do": "answer", "value": value})["right"]

    assert [answer(0, str(row)) for row in range(1, 5)] == [row == right for row in range(1, 5)]
    assert asked(1)["right"] is None
    assert [answer(1, typed) for typed in ("55", "54", "many")] == [True, False, False]
    assert "is not a number" in asked(1)["said"][0]
    assert asked(1)["said"][1:] == [" ", "Look."]
    assert [answer(2, typed) for typed in ("0.125", "1/8", "0.2")] == [True, True, False]
    assert [answer(3, place) for place in (0, 1)] == [False, True]


@needs_node
def test_a_question_to_be_done_is_about_the_rows_as_they_are_now(asked):
    found = asked(4)
    assert (found["right"], found["said"]) == (
        False, ["A line still separates the rows, or touches both classes."]
    )  # fmt: skip
    moved = {"do": "place", "row": 2, "x": "-4", "y": "1"}
    assert asked(4, moved)["right"]
    twice = asked(4, moved, {"do": "place", "row": 1, "x": "-1", "y": "-2"})
    assert twice["said"] == ["So far: 2 moved rows; wanted: at most 1."]


TYPED = [
    ("0.45", 0.4472135, True), ("0.447", 0.4472135, True), ("0.448", 0.4472135, False),
    ("0.4", 0.4472135, False), ("9", 9.0, True), ("9.0", 9.0, True), ("8.99", 9.0, False),
    ("−5", -5.0, True), ("-0.6", -0.6, True), ("1e0", 1.0, True), ("0.20", 0.2, True),
    ("0.5", 0.49999999999999994, True), ("0,5", 0.5, True), ("1/2", 0.5, True),
    ("1/3", 0.5, False), ("√5", 5**0.5, True), ("sqrt(5)", 5**0.5, True), ("2", 5**0.5, False),
    ("3/√2", 3 / 2**0.5, True), ("√5/2", 5**0.5 / 2, True), ("2√5", 2 * 5**0.5, True),
    ("1,073", 1073.0, True), ("1,073", 1.0734, True), ("1,073", 1.08, False),
    ("1 073", 1073.0, True), ("1'000", 1000.0, True), ("1,073.5", 1073.5, True),
    ("1e-3", 0.001, True), ("6", -6.0, False), (".5", 0.5, True), ("5.", 5.0, True),
    ("2√5/3", 2 * 5**0.5 / 3, True), ("\\sqrt{2}", 2**0.5, True),
]  # fmt: skip
NO_NUMBERS = ["", "many", "1/0", "√", "1//2", "nan", "inf", "1e999", "√(1/2)", "--3", "1,2,3",
              "1/2/3", "²", "٣"]  # fmt: skip


@needs_node
def test_a_typed_number_is_right_if_it_is_the_true_one_as_shown_or_rounded():
    script = "return given.map(([typed, value]) => page.isAnswer(typed, value));"
    assert in_node(script, [one[:2] for one in TYPED]) == [right for *_, right in TYPED]
    script = "return given.map((typed) => page.readingsOf(typed));"
    assert in_node(script, NO_NUMBERS) == [[]] * len(NO_NUMBERS)


@needs_node
@given(st.text(alphabet="0123456789.,-+√/e ()*", max_size=20))
def test_any_text_has_finite_readings_or_none(typed):
    found = in_node("return page.readingsOf(given).map((one) => one.value);", typed)
    assert all(isinstance(value, (int, float)) and np.isfinite(value) for value in found)


# The five, and the tour


def test_a_lesson_of_each_lecture_shows_its_worked_example_from_start_to_end():
    for name in ("000", "001", "002", "003"):
        shown = [(step.shows.get("data"), step.shows.get("k")) for step in shipped(name).steps]
        assert (f"lecture:{name}", "0") in shown
        assert (f"lecture:{name}", "end") in shown
    views = {step.shows.get("view") for step in shipped("004").steps}
    assert {"stream", "potential", "race"} <= views


def test_the_numbers_that_lessons_state_are_those_of_the_library():
    """Texts name the mistakes of badmargin, and the last weights of each example."""
    said = "".join(plain(node) for step in shipped("004").steps for node in step.body)
    for n, mistakes in ((4, 61), (5, 161), (6, 417), (7, 1093), (8, 2857)):
        data = nk.datasets.load(f"badmargin:{n}")
        run = nk.trace(data.X, data.y, max_iter=10**6, **data.conventions)
        assert run.n_mistakes == mistakes
        assert f"{mistakes:,}" in said
    last = {"000": (3, 1), "001": (3, 0.2), "002": (4, -0.5, 1), "003": (-1, 1, 0)}
    for name, weights in last.items():
        data = nk.datasets.load(f"lecture:{name}")
        run = nk.trace(data.X, data.y, **data.conventions)
        assert run.weights_at(run.n_mistakes).tolist() == pytest.approx(weights)
