"""A checkpoint: the model after so many rounds, as a model file that novikoff.load can read.

It is written whole or not at all. A run that goes on from it does what the first would have
done, to the last bit; one on other shards or with other settings is refused.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from novikoff.distributed.mixing import Learner
from novikoff.distributed.survey import Survey
from novikoff.errors import InputError
from novikoff.models import Model, read
from novikoff.models.rounds import KINDS


def fingerprint(learner: Learner, found: Survey) -> str:
    """Which question is answered: the shards, and all that their weights depend on."""
    settings = {**vars(learner), "classes": learner.classes.tolist(), "dtype": str(learner.dtype)}
    shards = [[shard.name, rows] for shard, rows in zip(found.shards, found.digests, strict=True)]
    text = json.dumps(
        [settings, shards, found.n_columns, found.radius.hex()], sort_keys=True, default=str
    )
    return hashlib.sha256(text.encode()).hexdigest()


def resume(path: Any, learner: Learner, question: str) -> Model | None:
    """The model in the checkpoint; None where there is no such file yet."""
    if path is None or not Path(path).exists():
        return None
    model: Model = read(path)
    if getattr(model, "question_", None) != question or type(model) is not KINDS[learner.kind]:
        raise InputError(
            f"{path} is the checkpoint of another run, with other shards, rows or settings; remove "
            "it, or name another file."
        )
    return model
