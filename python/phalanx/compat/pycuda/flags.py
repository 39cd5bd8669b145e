"""The driver's flags and enumerations, by the names that `pycuda.driver` has for them."""

from __future__ import annotations

import enum
from typing import Any

from ..._device import device_attributes

__all__ = [
    "address_mode", "array3d_flags", "array_format", "compute_mode", "ctx_flags",
    "device_attribute", "event_flags", "filter_mode", "func_cache", "function_attribute",
    "host_alloc_flags", "ipc_mem_flags", "jit_input_type", "jit_option", "jit_target", "limit",
    "mem_attach_flags", "mem_host_register_flags", "mem_peer_register_flags", "memory_type",
    "pointer_attribute", "profiler_output_mode", "shared_config", "stream_flags",
]  # fmt: skip


def _enumeration(name: str, members: str) -> Any:
    words = members.split()
    pairs = dict(zip(words[::2], (int(word, 0) for word in words[1::2]), strict=True))
    return enum.IntEnum(name, pairs, module=__name__)


ctx_flags = _enumeration(
    "ctx_flags",
    "SCHED_AUTO 0 SCHED_SPIN 1 SCHED_YIELD 2 SCHED_BLOCKING_SYNC 4 BLOCKING_SYNC 4 SCHED_MASK 7 "
    "MAP_HOST 8 LMEM_RESIZE_TO_MAX 16 FLAGS_MASK 0x1f",
)
device_attribute = _enumeration(
    "device_attribute", " ".join(f"{name} {n}" for name, n in device_attributes.NUMBERS.items())
)
event_flags = _enumeration(
    "event_flags", "DEFAULT 0 BLOCKING_SYNC 1 DISABLE_TIMING 2 INTERPROCESS 4"
)
stream_flags = _enumeration("stream_flags", "DEFAULT 0 NON_BLOCKING 1")
function_attribute = _enumeration(
    "function_attribute",
    "MAX_THREADS_PER_BLOCK 0 SHARED_SIZE_BYTES 1 CONST_SIZE_BYTES 2 LOCAL_SIZE_BYTES 3 NUM_REGS 4 "
    "PTX_VERSION 5 BINARY_VERSION 6 CACHE_MODE_CA 7 MAX_DYNAMIC_SHARED_SIZE_BYTES 8 "
    "PREFERRED_SHARED_MEMORY_CARVEOUT 9",
)
func_cache = _enumeration("func_cache", "PREFER_NONE 0 PREFER_SHARED 1 PREFER_L1 2 PREFER_EQUAL 3")
shared_config = _enumeration(
    "shared_config", "DEFAULT_BANK_SIZE 0 FOUR_BYTE_BANK_SIZE 1 EIGHT_BYTE_BANK_SIZE 2"
)
limit = _enumeration(
    "limit",
    "STACK_SIZE 0 PRINTF_FIFO_SIZE 1 MALLOC_HEAP_SIZE 2 DEV_RUNTIME_SYNC_DEPTH 3 "
    "DEV_RUNTIME_PENDING_LAUNCH_COUNT 4",
)
host_alloc_flags = _enumeration("host_alloc_flags", "PORTABLE 1 DEVICEMAP 2 WRITECOMBINED 4")
mem_host_register_flags = _enumeration("mem_host_register_flags", "PORTABLE 1 DEVICEMAP 2")
mem_peer_register_flags = _enumeration("mem_peer_register_flags", "DEVICEMAP 2")
mem_attach_flags = _enumeration("mem_attach_flags", "GLOBAL 1 HOST 2 SINGLE 4")
memory_type = _enumeration("memory_type", "HOST 1 DEVICE 2 ARRAY 3 UNIFIED 4")
ipc_mem_flags = _enumeration("ipc_mem_flags", "LAZY_ENABLE_PEER_ACCESS 1")
pointer_attribute = _enumeration(
    "pointer_attribute", "CONTEXT 1 MEMORY_TYPE 2 DEVICE_POINTER 3 HOST_POINTER 4"
)
compute_mode = _enumeration(
    "compute_mode", "DEFAULT 0 EXCLUSIVE 1 PROHIBITED 2 EXCLUSIVE_PROCESS 3"
)
array_format = _enumeration(
    "array_format",
    "UNSIGNED_INT8 1 UNSIGNED_INT16 2 UNSIGNED_INT32 3 SIGNED_INT8 8 SIGNED_INT16 9 "
    "SIGNED_INT32 10 HALF 0x10 FLOAT 0x20",
)
array3d_flags = _enumeration(
    "array3d_flags", "ARRAY3D_LAYERED 1 SURFACE_LDST 2 CUBEMAP 4 TEXTURE_GATHER 8"
)
address_mode = _enumeration("address_mode", "WRAP 0 CLAMP 1 MIRROR 2 BORDER 3")
filter_mode = _enumeration("filter_mode", "POINT 0 LINEAR 1")
profiler_output_mode = _enumeration("profiler_output_mode", "KEY_VALUE_PAIR 0 CSV 1")
jit_option = _enumeration(
    "jit_option",
    "MAX_REGISTERS 0 THREADS_PER_BLOCK 1 WALL_TIME 2 INFO_LOG_BUFFER 3 "
    "INFO_LOG_BUFFER_SIZE_BYTES 4 ERROR_LOG_BUFFER 5 ERROR_LOG_BUFFER_SIZE_BYTES 6 "
    "OPTIMIZATION_LEVEL 7 TARGET_FROM_CUCONTEXT 8 TARGET 9 FALLBACK_STRATEGY 10",
)
jit_input_type = _enumeration("jit_input_type", "CUBIN 0 PTX 1 FATBINARY 2 OBJECT 3 LIBRARY 4")
jit_target = _enumeration(
    "jit_target", "COMPUTE_50 50 COMPUTE_60 60 COMPUTE_70 70 COMPUTE_80 80 COMPUTE_90 90"
)
