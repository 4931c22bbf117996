"""Every benchmark in turn; each writes its table to docs/benchmarks/."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    for script in sorted(HERE.glob("*.py")):
        if script.stem not in ("all", "timing"):
            print(f"== {script.stem}", flush=True)
            subprocess.run([sys.executable, str(script)], check=True)


if __name__ == "__main__":
    main()
