"""An audit as a table for a notebook."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from novikoff.wording import table_html

if TYPE_CHECKING:
    from novikoff.runs.audit import Audit

HEADERS = ("inequality", "outcome", "smallest slack", "")
WORDS = {True: "holds", False: "FAILS", None: "not checked"}


def audit_as_html(audit: Audit) -> str:
    """The first line of the audit, then one line for each inequality."""
    entries = []
    for check in audit.checks:
        slack = "" if check.slack is None else f"{check.slack:.3g}"
        first = "" if check.first_failure is None else f"first at k = {check.first_failure}"
        cells = (check.formula, WORDS[check.holds], slack, first or check.note)
        entries.append(cells)
    title = html.escape(str(audit).partition("\n")[0])
    return f"<p>{title}</p>{table_html(HEADERS, entries)}"
