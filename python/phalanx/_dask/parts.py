"""Partitions on their way: a pickle of what is little, beside it the arrays of the columns."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from . import transport

_Serializer = Callable[[Any], tuple[dict[str, Any], list[Any]]]


def register() -> None:
    """Makes frames travel by their arrays: the first that is sent loads them here."""
    for registry in transport.FAMILIES:
        registry.register_lazy("phalanx", _register_frames)


def _register_frames() -> None:
    functions = serialized, deserialized, serialized_on_device, deserialized
    for registry, function in zip(transport.FAMILIES, functions, strict=True):
        registry.register((px.DataFrame, px.Series, px.Index), function)


def register_splits() -> None:
    """Makes what a shuffle splits a partition into stay on its GPU, too."""
    from dask.dataframe.backends import ShuffleGroupResult

    *_, cuda_serialize, cuda_deserialize = transport.FAMILIES
    cuda_serialize.register(ShuffleGroupResult, serialized_on_device)
    cuda_deserialize.register(ShuffleGroupResult, deserialized)


def _array(number: int) -> Any:
    """Stands for an array in a pickle. Never called: `_Reader` puts the array itself there."""
    raise pickle.UnpicklingError(f"array {number} is beside the pickle")


class _Writer(pickle.Pickler):
    """A pickler that leaves out the arrays, and other libraries' buffers."""

    def __init__(self, file: Any) -> None:
        self.arrays: list[Any] = []
        self.buffers: list[Any] = []
        super().__init__(file, protocol=5, buffer_callback=self.buffers.append)

    def reducer_override(self, obj: Any) -> Any:
        """How an object is pickled, where it is not for the object to say."""
        if not isinstance(obj, px.ndarray):
            return NotImplemented
        self.arrays.append(obj)
        return _array, (len(self.arrays) - 1,)


class _Reader(pickle.Unpickler):
    """Puts the arrays where they were."""

    def __init__(self, text: bytes, buffers: list[Any], arrays: list[Any]) -> None:
        self.arrays = arrays
        super().__init__(io.BytesIO(text), buffers=buffers)

    def find_class(self, module: str, name: str) -> Any:
        """A function or class that the pickle names."""
        found = super().find_class(module, name)
        return self.arrays.__getitem__ if found is _array else found


def serialized(obj: Any) -> tuple[dict[str, Any], list[Any]]:
    """A partition, with all arrays from the host."""
    return _assembled(_written(obj), transport.serialized)


def serialized_on_device(obj: Any) -> tuple[dict[str, Any], list[Any]]:
    """A partition, with a GPU's arrays as they are there. Raises `NotImplementedError` where all
    are on the host, which lets `distributed` take the next of its serializers."""
    written = _written(obj)
    if all(each.device == "cpu" for each in written[0].arrays):
        raise NotImplementedError("the partition is on the host")
    return _assembled(written, _where_it_is)


def _where_it_is(array: Any) -> tuple[dict[str, Any], list[Any]]:
    is_on_host = array.device == "cpu"
    return transport.serialized(array) if is_on_host else transport.serialized_on_device(array)


def _written(obj: Any) -> tuple[_Writer, bytes]:
    """Raises `NotImplementedError` for objects that need Dask's own pickler."""
    file = io.BytesIO()
    writer = _Writer(file)
    try:
        writer.dump(obj)
    except Exception as error:
        raise NotImplementedError(f"the partition is not pickled by itself: {error}") from error
    if b"__main__" in file.getvalue():
        raise NotImplementedError("the partition has objects of the program, not of a module")
    return writer, file.getvalue()


def _assembled(
    written: tuple[_Writer, bytes], of_array: _Serializer
) -> tuple[dict[str, Any], list[Any]]:
    writer, text = written
    buffers = [np.frombuffer(each.raw(), np.uint8) for each in writer.buffers]
    pairs = [of_array(each) for each in writer.arrays]
    header = {
        "buffers": len(buffers),
        "arrays": [each for each, _ in pairs],
        "frames": [len(frames) for _, frames in pairs],
    }
    return header, [text, *buffers, *(each for _, frames in pairs for each in frames)]


def deserialized(header: dict[str, Any], frames: list[Any]) -> Any:
    """The partition of what either function gave."""
    text, *rest = frames
    buffers, rest = rest[: header["buffers"]], rest[header["buffers"] :]
    arrays = []
    for told, count in zip(header["arrays"], header["frames"], strict=True):
        own, rest = rest[:count], rest[count:]
        is_of_host = "elements" in told
        made = transport.deserialized if is_of_host else transport.deserialized_on_device
        arrays.append(made(told, own))
    return _Reader(bytes(text), buffers, arrays).load()
