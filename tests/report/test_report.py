"""The report of a verdict: what its page says, against the verdict itself."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import novikoff as nk
from command import novikoff
from novikoff.certificates import checker
from novikoff.certificates.certificate import from_bytes
from novikoff.errors import InputError
from novikoff.report import proof, report_html
from novikoff.report.pictures import MOST_DRAWN
from novikoff.report.tables import MOST_WEIGHTS, exact_text, first_of, weights_table

VOID = {"meta", "br", "img", "link", "input", "hr"}


class Page(HTMLParser):
    """A page as its elements: (tag, attributes), tables by caption, and text."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.text_of_file, self.tags, self.open, self.words = text, [], [], []
        self.tables, self.cells, self.caption, self.names = {}, [], "", []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.names += [value for key, value in attrs if key == "id"]
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.cells, self.caption = [], ""
        if tag == "tr":
            self.cells.append([])
        if tag in ("td", "th"):
            self.cells[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        if tag == "table":
            self.tables[self.caption] = self.cells

    def handle_data(self, data):
        self.words.append(data)
        if "caption" in self.open:
            self.caption += data
        elif self.open and {"td", "th"} & set(self.open):
            self.cells[-1][-1] += data

    def table(self, start):
        (found,) = (cells for caption, cells in self.tables.items() if caption.startswith(start))
        return found

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]

    @property
    def facts(self):
        return {line[0]: line[1] for cells in self.tables.values() for line in cells if line[1:]}

    @property
    def proof(self):
        (link,) = self.all("a")
        head, _, content = link["href"].partition(",")
        assert head == "data:application/json;base64"
        assert link["download"] == "proof.json"
        return base64.b64decode(content, validate=True)


def sets():
    frame = pd.DataFrame({"dose": [1, 2, 3, 4, 5, 6, 2, 4, 3], "marker": [0] * 6 + [1] * 3})
    sick = ["no", "yes", "no", "yes", "no", "yes", "yes", "yes", "yes"]
    random = np.random.default_rng(0)
    wide = sparse.random(40, 400, 0.02, format="csr", random_state=1)
    return {
        "separable": nk.datasets.lecture("002"),
        "quasi": (frame, sick),
        "overlapping": (random.standard_normal((40, 3)), random.integers(0, 2, 40)),
        "one column": ([[1.0], [2.0], [3.0]], [0, 1, 0]),
        "one row a class": ([[1.0], [2.0]], ["a", "b"]),
        "sparse": (wide, np.arange(40) % 2),
        "decimal": nk.datasets.load("decimal_trap:decimal"),
        "many columns": (random.standard_normal((20, 60)), np.arange(20) % 2),
    }


SETS = sets()


@pytest.fixture(params=SETS, scope="module")
def case(request):
    X, y = SETS[request.param]
    verdict = nk.certify(X, y)
    return X, y, verdict, Page(report_html(verdict, "data.csv"))


def undecided():
    return nk.certify(*SETS["overlapping"], time_limit=1e-9)


def test_the_page_says_what_the_verdict_says(case):
    _, _, verdict, page = case
    text = " ".join(page.words)
    assert str(verdict).partition("\n")[0] in text
    assert page.facts["rows"] == str(verdict.n_rows)
    assert page.facts["digest"] == verdict.certificate.stamp.digest
    assert page.facts["numbers"].startswith(verdict.numbers)
    assert page.facts["outcome"] == f"{verdict.status}, checked exactly"
    shown = float(page.facts["radius"].split(",")[0])  # six figures, rounded up
    assert verdict.radius <= shown <= verdict.radius * (1 + 1e-5)


def test_the_embedded_proof_is_the_saved_one_and_holds_for_the_data(case, tmp_path):
    X, y, verdict, page = case
    from_bytes(page.proof, "the page's proof").verify(X, y)
    verdict.certificate.save(tmp_path / "proof.json")
    assert page.proof == (tmp_path / "proof.json").read_bytes()


def test_nothing_on_the_page_can_load_or_run_anything(case):
    page = case[-1]
    policies = [m["content"] for m in page.all("meta") if "http-equiv" in m]
    assert policies[0].startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    assert not {"script", "link", "img", "iframe", "object", "base", "form"} & {
        tag for tag, _ in page.tags
    }
    assert "://" not in page.text_of_file
    assert "@import" not in page.text_of_file
    for tag, attributes in page.tags:
        assert not any(name.startswith("on") for name in attributes)
        for name in ("href", "src"):
            target = attributes.get(name, "#")
            assert target.startswith("#") or (tag == "a" and target.startswith("data:application"))


def test_every_reference_inside_the_page_has_one_target(case):
    page = case[-1]
    assert len(page.names) == len(set(page.names))
    targets = [a["href"][1:] for _, a in page.tags if a.get("href", "").startswith("#")]
    targets += [a["aria-labelledby"] for a in page.all("section")]
    targets += re.findall(r"url\(#([^)]+)\)", page.text_of_file)
    assert set(targets) <= set(page.names)


def test_the_page_is_made_for_every_reader(case):
    page = case[-1]
    assert page.all("html") == [{"lang": "en"}]
    assert len(page.all("title")) == len(page.all("h1")) == len(page.all("main")) == 1
    assert all(page.tables)  # each has a caption, and a new one
    assert len(page.all("svg")) >= 1
    assert all(svg["role"] == "img" and svg["aria-label"] for svg in page.all("svg"))
    for query in ("prefers-color-scheme: dark", "@media print", "max-width"):
        assert query in page.text_of_file


@pytest.mark.parametrize("name", ["quasi", "overlapping", "one column", "decimal"])
def test_the_rows_of_the_obstruction_balance_as_they_are_printed(name):
    X, y = SETS[name]
    verdict = nk.certify(X, y)
    head, *lines, foot = Page(report_html(verdict)).table("Rows that alone")
    assert [int(line[0]) for line in lines] == list(verdict.rows)
    assert head[5:] == [verdict.signed_rows.table.column_name(j) for j in range(len(head) - 5)]
    labels = np.asarray(y)
    assert [line[2] for line in lines] == [str(labels[int(line[0])]) for line in lines]
    shares = [Fraction(line[4].removesuffix(" %")) for line in lines]
    assert sum(shares) == pytest.approx(100, rel=1e-2)
    if all(line[3].isdigit() for line in lines):
        for column in range(5, len(head)):
            total = sum(
                int(line[3]) * Fraction(line[column]) * (1 if line[1] == "+" else -1)
                for line in lines
            )
            assert total == 0
            mean = sum(int(line[3]) * Fraction(line[column]) for line in lines) / int(foot[3])
            assert Fraction(foot[column]) == mean
    else:
        assert name == "overlapping"


def test_finite_infinite_and_not_determined_are_told_apart():
    X, y = SETS["quasi"]
    X = X.assign(const=2, other=1 - X["marker"])
    verdict = nk.certify(X, y)
    page = Page(report_html(verdict))
    lines = page.table("Weights of the weak separator")[1:]
    assert [(line[0], line[2]) for line in lines] == [
        ("dose", "finite"), ("marker", "+∞"), ("const", "not determined"),
        ("other", "not determined"), ("(intercept)", "finite"),
    ]  # fmt: skip
    said = "column 'const' is constant, the offset already has it; column 'other' is 1 - 'marker'"
    assert f"Collinear columns: {said}: their coefficients are not determined." in page.words


def test_a_column_called_intercept_is_not_taken_for_the_offset():
    X = pd.DataFrame({"(intercept)": [1.0, 2, 3, 4], "b": [0, 1, 0, 1]})
    verdict = nk.certify(X, [0, 0, 1, 1])
    assert set(verdict.columns) == {"(intercept)", "b", "((intercept))"}
    assert (verdict.columns["(intercept)"], verdict.columns["((intercept))"]) == ("+", "-")
    lines = Page(report_html(verdict)).table("Weights of the separator")[1:]
    assert [(line[0], line[2]) for line in lines] == [
        ("(intercept)", "+∞"), ("b", "±∞"), ("((intercept))", "-∞"),
    ]  # fmt: skip


def test_rows_are_named_as_the_index_names_them():
    X, y = SETS["quasi"]
    X = X.set_axis([f"patient {i}" for i in range(len(X))])
    verdict = nk.certify(X, y)
    lines = Page(report_html(verdict)).table("Rows that alone rule out")[1:-1]
    assert [line[0] for line in lines] == [f"{i}: patient {i}" for i in verdict.rows]


def test_numbers_beyond_floats_make_a_page_too():
    big = 10**400
    for y in ([0, 0, 1], [0, 1, 0]):
        page = Page(report_html(nk.certify([[big], [big + 1], [big + 2]], y)))
        assert page.facts["radius"].startswith("inf")


def test_the_audit_is_that_of_the_traced_run():
    X, y = nk.datasets.lecture("002")
    run = nk.trace(X, y)
    audit = run.audit()
    verdict = nk.certify(X, y)
    page = Page(report_html(verdict))
    lines = page.table("The inequalities")[1:]
    assert [line[0] for line in lines] == [check.formula for check in audit.checks]
    assert all(line[1] == "holds" for line in lines)
    assert f"made {run.n_mistakes} mistakes in {run.n_passes} passes" in " ".join(page.words)
    assert page.facts["mistakes"].startswith(f"at most {verdict.mistake_bound} ")
    assert len(page.all("svg")) == 3  # rows, sandwich, mistakes


def test_undecided_is_said_with_the_bracket_and_without_a_proof():
    verdict = undecided()
    page = Page(report_html(verdict))
    assert verdict.status == "undecided"
    assert page.all("a") == []
    lower, upper = verdict.margin
    low, high = map(
        float, page.facts["margin"].removesuffix(", if the rows are separable").split(" to ")
    )
    assert low == lower == 0
    assert upper <= high <= upper * (1 + 1e-5)  # six figures, rounded up
    assert page.facts["outcome"] == "undecided"
    assert len(page.facts["digest"]) == 64


def test_rows_that_were_found_before_time_ran_out_are_shown():
    whole = nk.certify(*SETS["overlapping"])
    verdict = replace(whole, status="undecided", certificate=None)
    page = Page(report_html(verdict))
    lines = page.table("Rows that alone")[1:]
    assert [int(line[0]) for line in lines] == list(whole.rows)
    assert page.facts["outcome"] == "undecided"


def test_without_matplotlib_a_report_is_refused_before_anything_is_read(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    words = ["certify", tmp_path / "missing.csv", "--report", tmp_path / "out.html"]
    assert "pip install 'novikoff[plot]'" in novikoff(*words).stderr
    with pytest.raises(InputError, match=r"pip install 'novikoff\[plot\]'"):
        nk.certify(*SETS["separable"]).report(tmp_path / "out.html")
    assert list(tmp_path.iterdir()) == []


HOSTILE = '<script>alert("1")</script>'


def test_names_and_labels_from_the_data_are_text_and_nothing_else():
    names = [f"{HOSTILE} again", '$\\frac{\' onload="x" &amp;\x00', "</style></svg>"]
    X = np.array([[0.0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 5]])
    labels = np.array([f"{HOSTILE}\ud800", "</title><b>1", "</title><b>1", f"{HOSTILE}\ud800"])
    frame = pd.DataFrame(X, columns=names)
    for rows, y in ((frame, labels), (frame, labels[[1, 0, 0, 0]])):
        verdict = nk.certify(rows, y, label=HOSTILE)
        page = Page(report_html(verdict, f"a {HOSTILE}.csv"))
        tags = {tag for tag, _ in page.tags}
        assert not {"script", "b"} & tags
        assert not any(key.startswith("on") for _, attributes in page.tags for key in attributes)
        assert page.facts["label column"] == HOSTILE
        text = " ".join(page.words)
        assert f"novikoff verify proof.json 'a {HOSTILE}.csv'" in text
        assert any(HOSTILE in line for cells in page.tables.values() for line in cells)
        from_bytes(page.proof, "the page's proof").verify(rows, y)


def test_a_proof_too_large_for_the_page_is_left_to_save(monkeypatch):
    monkeypatch.setattr(proof, "LARGEST_EMBEDDED", 100)
    page = Page(report_html(nk.certify(*SETS["quasi"]), "data.csv"))
    assert page.all("a") == []
    assert "--proof proof.json" in page.words


def test_a_long_list_is_cut_and_its_caption_says_so():
    assert first_of(3, 3) == ""
    assert first_of(3, 4) == " (the first 3 of 4)"
    names = [f"x{j}" for j in range(MOST_WEIGHTS + 1)]
    whole = Page(weights_table("Weights", names[1:], np.arange(1.0, MOST_WEIGHTS + 1)))
    assert [line[0] for line in whole.table("Weights")[1:]] == names[1:]
    cut = Page(weights_table("Weights", names, np.arange(MOST_WEIGHTS + 1.0)))
    assert [line[0] for line in cut.table("Weights (the 50 largest of 51")[1:]] == names[:0:-1]


def test_many_rows_are_sampled_and_the_page_stays_small():
    random = np.random.default_rng(1)
    X = random.standard_normal((20_000, 3))
    for y in (X @ [1.0, 2, 3] > 0.5, random.integers(0, 2, len(X))):
        verdict = nk.certify(X, y)
        page = Page(report_html(verdict))
        assert len(page.text_of_file) < 600_000
        drawn = [a for a in page.all("use") if a["href"].startswith("#rows-")]
        assert MOST_DRAWN <= len(drawn) < MOST_DRAWN + 250
        assert "of 20,000 rows are drawn" in " ".join(page.words)


def test_a_zero_row_is_named_where_hyperplanes_pass_through_the_origin():
    verdict = nk.certify([[0.0, 0], [1, 1], [1, 2]], [0, 1, 0], fit_intercept=False)
    page = Page(report_html(verdict))
    assert page.facts["hyperplanes"] == "through the origin only"
    assert [line[0] for line in page.table("Rows that alone")[1:]] == ["0"]


def test_without_an_offset_the_picture_speaks_of_cones():
    verdict = nk.certify([[1, 2], [2, 1], [1, 1], [3, -1.0]], [1, 1, 0, 0], fit_intercept=False)
    text = " ".join(Page(report_html(verdict)).words)
    assert "The cones from the origin of the two classes and the point that they share." in text
    assert "point both cones share" in text
    assert "hulls" not in text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(3), "3"), (Fraction(-1, 8), "-0.125"), (Fraction(1, 3), "1/3"),
        (Fraction(123, 100), "1.23"), (Fraction(0), "0"), (Fraction(-7, 1000), "-0.007"),
        (Fraction(1, 3**40), "≈ 8.22526e-20"), (Fraction(10**400), "≈ 1e+400"),
        (Fraction(-1, 10**400), "≈ -1e-400"), (2**4000, "≈ 1.3182e+1204"),
    ],
)  # fmt: skip
def test_numbers_are_exact_where_that_is_short(value, text):
    assert exact_text(value) == text
    if "≈" not in text:
        assert Fraction(text) == value


def test_the_settings_of_matplotlib_are_left_as_they_were():
    import matplotlib as mpl

    with mpl.rc_context({"font.size": 33.0, "svg.fonttype": "path"}):
        report_html(nk.certify(*SETS["separable"]))
        assert (mpl.rcParams["font.size"], mpl.rcParams["svg.fonttype"]) == (33.0, "path")


def test_the_command_writes_a_page_whose_proof_its_own_commands_accept(tmp_path):
    data = tmp_path / "my data.csv"
    data.write_text("dose,age,ill\n0,1,0\n0,2,1\n0,3,0\n1,1,1\n1,2,1\n0,2,0\n")
    out = tmp_path / "out.html"
    done = novikoff("certify", data, "--report", out, "--json", "--time-limit", "100")
    assert done.returncode == 0
    assert "wrote the report" in done.stderr
    page = Page(out.read_text(encoding="utf-8"))
    assert str(tmp_path) not in page.text_of_file  # a report travels; paths stay at home
    assert page.facts["outcome"].startswith(json.loads(done.stdout)["status"])
    (tmp_path / "proof.json").write_bytes(page.proof)
    commands = [w for w in page.words if w.startswith(("novikoff verify", "python checker.py"))]
    assert len(commands) == 2
    python = f"{sys.executable} -m novikoff", f"{sys.executable} {checker.__file__}"
    for command, real in zip(commands, python, strict=True):
        typed = re.sub(r"^(novikoff|python checker\.py)", real, command)
        assert subprocess.run(typed, shell=True, cwd=tmp_path, check=False).returncode == 0


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    verdicts = [nk.certify(*SETS[name]) for name in ("separable", "quasi", "many columns")]
    paths = [tmp_path_factory.mktemp("reports") / f"{i}.html" for i in range(4)]
    for path, verdict in zip(paths, [*verdicts, undecided()], strict=True):
        verdict.report(path, "data.csv")
    return paths


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_shows_it_without_a_request_and_axe_finds_no_fault(browser, files, scheme):
    from browser import faults

    context = browser.new_context(
        color_scheme=scheme, bypass_csp=True, viewport={"width": 390, "height": 800}
    )
    page = context.new_page()
    seen, said = [], []
    page.on("request", lambda request: seen.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    for path in files:
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert faults(page) == []
    assert seen == [path.as_uri() for path in files]
    assert said == []
    context.close()


@pytest.mark.browser
def test_the_link_downloads_the_proof(browser, tmp_path):
    X, y = SETS["quasi"]
    nk.certify(X, y).report(tmp_path / "out.html")
    context = browser.new_context(accept_downloads=True)
    page = context.new_page()
    page.goto((tmp_path / "out.html").as_uri())
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download proof.json").click()
    assert waiting.value.suggested_filename == "proof.json"
    nk.load_certificate(waiting.value.path()).verify(X, y)
    context.close()
