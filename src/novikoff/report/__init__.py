"""An answer as one HTML file that opens without a network, or as a theorem.

    page.py         the whole page of any answer, in order
    contents.py     what a page shows of one kind of answer, beside what it shows of all
    two_classes.py  of a `Verdict`: the rows and columns that cause it, and the mistake bound
    regression.py   of a `RegressionVerdict`: coefficients and observations
    fewest.py       of `FewestMistakes`: the rows in the way
    data.py         the data, and how the answer was reached
    proof.py        the certificate, for download, and how to check it
    tables.py       rows and weights as tables
    markup.py       escaped text, tables and figures as HTML
    numerals.py     numbers as a reader wants them
    bound.py        the mistake bound, and a run that is audited against it
    pictures.py     what is drawn
    drawing.py      a matplotlib figure as SVG that lives inside the page
    style.css       light, dark, narrow and print
    rocq.py         a claim as a theorem of Rocq; Claim.v is the theory that the file begins with

Everything that comes from the data passes through `markup.escaped`.
"""

from novikoff.report.page import report_html, write_report

__all__ = ["report_html", "write_report"]
