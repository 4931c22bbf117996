"""Mutation testing of the checker: is there a test for every operation in it?

A mutant is `certificates/`, `checker.py` included, with one operation changed: < for <=, + for -,
`and` for `or`, a condition that is always true or false, a number plus one, a statement left out.
Each mutant runs only the tests that call the changed function, the quickest first, until one fails;
a mutant that runs out of its time counts as found. Survivors are listed in docs/evidence.md with
the reason why each changes no answer; a test for one that does change an answer belongs into
tests/certificates/test_mutants.py.

    python scripts/evidence.py --only mutants --minutes 20     a random part of all mutants
    python scripts/mutants.py claim.py 118                     those of one file, or one line of it

Python is started once. Each mutant is a fork of it, in which the changed function has its new code,
so what is not a function (constants, tables of names) is not changed. Messages and what only they
need are not changed either.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
import types
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOM = ROOT / "src" / "novikoff" / "certificates"
TESTS = ["certificates", "verdicts/test_labellings.py", "regression/test_regression_proof.py",
         "regression/test_regression_rows.py"]  # fmt: skip
LEAST_SECONDS = 5  # of processor for a mutant's tests, and besides:
TIMES_SLOWER = 5  # than the tests were without a mutant
MOST_MEMORY = 6 * 2**30  # bytes of a mutant
SAVED_AFTER = 20  # mutants: the file has some megabytes
SLOWEST_TEST = 10.0  # seconds; slower tests are left out

SWAPS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE,), ast.LtE: (ast.Lt,), ast.Gt: (ast.GtE,), ast.GtE: (ast.Gt,),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,), ast.And: (ast.Or,), ast.Or: (ast.And,),
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Add,), ast.FloorDiv: (ast.Mult,),
    ast.Div: (ast.Mult,), ast.Mod: (ast.FloorDiv,), ast.Pow: (ast.Mult,),
    ast.LShift: (ast.RShift,), ast.RShift: (ast.LShift,),
    ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd,),
}  # fmt: skip

# Why a survivor changes no answer: by file and function, and what was changed where not all.
REASONS: dict[tuple[str, str] | tuple[str, str, str], str] = {
    ("digest.py", "_block_digests", "`1` → 2 in line 70, column 15"): (
        "the least step of a loop over rows, which any step does"
    ),
    ("digest.py", "digests_of", "`2` → 3 in line 41, column 32"): "the number of threads",
    ("model.py", "check_response", "`True` → False in line 118, column 52"): (
        "columns of one table have one length"
    ),
    ("remainder.py", "_norm", "Add → Sub in `1.0 + gamma(n + 2)`"): (
        "SAFE, in whatever a norm enters, covers thousands of roundings"
    ),
    ("remainder.py", "lengths", "Add → Sub in `n + 6`"): (
        "n more roundings than the few that SAFE covers thousands of"
    ),
}


@dataclass(frozen=True)
class Mutant:
    """One change: `number` of those that `changes` finds in the file."""

    file: str
    function: str
    first_line: int  # of the function
    line: int
    what: str
    number: int

    def key(self) -> str:
        return f"{self.file} {self.number}"

    def reason(self) -> str:
        place = (self.file, self.function)
        return REASONS.get((*place, self.what), REASONS.get(place, "not explained yet"))


@dataclass
class Change:
    """Puts another operation in the place of one, and back."""

    node: ast.AST
    attribute: str
    new: object
    index: int | None = None

    def apply(self) -> None:
        if self.index is None:
            setattr(self.node, self.attribute, self.new)
        else:
            getattr(self.node, self.attribute)[self.index] = self.new


def texts(node: ast.AST) -> bool:
    """Is this a message, or does it only make one?"""
    return isinstance(node, (ast.JoinedStr, ast.Raise)) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def changes(tree: ast.Module) -> Iterator[tuple[list[ast.AST], ast.AST, Change]]:
    """Every change of the file: the functions around it, the node, and the change."""

    def visit(node: ast.AST, functions: list[ast.AST]) -> Iterator:
        if texts(node):
            return
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            functions = [*functions, node]
            children: list[ast.AST] = list(node.body)
        else:
            children = list(ast.iter_child_nodes(node))
        if any(isinstance(f, ast.FunctionDef) for f in functions):
            for change in changes_of(node):
                yield functions, node, change
        if isinstance(node, (ast.AnnAssign, ast.arg)):  # annotations are no operations
            children = [c for c in children if c is not node.annotation]
        for child in children:
            yield from visit(child, functions)

    yield from visit(tree, [])


def changes_of(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, (ast.BinOp, ast.BoolOp, ast.AugAssign)):
        for new in SWAPS.get(type(node.op), ()):
            yield Change(node, "op", new())
    if isinstance(node, ast.Compare):
        for k, op in enumerate(node.ops):
            for new in SWAPS.get(type(op), ()):
                yield Change(node, "ops", new(), k)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        is_not = isinstance(node.op, ast.Not)
        yield Change(node, "op", ast.UAdd() if not is_not else _Identity())
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        value = node.value
        yield Change(node, "value", not value if isinstance(value, bool) else value + 1)
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        for value in (False,) if isinstance(node, ast.While) else (True, False):
            yield Change(node, "test", ast.copy_location(ast.Constant(value), node.test))
    if isinstance(node, ast.comprehension):
        for k, test in enumerate(node.ifs):
            yield Change(node, "ifs", ast.copy_location(ast.Constant(True), test), k)
    if isinstance(node, ast.Return) and node.value is not None and not _is_plain(node.value):
        yield Change(node, "value", ast.copy_location(ast.Constant(None), node.value))
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        for k, one in enumerate(block if isinstance(block, list) else ()):
            is_call = isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)
            if is_call or isinstance(one, (ast.Raise, ast.AugAssign, ast.Continue, ast.Break)):
                yield Change(node, name, ast.copy_location(ast.Pass(), one), k)


class _Identity(ast.Not):
    """Stands for a `not` that is left out."""


def _is_plain(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def without_identities(tree: ast.Module) -> ast.Module:
    class Remove(ast.NodeTransformer):
        def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
            self.generic_visit(node)
            if isinstance(node.op, _Identity):
                made = ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])
                return ast.fix_missing_locations(ast.copy_location(made, node))
            return node

    return Remove().visit(tree)


def mutants_of(path: Path) -> Iterator[Mutant]:
    source = path.read_text(encoding="utf-8")
    for number, (functions, node, change) in enumerate(changes(ast.parse(source))):
        outer = next(f for f in functions if isinstance(f, ast.FunctionDef))
        start = min([outer.lineno, *(d.lineno for d in outer.decorator_list)])
        at = node if change.index is None else getattr(node, change.attribute)[change.index]
        if not hasattr(at, "lineno"):  # an operator
            at = node
        old = ast.unparse(at)
        shown = " ".join(old.split())[:60]
        if isinstance(change.new, ast.Pass):
            what = f"without `{shown}`"
        elif isinstance(change.new, ast.operator | ast.cmpop | ast.boolop | ast.unaryop):
            was = getattr(node, change.attribute)
            was = was if change.index is None else was[change.index]
            what = f"{type(was).__name__} → {type(change.new).__name__.strip('_')} in `{shown}`"
        else:
            new = change.new if not isinstance(change.new, ast.AST) else ast.unparse(change.new)
            part = getattr(node, change.attribute)
            part = part if change.index is None else part[change.index]
            part = ast.unparse(part) if isinstance(part, ast.AST) else part
            what = f"`{' '.join(str(part).split())[:60]}` → {new}"
            if isinstance(node, ast.Constant):
                what += f" in line {node.lineno}, column {node.col_offset}"
        yield Mutant(path.name, outer.name, start, at.lineno, what, number)


# ------------------------------------------------------------------ a changed function


def code_objects(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from code_objects(constant)


def put_in(mutant: Mutant) -> None:
    """Give every function object of the file its code in the mutant; ValueError if it cannot be."""
    path = ROOM / mutant.file
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for number, (_, _, change) in enumerate(list(changes(tree))):
        if number == mutant.number:
            change.apply()
    code = compile(without_identities(tree), str(path), "exec")
    new = {(c.co_qualname, c.co_firstlineno): c for c in code_objects(code)}
    for function in gc.get_objects():
        if isinstance(function, types.FunctionType):
            old = function.__code__
            key = (old.co_qualname, old.co_firstlineno)
            if old.co_filename == str(path) and key in new and new[key] != old:
                function.__code__ = new[key]


@dataclass
class Found:
    """What is known of the mutants of these very files, by these very tests.

    covering : the tests that call a function, by its file and first line
    took : seconds of processor of each test that passes
    outcomes : what became of a mutant
    """

    path: Path
    tests: str = ""
    covering: dict[str, list[str]] = field(default_factory=dict)
    took: dict[str, float] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)

    @classmethod
    def so_far(cls) -> Found:
        """Where the tests have changed, only what they found."""
        path = ROOT / ".venv" / f"mutants-{digest_of([ROOM])[:16]}.json"
        found = cls(path, **json.loads(path.read_text())) if path.exists() else cls(path)
        tests = digest_of([*(ROOT / "tests" / test for test in TESTS), ROOT / "tests" / "helpers"])
        if found.tests != tests:
            kept = {key: what for key, what in found.outcomes.items() if what.startswith("found")}
            found = cls(path, tests, outcomes=kept)
        return found

    def save(self) -> None:
        fields = {"tests": self.tests, "covering": self.covering, "took": self.took}
        part = self.path.with_suffix(".part")
        part.write_text(json.dumps({**fields, "outcomes": self.outcomes}))
        part.replace(self.path)


def digest_of(folders: list[Path]) -> str:
    """Of the Python files in these folders, or of such files."""
    paths = [path for one in folders for path in (one.glob("*.py") if one.is_dir() else [one])]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()


@dataclass
class Runner:
    """A plugin of pytest: instead of running the tests, it forks for each mutant."""

    mutants: list[Mutant]
    seconds: float
    found: Found
    failed: bool = False

    def pytest_runtest_logreport(self, report) -> None:
        self.failed |= report.failed

    def pytest_runtestloop(self, session) -> bool:
        items = {item.nodeid: item for item in session.items if "rocq" not in item.keywords}
        if not self.found.took:
            self.found.covering, self.found.took = self._mapped(items)
            self.found.save()
        took, begun = self.found.took, time.monotonic()
        for mutant in self.mutants:
            if time.monotonic() - begun > self.seconds:
                break
            chosen = self.found.covering.get(f"{mutant.file}:{mutant.first_line}", [])
            chosen = sorted((name for name in chosen if took[name] < SLOWEST_TEST), key=took.get)
            outcome = self._tried(mutant, [items[name] for name in chosen],
                                  sum(took[name] for name in chosen))  # fmt: skip
            self.found.outcomes[mutant.key()] = outcome
            if len(self.found.outcomes) % SAVED_AFTER == 0:
                self.found.save()
            if not outcome.startswith("found"):
                print(f"\n{mutant.file} {mutant.function}, line {mutant.line}, {mutant.what}: "
                      f"{outcome}", flush=True)  # fmt: skip
        self.found.save()
        return True

    def _run(self, item) -> bool:
        self.failed = False
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return not self.failed

    def _mapped(self, items) -> tuple[dict[str, list[str]], dict[str, float]]:
        """Which tests call which function, and how long each takes; of those that pass."""
        here = str(ROOM)

        def measure() -> object:
            covering: dict[str, set[str]] = {}
            took: dict[str, float] = {}
            for name, item in items.items():
                called: set[types.CodeType] = set()

                def profile(frame, event, _, called=called) -> None:
                    if event == "call" and frame.f_code.co_filename.startswith(here):
                        called.add(frame.f_code)

                begun = time.process_time()
                sys.setprofile(profile)
                is_right = self._run(item)
                sys.setprofile(None)
                if is_right:
                    took[name] = time.process_time() - begun
                    for code in called:
                        key = f"{Path(code.co_filename).name}:{code.co_firstlineno}"
                        covering.setdefault(key, set()).add(name)
            return [{key: sorted(names) for key, names in covering.items()}, took]

        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            with os.fdopen(write, "w") as out:
                json.dump(measure(), out)
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as given:
            covering, took = json.load(given)
        os.waitpid(child, 0)
        return covering, took

    def _tried(self, mutant: Mutant, items: list, usual: float) -> str:
        if not items:
            return "no test calls it"
        child = os.fork()
        if child == 0:
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            limit = int(LEAST_SECONDS + TIMES_SLOWER * usual)
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
            signal.setitimer(signal.ITIMER_REAL, 20 * limit)
            try:
                put_in(mutant)
            except ValueError:
                os._exit(3)
            except BaseException:
                os._exit(4)
            try:
                for item in items:
                    if not self._run(item):
                        os._exit(1)
            except BaseException:
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            return "found: time or memory ended"
        return {0: "survived", 1: "found: a test fails", 3: "cannot be put in"}.get(
            os.WEXITSTATUS(status), "cannot be made"
        )


def tried(mutants: list[Mutant], seconds: float) -> Found:
    """Try these mutants, one after the other, for at most so many seconds."""
    import pytest

    os.environ.setdefault("OMP_NUM_THREADS", "1")
    found = Found.so_far()
    paths = [str(ROOT / "tests" / test) for test in TESTS]
    options = ["-p", "no:cacheprovider", "-p", "no:xdist"]
    pytest.main([*options, *paths], plugins=[Runner(mutants, seconds, found)])
    return found


def all_mutants() -> list[Mutant]:
    return [mutant for path in sorted(ROOM.glob("*.py")) for mutant in mutants_of(path)]


def mutants_section(seconds: float) -> str:
    """The section of docs/evidence.md, after as many more mutants as fit."""
    # Python anew: what is imported before pytest starts is not as its tests need it.
    subprocess.run([sys.executable, __file__, "--seconds", str(seconds)], check=True)
    every, outcomes = all_mutants(), Found.so_far().outcomes
    lines = [
        f"## {len(outcomes):,} of {len(every):,} mutants of the checker", "",
        f"{datetime.now(UTC):%d %B %Y}, drawn at random. A mutant is `certificates/`, `checker.py` "
        "included, with one operation changed; it runs the tests that call the changed function "
        "(`scripts/mutants.py`).", "",
        "| what | times |", "|---|--:|",
    ]  # fmt: skip
    lines += [
        f"| {what} | {times:,} |" for what, times in sorted(Counter(outcomes.values()).items())
    ]
    lines += ["", "Mutants that survived, and the reason where it was looked for:", ""]
    lines += ["| file | function | change | reason |", "|---|---|---|---|"]
    survivors = [one for one in every if outcomes.get(one.key(), "found")[:5] != "found"]
    for one in sorted(survivors, key=lambda m: (m.file, m.line, m.number)):
        what = one.what.replace("|", "\\|")
        lines.append(f"| {one.file} | {one.function}, line {one.line} | {what} | {one.reason()} |")
    return "\n".join(lines)


SECTIONS: dict[str, Callable[[float], str]] = {"mutants": mutants_section}


def main(arguments: list[str]) -> None:
    found = all_mutants()
    if arguments[:1] == ["--seconds"]:
        known = Found.so_far().outcomes
        left = [mutant for mutant in found if mutant.key() not in known]
        random.SystemRandom().shuffle(left)
        tried(left, float(arguments[1]))
        return
    if arguments:
        found = [m for m in found if m.file == arguments[0]]
    if arguments[1:]:
        found = [m for m in found if m.line == int(arguments[1])]
    known = tried(found, float("inf"))
    for one in found:
        print(one.file, one.function, one.line, one.what, known.outcomes[one.key()], sep=", ")


if __name__ == "__main__":
    main(sys.argv[1:])
