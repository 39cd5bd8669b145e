"""What a transport between workers needs before the first of them starts."""

from __future__ import annotations

import os
from importlib.util import find_spec

import dask

_CONTEXT = "distributed-ucxx.create-cuda-context"


def maps_memory(protocol: str) -> bool:
    """True if a worker reads the memory of the others' GPUs, which are then to be visible to it."""
    return str(protocol).startswith("ucx")


def prepare_transport(protocol: str, gpus: list[str] | None) -> None:
    """Raise ModuleNotFoundError for UCX without its package, and ValueError where UCX_TLS leaves
    the GPUs out. With GPUs UCX looks for them as it starts, in this process and in the workers,
    which get this process's configuration of Dask."""
    if not maps_memory(protocol):
        return
    if find_spec("distributed_ucxx") is None:
        raise ModuleNotFoundError(
            f"Cluster(protocol={protocol!r}) needs the package distributed-ucxx: "
            "pip install distributed-ucxx-cu13 (with a driver of CUDA 12: distributed-ucxx-cu12)",
            name="distributed_ucxx",
        )
    if gpus is None:
        return
    chosen = os.environ.get("UCX_TLS", "all")
    # Else workers wait for ever for arrays that their transport refuses.
    if not chosen.startswith("^") and not {"all", "cuda", "cuda_copy"} & {*chosen.split(",")}:
        raise ValueError(
            f"UCX_TLS={chosen} leaves out the memory of GPUs: unset it, or add cuda_copy and "
            "cuda_ipc, as in UCX_TLS=tcp,sm,cuda_copy,cuda_ipc"
        )
    if dask.config.get(_CONTEXT, None) is None:
        dask.config.set({_CONTEXT: True})
