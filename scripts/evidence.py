"""Long evidence, too long for every test run: attacks on all that must hold.

Writes docs/evidence.md. Each of these ends it with an error: a float decision that differs from
fractions; anything false that is accepted; a file that three checkers judge differently; a finite
number that crashes something; a file that is neither read nor refused in a sentence; a command that
ends in a traceback, hangs or takes more memory than it may; a bit that a killed worker changes; a
lesson that a browser or axe finds fault with. What is tried is drawn anew each time, and an error
names the seed.
"""

from __future__ import annotations

import argparse
import secrets
import shutil
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
folders = [folder for folder in sorted((ROOT / "tests").iterdir()) if folder.is_dir()]
sys.path[:0] = [str(ROOT / "tests"), *map(str, folders)]

import distributed_kills  # noqa: E402
import lesson_walks  # noqa: E402

import attack  # noqa: E402
import audit_oracle  # noqa: E402
import extremes  # noqa: E402
import false_claims  # noqa: E402
import fuzz_cli  # noqa: E402
import fuzz_io  # noqa: E402
import tampering  # noqa: E402
import three_checkers  # noqa: E402


def table(title: str, counts: Counter) -> list[str]:
    lines = [f"## {title}", "", "| what | times |", "|---|--:|"]
    for what, times in sorted(counts.items(), key=lambda item: str(item[0])):
        name = what if isinstance(what, str) else ", ".join(map(str, what))
        lines.append(f"| {name} | {times:,} |")
    return [*lines, ""]


def decisions(tables: int, seed: int) -> list[str]:
    """Every float decision against fractions, interpreted and compiled."""
    made: Counter = Counter()
    for which in attack.ATTACKS:
        for speed in attack.SPEEDS:
            print(which.__name__, speed, "seed", seed, flush=True)
            what = which.__name__.removeprefix("attack_").replace("_", " ")
            made[what, speed] = attack.attack(which, seed, speed, tables)
    title = f"{sum(made.values()):,} float decisions over the whole range: equal to fractions"
    return table(title, made)


def lessons(ways: int) -> list[str]:
    """Every lesson of the studio in a browser: by keys and mouse, at every size, light and dark."""
    walked = lesson_walks.walk_all(ways=ways)
    total = f"{sum(walked.values()):,}"
    return table(
        f"{total} steps of lessons in a browser: nothing cut, no fault found by axe", walked
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tamper", type=int, default=60_000, help="attacks on proofs")
    parser.add_argument("--checkers", type=int, default=20_000, help="attacks for three checkers")
    parser.add_argument("--claims", type=int, default=20_000, help="claims, true and false")
    parser.add_argument("--decisions", type=int, default=2_000, help="tables for each decision")
    parser.add_argument("--audits", type=int, default=20_000, help="audits against fractions")
    parser.add_argument("--extremes", type=int, default=2_000, help="tables of extreme numbers")
    parser.add_argument("--fuzz", type=int, default=100_000, help="files for the readers")
    parser.add_argument("--commands", type=int, default=40_000, help="commands on odd files")
    parser.add_argument("--kills", type=int, default=20, help="workers of a cluster")
    parser.add_argument("--walks", type=int, default=16, help="ways to walk through each lesson")
    chosen = parser.parse_args()
    lines = ["# Evidence", "", "What `make evidence` last found, attack by attack.", ""]
    tampered = tampering.tamper(1, chosen.tamper)
    lines += table(f"{chosen.tamper:,} attacks on proofs: nothing false was accepted", tampered)
    if shutil.which("coqc") is None:
        print("no coqc was found: the attacks on three checkers are left out", flush=True)
    else:
        judged = three_checkers.attack(secrets.randbits(48), chosen.checkers)
        lines += table(f"{chosen.checkers:,} attacked files: three checkers, one verdict", judged)
    claimed = false_claims.attack(secrets.randbits(48), chosen.claims)
    lines += table(f"{chosen.claims:,} claims with a right stamp: taken for what they are", claimed)
    lines += decisions(chosen.decisions, secrets.randbits(48))
    audited = audit_oracle.attack(chosen.audits, secrets.randbits(48))
    lines += table(f"{chosen.audits:,} audits of runs at every scale: equal to fractions", audited)
    tried = extremes.attack(chosen.extremes, secrets.randbits(48), reports=True)
    lines += table(f"{chosen.extremes:,} tables of extreme numbers: no crash, no warning", tried)
    fuzzed = fuzz_io.fuzz(chosen.fuzz, 1)
    lines += table(f"{chosen.fuzz:,} mutated files: each read in full or refused", fuzzed)
    ended = fuzz_cli.search(chosen.commands, secrets.token_hex(4))
    ended = Counter({f"{name}, exit code {code}": n for (name, code), n in ended.items()})
    lines += table(f"{chosen.commands:,} random commands: each answered or refused", ended)
    faults = distributed_kills.faults(chosen.kills)
    lines += table(f"{chosen.kills} kills on a cluster: every result had the same bits", faults)
    lines += lessons(chosen.walks)
    (ROOT / "docs" / "evidence.md").write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
