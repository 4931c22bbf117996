"""A verdict as one HTML file that opens without a network.

    page.py       the whole page, in order
    fewest.py     the fewest mistakes as a page
    markup.py     escaped text, tables and figures as HTML
    numerals.py   numbers as a reader wants them
    facts.py      the data, and how the verdict was reached
    causes.py     the rows and columns that cause it
    hyperplane.py  the separator of a certificate, in floats and exactly
    bound.py      the mistake bound, and a run that is audited against it
    pictures.py   what is drawn
    drawing.py    a matplotlib figure as SVG that lives inside the page
    proof.py      the certificate, for download, and how to check it
    regression.py the page of a regression's verdict
    style.css     light, dark, narrow and print

Everything that comes from the data passes through `markup.escaped`.
"""

from novikoff.report.fewest import write_fewest_report
from novikoff.report.page import report_html, write_report
from novikoff.report.regression import regression_html, write_regression_report

__all__ = [
    "regression_html",
    "report_html",
    "write_fewest_report",
    "write_regression_report",
    "write_report",
]
