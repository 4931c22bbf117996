"""The kernel perceptron: its model and training, and the tape, columns, values and
budget that these are made of."""

from novikoff.models.kernel.model import KernelPerceptronModel

__all__ = ["KernelPerceptronModel"]
