"""The kernel perceptron: its model, its training, and the values of the kernel."""

from novikoff.models.kernel.model import KernelPerceptronModel

__all__ = ["KernelPerceptronModel"]
