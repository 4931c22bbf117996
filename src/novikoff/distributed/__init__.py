"""Training and certifying on a Dask cluster: the only place that imports dask.

cluster.py      a client: on a running cluster, or on processes of this machine
shards.py       what the user gave as shards: small descriptions that any worker can load
survey.py       what only all shards together show: sizes, classes, columns
tasks.py        pure functions of shards, run by the cluster and repeated where one dies
mixing.py       one pass on each shard, and the sum of what they learnt
fit.py          rounds of mixing, with checkpoints between them
proving.py      what workers do for a proof
certify.py      the search for a proof; its answer is the Verdict of one machine
predict.py      a lazy collection of labels
"""

from __future__ import annotations

try:
    import distributed  # noqa: F401 - Dask's
except ImportError:
    raise ImportError(
        "novikoff.distributed needs Dask: pip install 'novikoff[distributed]'.", name="distributed"
    ) from None

from novikoff.distributed.certify import certify
from novikoff.distributed.cluster import connect
from novikoff.distributed.fit import fit
from novikoff.distributed.mixing import Round
from novikoff.distributed.predict import predict

__all__ = ["Round", "certify", "connect", "fit", "predict"]
