"""A client of a Dask cluster: one that runs, or processes of this machine. What is said of work."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from distributed import Client, LocalCluster, default_client

from novikoff.errors import InputError, ParameterError
from novikoff.wording import count

SECONDS = 10  # to wait for an answer
ADVICE = 'with novikoff.distributed.connect("local:4") as client: …'


@contextmanager
def connect(spec: str) -> Iterator[Client]:
    """A client while the block lasts.

    spec : the address of a scheduler, such as "tcp://10.0.0.1:8786", or "local:4" for four
        worker processes of one thread each on this machine, which end with the block
    """
    local = re.fullmatch(r"local:([1-9][0-9]{0,3})", str(spec))
    if local:
        try:
            cluster = LocalCluster(
                n_workers=int(local[1]), threads_per_worker=1, processes=True,
                dashboard_address=":0",
                silence_logs=logging.CRITICAL,  # what goes wrong is said once, by who asked
            )  # fmt: skip
        except Exception as error:  # a process that does not start fails in a hundred ways
            logging.getLogger("distributed").setLevel(logging.CRITICAL)  # nor when this one ends
            why = str(error).partition("\n")[0][:200].rstrip(".") or type(error).__name__
            raise InputError(
                f"{spec} cannot start its processes ({why}); ask for fewer, or work without Dask."
            ) from None
        with cluster, Client(cluster) as client:
            yield client
        return
    if not re.match(r"[a-z]+://.", str(spec)):
        raise ParameterError(
            f"the cluster is {spec!r}; it must be the address of a Dask scheduler, such as "
            "'tcp://10.0.0.1:8786', or 'local:4' for 4 processes on this machine."
        )
    try:
        client = Client(str(spec), timeout=SECONDS)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0][:200]
        raise InputError(
            f"no Dask scheduler answers at {spec} ({reason}); start one with `dask scheduler`."
        ) from None
    with client:
        yield client


def client_or_default(client: Any) -> Client:
    """The client given, or else the one that is open."""
    if isinstance(client, Client):
        if client.asynchronous:
            raise InputError("the client is asynchronous; give one made without asynchronous=True.")
        return client
    if client is not None:
        raise InputError(
            f"client is a {type(client).__name__}; it must be a dask.distributed Client: {ADVICE}"
        )
    try:
        return default_client()
    except ValueError:
        raise InputError(f"no Dask client is open; open one: {ADVICE}") from None


def reporter(verbose: Any, client: Any, n_shards: int) -> Callable[[Any], None]:
    """What tells standard error how it goes, where that is wanted."""
    if not verbose:
        return lambda _: None
    print(f"{count(n_shards, 'shard')}; Dask's dashboard: {client.dashboard_link}", file=sys.stderr)
    return lambda text: print(text, file=sys.stderr, flush=True)
