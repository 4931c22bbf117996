"""Branch coverage of every layer by all tests: the section of docs/evidence.md, by `make coverage`.

Tests run in processes of their own, and so do commands that they start: all are counted. Loops that
run compiled are not seen, only what of them runs interpreted.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "novikoff"
SETTINGS = """[run]
branch = true
source_pkgs = novikoff
parallel = true
data_file = {folder}/data
patch = subprocess
disable_warnings = module-not-imported, no-data-collected
[report]
exclude_also =
    if TYPE_CHECKING:
"""


def measured(tests: Sequence[str], folder: Path) -> dict:
    """What coverage.py says of each file, after these tests."""
    settings = folder / "settings"
    settings.write_text(SETTINGS.format(folder=folder))
    tool = [sys.executable, "-m", "coverage"]
    workers = str(len(os.sched_getaffinity(0)))
    tested = [*tool, "run", f"--rcfile={settings}", "-m", "pytest", "-n", workers, *tests]
    done = subprocess.run(tested, cwd=ROOT, check=False)
    if done.returncode:
        raise SystemExit("The tests failed: no coverage is written.")
    subprocess.run([*tool, "combine", f"--rcfile={settings}", "-q"], cwd=ROOT, check=True)
    report = folder / "report.json"
    command = [*tool, "json", f"--rcfile={settings}", "-q", "-o", str(report)]
    subprocess.run(command, cwd=ROOT, check=True)
    return json.loads(report.read_text())["files"]


def layer_of(path: Path) -> str:
    inner = path.resolve().relative_to(SOURCE)
    return inner.parts[0] if len(inner.parts) > 1 else "files outside folders"


def runs_of(lines: Sequence[int]) -> list[str]:
    """3, 4, 5, 9 as '3-5' and '9'."""
    runs: list[list[int]] = []
    for line in sorted(lines):
        if runs and line == runs[-1][-1] + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    return [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]


def coverage_section(_: float = 0, tests: Sequence[str] = ()) -> str:
    with tempfile.TemporaryDirectory() as name:
        files = measured(tests, Path(name))
    layers: dict[str, list[dict]] = {}
    for path, found in files.items():
        layers.setdefault(layer_of(ROOT / path), []).append(found["summary"])
    lines = [
        "## Lines and branches that the tests reach", "",
        f"{datetime.now(UTC):%d %B %Y}, by {' '.join(tests) or 'all tests'}. Loops that run "
        "compiled are not seen.", "",
        "| layer | lines | reached | branches | reached | both |", "|---|--:|--:|--:|--:|--:|",
    ]  # fmt: skip
    for layer, summaries in sorted(layers.items()):
        n, hit, branches, taken = (
            sum(one[key] for one in summaries)
            for key in ("num_statements", "covered_lines", "num_branches", "covered_branches")
        )
        share = (hit + taken) / max(n + branches, 1)
        lines.append(f"| `{layer}` | {n:,} | {hit:,} | {branches:,} | {taken:,} | {share:.1%} |")
    lines += [
        "",
        "Of `certificates`, these lines are not reached, and these branches of lines that are:",
        "",
    ]
    for path, found in sorted(files.items()):
        if layer_of(ROOT / path) == "certificates":
            lost = found["missing_lines"]
            missed = runs_of(lost)
            missed += [
                f"{a} → {b if b > 0 else 'end'}"
                for a, b in found["missing_branches"]
                if a not in lost and b not in lost
            ]
            if missed:
                lines.append(f"- `{Path(path).name}`: {', '.join(missed)}")
    return "\n".join(lines)


SECTIONS: dict[str, Callable[[float], str]] = {"coverage": coverage_section}

if __name__ == "__main__":
    print(coverage_section(tests=sys.argv[1:]))
