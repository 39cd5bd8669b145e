"""Which GPU, cores, memory and environment each worker of one machine gets."""

from __future__ import annotations

import os
from collections.abc import Sequence
from numbers import Integral
from typing import Any, NamedTuple

_CORES = 4  # of a worker, where nothing is said
_NAMED = "GPU-", "MIG-"  # how names of GPUs begin in CUDA_VISIBLE_DEVICES


class Place(NamedTuple):
    """What one worker has to itself."""

    gpu: str | None  # as CUDA_VISIBLE_DEVICES names it
    cores: tuple[int, ...]
    memory: int  # bytes of the host
    threads: int  # that run tasks
    peers: tuple[str, ...] = ()  # GPUs of others, whose memory this worker is to reach

    def environment(self) -> dict[str, str]:
        """Variables that bind the engine and the libraries of products to this place."""
        of_task = str(max(1, len(self.cores) // self.threads))
        libraries = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        made = {
            "PHALANX_NUM_THREADS": str(len(self.cores)),
            "PHALANX_DEVICE": "cpu" if self.gpu is None else "cuda",
            **dict.fromkeys(libraries, of_task),
        }
        if self.gpu is not None:
            made["CUDA_VISIBLE_DEVICES"] = ",".join((self.gpu, *self.peers))
        return made


def gpus_of(devices: Any) -> list[str] | None:
    """The GPUs that `devices` means, one for each worker; None for workers on the CPU.

    Raises ValueError for what is neither None, ``"cpu"``, ``"cuda"`` nor a list of GPUs, for an
    empty list, for a GPU named twice and for one that a machine with GPUs has not.
    """
    if devices is None:
        return visible_gpus() or None
    if devices == "cpu":
        return None
    if devices == "cuda":
        found = visible_gpus()
        if not found:
            raise ValueError(
                "Cluster(devices='cuda') finds no GPU on this machine: take devices='cpu', or see "
                "`python -m phalanx info` for what the driver says"
            )
        return found
    if isinstance(devices, str) or not isinstance(devices, Sequence):
        raise ValueError(
            f"devices is None, 'cpu', 'cuda' or a list of GPUs such as [0, 1], not {devices!r}"
        )
    names = [str(each).removeprefix("cuda:") for each in devices]
    if other := [each for each in names if not each.isdecimal() and each[:4] not in _NAMED]:
        raise ValueError(f"devices lists GPUs, such as [0, 1], not {other[0]!r}")
    if not names or len({*names}) < len(names):
        raise ValueError(f"devices names each GPU once, and at least one: not {devices!r}")
    here = visible_gpus()
    if unknown := [each for each in names if here and each.isdecimal() and each not in here]:
        raise ValueError(f"there is no GPU {unknown[0]} for a worker: here are {', '.join(here)}")
    return names


def visible_gpus() -> list[str]:
    """The GPUs that this process may use, as CUDA_VISIBLE_DEVICES names them."""
    from ... import _engine

    count = sum(not each.is_host for each in _engine.devices())
    named = [each for each in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if each]
    return named[:count] if named else [str(each) for each in range(count)]


def available_cores() -> list[int]:
    """The cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def is_count(value: Any) -> bool:
    """True for a whole number from 1 on."""
    return type(value) is not bool and isinstance(value, Integral) and int(value) >= 1


def workers_of(gpus: list[str] | None, n_workers: int | None, cores_each: int | None) -> int:
    """How many workers there are. Raises ValueError for numbers that do not go together."""
    for name, value in (("n_workers", n_workers), ("cores_per_worker", cores_each)):
        if value is not None and not is_count(value):
            raise ValueError(f"{name} is a whole number from 1 on, or None; not {value!r}")
    if gpus is None:
        return n_workers or max(1, len(available_cores()) // (cores_each or _CORES))
    if n_workers not in (None, len(gpus)):
        raise ValueError(
            f"a cluster of GPUs has one worker for each: n_workers={n_workers} with {len(gpus)} "
            "GPUs; leave n_workers away, or name the GPUs by devices="
        )
    return len(gpus)


def places(count: int, cores_each: int | None, memory: int, threads: int) -> list[Place]:
    """The places of `count` workers: cores are dealt out in turn where there are too few."""
    cores = available_cores()
    each = min(cores_each or max(1, len(cores) // count), len(cores))
    made = []
    for number in range(count):
        own = [cores[(number * each + i) % len(cores)] for i in range(each)]
        made.append(Place(None, tuple(sorted(own)), memory, threads))
    return made


def with_gpus(made: list[Place], gpus: list[str] | None, reach_peers: bool) -> list[Place]:
    """The places with a GPU each, the worker's first; with the others' after it on request."""
    if gpus is None:
        return made
    return [
        place._replace(gpu=own, peers=(*gpus[i + 1 :], *gpus[:i]) if reach_peers else ())
        for i, (place, own) in enumerate(zip(made, gpus, strict=True))
    ]
