"""An answer as one HTML file that opens without a network, or as a theorem.

    page.py         the whole page of any answer, in order
    two_classes.py  of a `Verdict`: the rows and columns that cause it, and the mistake bound; of
                    `FewestMistakes`: the rows in the way
    regression.py   of a `RegressionVerdict`: coefficients and observations
    proof.py        the certificate, for download, and how to check it
    tables.py       numbers, rows and weights as tables, and what a page shows of one kind of answer
    markup.py       escaped text, tables and figures as HTML
    pictures.py     what is drawn, as SVG that lives inside the page
    style.css       light, dark, narrow and print
    rocq.py         a claim as a theorem of Rocq; Claim.v is the theory that the file begins with

Everything that comes from the data passes through `markup.escaped`.
"""

from novikoff.report.page import report_html, write_report

__all__ = ["report_html", "write_report"]
