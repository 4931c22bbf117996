"""The `novikoff` command. Data goes to stdout, everything else to stderr.

Exit codes: 0 done, 1 bad data or an invalid proof, 2 wrong usage, 3 the data does not have
the status that was required, 130 stopped by Ctrl-C.

commands.py     all commands as one, and how each ends
certify.py, verify.py, fewest.py, fit.py, predict.py, stream.py, trace.py, studio.py, datasets.py
                a command each
options.py      what an option is, with what it goes, and those that several commands have
question.py     what an exact command asks of DATA, and where its answer goes
data.py         DATA as X and y, or as a model reads it; no output is also an input
regression.py   `certify --model`: columns, or those of a formula, as the response and the X
labellings.py   `certify --labels`: many labellings of the same rows
messages.py     the library's messages with options in the place of arguments
streams.py      the standard streams; what a terminal shows, and signs of life

Only what Ctrl-C needs is imported here, so that it is heeded while all else is imported too.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # what `signal` is made of, there from the start
import sys

TYPE_CHECKING = False  # what static tools take for `typing`'s, which is slow to import

if TYPE_CHECKING:
    from typing import Any


def main() -> None:
    """Run the command line and end this process; Ctrl-C is never a traceback."""
    interrupts = []

    def interrupt(_signal: int, _frame: Any) -> None:
        interrupts.append(_signal)
        raise KeyboardInterrupt

    try:
        _signal.signal(_signal.SIGINT, interrupt)
        from novikoff.cli.commands import run

        code = run()
    except BaseException:
        if not interrupts:  # what they break off may end in another error
            raise
        print("novikoff: stopped.", file=sys.stderr)
        code = 130
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # nothing is left to be saved
    sys.exit(code)
