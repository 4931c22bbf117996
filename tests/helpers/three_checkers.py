"""Three checkers, one verdict: the library, checker.py, and the native one that is proven sound.

The native one must say what checker.py says of the same two files, or that it cannot tell. The
attacks of `tampering`, of proofs of the fewest mistakes and of regressions hold library and
checker.py against each other; here the native checker sees every file that they attack.

`built()` makes the theory and the native checker, once for all processes, where coqc is there.
"""

from __future__ import annotations

import atexit
import fcntl
import json
import random
import subprocess
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path
from unittest import mock

import numpy as np

import novikoff as nk
import tampering
import test_mistakes_proof
import test_regression_proof
from novikoff.certificates import checker
from novikoff.certificates.certificate import from_dict
from novikoff.cli.regression import write_model_rows
from novikoff.inputs import read_table
from regression_draws import DRAWS

ROCQ = Path(__file__).parents[2] / "rocq"
SAID = {0: "accepted", 1: "refused", 4: "unknown"}


def built() -> Path:
    """The folder with what `make rocq` makes."""
    folder = ROCQ / "build"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(["make", "-C", ROCQ], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def native_code(proof: Path, data: Path) -> tuple[int, str]:
    """Exit code and message of the native checker."""
    command = [ROCQ / "build" / "novikoff-check", proof, data]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert bool(done.stdout) == (done.returncode == 0), done
    return done.returncode, done.stdout or done.stderr


class Native:
    """The native checker, started once and asked about many files."""

    def __init__(self) -> None:
        command = [ROCQ / "build" / "novikoff-check", "--many"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace"
        )

    def judge(self, proof: Path, data: Path) -> tuple[int, str]:
        """Exit code and message, as of a process of its own."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{proof}\n{data}\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"the native checker died on {proof.read_text()}"
        return int(line[0]), line[2:].rstrip("\n")

    def close(self) -> None:
        self._process.communicate()


@cache
def native() -> Native:
    started = Native()
    atexit.register(started.close)
    return started


def compare(proof: Path, data: Path, seen: Counter[str], what: str) -> str:
    """What checker.py says; AssertionError where the native checker says anything else."""
    try:
        checker.check(str(proof), str(data))
        plain = "accepted"
    except checker.ProofError:
        plain = "refused"
    except checker.CannotTellError:
        plain = "unknown"
    code, message = native().judge(proof, data)
    said = SAID[code]
    assert said in (plain, "unknown"), (plain, message, proof.read_text(), data.read_text())
    if said == "unknown" and plain != "unknown":
        is_known = '"relations": [' not in proof.read_text()
        assert not is_known or "label" in message, message
    seen[f"{what}: {said}"] += 1
    return plain


def claims(seed: int, trials: int) -> Counter[str]:
    """Claims and obstructions, by the attacks of `tampering`."""
    seen: Counter[str] = Counter()

    def alone_says(folder: Path, data: str = "data.csv") -> str:
        return compare(folder / "proof.json", folder / data, seen, "two classes")

    with mock.patch.object(tampering, "alone_says", alone_says):
        tampering.tamper(seed, trials)
    return seen


def mistakes(seed: int, trials: int) -> Counter[str]:
    """Both bounds of the fewest mistakes."""
    rng, seen = random.Random(seed), Counter[str]()
    known = test_mistakes_proof.proofs(seed, 12)
    with tempfile.TemporaryDirectory() as name:
        proof, data = Path(name) / "proof.json", Path(name) / "data.csv"
        for trial in range(trials):
            X, signs, certificate = known[trial % len(known)]
            text, is_attacked = certificate.to_json(), trial >= len(known)
            if is_attacked:
                X, text = test_mistakes_proof.attacked(rng, X, signs, certificate)
            proof.write_text(text)
            lines = [",".join(map(str, [*row, sign])) for row, sign in zip(X, signs, strict=True)]
            data.write_text("\n".join(lines) + "\n")
            plain = compare(proof, data, seen, "fewest mistakes")
            assert is_attacked or plain == "accepted"
    return seen


def regressions(seed: int, proofs: int, attacks: int = 12) -> Counter[str]:
    """Regressions of every model, equalities among their comparisons."""
    draw, seen = random.Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        proof, data = Path(name) / "proof.json", Path(name) / "rows.csv"
        for trial in range(proofs):
            model = list(DRAWS)[trial % len(DRAWS)]
            fit, fields = test_regression_proof.proof_of(draw, model)
            write_model_rows(str(data), fit.given)
            proof.write_text(json.dumps(fields))
            assert compare(proof, data, seen, model) == "accepted"
            header, *lines = data.read_text().splitlines()
            table = fit.given.whole().dense_rows(slice(None)).astype(float)
            for attack in range(attacks):
                changed, rows = json.loads(json.dumps(fields)), table
                if attack % 3:
                    test_regression_proof.tamper(draw, changed)
                else:  # other rows, and a stamp that is right
                    rows = other_rows(draw, table)
                    changed["data"]["digest"] = checker.digest(rows.tolist(), [1] * len(rows))
                body = [",".join(map(repr, row)) for row in rows.tolist()]
                data.write_text("\n".join([header, *(lines if attack % 3 else body)]) + "\n")
                proof.write_text(json.dumps(changed))
                plain = compare(proof, data, seen, model)
                library = library_accepts(changed, rows)
                assert library == (plain == "accepted"), (changed, rows.tolist())
    return seen


def other_rows(draw: random.Random, table: np.ndarray) -> np.ndarray:
    """A number more or less by one, or that of another row; or two rows in each other's place."""
    rows = table.copy()
    i, k, j = draw.randrange(len(rows)), draw.randrange(len(rows)), draw.randrange(rows.shape[1])
    if draw.random() < 0.25:
        rows[[i, k]] = rows[[k, i]]
    else:
        rows[i, j] = draw.choice([rows[i, j] + 1, rows[i, j] - 1, rows[k, j]])
    return rows


def library_accepts(fields: dict, rows: np.ndarray) -> bool:
    try:
        from_dict(json.loads(json.dumps(fields))).verify_table(read_table(rows))
    except nk.NovikoffError:
        return False
    return True


def odd_files(seed: int, files: int, odd_file) -> Counter[str]:
    """Proofs about odd CSV files: both programs must read these alike."""
    draw, seen = random.Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        proof, data = Path(name) / "proof.json", Path(name) / "data.csv"
        for _ in range(files):
            data.write_bytes(odd_file(draw))
            numbers = draw.choice(["decimal", "binary64"])
            try:
                read = nk.read(data, draw.choice([None, None, "1", "a", "size"]), numbers=numbers,
                               labels="text", levels="reference")  # fmt: skip
                verdict = nk.certify(read)
            except nk.NovikoffError:
                continue
            verdict.certificate.save(proof)
            compare(proof, data, seen, "odd files")
    return seen


def attack(seed: int, trials: int) -> Counter[str]:
    """All of these attacks, for `make evidence`."""
    built()
    seen = claims(seed, trials // 2) + mistakes(seed, trials // 4)
    return seen + regressions(seed, trials // 4 // 13)
