"""Versions and devices of workers, compared with those of the client."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Mapping
from typing import Any

# Workers read pickles of these, and run code that was compiled for them.
_PACKAGES = ("phalanx", "numpy", "dask", "distributed")


class WorkerError(RuntimeError):
    """A worker cannot do its part: its versions or its devices are not what the program needs."""


def versions_here() -> dict[str, str]:
    """The versions that client and workers must share: Python's to the minor one."""
    made = {"python": ".".join(platform.python_version_tuple()[:2])}
    for name in _PACKAGES:
        try:
            made[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            made[name] = "not installed"
    from ... import __version__

    return made | {"phalanx": __version__}


def refuse_versions(worker: object, own: Mapping[str, str], client: Mapping[str, str]) -> None:
    """Raise WorkerError where a worker's versions differ from the client's."""
    differing = [
        f"{name} {own.get(name, 'not installed')} (client: {version})"
        for name, version in client.items()
        if own.get(name) != version
    ]
    if differing:
        raise WorkerError(
            f"worker {worker} has other versions than the client: {', '.join(differing)}; install "
            "the same on both, as by one environment or one container image"
        )


def refuse_devices(worker: object, kinds: list[str], wanted: str) -> None:
    """Raise WorkerError where a worker has no device of the kind that is wanted."""
    if wanted not in kinds:
        raise WorkerError(
            f"worker {worker} has no device {wanted!r} (it has: {', '.join(kinds)}); see "
            "`python -m phalanx info` there, leave that machine out, or take devices='cpu'"
        )


def kinds_here() -> list[str]:
    """The kinds of the devices of this process."""
    from ... import _engine

    return sorted({each.kind for each in _engine.devices()})


def _what_is_here() -> tuple[dict[str, str], list[str]]:
    return versions_here(), kinds_here()


def check_workers(client: Any, device: str | None = None) -> dict[str, dict[str, str]]:
    """Compare all workers of a `distributed.Client` with this process; return their versions.

    Of any cluster: on SSH, Slurm, Kubernetes. `device` is ``"cpu"``, ``"cuda"`` or None: the kind
    that each worker must have. Raises WorkerError for the first worker whose versions differ, that
    has no such device, or that has no Phalanx at all, and where there are no workers.
    """
    from distributed.client import Client

    if not isinstance(client, Client):
        raise TypeError(f"check_workers takes a distributed.Client, not {type(client).__name__}")
    found = client.run(_what_is_here, on_error="return")
    if not found:
        raise WorkerError("the cluster has no workers: wait for them by client.wait_for_workers(1)")
    here = versions_here()
    for address, answer in found.items():
        if isinstance(answer, BaseException):
            raise WorkerError(
                f"worker {address} cannot load phalanx {here['phalanx']}, which the client has: "
                f"{answer!r}; install it there"
            ) from answer
        own, kinds = answer
        refuse_versions(address, own, here)
        if device is not None:
            refuse_devices(address, kinds, device)
    return {address: answer[0] for address, answer in found.items()}
