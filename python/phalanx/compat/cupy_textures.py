"""``cupy.cuda.texture``: CUDA arrays, and textures and surfaces as objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from phalanx import ascontiguousarray, ndarray

from .. import _engine
from .._arrays import placement
from .cupy_runtime import (
    cudaArraySurfaceLoadStore,
    cudaChannelFormatKindNone,
    cudaReadModeNormalizedFloat,
    cudaResourceTypeArray,
    cudaResourceTypeLinear,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypePitch2D,
)

__all__ = [
    "CUDAarray",
    "ChannelFormatDescriptor",
    "ResourceDescriptor",
    "SurfaceObject",
    "TextureDescriptor",
    "TextureObject",
]

_KINDS = "iuf"  # by cudaChannelFormatKind*: NumPy's letters


class ChannelFormatDescriptor:
    """What an element is made of: the bits of its channels, and ``cudaChannelFormatKind*``."""

    def __init__(self, x: int, y: int, z: int, w: int, f: int) -> None:
        self._bits, self._kind = (int(x), int(y), int(z), int(w)), int(f)

    def get_channel_format(self) -> dict[str, int]:
        """The bits of each channel by its letter, and the kind as ``"f"``."""
        return {**dict(zip("xyzw", self._bits, strict=True)), "f": self._kind}

    @property
    def _format(self) -> tuple[int, int, int]:
        """The kind, the bits of a channel, how many there are. Raises `ValueError` for others."""
        if not 0 <= self._kind < cudaChannelFormatKindNone:
            raise ValueError(
                f"channels of kind {self._kind}: give cudaChannelFormatKindSigned, "
                "cudaChannelFormatKindUnsigned or cudaChannelFormatKindFloat"
            )
        count = sum(bits != 0 for bits in self._bits)
        if count == 0 or set(self._bits[:count]) != {self._bits[0]}:
            raise ValueError(
                f"channels of {self._bits} bits: the first 1, 2 or 4 have the same bits, others 0"
            )
        return self._kind, self._bits[0], count


class ResourceDescriptor:
    """What a texture or a surface is of: a `CUDAarray` (``cudaResourceTypeArray``), or an array.

    Of an array in linear memory (``cudaResourceTypeLinear``) the elements are counted, its first
    `sizeInBytes` bytes; one of two dimensions (``cudaResourceTypePitch2D``) has `height` rows of
    `width` elements, which begin every `pitchInBytes` bytes. The array must not be moved: assign to
    its elements. Raises `NotImplementedError` for mipmapped arrays, and `ValueError` for what is
    missing or larger than the array.
    """

    def __init__(
        self,
        restype: int,
        cuArr: CUDAarray | None = None,
        arr: Any = None,
        chDesc: ChannelFormatDescriptor | None = None,
        sizeInBytes: int = 0,
        width: int = 0,
        height: int = 0,
        pitchInBytes: int = 0,
    ) -> None:
        if restype == cudaResourceTypeMipmappedArray:
            raise NotImplementedError("cudaResourceTypeMipmappedArray: give a CUDAarray instead")
        self._type, self.cuArr, self.arr, self.chDesc = int(restype), cuArr, arr, chDesc
        self._extent, self._pitch, self._bytes = (int(width), int(height), 0), 0, int(sizeInBytes)
        if restype == cudaResourceTypeArray:
            if not isinstance(cuArr, CUDAarray):
                raise ValueError("cudaResourceTypeArray needs cuArr, a CUDAarray")
        elif restype in (cudaResourceTypeLinear, cudaResourceTypePitch2D):
            self._set_memory(int(pitchInBytes))
        else:
            raise ValueError(f"{restype} is no cudaResourceType*")

    def _set_memory(self, pitch: int) -> None:
        if not isinstance(self.arr, ndarray) or self.chDesc is None:
            raise ValueError(
                "textures of memory need arr, a cupy.ndarray, and chDesc, what its elements are"
            )
        if not self.arr.flags.c_contiguous:
            raise ValueError("arr has gaps between its elements: give cupy.ascontiguousarray(arr)")
        _, bits, channels = self.chDesc._format
        element = bits // 8 * channels
        if self._type == cudaResourceTypeLinear:
            self._extent = (self._bytes // max(element, 1), 0, 0)
            needed = self._bytes
        else:
            self._pitch = pitch
            needed = pitch * (self._extent[1] - 1) + self._extent[0] * element
        if needed > self.arr.nbytes:
            raise ValueError(
                f"a texture of {needed} bytes is more than the array's {self.arr.nbytes}: check "
                "sizeInBytes, or width, height and pitchInBytes"
            )
        if self._type == cudaResourceTypePitch2D and not pitch:
            raise ValueError("cudaResourceTypePitch2D needs pitchInBytes, from row to row")

    def get_resource_desc(self) -> dict[str, Any]:
        """The fields of CUDA's structure that the type has."""
        made: dict[str, Any] = {"resType": self._type}
        if self._type == cudaResourceTypeArray:
            assert self.cuArr is not None
            made["array"] = {"array": self.cuArr.ptr}
            return made
        assert self.chDesc is not None
        of = {"devPtr": self.arr.data.ptr, "desc": self.chDesc.get_channel_format()}
        if self._type == cudaResourceTypeLinear:
            made["linear"] = {**of, "sizeInBytes": self._bytes}
        else:
            width, height, _ = self._extent
            extent = {"width": width, "height": height, "pitchInBytes": self._pitch}
            made["pitch2D"] = {**of, **extent}
        return made

    def _texture(self, sampler: dict[str, Any]) -> Any:
        if self.cuArr is not None:
            return _engine.make_texture(self.cuArr._device, self.cuArr._own, **sampler)
        assert self.chDesc is not None
        return _engine.make_memory_texture(
            self.arr._device,
            self.arr.data.ptr,
            self.arr,
            self.chDesc._format,
            self._extent,
            self._pitch,
            **sampler,
        )

    def _bring_up_to_date(self) -> None:
        """What was recorded of the array is in its memory when a kernel reads it."""
        if self.arr is not None:
            self.arr.data.ptr  # noqa: B018  (asking for the address computes the elements)


class TextureDescriptor:
    """How a texture reads: ``cudaAddressMode*``, ``cudaFilterMode*``, ``cudaReadMode*``."""

    def __init__(
        self,
        addressModes: Sequence[int] | None = None,
        filterMode: int = 0,
        readMode: int = 0,
        sRGB: bool | None = None,
        borderColors: Sequence[float] | None = None,
        normalizedCoords: bool | None = None,
        maxAnisotropy: int | None = None,
    ) -> None:
        self._modes = _filled("addressModes", addressModes, 3, 0)
        self._border = _filled("borderColors", borderColors, 4, 0.0)
        self._filter, self._read = int(filterMode), int(readMode)
        if self._read not in (0, cudaReadModeNormalizedFloat):
            raise ValueError(f"{readMode} is no cudaReadMode*")
        self._srgb, self._anisotropy = int(sRGB or 0), int(maxAnisotropy or 0)
        self._normalized = int(normalizedCoords or 0)

    def get_texture_desc(self) -> dict[str, Any]:
        """The fields of CUDA's structure."""
        return {
            "addressMode": self._modes,
            "filterMode": self._filter,
            "readMode": self._read,
            "sRGB": self._srgb,
            "borderColor": self._border,
            "normalizedCoords": self._normalized,
            "maxAnisotropy": self._anisotropy,
        }

    @property
    def _sampler(self) -> dict[str, Any]:
        return {
            "address": self._modes,
            "filter": self._filter,
            "reads_normalized": self._read == cudaReadModeNormalizedFloat,
            "normalized_coordinates": bool(self._normalized),
            "srgb": bool(self._srgb),
            "max_anisotropy": self._anisotropy,
            "border": self._border,
        }


def _filled(name: str, given: Sequence[Any] | None, count: int, rest: Any) -> tuple[Any, ...]:
    values = tuple(given or ())
    if len(values) > count:
        raise ValueError(f"{name} has at most {count} items, not {len(values)}")
    return values + (rest,) * (count - len(values))


class CUDAarray:
    """Memory in the layout of textures, of one, two or three dimensions, on the current device.

    A surface needs the flag ``cudaArraySurfaceLoadStore``. Raises `ValueError` for an extent of 0
    below another one and for elements that no texture has, and `NotImplementedError` for layers
    and cube maps.
    """

    def __init__(
        self,
        desc: ChannelFormatDescriptor,
        width: int,
        height: int = 0,
        depth: int = 0,
        flags: int = 0,
    ) -> None:
        if flags & ~cudaArraySurfaceLoadStore:
            raise NotImplementedError(
                f"the flags {flags}: there are cudaArrayDefault and cudaArraySurfaceLoadStore"
            )
        self.desc, self.flags = desc, int(flags)
        self.width, self.height, self.depth = int(width), int(height), int(depth)
        self.ndim = 3 if depth else 2 if height else 1
        self._device = _engine.current_device()
        extent = (self.width, self.height, self.depth)
        self._own = _engine.make_texture_array(self._device, desc._format, extent, bool(flags))

    @property
    def ptr(self) -> int:
        """The driver's handle; on the CPU device the address."""
        return int(self._own.handle)

    def copy_from(self, in_arr: Any, stream: Any = None) -> None:
        """Copies all elements of an array, or of NumPy's, in order with the arrays' work.

        Its shape is the array's, with the channels in the last dimension: ``(depth, height,
        channels * width)``. `stream` makes no difference. Raises `ValueError` for other shapes and
        dtypes, and for an array on another device.
        """
        self._check(in_arr)
        if isinstance(in_arr, ndarray):
            self._check_place(in_arr)
            kept = ascontiguousarray(in_arr)
            self._own.copy_from(kept.data.ptr, False, self._device.default_stream)
        else:
            host = np.ascontiguousarray(in_arr)
            self._own.copy_from(host.ctypes.data, True, self._device.default_stream)

    def copy_to(self, out_arr: Any, stream: Any = None) -> None:
        """Copies all elements into an array, or one of NumPy's, whose elements lie together.

        Raises `ValueError` as `copy_from`, and for one that cannot be written.
        """
        self._check(out_arr)
        if not out_arr.flags.c_contiguous:
            raise ValueError("The output array must be C-contiguous")
        if isinstance(out_arr, ndarray):
            self._check_place(out_arr)
            self._own.copy_to(out_arr.data.ptr, False, self._device.default_stream)
            return
        if not out_arr.flags.writeable:
            raise ValueError("the output array is read-only: give one that can be written")
        self._own.copy_to(out_arr.ctypes.data, True, self._device.default_stream)

    def _check_place(self, array: ndarray) -> None:
        """Raises `ValueError` for an array on another device, whose addresses mean nothing here."""
        place = array._device
        if not placement.is_same(place, self._device):
            own, other = placement.name_of(self._device), placement.name_of(place)
            raise ValueError(
                f"the CUDAarray is on {own}, and the array on {other}: give x.to_device({own!r}), "
                "or an array of NumPy's"
            )

    def _check(self, array: Any) -> None:
        if not isinstance(array, (ndarray, np.ndarray)):
            raise TypeError(
                f"a CUDAarray is copied from and to cupy.ndarray and numpy.ndarray, not "
                f"{type(array).__name__}"
            )
        kind, bits, channels = self.desc._format
        extents = (self.depth, self.height, channels * self.width)
        if array.shape != extents[3 - self.ndim :]:
            raise ValueError(
                f"shape mismatch: the CUDAarray takes {extents[3 - self.ndim :]}, not {array.shape}"
            )
        if array.dtype.kind != _KINDS[kind] or array.dtype.itemsize * 8 != bits:
            wanted = np.dtype(f"{_KINDS[kind]}{bits // 8}")
            raise ValueError(f"dtype mismatch: the CUDAarray takes {wanted}, not {array.dtype}")


class TextureObject:
    """A texture that kernels take as ``cudaTextureObject_t``; it keeps what it is of.

    Raises `ValueError` for combinations that CUDA does not have: normalized floats of 32-bit
    integers, and linear filtering of integers.
    """

    def __init__(self, ResDesc: ResourceDescriptor, TexDesc: TextureDescriptor) -> None:
        self.ResDesc, self.TexDesc = ResDesc, TexDesc
        self._own = ResDesc._texture(TexDesc._sampler)

    @property
    def ptr(self) -> int:
        """What kernels take."""
        self.ResDesc._bring_up_to_date()
        return int(self._own.handle)


class SurfaceObject:
    """A surface that kernels take as ``cudaSurfaceObject_t``; it keeps its `CUDAarray`.

    Raises `ValueError` for memory that is no `CUDAarray` with ``cudaArraySurfaceLoadStore``.
    """

    def __init__(self, ResDesc: ResourceDescriptor) -> None:
        array = ResDesc.cuArr
        if array is None:
            raise ValueError("a surface is of a CUDAarray: give ResourceDescriptor its cuArr")
        self.ResDesc = ResDesc
        self._own = _engine.make_surface(array._device, array._own)

    @property
    def ptr(self) -> int:
        """What kernels take."""
        return int(self._own.handle)
