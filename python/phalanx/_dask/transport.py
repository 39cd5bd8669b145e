"""How chunks travel between the workers of `distributed`."""

from __future__ import annotations

from typing import Any

import numpy as np
from distributed.protocol.cuda import cuda_deserialize, cuda_serialize
from distributed.protocol.serialize import dask_deserialize, dask_serialize

import phalanx as px

from .._arrays import interchange


def register() -> None:
    """Makes the elements travel as they are in memory, not pickled."""
    dask_serialize.register(px.ndarray, _serialized)
    dask_deserialize.register(px.ndarray, _deserialized)
    cuda_serialize.register(px.ndarray, _serialized_on_device)
    cuda_deserialize.register(px.ndarray, _deserialized_on_device)


def _serialized(array: Any) -> tuple[dict[str, Any], list[Any]]:
    """The elements as NumPy's array would travel."""
    header, frames = dask_serialize(np.asarray(array))
    # As arrays: inside of a frame Dask's pickler takes these as they are, but no memoryview.
    bytes_of = [np.frombuffer(each, np.uint8) for each in frames]
    return {"elements": header, "device": str(array.device)}, bytes_of


def _deserialized(header: dict[str, Any], frames: list[Any]) -> Any:
    # The memory that the bytes came into becomes the array's; it is copied where it is read-only.
    elements = {**header["elements"], "writeable": (True,)}
    host = dask_deserialize.dispatch(np.ndarray)(elements, frames)
    return interchange.restored(host, header["device"])


def _serialized_on_device(array: Any) -> tuple[dict[str, Any], list[Any]]:
    """The bytes as they are on a GPU. Raises `NotImplementedError` for arrays on the host, which
    lets `distributed` take the next of its serializers."""
    if array._device.is_host:
        raise NotImplementedError("the array is on the host")
    flat = px.reshape(array, -1)
    return {"shape": array.shape, "dtype": array.dtype.str}, [flat.copy().view(np.uint8)]


def _deserialized_on_device(header: dict[str, Any], frames: list[Any]) -> Any:
    (frame,) = frames
    return px.asarray(frame).view(np.uint8).view(header["dtype"]).reshape(header["shape"])
