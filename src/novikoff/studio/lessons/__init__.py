"""Lessons: Markdown files whose steps show something, ask something, and check the answer.

    mathml.py     TeX as a tree of MathML elements, by latex2mathml
    prose.py      Markdown as such a tree
    reading.py    a lesson file: its steps, what they show, what they ask
    asking.py     questions, and their answers as the library gives them
    numbers.py    numbers as students type them: 1/2, √5, 0,5
    doing.py      one way to do what a task asks
    concealing.py    what is not shown before an answer is given
    showing.py    a step on the screen
    drawing.py    what the page draws, as SVG text
    handout.py    a lesson as one HTML file that needs no Python
    shelf.py      the lessons that ship (tour.md, 000.md to 004.md), and one of a person's own

In the studio a lesson's text never becomes HTML: the page builds elements from the tree, from a
list of its own. In a handout every text is escaped, and nothing runs.
"""
