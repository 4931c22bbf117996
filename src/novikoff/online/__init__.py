"""Learning one row at a time, and from streams.

perceptron.py   `OnlinePerceptron`: predict, then learn, with exact signs
weights.py      weights by name, which grow, and the scores of one row
river.py        the same as one of river's classifiers
stream/         the run of a learner over lines as they arrive
"""

from novikoff.online.perceptron import OnlinePerceptron

__all__ = ["OnlinePerceptron"]
