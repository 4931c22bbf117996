"""novikoff: perceptrons that prove their answers.

Public names load on first use, so `import novikoff` alone stays light. Static tools read the
imports below, and Python the table of homes; a test holds the two together.

Nothing that is slow to import is imported here, not even `typing`: until this is done, Ctrl-C at
a command that just began is a traceback.
"""

TYPE_CHECKING = False  # what static tools take for `typing`'s

__version__ = "0.2.0"

if TYPE_CHECKING:
    from novikoff import datasets as datasets
    from novikoff import distributed as distributed
    from novikoff import geometry as geometry
    from novikoff.certificates import Claim as Claim
    from novikoff.certificates import Mistakes as Mistakes
    from novikoff.certificates import Obstruction as Obstruction
    from novikoff.certificates import load_certificate as load_certificate
    from novikoff.display import BoundaryDisplay as BoundaryDisplay
    from novikoff.display import MistakesDisplay as MistakesDisplay
    from novikoff.display import SandwichDisplay as SandwichDisplay
    from novikoff.errors import CertificateError as CertificateError
    from novikoff.errors import FileError as FileError
    from novikoff.errors import InputError as InputError
    from novikoff.errors import NovikoffError as NovikoffError
    from novikoff.estimators.averaged import AveragedPerceptron as AveragedPerceptron
    from novikoff.estimators.kernel import KernelPerceptron as KernelPerceptron
    from novikoff.estimators.perceptron import Perceptron as Perceptron
    from novikoff.estimators.pocket import PocketPerceptron as PocketPerceptron
    from novikoff.estimators.rescaled import RescaledPerceptron as RescaledPerceptron
    from novikoff.estimators.voted import VotedPerceptron as VotedPerceptron
    from novikoff.io import read as read
    from novikoff.io import scan as scan
    from novikoff.online import OnlinePerceptron as OnlinePerceptron
    from novikoff.regression.certify import RegressionVerdict as RegressionVerdict
    from novikoff.regression.certify import certify_regression as certify_regression
    from novikoff.regression.foreign import from_statsmodels as from_statsmodels
    from novikoff.runs.audit import Audit as Audit
    from novikoff.runs.run import Run as Run
    from novikoff.runs.run import trace as trace
    from novikoff.saved import load as load
    from novikoff.studio.widget import Studio as Studio
    from novikoff.verdicts.certify import LabellingVerdicts as LabellingVerdicts
    from novikoff.verdicts.certify import Verdict as Verdict
    from novikoff.verdicts.certify import certify as certify
    from novikoff.verdicts.certify import certify_classes as certify_classes
    from novikoff.verdicts.fewest import fewest_mistakes as fewest_mistakes
    from novikoff.verdicts.fewest import fewest_mistakes_classes as fewest_mistakes_classes
    from novikoff.verdicts.fewest_answer import FewestMistakes as FewestMistakes
    from novikoff.verdicts.max_margin import max_margin as max_margin
else:
    from novikoff.hooks import LOADERS
    from novikoff.kinds import KINDS, stem

    _NAMES = {
        "verdicts.certify": "certify certify_classes Verdict LabellingVerdicts",
        "verdicts.fewest": "fewest_mistakes fewest_mistakes_classes",
        "verdicts.fewest_answer": "FewestMistakes",
        "verdicts.max_margin": "max_margin",
        "regression.certify": "certify_regression RegressionVerdict",
        "regression.foreign": "from_statsmodels",
        "certificates": "Claim Mistakes Obstruction load_certificate",
        "display": "BoundaryDisplay MistakesDisplay SandwichDisplay",
        "runs.run": "trace Run",
        "runs.audit": "Audit",
        "saved": "load",
        "online": "OnlinePerceptron",
        "io": "read scan",
        "studio.widget": "Studio",
        "errors": "NovikoffError InputError FileError CertificateError",
        **{f"estimators.{stem(kind)}": kind for kind in KINDS},
    }
    _HOMES = {name: f"novikoff.{home}" for home in _NAMES for name in _NAMES[home].split()}
    _MODULES = ("datasets", "distributed", "geometry")

    __all__ = sorted([*_HOMES, *_MODULES, "__version__"])

    def __getattr__(name):
        if name not in _HOMES and name not in _MODULES:
            raise AttributeError(f"module 'novikoff' has no attribute {name!r}")
        try:
            home = _module(_HOMES.get(name, f"novikoff.{name}"))
        except ImportError as error:
            from novikoff.missing import stand_in

            return stand_in(name, error)
        value = getattr(home, name) if name in _HOMES else home
        globals()[name] = value
        return value

    def _module(name):
        import importlib

        return importlib.import_module(name)

    def __dir__():
        return __all__

    LOADERS["verdict.plot"] = lambda: __getattr__("BoundaryDisplay").from_verdict
    LOADERS["fewest.plot"] = lambda: __getattr__("BoundaryDisplay").from_fewest
    LOADERS["run.plot"] = lambda: __getattr__("BoundaryDisplay").from_run
    LOADERS["report"] = lambda: _module("novikoff.report").write_report
