"""Long evidence, too long for every test run: attacks on all that must hold.

Writes docs/evidence.md, a section for each part; parts that are not run keep theirs. Each of these
ends a part with an error: a float decision that differs from fractions; anything false that is
accepted; a file that three checkers judge differently; an answer about a small set that differs
from an exact oracle's; a finite number that crashes something; a file that is neither read nor
refused in a sentence; a command that ends in a traceback, hangs or takes more memory than it may; a
bit that a killed worker changes; a lesson that a browser or axe finds fault with. What is tried is
drawn anew each time, and an error names the seed.

    python scripts/evidence.py                                         every part, at its usual size
    python scripts/evidence.py --only proofs sets --cases 1000000      these parts, so many cases
    python scripts/evidence.py --only proofs --minutes 20              for so long
    python scripts/evidence.py --only proofs --seed 5 --cases 2000     what an error named, again

Cases are drawn in batches, each from a seed of its own, by as many processes as --jobs says.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "evidence.md"
folders = [folder for folder in sorted((ROOT / "tests").iterdir()) if folder.is_dir()]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests"), *map(str, folders)]

import distributed_kills  # noqa: E402
import layer_coverage  # noqa: E402
import lesson_walks  # noqa: E402
import mutants  # noqa: E402

import attack  # noqa: E402
import audit_oracle  # noqa: E402
import extremes  # noqa: E402
import false_claims  # noqa: E402
import fuzz_cli  # noqa: E402
import fuzz_io  # noqa: E402
import small_sets  # noqa: E402
import tampering  # noqa: E402
import three_checkers  # noqa: E402

BETWEEN_SEEDS = 10**6  # of two batches, since some parts count their seed up
IN_MEMORY = "/dev/shm"  # parts that write a file for each case write it there
HEAD = """# Evidence

What `make evidence` found, attack by attack; each part has the date of its last run. A part ends
with an error at the first case that is not as its heading says. `python scripts/evidence.py --only
PART` runs one part again.
"""


@dataclass(frozen=True)
class Part:
    """Something that is tried, case by case.

    run : for a seed and a number of cases, how often what was seen
    batch : cases of one call of `run`; None where all are one call
    cases : how many there are of what was seen, in all
    needs : a program without which the part is left out
    most_jobs : calls of `run` at once; 1 where a call starts processes of its own
    """

    title: str
    usual: int
    run: Callable[[int, int], Counter]
    batch: int | None
    cases: Callable[[Counter], int] = Counter.total
    needs: str | None = None
    most_jobs: int = 64


def decisions(seed: int, tables: int) -> Counter:
    """Every float decision against fractions, interpreted and compiled."""
    made: Counter = Counter()
    for which in attack.ATTACKS:
        for speed in attack.SPEEDS:
            what = which.__name__.removeprefix("attack_").replace("_", " ")
            made[f"{what}, {speed}"] += attack.attack(which, seed, speed, tables)
    return made


def commands(seed: int, times: int) -> Counter:
    ended = fuzz_cli.search(times, f"{seed:x}")
    return Counter({f"{name}, exit code {code}": n for (name, code), n in ended.items()})


def files_of_tampering(seen: Counter) -> int:
    """The files that were attacked: both checkers see each, and those unharmed are no attacks."""
    return sum(n for what, n in seen.items() if "alone" not in what and "none" not in what)


PARTS = {
    "proofs": Part(
        "attacked proofs: nothing false was accepted",
        60_000, tampering.tamper, 2_000, files_of_tampering,
    ),
    "checkers": Part(
        "attacked files: three checkers, one verdict",
        20_000, three_checkers.attack, 1_000, needs="coqc",
    ),
    "claims": Part(
        "claims with a right stamp: taken for what they are", 20_000, false_claims.attack, 1_000
    ),
    "sets": Part(
        "random small sets: every answer is that of an exact oracle",
        20_000, small_sets.attack, 1_000,
    ),
    "decisions": Part(
        "float decisions over the whole range: equal to fractions", 2_000, decisions, 50
    ),
    "audits": Part(
        "audits of runs at every scale: equal to fractions",
        20_000, lambda seed, n: audit_oracle.attack(n, seed), 500,
    ),
    "extremes": Part(
        "tables of extreme numbers: no crash, no warning",
        2_000, lambda seed, n: extremes.attack(n, seed, reports=True), 50,
    ),
    "files": Part(
        "mutated files: each read in full or refused",
        100_000, lambda seed, n: fuzz_io.fuzz(n, seed), 1_000,
    ),
    "commands": Part(
        "random commands: each answered or refused", 40_000, commands, 1_000, most_jobs=1
    ),
    "kills": Part(
        "disturbed runs on a cluster: every result had the same bits",
        20, lambda seed, n: distributed_kills.faults(n, seed), None,
    ),
    "lessons": Part(
        "steps of lessons in a browser: nothing cut, no fault found by axe",
        16, lambda _, n: lesson_walks.walk_all(ways=n), None,
    ),
}  # fmt: skip

SECTIONS = mutants.SECTIONS | layer_coverage.SECTIONS  # these write their own


def in_memory() -> None:
    """Folders for files of a case lie in memory, where that can be had."""
    if os.access(IN_MEMORY, os.W_OK):
        tempfile.tempdir = IN_MEMORY


def batch_of(name: str, seed: int, cases: int) -> Counter:
    try:
        return PARTS[name].run(seed, cases)
    except BaseException as error:
        again = f"--only {name} --seed {seed} --cases {cases}"
        raise AssertionError(f"{again}\n{type(error).__name__}: {error}") from error


def tried(name: str, seed: int, cases: int, seconds: float, jobs: int) -> Counter:
    """What was seen in so many cases, or in so many seconds."""
    part, seen, begun, done = PARTS[name], Counter(), time.monotonic(), 0
    if part.batch is None:
        return batch_of(name, seed, cases)
    if name == "checkers":
        three_checkers.built()  # once, before processes need it
    with ProcessPoolExecutor(jobs, get_context("spawn"), in_memory) as pool:
        running, given, k = {}, 0, 0
        while running or (given < cases and time.monotonic() - begun < seconds):
            while len(running) <= jobs and given < cases and time.monotonic() - begun < seconds:
                size = min(part.batch, cases - given)
                running[pool.submit(batch_of, name, seed + k * BETWEEN_SEEDS, size)] = size
                given, k = given + size, k + 1
            for one in wait(running, return_when=FIRST_COMPLETED).done:
                done += running.pop(one)
                try:
                    seen += one.result()
                except AssertionError:
                    pool.shutdown(cancel_futures=True)
                    raise
            of_all = f" of {cases:,}" if cases < sys.maxsize else ""
            print(f"{name}: {done:,}{of_all}, {time.monotonic() - begun:,.0f} s", flush=True)
    return seen


def section(name: str, seen: Counter, seed: int, seconds: float, jobs: int) -> str:
    part, cases = PARTS[name], PARTS[name].cases(seen)
    per_hour = float(f"{cases / seconds * 3600:.2g}")
    processes = f"{jobs} processes" if part.batch is not None and jobs > 1 else "one process"
    lines = [
        f"## {cases:,} {part.title}", "",
        f"{datetime.now(UTC):%d %B %Y}, seed {seed}, {seconds / 60:,.1f} minutes on {processes} "
        f"({per_hour:,.0f} an hour).", "",
        "| what | times |", "|---|--:|",
    ]  # fmt: skip
    lines += [f"| {what} | {times:,} |" for what, times in sorted(seen.items())]
    return "\n".join(lines)


def sections_of(page: str) -> dict[str, str]:
    """The sections of a page, by the name of their part."""
    parts = re.split(r"^<!-- part: ([a-z]+) -->\n", page, flags=re.MULTILINE)[1:]
    return {name: text.strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}


def write_section(name: str, text: str, page: Path = PAGE) -> None:
    """Put this section in the page, in the place of an older one; all others stay."""
    found = sections_of(page.read_text(encoding="utf-8")) if page.exists() else {}
    found[name] = text
    order = [*PARTS, *sorted(found.keys() - PARTS)]
    kept = [f"<!-- part: {one} -->\n{found[one]}\n" for one in order if one in found]
    page.write_text("\n".join([HEAD, *kept]), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [*PARTS, *SECTIONS]
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="PART",
                        help=f"of {', '.join(names)}")  # fmt: skip
    parser.add_argument("--cases", type=int, help="of each part; else its usual number")
    parser.add_argument("--minutes", type=float, help="for each part, whatever its cases")
    parser.add_argument("--seed", type=int, help="of the first batch; else a fresh one")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    chosen = parser.parse_args()
    seconds = float("inf") if chosen.minutes is None else 60 * chosen.minutes
    for name in chosen.only:
        if name in SECTIONS:
            write_section(name, SECTIONS[name](seconds))
            continue
        part, begun = PARTS[name], time.monotonic()
        if part.needs is not None and shutil.which(part.needs) is None:
            print(f"{name}: left out, since no {part.needs} was found", flush=True)
            continue
        seed = secrets.randbits(48) if chosen.seed is None else chosen.seed
        usual = part.usual if chosen.minutes is None or part.batch is None else sys.maxsize
        cases = usual if chosen.cases is None else chosen.cases
        print(f"{name}: seed {seed}", flush=True)
        jobs = min(chosen.jobs, part.most_jobs)
        seen = tried(name, seed, cases, seconds, jobs)
        text = section(name, seen, seed, time.monotonic() - begun, jobs)
        write_section(name, text)
        print(text, flush=True)


if __name__ == "__main__":
    main()
