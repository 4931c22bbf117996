"""Lessons: Markdown files whose steps show something, ask something, and check the answer.

    mathml.py     the TeX of a lecture as a tree of elements
    prose.py      Markdown as such a tree
    reading.py    a lesson file: its steps, what they show, what they ask
    asking.py     questions, their answers as the library gives them, and one way to do what a
                  task asks; page/answering.js compares, and hides what gives an answer away
    handout.py    a lesson as one HTML file that runs without Python
    shelf.py      the lessons that ship (tour.md, 000.md to 004.md), one of a person's own, and a
                  step on the screen

In the studio a lesson's text never becomes HTML: the page builds elements from the tree, from a
list of its own. In a handout every text is escaped, or stands in JSON without a "<".
"""
