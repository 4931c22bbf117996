"""novikoff: perceptrons that prove their answers.

Public names load on first use, so `import novikoff` alone stays light.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "certify": "novikoff.verdicts.certify",
    "certify_classes": "novikoff.verdicts.certify",
    "Verdict": "novikoff.verdicts.certify",
    "Separator": "novikoff.certificates",
    "Obstruction": "novikoff.certificates",
    "QuasiSeparator": "novikoff.certificates",
    "load_certificate": "novikoff.certificates",
    "max_margin": "novikoff.verdicts.max_margin",
    "BoundaryDisplay": "novikoff.display",
    "MistakesDisplay": "novikoff.display",
    "SandwichDisplay": "novikoff.display",
    "load": "novikoff.estimators",
    "trace": "novikoff.runs.run",
    "Run": "novikoff.runs.run",
    "Audit": "novikoff.runs.audit",
    "Perceptron": "novikoff.estimators",
    "AveragedPerceptron": "novikoff.estimators",
    "VotedPerceptron": "novikoff.estimators",
    "PocketPerceptron": "novikoff.estimators",
    "KernelPerceptron": "novikoff.estimators",
    "RescaledPerceptron": "novikoff.estimators",
    "OnlinePerceptron": "novikoff.online",
    "read": "novikoff.io",
    "scan": "novikoff.io",
    "Studio": "novikoff.studio.widget",
    "NovikoffError": "novikoff.errors",
    "InputError": "novikoff.errors",
    "FileError": "novikoff.errors",
    "CertificateError": "novikoff.errors",
}
_MODULES = ("datasets", "distributed", "geometry")

__all__ = sorted([*_HOMES, *_MODULES, "__version__"])


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    elif name in _MODULES:
        value = importlib.import_module(f"novikoff.{name}")
    else:
        raise AttributeError(f"module 'novikoff' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
