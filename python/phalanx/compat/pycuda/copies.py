"""Copies of rows and planes: `Memcpy2D`, `Memcpy3D`."""

from __future__ import annotations

from typing import Any

import numpy as np

from .addresses import address_of, bytes_on_device, bytes_on_host, check_room, span_of
from .context import Context, Stream, queue_of
from .errors import LogicError, of_driver

__all__ = ["Array", "Memcpy2D", "Memcpy3D", "Memcpy3DPeer"]


class Array:
    """Raises `LogicError`: memory for textures, whose references are gone from CUDA."""

    def __init__(self, descriptor: Any = None) -> None:
        raise LogicError(
            "cuArrayCreate failed: arrays are memory of textures; CUDA 12 has removed texture "
            "references: read from linear memory"
        )


class _Side:
    """Where a copy begins or ends."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.host: Any = None
        self.device: Any = None

    def window(self, copy: Any, extent: tuple[int, int, int]) -> Any:
        """The bytes, as planes of rows: of a device or NumPy's."""
        pitch = getattr(copy, f"{self.name}_pitch") or extent[2]
        height = getattr(copy, f"{self.name}_height", 0) or extent[1]
        begin = getattr(copy, f"{self.name}_x_in_bytes") + pitch * (
            getattr(copy, f"{self.name}_y") + height * getattr(copy, f"{self.name}_z", 0)
        )
        strides = (pitch * height, pitch, 1)
        end = begin + span_of(extent, strides)
        self._check(begin, pitch, height, extent)
        if self.host is not None:
            return self._on_host(begin, end, extent, strides)
        if self.device is None:
            raise LogicError(
                f"cuMemcpy failed: set_{self.name}_host or set_{self.name}_device first"
            )
        check_room(self.device, begin, end, f"cuMemcpy of {self.name}")
        return bytes_on_device(address_of(self.device) + begin, extent, strides)

    def _check(self, begin: int, pitch: int, height: int, extent: tuple[int, int, int]) -> None:
        depth, rows, width = extent
        if begin < 0 or pitch < 0:
            raise LogicError(
                f"cuMemcpy failed: invalid value - {self.name} begins before its memory"
            )
        if (pitch < width and rows * depth > 1) or (height < rows and depth > 1):
            raise LogicError(
                f"cuMemcpy failed: invalid value - {rows} rows of {width} bytes; {self.name}_pitch "
                f"is {pitch}, {self.name}_height {height}"
            )

    def _on_host(
        self, begin: int, end: int, extent: tuple[int, ...], strides: tuple[int, ...]
    ) -> Any:
        octets = bytes_on_host(self.host, is_written=self.name == "dst")
        if end > octets.size:
            raise LogicError(
                f"cuMemcpy failed: invalid value - byte {end - 1} of an array of {octets.size} "
                f"({self.name})"
            )
        return np.lib.stride_tricks.as_strided(octets[begin:], extent, strides)


class _Copy:
    """What both have: where bytes come from and go to."""

    _ZEROS: tuple[str, ...] = ()

    def __init__(self) -> None:
        for name in self._ZEROS:
            setattr(self, name, 0)
        self._src, self._dst = _Side("src"), _Side("dst")

    def set_src_host(self, buffer: Any) -> None:
        """Copies from a buffer of the host."""
        self._src.host, self._src.device = buffer, None

    def set_dst_host(self, buffer: Any) -> None:
        """Copies to a buffer of the host."""
        self._dst.host, self._dst.device = buffer, None

    def set_src_device(self, pointer: Any) -> None:
        """Copies from memory of the device."""
        self._src.host, self._src.device = None, pointer

    def set_dst_device(self, pointer: Any) -> None:
        """Copies to memory of the device."""
        self._dst.host, self._dst.device = None, pointer

    set_src_unified, set_dst_unified = set_src_device, set_dst_device

    def set_src_array(self, array: Any) -> None:
        """Raises `LogicError`: there are no arrays of textures."""
        Array()

    set_dst_array = set_src_array

    def _copy(self, extent: tuple[int, int, int], stream: Stream | None) -> None:
        if min(extent) < 0:
            raise LogicError(f"cuMemcpy failed: invalid value - an extent below zero: {extent}")
        if 0 in extent:
            return
        source, target = self._src.window(self, extent), self._dst.window(self, extent)
        queue = queue_of(stream)
        with of_driver("cuMemcpy"):
            if isinstance(target, np.ndarray):
                target[...] = source if isinstance(source, np.ndarray) else source.copy_to_host()
            elif isinstance(source, np.ndarray):
                target.copy_to_device(np.ascontiguousarray(source), queue)
            else:
                target.copy_to_device(source, queue)
        if stream is None:
            Context.synchronize()


class Memcpy2D(_Copy):
    """Copies `height` rows of `width_in_bytes`, which are `src_pitch` and `dst_pitch` apart."""

    _ZEROS = (
        "src_x_in_bytes", "src_y", "src_pitch", "dst_x_in_bytes", "dst_y", "dst_pitch",
        "width_in_bytes", "height",
    )  # fmt: skip
    width_in_bytes: int
    height: int

    def __call__(self, stream: Stream | bool | None = None, aligned: bool = False) -> None:
        """Does it, and waits; with a stream it is queued there."""
        queue = None if isinstance(stream, bool) else stream  # PyCUDA's first form: aligned
        self._copy((1, int(self.height), int(self.width_in_bytes)), queue)


class Memcpy3D(_Copy):
    """Copies `depth` planes of rows; planes are `src_height` and `dst_height` rows apart."""

    _ZEROS = (
        "src_x_in_bytes", "src_y", "src_z", "src_lod", "src_pitch", "src_height", "dst_x_in_bytes",
        "dst_y", "dst_z", "dst_lod", "dst_pitch", "dst_height", "width_in_bytes", "height", "depth",
    )  # fmt: skip
    width_in_bytes: int
    height: int
    depth: int

    def __call__(self, stream: Stream | None = None) -> None:
        """Does it, and waits; with a stream it is queued there."""
        self._copy((int(self.depth), int(self.height), int(self.width_in_bytes)), stream)


class Memcpy3DPeer(Memcpy3D):
    """The same between devices."""

    def set_src_context(self, context: Context) -> None:
        """Changes nothing: memory knows its device."""

    set_dst_context = set_src_context
