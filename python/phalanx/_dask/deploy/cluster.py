"""A cluster of the workers of one machine."""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

from dask.utils import parse_bytes
from distributed.deploy.spec import SpecCluster
from distributed.nanny import Nanny
from distributed.scheduler import Scheduler
from distributed.system import MEMORY_LIMIT

from .layout import Place, gpus_of, is_count, places, with_gpus, workers_of
from .setup import TakePlace
from .transports import maps_memory, prepare_transport
from .versions import WorkerError, versions_here


def _bytes_of(limit: Any, workers: int, name: str) -> int:
    """The bytes that a limit means for each worker; 0 is none."""
    if limit is None or limit == 0:
        return 0
    if limit == "auto":
        return int(MEMORY_LIMIT // workers)
    if isinstance(limit, float) and 0 < limit <= 1:
        return int(MEMORY_LIMIT * limit)
    try:
        made = int(parse_bytes(limit))
    except (ValueError, TypeError):
        made = -1
    if made < 0:
        raise ValueError(
            f"{name} is 'auto', a number of bytes, a text such as '4GiB', a share of the machine's "
            f"memory or None; not {limit!r}"
        )
    return made


def _worker_error(error: BaseException | None) -> WorkerError | None:
    """What a worker said, of which distributed makes causes of errors that say less."""
    while error is not None and not isinstance(error, WorkerError):
        error = error.__cause__
    return error


class Options(NamedTuple):
    """What may be said of a cluster beside its workers."""

    memory_limit: Any = "auto"
    device_memory_limit: Any = None
    local_directory: str | None = None
    environment: dict[str, str] | None = None
    dashboard_address: str | None = ":8787"
    protocol: str = "tcp"
    host: str = "127.0.0.1"
    silence_logs: int = logging.WARNING


class Cluster(SpecCluster):  # type: ignore[misc]
    """Workers on this machine: one for each GPU, or one for some cores each.

    `devices` is None (the GPUs where there are some, else the CPU), ``"cuda"``, ``"cpu"`` or a list
    of GPUs, ``[0, 1]``. On the CPU there are `n_workers` workers, or one for each
    `cores_per_worker` (4) cores. Each worker is a process with cores of its own, to which it is
    bound, and has `threads_per_worker` (1) threads for tasks: kernels inside a task run on all its
    cores by themselves. Libraries' threads (OpenBLAS, OpenMP) are cores by threads.

    `memory_limit` is each worker's memory of the host: ``"auto"`` deals out the machine's, else
    bytes, a text as ``"4GiB"``, a share or None. Above 60 % of it Dask writes chunks to files in
    `local_directory`; arrays that would pass 90 % get an OutOfMemoryError. `device_memory_limit`
    bounds arrays on a worker's GPU, beyond which the least used are moved to the host.

    `environment` has more variables for the workers; `dashboard_address` is that of the dashboard,
    None for none; `protocol` is that between workers (``"tcp"``, or ``"ucx"`` by the package
    distributed-ucxx, which sends arrays from GPU to GPU: a worker then sees all GPUs of the
    cluster, its own first); other options are those of `distributed.SpecCluster`.

    Raises ValueError for options that do not fit, ModuleNotFoundError for ``"ucx"`` without that
    package, and WorkerError where a worker has no GPU or other versions than this process.
    """

    def __init__(
        self,
        devices: Any = None,
        *,
        n_workers: int | None = None,
        cores_per_worker: int | None = None,
        threads_per_worker: int = 1,
        **options: Any,
    ) -> None:
        own = Options(**{name: options.pop(name) for name in Options._fields if name in options})
        gpus = gpus_of(devices)
        prepare_transport(own.protocol, gpus)
        count = workers_of(gpus, n_workers, cores_per_worker)
        if not is_count(threads_per_worker):
            raise ValueError(
                f"threads_per_worker is a whole number from 1 on; not {threads_per_worker!r}"
            )
        memory = _bytes_of(own.memory_limit, count, "memory_limit")
        on_device = _bytes_of(own.device_memory_limit, count, "device_memory_limit") or None
        if on_device is not None and gpus is None:
            raise ValueError("device_memory_limit is of GPUs, of which this cluster has none")
        of_hosts = places(count, cores_per_worker, memory, threads_per_worker)
        self.places = with_gpus(of_hosts, gpus, reach_peers=maps_memory(own.protocol))
        shared = {"host": own.host, "protocol": own.protocol}
        versions = versions_here()

        def worker(place: Place) -> dict[str, Any]:
            made = {
                "nthreads": place.threads,
                "memory_limit": memory,
                "env": {**place.environment(), **(own.environment or {})},
                "plugins": [TakePlace(place, versions, on_device)],
                "local_directory": own.local_directory,
                # A worker that cannot start says why at once, not after many trials.
                "death_timeout": 60,
                "silence_logs": own.silence_logs,
                "resources": None if place.gpu is None else {"GPU": 1},
            }
            return {"cls": Nanny, "options": {**made, **shared}}

        at = own.dashboard_address
        scheduler = {"dashboard": at is not None, "dashboard_address": at, **shared}
        try:
            super().__init__(
                workers={number: worker(place) for number, place in enumerate(self.places)},
                scheduler={"cls": Scheduler, "options": scheduler},
                silence_logs=own.silence_logs,
                **{"name": "phalanx", **options},
            )
        except RuntimeError as error:
            cause = _worker_error(error)
            if cause is None:
                raise
            raise cause from None
