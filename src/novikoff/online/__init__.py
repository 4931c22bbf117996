"""Learning one row at a time, and from streams."""

from novikoff.online.perceptron import OnlinePerceptron

__all__ = ["OnlinePerceptron"]
