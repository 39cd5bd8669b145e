"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.cuda."""

from builtins import bool as _bool
from typing import Any as _Any
from typing import Literal as _Literal
from typing import overload as _overload
from . import bf16 as bf16
from . import devicearray as devicearray
from . import kernels as kernels
from . import launchconfig as launchconfig
from . import libdevice as libdevice
from . import random as random
from . import vector_types as vector_types
from .. import extending as extending
from .. import types as types
from .._core.numba_names import literal_unroll as literal_unroll
from .._cuda_c.structs import struct_declaration as struct_declaration
from .._device.arrays import DeviceNDArray as DeviceNDArray
from .._device.devices import Context as Context
from .._device.devices import MemoryInfo as MemoryInfo
from .._device.devices import close as close
from .._device.devices import cuda_error as cuda_error
from .._device.devices import current_context as current_context
from .._device.devices import detect as detect
from .._device.devices import get_current_device as get_current_device
from .._device.devices import gpus as gpus
from .._device.devices import is_available as is_available
from .._device.devices import is_supported_version as is_supported_version
from .._device.devices import list_devices as list_devices
from .._device.devices import require_context as require_context
from .._device.devices import select_device as select_device
from .._device.devices import synchronize as synchronize
from .._device.graph import Graph as Graph
from .._device.graph import graph as graph
from .._device.ipc import IpcArrayHandle as IpcArrayHandle
from .._device.ipc_memory import GetIpcHandleMixin as GetIpcHandleMixin
from .._device.ipc_memory import IpcHandle as IpcHandle
from .._device.ipc_memory import open_ipc_array as open_ipc_array
from .._device.mapped import managed_array as managed_array
from .._device.mapped import mapped as mapped
from .._device.mapped import mapped_array as mapped_array
from .._device.mapped import mapped_array_like as mapped_array_like
from .._device.memory_manager import BaseCUDAMemoryManager as BaseCUDAMemoryManager
from .._device.memory_manager import HostOnlyCUDAMemoryManager as HostOnlyCUDAMemoryManager
from .._device.memory_manager import MemoryPointer as MemoryPointer
from .._device.memory_manager import set_allocator as set_allocator
from .._device.memory_manager import set_memory_manager as set_memory_manager
from .._device.profiling import profile_start as profile_start
from .._device.profiling import profile_stop as profile_stop
from .._device.profiling import profiling as profiling
from .._device.streams import Event as Event
from .._device.streams import Stream as Stream
from .._device.streams import default_stream as _of_default_stream
from .._device.streams import default_stream as default_stream
from .._device.streams import event as event
from .._device.streams import event_elapsed_time as event_elapsed_time
from .._device.streams import external_stream as external_stream
from .._device.streams import per_thread_default_stream as per_thread_default_stream
from .._device.streams import stream as stream
from .._device.transfer import as_cuda_array as as_cuda_array
from .._device.transfer import defer_cleanup as defer_cleanup
from .._device.transfer import device_array as device_array
from .._device.transfer import device_array_like as device_array_like
from .._device.transfer import from_cuda_array_interface as from_cuda_array_interface
from .._device.transfer import is_cuda_array as is_cuda_array
from .._device.transfer import pinned as pinned
from .._device.transfer import pinned_array as pinned_array
from .._device.transfer import pinned_array_like as pinned_array_like
from .._device.transfer import to_device as to_device
from .._kernels.compilation import compile as compile
from .._kernels.compilation import compile_all as compile_all
from .._kernels.compilation import compile_for_current_device as compile_for_current_device
from .._kernels.compilation import compile_ptx as compile_ptx
from .._kernels.compilation import compile_ptx_for_current_device as compile_ptx_for_current_device
from .._kernels.decorators import jit as jit
from .._kernels.dispatcher import Dispatcher as Dispatcher
from .._kernels.link import Archive as Archive
from .._kernels.link import CUSource as CUSource
from .._kernels.link import Cubin as Cubin
from .._kernels.link import Fatbin as Fatbin
from .._kernels.link import LTOIR as LTOIR
from .._kernels.link import LinkableCode as LinkableCode
from .._kernels.link import Object as Object
from .._kernels.link import PTXSource as PTXSource
from .._kernels.link import declare_device as declare_device
from .._launch.arguments import In as In
from .._launch.arguments import InOut as InOut
from .._launch.arguments import Out as Out
from .._types.aggregates import BaseNamedTuple as BaseNamedTuple
from .._types.aggregates import BaseTuple as BaseTuple
from .._types.aggregates import CPointer as CPointer
from .._types.aggregates import CharSeq as CharSeq
from .._types.aggregates import List as List
from .._types.aggregates import NPDatetime as NPDatetime
from .._types.aggregates import NPTimedelta as NPTimedelta
from .._types.aggregates import NamedTuple as NamedTuple
from .._types.aggregates import NamedUniTuple as NamedUniTuple
from .._types.aggregates import NestedArray as NestedArray
from .._types.aggregates import Record as Record
from .._types.aggregates import Tuple as Tuple
from .._types.aggregates import UniTuple as UniTuple
from .._types.aggregates import Vector as Vector
from .._types.aggregates import from_dtype as from_dtype
from .._types.literals import BooleanLiteral as BooleanLiteral
from .._types.literals import DType as DType
from .._types.literals import IntegerLiteral as IntegerLiteral
from .._types.literals import Literal as Literal
from .._types.literals import Opaque as Opaque
from .._types.literals import StringLiteral as StringLiteral
from .._types.literals import UnicodeType as UnicodeType
from .._types.literals import literal as literal
from .._types.objects import Array as Array
from .._types.objects import Boolean as Boolean
from .._types.objects import Complex as Complex
from .._types.objects import Float as Float
from .._types.objects import Integer as Integer
from .._types.objects import NoneType as NoneType
from .._types.objects import Number as Number
from .._types.objects import Scalar as Scalar
from .._types.objects import Signature as Signature
from .._types.objects import Type as Type
from .._types.objects import signature as signature
from .._ufunc.decorators import guvectorize as guvectorize
from .._ufunc.decorators import vectorize as vectorize
from .._ufunc.reduction import Reduce as Reduce
from .._ufunc.reduction import Reduce as _of_Reduce
from ..compat import numba_config as _of_numba_config
from ..compat import numba_cuda_errors as _of_numba_cuda_errors
from ..compat import numba_cudadrv as _of_numba_cudadrv
from ..compat import numba_devices as _of_numba_devices
from ..compat import numba_driver as _of_numba_driver
from ..compat.numba_runtime import Runtime as _Runtime
from ..errors import DeviceError as _of_DeviceError
from ..errors import KernelError as _of_KernelError
from ..types import b1 as b1
from ..types import bfloat16 as bfloat16
from ..types import bool_ as bool_
from ..types import boolean as boolean
from ..types import byte as byte
from ..types import c16 as c16
from ..types import c8 as c8
from ..types import char as char
from ..types import complex128 as complex128
from ..types import complex64 as complex64
from ..types import complex_domain as complex_domain
from ..types import double as double
from ..types import f2 as f2
from ..types import f4 as f4
from ..types import f8 as f8
from ..types import float16 as float16
from ..types import float32 as float32
from ..types import float64 as float64
from ..types import float_ as float_
from ..types import i1 as i1
from ..types import i2 as i2
from ..types import i4 as i4
from ..types import i8 as i8
from ..types import int16 as int16
from ..types import int32 as int32
from ..types import int64 as int64
from ..types import int8 as int8
from ..types import int_ as int_
from ..types import intc as intc
from ..types import integer_domain as integer_domain
from ..types import intp as intp
from ..types import long_ as long_
from ..types import longlong as longlong
from ..types import none as none
from ..types import number_domain as number_domain
from ..types import real_domain as real_domain
from ..types import scalar as scalar
from ..types import short as short
from ..types import signed_domain as signed_domain
from ..types import size_t as size_t
from ..types import ssize_t as ssize_t
from ..types import u1 as u1
from ..types import u2 as u2
from ..types import u4 as u4
from ..types import u8 as u8
from ..types import uchar as uchar
from ..types import uint as uint
from ..types import uint16 as uint16
from ..types import uint32 as uint32
from ..types import uint64 as uint64
from ..types import uint8 as uint8
from ..types import uintc as uintc
from ..types import uintp as uintp
from ..types import ulong as ulong
from ..types import ulonglong as ulonglong
from ..types import unsigned_domain as unsigned_domain
from ..types import ushort as ushort
from ..types import void as void

__all__: list[str]
CudaSupportError = _of_DeviceError
KernelRuntimeError = _of_KernelError
def activemask() -> int:
    """``activemask()``: bits of the warp's threads that run here together (uint32)."""
def all_sync(mask: _Any, predicate: _Any) -> _Any:
    """``all_sync(mask, predicate)``: whether it is true for all threads of the mask."""
def any_sync(mask: _Any, predicate: _Any) -> _Any:
    """``any_sync(mask, predicate)``: whether it is true for any thread of the mask."""
class _Atomic:
    """Read-modify-write in one step; each returns the old value."""
    def add(self, array: _Any, index: _Any, value: _Any) -> _Any:
        """``atomic.add(array, index, value)``: array[index] += value."""
    def sub(self, array: _Any, index: _Any, value: _Any) -> _Any:
        """``atomic.sub(array, index, value)``: array[index] -= value."""
    def and_(self, array: _Any, index: _Any, value: _Any) -> _Any:
        """``atomic.and_(array, index, value)``: array[index] &= value."""
    def or_(self, array: _Any, index: _Any, value: _Any) -> _Any:
        """``atomic.or_(array, index, value)``: array[index] |= value."""
    def xor(self, array: _Any, index: _Any, value: _Any) -> _Any:
        """``atomic.xor(array, index, value)``: array[index] ^= value."""
    def inc(self, array: _Any, index: _Any, value: _Any) -> _Any:
        """``atomic.inc(array, index, value)``: +1, back to 0 beyond value."""
    def dec(self, array: _Any, index: _Any, value: _Any) -> _Any:
        """``atomic.dec(array, index, value)``: -1, back to value from 0."""
    def exch(self, array: _Any, index: _Any, value: _Any) -> _Any:
        """``atomic.exch(array, index, value)``: array[index] = value."""
    def max(self, array: _Any, index: _Any, value: _Any) -> _Any:
        """``atomic.max(array, index, value)``: maximum; NaN is kept."""
    def min(self, array: _Any, index: _Any, value: _Any) -> _Any:
        """``atomic.min(array, index, value)``: minimum; NaN is kept."""
    def nanmax(self, array: _Any, index: _Any, value: _Any) -> _Any:
        """``atomic.nanmax(array, index, value)``: maximum, NaN gives way."""
    def nanmin(self, array: _Any, index: _Any, value: _Any) -> _Any:
        """``atomic.nanmin(array, index, value)``: minimum, NaN gives way."""
    def compare_and_swap(self, array: _Any, old: _Any, value: _Any) -> _Any:
        """``compare_and_swap(array, old, value)`` on array[0]."""
    def cas(self, array: _Any, index: _Any, old: _Any, value: _Any) -> _Any:
        """``atomic.cas(array, index, old, value)``: value where array[index] is old."""
atomic: _Atomic
"""Read-modify-write in one step; each returns the old value."""
def ballot_sync(mask: _Any, predicate: _Any) -> int:
    """``ballot_sync(mask, predicate)``: bits of those where it is true (int32)."""
class _BlockDim:
    """Threads in a block; int32 in .x, .y and .z."""
    x: int
    """Threads in a block, along x (int32)."""
    y: int
    """Threads in a block, along y (int32)."""
    z: int
    """Threads in a block, along z (int32)."""
blockDim: _BlockDim
"""Threads in a block; int32 in .x, .y and .z."""
class _BlockIdx:
    """Index of the block in the grid; int32 in .x, .y and .z."""
    x: int
    """Index of the block in the grid, along x (int32)."""
    y: int
    """Index of the block in the grid, along y (int32)."""
    z: int
    """Index of the block in the grid, along z (int32)."""
blockIdx: _BlockIdx
"""Index of the block in the grid; int32 in .x, .y and .z."""
def brev(x: _Any) -> _Any:
    """``brev(x)``: bits in reverse order."""
def cbrt(a: _Any) -> _Any:
    """``cbrt(a)``: Cube root."""
class _Cg:
    """Cooperative groups."""
    def this_grid(self) -> _Any:
        """``cg.this_grid()``: the group of all threads of the grid; its ``sync()`` waits for all of them. The launch is cooperative: all blocks run at once."""
cg: _Cg
"""Cooperative groups."""
def char1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def char2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def char3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def char4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def clz(x: _Any) -> _Any:
    """``clz(x)``: zero bits above the highest set bit."""
config = _of_numba_config
class _Const:
    """Read-only memory."""
    def array_like(self, array: _Any) -> _Any:
        """``const.array_like(array)``: a host array, fixed at compile time."""
const: _Const
"""Read-only memory."""
cudadrv = _of_numba_cudadrv
devices = _of_numba_devices
def double1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def double2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def double3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def double4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
driver = _of_numba_driver
def eq_sync(mask: _Any, predicate: _Any) -> _Any:
    """``eq_sync(mask, predicate)``: whether it is the same for all of the mask."""
errors = _of_numba_cuda_errors
def ffs(x: _Any) -> _Any:
    """``ffs(x)``: position of the lowest set bit counted from 1; 0 if there is none."""
def float1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def float2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def float3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def float32x1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def float32x2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def float32x3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def float32x4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def float4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def float64x1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def float64x2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def float64x3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def float64x4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def fma(a: _Any, b: _Any, c: _Any) -> _Any:
    """``fma(a, b, c)``: x * y + z with one rounding."""
class _Fp16:
    """Functions of float16."""
    def hadd(self, a: _Any, b: _Any) -> _Any:
        """``fp16.hadd(a, b)``: in float16, a + b."""
    def hsub(self, a: _Any, b: _Any) -> _Any:
        """``fp16.hsub(a, b)``: in float16, a - b."""
    def hmul(self, a: _Any, b: _Any) -> _Any:
        """``fp16.hmul(a, b)``: in float16, a * b."""
    def hdiv(self, a: _Any, b: _Any) -> _Any:
        """``fp16.hdiv(a, b)``: in float16, a / b."""
    def hmin(self, a: _Any, b: _Any) -> _Any:
        """``fp16.hmin(a, b)``: in float16, the lesser value."""
    def hmax(self, a: _Any, b: _Any) -> _Any:
        """``fp16.hmax(a, b)``: in float16, the greater value."""
    def heq(self, a: _Any, b: _Any) -> _Any:
        """``fp16.heq(a, b)``: in float16, a == b."""
    def hne(self, a: _Any, b: _Any) -> _Any:
        """``fp16.hne(a, b)``: in float16, a != b."""
    def hlt(self, a: _Any, b: _Any) -> _Any:
        """``fp16.hlt(a, b)``: in float16, a < b."""
    def hle(self, a: _Any, b: _Any) -> _Any:
        """``fp16.hle(a, b)``: in float16, a <= b."""
    def hgt(self, a: _Any, b: _Any) -> _Any:
        """``fp16.hgt(a, b)``: in float16, a > b."""
    def hge(self, a: _Any, b: _Any) -> _Any:
        """``fp16.hge(a, b)``: in float16, a >= b."""
    def hfma(self, a: _Any, b: _Any, c: _Any) -> _Any:
        """``fp16.hfma(a, b, c)``: in float16, a * b + c."""
    def hneg(self, a: _Any) -> _Any:
        """``fp16.hneg(a)``: in float16, -a."""
    def habs(self, a: _Any) -> _Any:
        """``fp16.habs(a)``: in float16, |a|."""
    def hsin(self, a: _Any) -> _Any:
        """``fp16.hsin(a)``: in float16, sine."""
    def hcos(self, a: _Any) -> _Any:
        """``fp16.hcos(a)``: in float16, cosine."""
    def htanh(self, a: _Any) -> _Any:
        """``fp16.htanh(a)``: in float16, hyperbolic tangent."""
    def hexp(self, a: _Any) -> _Any:
        """``fp16.hexp(a)``: in float16, e**a."""
    def hexp2(self, a: _Any) -> _Any:
        """``fp16.hexp2(a)``: in float16, 2**a."""
    def hexp10(self, a: _Any) -> _Any:
        """``fp16.hexp10(a)``: in float16, 10**a."""
    def hlog(self, a: _Any) -> _Any:
        """``fp16.hlog(a)``: in float16, natural logarithm."""
    def hlog2(self, a: _Any) -> _Any:
        """``fp16.hlog2(a)``: in float16, logarithm to base 2."""
    def hlog10(self, a: _Any) -> _Any:
        """``fp16.hlog10(a)``: in float16, logarithm to base 10."""
    def hsqrt(self, a: _Any) -> _Any:
        """``fp16.hsqrt(a)``: in float16, square root."""
    def hrsqrt(self, a: _Any) -> _Any:
        """``fp16.hrsqrt(a)``: in float16, reciprocal of the square root."""
    def hrcp(self, a: _Any) -> _Any:
        """``fp16.hrcp(a)``: in float16, 1 / a."""
    def hfloor(self, a: _Any) -> _Any:
        """``fp16.hfloor(a)``: in float16, greatest whole number."""
    def hceil(self, a: _Any) -> _Any:
        """``fp16.hceil(a)``: in float16, least whole number."""
    def hrint(self, a: _Any) -> _Any:
        """``fp16.hrint(a)``: in float16, nearest whole number."""
    def htrunc(self, a: _Any) -> _Any:
        """``fp16.htrunc(a)``: in float16, without fraction."""
fp16: _Fp16
"""Functions of float16."""
@_overload
def grid(ndim: _Literal[1], /) -> int: ...
@_overload
def grid(ndim: _Literal[2], /) -> tuple[int, int]: ...
@_overload
def grid(ndim: _Literal[3], /) -> tuple[int, int, int]:
    """``grid(n)``: absolute position of the thread in a grid of n dimensions (int64)."""
class _GridDim:
    """Blocks in the grid; int32 in .x, .y and .z."""
    x: int
    """Blocks in the grid, along x (int32)."""
    y: int
    """Blocks in the grid, along y (int32)."""
    z: int
    """Blocks in the grid, along z (int32)."""
gridDim: _GridDim
"""Blocks in the grid; int32 in .x, .y and .z."""
@_overload
def gridsize(ndim: _Literal[1], /) -> int: ...
@_overload
def gridsize(ndim: _Literal[2], /) -> tuple[int, int]: ...
@_overload
def gridsize(ndim: _Literal[3], /) -> tuple[int, int, int]:
    """``gridsize(n)``: threads of the whole grid in n dimensions (int64)."""
def int1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int16x1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int16x2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int16x3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int16x4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int32x1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int32x2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int32x3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int32x4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int64x1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int64x2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int64x3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int64x4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int8x1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int8x2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int8x3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def int8x4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def is_bfloat16_supported() -> _bool:
    """True: kernels have bfloat16 on both devices.

    >>> cuda.is_bfloat16_supported()
    True
    """
def is_float16_supported() -> _bool:
    """True: kernels have float16 on both devices.

    >>> cuda.is_float16_supported()
    True
    """
def is_fp8_supported() -> _bool:
    """False: Phalanx has no types of eight bits.

    >>> cuda.is_fp8_supported()
    False
    """
laneid: int
"""Index of the thread in its warp, 0 to 31 (int32)."""
def lanemask_eq() -> int:
    """``lanemask_eq()``: bits of the lanes equal to it (uint32)."""
def lanemask_ge() -> int:
    """``lanemask_ge()``: bits of the lanes from it (uint32)."""
def lanemask_gt() -> int:
    """``lanemask_gt()``: bits of the lanes above it (uint32)."""
def lanemask_le() -> int:
    """``lanemask_le()``: bits of the lanes up to it (uint32)."""
def lanemask_lt() -> int:
    """``lanemask_lt()``: bits of the lanes below it (uint32)."""
def ldca(array: _Any, i: _Any) -> _Any:
    """``ldca(array, i)``: array[i], cached at all levels."""
def ldcg(array: _Any, i: _Any) -> _Any:
    """``ldcg(array, i)``: array[i], cached in L2 only."""
def ldcs(array: _Any, i: _Any) -> _Any:
    """``ldcs(array, i)``: array[i], likely once."""
def ldcv(array: _Any, i: _Any) -> _Any:
    """``ldcv(array, i)``: array[i], read anew each time."""
def ldlu(array: _Any, i: _Any) -> _Any:
    """``ldlu(array, i)``: array[i], for the last time."""
legacy_default_stream = _of_default_stream
class _Local:
    """Memory of one thread."""
    def array(self, shape: _Any, dtype: _Any, alignment: _Any = None) -> _Any:
        """``local.array(shape, dtype, alignment=None)``: an array of each thread's own."""
local: _Local
"""Memory of one thread."""
def long1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def long2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def long3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def long4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def longlong1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def longlong2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def longlong3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def longlong4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def match_all_sync(mask: _Any, value: _Any) -> _Any:
    """``match_all_sync(mask, value)``: (mask, True) if all have the same value, else (0, False)."""
def match_any_sync(mask: _Any, value: _Any) -> _Any:
    """``match_any_sync(mask, value)``: bits of the threads with the same value."""
def nanosleep(ns: _Any) -> _Any:
    """``nanosleep(ns)``: the thread may rest for about so long."""
def popc(x: _Any) -> _Any:
    """``popc(x)``: number of set bits."""
reduce = _of_Reduce
runtime: _Runtime
def selp(condition: _Any, a: _Any, b: _Any) -> _Any:
    """``selp(condition, a, b)``: a where the condition is true, else b."""
class _Shared:
    """Memory shared by a block's threads."""
    def array(self, shape: _Any, dtype: _Any, alignment: _Any = None) -> _Any:
        """``shared.array(shape, dtype, alignment=None)``: a block's array; shape 0 takes the launch's dynamic shared memory."""
shared: _Shared
"""Memory shared by a block's threads."""
def shfl_down_sync(mask: _Any, value: _Any, delta: _Any) -> _Any:
    """``shfl_down_sync(mask, value, delta)``: the value of the lane delta above."""
def shfl_sync(mask: _Any, value: _Any, src_lane: _Any) -> _Any:
    """``shfl_sync(mask, value, src_lane)``: the value that lane src_lane gives."""
def shfl_up_sync(mask: _Any, value: _Any, delta: _Any) -> _Any:
    """``shfl_up_sync(mask, value, delta)``: the value of the lane delta below."""
def shfl_xor_sync(mask: _Any, value: _Any, lane_mask: _Any) -> _Any:
    """``shfl_xor_sync(mask, value, lane_mask)``: of the lane laneid ^ lane_mask."""
def short1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def short2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def short3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def short4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def stcg(array: _Any, i: _Any, value: _Any) -> _Any:
    """``stcg(array, i, value)``: array[i] = value, cached in L2 only."""
def stcs(array: _Any, i: _Any, value: _Any) -> _Any:
    """``stcs(array, i, value)``: array[i] = value, likely once."""
def stwb(array: _Any, i: _Any, value: _Any) -> _Any:
    """``stwb(array, i, value)``: array[i] = value, written back late."""
def stwt(array: _Any, i: _Any, value: _Any) -> _Any:
    """``stwt(array, i, value)``: array[i] = value, written through to memory."""
def syncthreads() -> _Any:
    """``syncthreads()``: all threads of the block wait here, and see each other's writes."""
def syncthreads_and(predicate: _Any) -> int:
    """``syncthreads_and(predicate)``: a barrier; 1 if it is true for all threads, else 0 (int32)."""
def syncthreads_count(predicate: _Any) -> int:
    """``syncthreads_count(predicate)``: a barrier; of how many of the block's threads the predicate is true (int32)."""
def syncthreads_or(predicate: _Any) -> int:
    """``syncthreads_or(predicate)``: a barrier; 1 if it is true for any thread, else 0 (int32)."""
def syncwarp(mask: _Any) -> _Any:
    """``syncwarp(mask)``: the warp's threads of the mask wait here."""
class _ThreadIdx:
    """Index of the thread in its block; int32 in .x, .y and .z."""
    x: int
    """Index of the thread in its block, along x (int32)."""
    y: int
    """Index of the thread in its block, along y (int32)."""
    z: int
    """Index of the thread in its block, along z (int32)."""
threadIdx: _ThreadIdx
"""Index of the thread in its block; int32 in .x, .y and .z."""
def threadfence() -> _Any:
    """``threadfence()``: orders this thread's writes for the device."""
def threadfence_block() -> _Any:
    """``threadfence_block()``: orders this thread's writes for its block."""
def threadfence_system() -> _Any:
    """``threadfence_system()``: orders this thread's writes for the device and the host."""
def uchar1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uchar2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uchar3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uchar4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint16x1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint16x2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint16x3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint16x4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint32x1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint32x2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint32x3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint32x4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint64x1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint64x2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint64x3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint64x4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint8x1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint8x2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint8x3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def uint8x4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def ulong1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def ulong2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def ulong3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def ulong4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def ulonglong1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def ulonglong2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def ulonglong3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def ulonglong4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def ushort1(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def ushort2(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def ushort3(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
def ushort4(*args: _Any) -> _Any:
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """
warpsize: _Any
"""Threads in a warp: 32."""
