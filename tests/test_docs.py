"""README and docs: every block of code runs, prints what stands there, and every link leads on.

A page is a story of its own. Its blocks run from top to bottom in one empty folder:

    ```python              runs in one namespace; a ```text block right below is what it prints
    ```pycon               a session, as doctest reads it
    ```console             after each $ a command, then what it prints; nothing: anything.
                           A command that fails must show more of what it prints than an ellipsis
    ```console fails       as above, where the last command is meant to fail
    ```sh                  commands, one a line
    ```text file=NAME      a file, there before the first block runs
    ```LANGUAGE not run: REASON

Seconds, and rows a second, may differ from what is shown; an ellipsis (…) stands for any text.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from contextlib import redirect_stdout
from pathlib import Path
from textwrap import dedent, fill
from typing import NamedTuple

import pytest

import novikoff as nk
from command import novikoff
from novikoff.certificates.model import RESPONSES

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^( *)(`{3,})([^`\n]*)\n(.*?)^ *\2$\n?", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:href|src)=\"([^\"]+)\"")
RUNNING = ("python", "pycon", "console", "sh")
SHOWN = ("text", "markdown", "{toctree}", "{eval-rst}", "{glossary}")
SECONDS = re.compile(r"\d[\d.,e-]*(?= s\b| rows a second)|(?<=  )\d+\.\d\d$", re.MULTILINE)


class Block(NamedTuple):
    language: str
    note: str  # what follows the language: file=NAME, or not run: REASON
    text: str
    line: int
    is_below: bool  # nothing stands between it and the block before


def blocks_of(page):
    text, found, end = page.read_text(encoding="utf-8"), [], -1
    for fence in FENCE.finditer(text):
        language, _, note = fence[3].strip().partition(" ")
        is_below = found != [] and not text[end : fence.start()].strip()
        line = text.count("\n", 0, fence.start()) + 1
        found.append(Block(language, note, dedent(fence[4]), line, is_below))
        end = fence.end()
    return found


def is_story(page):
    return any(block.language in RUNNING for block in blocks_of(page))


def named(page):
    return str(page.relative_to(ROOT))


def shown_below(following):
    """What a page shows as printed by the block before."""
    if following and following.language == "text" and following.is_below and not following.note:
        return following.text
    return None


def compare(said, printed, where):
    pattern = re.escape(SECONDS.sub("N", said.rstrip())).replace("…", ".*?")
    if not re.fullmatch(pattern, SECONDS.sub("N", printed.rstrip()), re.DOTALL):
        pytest.fail(f"{where} shows\n{said}\nbut prints\n{printed}", pytrace=False)


def run_python(block, said, names, where):
    warned = []
    with redirect_stdout(io.StringIO()) as out, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec(compile("\n" * block.line + block.text, where, "exec"), names)
    for one in caught:
        warned += [fill(f"{one.category.__name__}: {one.message}", 100)]
    if said is not None:
        compare(said, out.getvalue() or "\n".join(warned), where)
    elif warned:
        pytest.fail(f"{where} warns:\n" + "\n".join(warned), pytrace=False)


def run_session(block, names, where):
    test = doctest.DocTestParser().get_doctest(block.text, names, where, where, block.line)
    told = io.StringIO()
    doctest.DocTestRunner().run(test, out=told.write, clear_globs=False)
    names.update(test.globs)
    if told.getvalue():
        pytest.fail(told.getvalue(), pytrace=False)


def run_commands(block, where):
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]
    if block.language == "sh":
        parts = block.text.splitlines(keepends=True)
    place = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{place}{os.pathsep}{os.environ['PATH']}"}
    for part in parts:
        command, said = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*\n)(.*)", part, re.DOTALL).groups()
        if re.match(r"novikoff [^#|<>;&$*`~()\\]*(#.*)?\n", command):  # in this process
            done = novikoff(*shlex.split(command, comments=True)[1:], together=True)
        else:
            done = subprocess.run(
                ["bash", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, env=environment, check=False, timeout=300,
            )  # fmt: skip
        if said:
            compare(said, done.stdout, f"{where}, {command.strip()}")
        is_marked = block.note == "fails" and part is parts[-1]
        if done.returncode and not is_marked and not said.replace("…", "").strip():
            pytest.fail(f"{where}, {command.strip()} fails:\n{done.stdout}", pytrace=False)


@pytest.mark.parametrize("path", [*filter(is_story, PAGES)], ids=named)
def test_every_block_runs_and_prints_what_stands_there(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    blocks, names = blocks_of(path), {"__name__": "page"}
    for block in blocks:
        if block.note.startswith("file="):
            Path(block.note.removeprefix("file=")).write_text(block.text, encoding="utf-8")
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        where = f"{named(path)}, line {block.line}"
        if block.language not in RUNNING or block.note.startswith("not run: "):
            continue
        if block.language == "python":
            run_python(block, shown_below(following), names, where)
        elif block.language == "pycon":
            run_session(block, names, where)
        else:
            run_commands(block, where)


@pytest.mark.parametrize(
    ("note", "text"),
    [
        ("", "$ false\n"),
        ("", "$ echo no; false\n…\n"),
        ("fails", "$ echo no; false\n…\n$ echo yes\n…\n"),
    ],
)
def test_an_ellipsis_alone_does_not_hide_a_command_that_fails(note, text):
    with pytest.raises(pytest.fail.Exception, match="fails:"):
        run_commands(Block("console", note, text, 1, False), "a page")


@pytest.mark.parametrize(("note", "said"), [("fails", "…"), ("", "no")])
def test_a_failure_that_is_marked_or_shown_is_accepted(note, said):
    run_commands(Block("console", note, f"$ echo no; false\n{said}\n", 1, False), "a page")


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_every_block_says_what_it_is(path):
    for block in blocks_of(path):
        where = f"{named(path)}, line {block.line}"
        assert block.language in (*RUNNING, *SHOWN), where
        assert re.fullmatch(r"|fails|file=\S+|not run: \S.+", block.note), where
        assert block.language in RUNNING or not block.text.startswith("$ "), where


def test_every_model_of_a_regression_has_an_example():
    blocks = blocks_of(ROOT / "docs" / "before_you_fit.md")
    code = "".join(block.text for block in blocks if block.language == "python")
    assert set(re.findall(r'model="([\w-]+)"', code)) == set(RESPONSES)


def tracked():
    """The files that a clone has: what git ignores is not there."""
    listed = ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"]
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return {path for path in ROOT.rglob("*") if path.is_file()}
    names = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    return {ROOT / name for name in names.splitlines()}


def test_every_relative_link_leads_to_a_file_of_the_repository():
    files = tracked()
    folders = {folder for file in files for folder in file.parents}
    dead = []
    for page in PAGES:
        prose = FENCE.sub("", page.read_text(encoding="utf-8"))
        for link in (one or other for one, other in LINK.findall(prose)):
            target = link.partition("#")[0]
            if target and not re.match(r"\w+:", target):
                path = Path(os.path.normpath(page.parent / target))
                if path not in files and path not in folders:
                    dead.append(f"{named(page)}: {link}")
    assert dead == []


def test_the_pages_of_the_manual_build_without_a_warning(tmp_path):
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d", tmp_path / "trees"]
    done = subprocess.run(
        [*build, ROOT / "docs", tmp_path / "html"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_every_public_name_is_in_the_reference_and_its_examples_run():
    page = (ROOT / "docs" / "reference" / "names.md").read_text(encoding="utf-8")
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner(verbose=False)
    told = io.StringIO()
    for name in set(nk.__all__) - {"__version__", "datasets", "distributed", "geometry"}:
        assert re.search(rf"^\.\. auto\w+:: novikoff\.{name}$", page, re.MULTILINE), name
        for test in finder.find(getattr(nk, name), name, globs={}):
            runner.run(test, out=told.write)
    assert told.getvalue() == ""
