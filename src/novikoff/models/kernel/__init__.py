"""The kernel perceptron: its model, and the run, tape, columns and values that it is made of."""

from novikoff.models.kernel.model import KernelPerceptronModel

__all__ = ["KernelPerceptronModel"]
