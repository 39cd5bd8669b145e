"""How chunks and partitions travel between the workers of `distributed`."""

from __future__ import annotations

from typing import Any

import numpy as np
from distributed.protocol.cuda import cuda_deserialize, cuda_serialize
from distributed.protocol.serialize import dask_deserialize, dask_serialize

import phalanx as px

from .._arrays import pickling
from . import send_buffers, traffic

FAMILIES = (dask_serialize, dask_deserialize, cuda_serialize, cuda_deserialize)


def register() -> None:
    """Makes the elements travel as they are in memory, not pickled."""
    functions = serialized, deserialized, serialized_on_device, deserialized_on_device
    for registry, function in zip(FAMILIES, functions, strict=True):
        registry.register(px.ndarray, function)


def serialized(array: Any) -> tuple[dict[str, Any], list[Any]]:
    """The elements as NumPy's array would travel."""
    traffic.count("host" if array.device == "cpu" else "through_host", array.nbytes)
    header, frames = dask_serialize(np.asarray(array))
    # As arrays: inside of a frame Dask's pickler takes these as they are, but no memoryview.
    bytes_of = [np.frombuffer(each, np.uint8) for each in frames]
    return {"elements": header, "device": str(array.device)}, bytes_of


def deserialized(header: dict[str, Any], frames: list[Any]) -> Any:
    """The array of what `serialized` gave."""
    # The memory that the bytes came into becomes the array's; it is copied where it is read-only.
    elements = {**header["elements"], "writeable": (True,)}
    host = dask_deserialize.dispatch(np.ndarray)(elements, frames)
    return pickling.restored(host, header["device"])


def serialized_on_device(array: Any) -> tuple[dict[str, Any], list[Any]]:
    """The bytes as they are on a GPU. Raises `NotImplementedError` for arrays on the host, which
    lets `distributed` take the next of its serializers."""
    if array._device.is_host:
        raise NotImplementedError("the array is on the host")
    traffic.count("device", array.nbytes)
    flat = px.reshape(px.ascontiguousarray(array), -1)
    return {"shape": array.shape, "dtype": array._dtype}, [send_buffers.filled(flat)]


def deserialized_on_device(header: dict[str, Any], frames: list[Any]) -> Any:
    """The array in the memory that the bytes came into: for UCX a buffer of RMM's."""
    (frame,) = frames
    return px.asarray(frame).view(np.uint8).view(header["dtype"]).reshape(header["shape"])
