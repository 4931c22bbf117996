"""The kernel perceptron: its model and training, and the values and columns of the kernel."""

from novikoff.models.kernel.model import KernelPerceptronModel

__all__ = ["KernelPerceptronModel"]
