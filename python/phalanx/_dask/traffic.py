"""How many bytes of arrays a process has sent, and by which way."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple


class Traffic(NamedTuple):
    """Bytes of arrays that `distributed` took from a process: for others, or for its files."""

    host: int = 0  # of arrays on the host, as they are
    device: int = 0  # of a GPU's arrays, as they are: the transport takes a GPU's memory
    through_host: int = 0  # of a GPU's arrays, copied to the host
    nccl: int = 0  # of sums that fits exchanged by NCCL


_lock = threading.Lock()
_sent = Traffic()


def count(way: str, size: int) -> None:
    """Adds bytes that are sent by a way, a field of `Traffic`."""
    global _sent
    with _lock:
        _sent = _sent._replace(**{way: getattr(_sent, way) + size})


def _so_far() -> Traffic:
    return _sent


def traffic(client: Any = None) -> Any:
    """How many bytes of arrays this process has sent, those of frames too, as a `Traffic`.

    With a `distributed.Client` it is ``{address: Traffic}`` of its workers. `through_host` is what
    a transport that takes a GPU's memory would save: ``Cluster(protocol="ucx")``.
    """
    if client is None:
        return _so_far()
    from distributed.client import Client

    if not isinstance(client, Client):
        raise TypeError(f"traffic takes a distributed.Client, not {type(client).__name__}")
    return client.run(_so_far)
