"""Build wheel and sdist, and install the wheel into empty environments: bare, and with each extra.

In each environment one command or line is run that needs the extra. Prints a table; exits with 1
where anything fails. It needs a package index: `python scripts/packages.py [EXTRA …]`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What is run with each extra; '' is the bare installation.
TRIES = {
    "": "import novikoff as nk; nk.certify(*nk.datasets.truth_table('xor')).certificate",
    "io": "import novikoff.io, pyarrow",
    "plot": "import novikoff as nk; nk.trace(*nk.datasets.load('lecture:002')).plot()",
    "studio": "from novikoff.studio.session import Session; Session()",
    "notebook": "import novikoff as nk; nk.Studio",
    "formula": "import formulaic, novikoff.regression.formula",
    "onnx": "import onnx, skl2onnx",
    "device": "import array_api_compat, novikoff.inputs.device",
    "distributed": "import novikoff.distributed",
}  # fmt: skip


def run(*command: object, **more: object) -> subprocess.CompletedProcess:
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, **more)


def build(folder: Path) -> tuple[Path, Path]:
    """The wheel and the sdist, built from a clean copy of what git tracks."""
    copy = folder / "source"
    run("git", "-C", ROOT, "worktree", "prune")
    done = run("git", "clone", "-q", ROOT, copy)
    assert done.returncode == 0, done.stderr
    maker = folder / "maker"
    venv.create(maker, with_pip=True)
    python = maker / "bin" / "python"
    done = run(python, "-m", "pip", "install", "-q", "build")
    assert done.returncode == 0, done.stderr
    done = run(python, "-m", "build", "-o", folder / "dist", copy)
    assert done.returncode == 0, done.stdout + done.stderr
    return next((folder / "dist").glob("*.whl")), next((folder / "dist").glob("*.tar.gz"))


def tried(wheel: Path, extra: str, folder: Path) -> str:
    """'works', or the last line of what went wrong."""
    place = folder / f"with-{extra or 'nothing'}"
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    name = f"{wheel}[{extra}]" if extra else str(wheel)
    done = run(python, "-m", "pip", "install", "-q", name)
    if not done.returncode:
        done = run(python, "-c", TRIES[extra], cwd=folder)
    if not done.returncode:
        done = run(place / "bin" / "novikoff", "certify", "xor", cwd=folder)
    return (done.stderr.strip().splitlines() or ["fails"])[-1] if done.returncode else "works"


def main(extras: list[str]) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel, sdist = build(folder)
        print(f"| {wheel.name} | {wheel.stat().st_size / 1e6:.1f} MB |")
        print(f"| {sdist.name} | {sdist.stat().st_size / 1e6:.1f} MB |")
        found = {extra: tried(wheel, extra, folder) for extra in extras or TRIES}
        found["(sdist)"] = tried(sdist, "", folder / "sdist")
    for extra, what in found.items():
        print(f"| {extra or 'bare'} | {what} |")
    return int(set(found.values()) != {"works"})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
