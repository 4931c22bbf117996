"""Random commands, options and files: an answer or a sentence, never a traceback.

Case i of a seed is one command with options that the command line itself lists, on files of any
kind: real ones with accidents, models and proofs likewise, noise, nothing, folders, other
encodings. A case is a fault if it ends in an exception, in an exit code other than 0, 1, 2, 3 and
130, in silence where it failed, or not at all within the time; a worker is held to a limit of
memory. `search(count, seed)` runs cases in worker processes and counts how they ended;
`try_case(seed, i)` runs one here, so that a fault can be looked at.

Run by itself: python tests/helpers/fuzz_cli.py COUNT [SEED [WORKERS]]
One case: python tests/helpers/fuzz_cli.py case SEED I
"""

from __future__ import annotations

import faulthandler
import io
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import warnings
import zipfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from unittest import mock

import click
import numpy as np

import fuzz_io
from command import every_command, novikoff

PATIENCE = 60  # seconds for one case
MEMORY = 6 << 30  # bytes of address space for a worker
CASES_AT_ONCE = 10  # that a worker is given
CODES = {0, 1, 2, 3, 130}
FEW = (0, 1, 2, 3, 7, 50)
NAMES = ["a", "b", "c", "y", "c0", "c1", "x1", "1", "2", "99", "-1", "label", "größe", ""]
WORDS = [
    "", "a", "1", "-1", "1,2", "0.5", "nan", "inf", "1e999", "x" * 500, "\x1b[31m", "é", "=1+1",
    "{}", "[", "%s", "../..", "~", "$HOME", "'", '"', "\n", "\u202e", "\udcff",
]  # fmt: skip
SETS = [
    "xor", "lecture:002", "lecture:", "parity:3", "parity:99", "planted:30,2,0.1", "iris",
    "planted:1000000000000,2,0.1", "tight:-1", "planted:2,2", "digits:0,1", "digits:0,nobody",
    "planted:5,2,1e-320", "overlap:1e-300", "decimal_trap:decimal", "badmargin:5", "no:such",
]  # fmt: skip
ODD_PLACES = ["/dev/null", "none.csv", "n" * 300, "", "http://x.org/a.csv", "*", ".", "..", "/"]
ENCODINGS = ["utf-16", "utf-16-be", "latin-1", "utf-8-sig", "utf-32", "cp437"]
PYTHON_FORM = re.compile(r"\b(?:[a-z]+_[a-z_]+|label|header|drop|positive|format|missing)=")


class FaultError(Exception):
    """A command that ended as none should."""


def deep_json(rng):
    return (rng.choice(["[", '{"a":', '{"kind":['])).encode() * rng.choice([10, 5000, 200_000])


def wide_header(rng):
    names = ",".join(f"c{i}" for i in range(rng.choice([50, 3000])))
    return f"{names}\n{','.join(['1'] * (names.count(',') + 1))}\n".encode()


def wide_svmlight(rng):
    index = rng.choice([2**31 - 2, 2**31 - 1, 2**31, 10**9, 10**8, 2**63, 10**30])
    return f"1 1:1\n-1 {index}:{fuzz_io.numeral(rng)}\n".encode()


def recoded(rng):
    text = fuzz_io.a_csv(rng).decode() + "größe,é,1\n"
    return text.encode(rng.choice(ENCODINGS), "replace")


def quotes(rng):
    rows = [f"{rng.randrange(9)},{rng.randrange(9)},{rng.randrange(2)}" for _ in range(200)]
    rows[rng.randrange(200)] = rng.choice(['"1,2,0', '1,"2,0', '1,2",0', '"""', '1,2,"', "'1,2"])
    return "\n".join(["a,b,y", *rows]).encode()


def archive(rng):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name in rng.sample(["X.npy", "y.npy", "readme.txt", "shape.npy", "data.npy",
                                "format.npy", "indices.npy", "X"], rng.randrange(4)):  # fmt: skip
            file.writestr(name, rng.choice([b"", b"hello", fuzz_io.an_npy(rng), npy_header(rng)]))
    return out.getvalue()


def npy_header(rng):
    shape = rng.choice(["(4611686018427387904, 4)", "(-1, 2)", "(3,)", "()", "(2, 0)", "(0, 3)",
                        "(1000000000, 100)", "('a', 2)", "(2, 3, 4)"])  # fmt: skip
    kind = rng.choice(["<f8", "|O", "<M8[s]", "<c16", "|S3", "<U3", "<f16", "|V9", "nonsense"])
    text = f"{{'descr': {kind!r}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + bytes(48)


def a_jsonl(rng):
    lines = []
    for _ in range(rng.randrange(1, 6)):
        value = rng.choice([1, -2.5, "w", None, True, [1], {}, 10**400, "\ud800", 1e308])
        lines.append(json.dumps({"a": rng.gauss(0, 1), rng.choice("abyx"): value,
                                 "label": rng.choice([0, 1, "u", 2.5, None])}))  # fmt: skip
    return "\n".join(lines).encode()


def noise(rng):
    return rng.randbytes(rng.randrange(300))


MAKERS = {
    **{f".{form}": maker for form, maker in fuzz_io.MAKERS.items()},
    ".jsonl": a_jsonl, ".json": deep_json, ".dat": noise, ".tsv": recoded, ".txt": quotes,
    ".libsvm": wide_svmlight, ".tab": wide_header, ".zip": archive, ".pq": noise,
}  # fmt: skip


def good_table(rng):
    """Rows that every command can use."""
    made = np.random.default_rng(rng.randrange(2**32))
    X = np.round(made.normal(size=(12, 2)), 2)
    kind = rng.choice(["separable", "overlapping", "three"])
    y = (
        (X[:, 0] > 0).astype(int)
        if kind == "separable"
        else np.arange(12) % (2 + (kind == "three"))
    )
    lines = [f"{a},{b},{'pqr'[c]}" for (a, b), c in zip(X.tolist(), y, strict=True)]
    return ("\n".join(["a,b,y", *lines]) + "\n").encode()


class Cases:
    """The files of a case in a folder of its own, and the command line about them."""

    def __init__(self, rng, folder):
        self.rng, self.folder = rng, Path(folder)
        self.made = 0

    def path(self, suffix):
        self.made += 1
        odd = self.rng.choice(["", "", "", "", " ", "é", "\x1b[31m", "*", "[a]", "-"])
        return self.folder / f"{odd}{self.made}{suffix}"

    def data(self):
        """A file, a set, or something that is neither."""
        rng, kind = self.rng, self.rng.random()
        if kind < 0.12:
            return rng.choice(SETS)
        if kind < 0.16:
            return rng.choice([*ODD_PLACES, f"{self.folder}/*"])
        if kind < 0.20:
            return "-"
        if kind < 0.55:
            return self.written(".csv", good_table(rng))
        suffix = rng.choice(list(MAKERS))
        content = fuzz_io.mutated(MAKERS[suffix](rng), rng)
        if rng.random() < 0.1:
            suffix = rng.choice([*MAKERS, "", ".unknown"])  # a name that lies
        return self.written(suffix, content)

    def written(self, suffix, content):
        path = self.path(suffix)
        path.write_bytes(content)
        return str(path)

    def kept(self, kind):
        """A model, a checkpoint or a proof: whole, damaged, or something else."""
        if self.rng.random() < 0.15:
            return self.data()
        content = self.rng.choice(STORED[kind])
        if self.rng.random() < 0.5:
            content = fuzz_io.mutated(content, self.rng)
        return self.written(".json" if kind == "proof" else ".st", content)

    def output(self, suffixes=(".out",)):
        rng = self.rng
        if rng.random() < 0.1:
            return str(rng.choice([self.folder, self.folder / "no" / "x", "/dev/null/x", ""]))
        return str(self.path(rng.choice(suffixes)))

    def value(self, option):
        """Something to give to an option."""
        rng, kind = self.rng, option.type
        if option.name in ("output", "proof", "report", "predictions", "checkpoint", "rows"):
            return self.output((".csv", ".parquet", ".npy", ".html", ".json", ".st", ".xyz"))
        if option.name == "model":
            return self.kept("stream")
        if option.name == "test":
            return self.data()
        if option.name == "cache":
            return str(self.folder)
        if isinstance(kind, click.Choice) and rng.random() < 0.97:
            return rng.choice(list(kind.choices))
        if isinstance(kind, click.IntRange):
            return str(max(kind.min or 0, rng.choice(FEW)) if rng.random() < 0.9 else -1)
        if isinstance(kind, click.FloatRange):
            return str(
                rng.choice([0.01, 0.5, 1, 2, 1e-9] if rng.random() < 0.9 else [0, -1, "nan"])
            )
        return rng.choice(NAMES if rng.random() < 0.7 else WORDS)

    def arguments(self, command):
        if command.name == "verify" and self.rng.random() < 0.3:  # a proof with its own data
            place = self.rng.randrange(len(STORED["proof"]))
            yield self.written(".json", STORED["proof"][place])
            yield self.written(".csv", STORED["table"][place])
            return
        for parameter in command.params:
            if isinstance(parameter, click.Argument):
                if parameter.name == "model":
                    yield self.kept("model")
                elif parameter.name == "proof":
                    yield self.kept("proof")
                elif parameter.required or self.rng.random() < 0.8:
                    yield self.data()

    def options(self, command):
        named = [p for p in command.params if isinstance(p, click.Option)]
        chosen = self.rng.sample(named, min(len(named), self.rng.choice([0, 0, 1, 1, 2, 3, 5])))
        for option in named:
            if option in chosen or (option.required and self.rng.random() < 0.97):
                words = [*option.opts, *option.secondary_opts]
                yield self.rng.choice(words)
                if not option.is_flag:
                    yield self.value(option)

    def line(self):
        found = every_command()
        name = self.rng.choice(sorted(found))
        command = found[name]
        words = [*self.arguments(command), *self.options(command)]
        if self.rng.random() < 0.03:
            words.insert(self.rng.randrange(len(words) + 1), self.rng.choice([*WORDS, "--no-such"]))
        if command.name == "trace" and "--max-mistakes" not in words:
            words += ["--max-mistakes", "500"]
        if command.name == "certify":
            words += ["--time-limit", "5"]
        return [name, *words]


STORED = {"model": [], "proof": [], "table": [], "stream": []}


def prepare():
    """Models and proofs to damage, made once."""
    if STORED["model"]:
        return
    with tempfile.TemporaryDirectory() as place:
        rng, folder = random.Random(5), Path(place)
        for number in range(3):
            (folder / "t.csv").write_bytes(good_table(rng))
            for kind in ("perceptron", "averaged", "voted", "kernel"):
                run(["fit", str(folder / "t.csv"), "-o", str(folder / "m"), "--kind", kind, "-q"])
                STORED["model"].append((folder / "m").read_bytes())
            run(["stream", str(folder / "t.csv"), "-o", str(folder / "s"), "-q"])
            STORED["stream"].append((folder / "s").read_bytes())
            run(["certify", str(folder / "t.csv"), "--proof", str(folder / f"p{number}")])
            if (folder / f"p{number}").exists():
                STORED["proof"].append((folder / f"p{number}").read_bytes())
                STORED["table"].append((folder / "t.csv").read_bytes())
        STORED["stream"] += STORED["model"][:2]


def run(words, stdin=b""):
    """(exit code, what was said) of a command in this process; exceptions come through."""
    with (
        warnings.catch_warnings(),
        np.errstate(),
        mock.patch("novikoff.studio.server.serve", lambda session, **_: session()),
    ):
        warnings.simplefilter("ignore")
        done = novikoff(*words, stdin=stdin)
    return done.returncode, done.stderr


def try_case(seed, number, folder=None):
    """Run one case; (command, exit code). Raises FaultError.

    One in a hundred has a process of its own, whose output is of an encoding of its own.
    """
    prepare()
    rng = random.Random(f"{seed}:{number}")
    with tempfile.TemporaryDirectory(dir=folder) as place:
        cases = Cases(rng, place)
        words = cases.line()
        stdin = fuzz_io.mutated(rng.choice([good_table, *MAKERS.values()])(rng), rng)
        here = Path.cwd()
        os.chdir(place)
        try:
            if number % 100 == 99 and words[0] != "studio":
                encoding = rng.choice(["utf-8", "cp1252", "ascii"])
                done = subprocess.run(
                    [sys.executable, "-m", "novikoff", *words], input=stdin, capture_output=True,
                    check=False, env={**os.environ, "PYTHONIOENCODING": encoding},
                )  # fmt: skip
                code, said = done.returncode, done.stderr.decode(encoding, "replace")
            else:
                code, said = run(words, stdin)
        except Exception as error:
            raise FaultError(
                f"{told(seed, number, words)}: {type(error).__name__}: {error}"
            ) from error
        finally:
            os.chdir(here)
    if code not in CODES or "Traceback" in said or (code in (1, 2) and not said.strip()):
        raise FaultError(f"{told(seed, number, words)}: exit code {code}: {said}")
    if code == 1 and PYTHON_FORM.search(said.replace(shlex.join(words), "")):
        raise FaultError(f"{told(seed, number, words)}: an option in its Python form: {said}")
    return words[0], code


def told(seed, number, words):
    return f"case {number} of seed {seed}: novikoff {' '.join(repr(word)[1:-1] for word in words)}"


def search(count, seed=0, workers=2):
    """Try `count` cases; how many of each command ended with each code. Raises FaultError."""
    tally, faults = Counter(), []
    with ProcessPoolExecutor(workers, get_context("spawn"), _hold_to_limits) as pool:
        numbers = range(0, count, CASES_AT_ONCE)
        parts = [pool.submit(_some, seed, n, min(count, n + CASES_AT_ONCE)) for n in numbers]
        for part in parts:  # a case that does not end breaks the pool, and says where it stands
            seen, wrong = part.result()
            tally += seen
            faults += wrong
    if faults:
        raise FaultError("\n".join(faults))
    return tally


def _hold_to_limits():
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    prepare()


def _some(seed, first, stop):
    """Some cases: how each ended, and what was wrong."""
    tally, faults = Counter(), []
    for number in range(first, stop):
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        try:
            tally[try_case(seed, number)] += 1
        except FaultError as error:
            faults.append(str(error))
        finally:
            faulthandler.cancel_dump_traceback_later()
    return tally, faults


def main(*words):
    if words[0] == "case":
        print(try_case(words[1], int(words[2])))
    else:
        count, seed, workers = (*words, *("1000", "0", "2")[len(words) :])
        for (command, code), times in sorted(search(int(count), seed, int(workers)).items()):
            print(f"{command:10} exit code {code:3} {times:8,}")


if __name__ == "__main__":
    main(*sys.argv[1:])
