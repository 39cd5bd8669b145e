"""``cupy.cuda.runtime``: what scripts ask the CUDA runtime, answered by the engine."""

from __future__ import annotations

from typing import Any

import phalanx as px

from .. import _engine
from .._device import device_attributes, devices
from ..errors import DeviceError
from . import _cupy_table

is_hip = False
CUDARuntimeError = DeviceError

memcpyHostToHost, memcpyHostToDevice, memcpyDeviceToHost, memcpyDeviceToDevice = range(4)
memcpyDefault = 4
streamDefault, streamNonBlocking = 0, 1
eventDefault, eventBlockingSync, eventDisableTiming, eventInterprocess = 0, 1, 2, 4
hostAllocDefault, hostAllocPortable, hostAllocMapped, hostAllocWriteCombined = 0, 1, 2, 4
memAttachGlobal, memAttachHost, memAttachSingle = 1, 2, 4
cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned = 0, 1
cudaChannelFormatKindFloat, cudaChannelFormatKindNone = 2, 3
cudaResourceTypeArray, cudaResourceTypeMipmappedArray = 0, 1
cudaResourceTypeLinear, cudaResourceTypePitch2D = 2, 3
cudaAddressModeWrap, cudaAddressModeClamp = 0, 1
cudaAddressModeMirror, cudaAddressModeBorder = 2, 3
cudaFilterModePoint, cudaFilterModeLinear = 0, 1
cudaReadModeElementType, cudaReadModeNormalizedFloat = 0, 1
cudaArrayDefault, cudaArraySurfaceLoadStore = 0, 2
cudaDevAttrComputeCapabilityMajor, cudaDevAttrComputeCapabilityMinor = 75, 76
cudaDevAttrMultiProcessorCount = 16
cudaDevAttrMaxThreadsPerBlock = 1
cudaDevAttrCooperativeLaunch = 95
cudaDevAttrMemoryPoolsSupported = 115


def is_usable() -> bool:
    """Returns whether there is a device: the CPU device counts where it is the one in use."""
    return _engine.current_device().is_host or devices.is_available()


def getDeviceCount() -> int:
    """The number of GPUs; 1 on the CPU device."""
    return 1 if _engine.current_device().is_host else len(devices.gpus)


def getDevice() -> int:
    """The number of the calling thread's device."""
    return devices.get_current_device().id


def setDevice(device: int) -> None:
    """Makes a device the calling thread's. Raises `DeviceError` where there is none."""
    devices.select_device(device)


def deviceSynchronize() -> None:
    """Waits for all work of the calling thread's device."""
    devices.synchronize()


def deviceGetAttribute(attrib: int, device: int) -> int:
    """The driver's attribute of that number; 0 where the CPU device has none such."""
    found = _numbered(device)
    named = {number: name for number, name, _ in device_attributes.CUPYS}
    if found._device.is_host and attrib in named:
        return int(getattr(found, named[attrib], None) or 0)
    if found._device.is_host and attrib in (75, 76):
        return int(found.compute_capability[attrib - 75])
    return int(found._device.attribute(attrib) or 0)


def deviceCanAccessPeer(device: int, peerDevice: int) -> int:
    """0: what arrays of another device hold is copied by way of the driver or the host.

    Raises `DeviceError` for the number of no device.
    """
    _numbered(device), _numbered(peerDevice)
    return 0


def memGetInfo() -> tuple[int, int]:
    """The free bytes of the calling thread's device, and all."""
    info = px.memory_info()
    return info.free_bytes, info.device_bytes


def runtimeGetVersion() -> int:
    """The version of CUDA that the driver serves; without a GPU the one that kernels are for."""
    return driverGetVersion()


def driverGetVersion() -> int:
    """The driver's version of CUDA, such as 13000; without a GPU the one that kernels are for."""
    info = _engine.driver_info()
    return int(info["version"]) if info["usable"] else 12000


_PROPERTIES = {
    "maxThreadsPerBlock": "MAX_THREADS_PER_BLOCK",
    "multiProcessorCount": "MULTIPROCESSOR_COUNT",
    "warpSize": "WARP_SIZE",
    "sharedMemPerBlock": "MAX_SHARED_MEMORY_PER_BLOCK",
    "regsPerBlock": "MAX_REGISTERS_PER_BLOCK",
    "clockRate": "CLOCK_RATE",
    "memoryClockRate": "MEMORY_CLOCK_RATE",
    "memoryBusWidth": "GLOBAL_MEMORY_BUS_WIDTH",
    "l2CacheSize": "L2_CACHE_SIZE",
    "maxThreadsPerMultiProcessor": "MAX_THREADS_PER_MULTI_PROCESSOR",
    "integrated": "INTEGRATED",
    "canMapHostMemory": "CAN_MAP_HOST_MEMORY",
    "concurrentKernels": "CONCURRENT_KERNELS",
    "ECCEnabled": "ECC_ENABLED",
    "pciBusID": "PCI_BUS_ID",
    "pciDeviceID": "PCI_DEVICE_ID",
    "pciDomainID": "PCI_DOMAIN_ID",
    "asyncEngineCount": "ASYNC_ENGINE_COUNT",
    "unifiedAddressing": "UNIFIED_ADDRESSING",
    "managedMemory": "MANAGED_MEMORY",
}


def getDeviceProperties(device: int) -> dict[str, Any]:
    """The properties of a device by the names of CUDA's structure; those that the engine knows."""
    found = _numbered(device)
    major, minor = found.compute_capability
    properties: dict[str, Any] = {"name": found.name, "major": major, "minor": minor}
    properties["totalGlobalMem"] = found._device.memory_info()["total"]
    for name, attribute in _PROPERTIES.items():
        value = getattr(found, attribute, None)
        if value is not None:
            properties[name] = value
    for name, start in (("maxThreadsDim", "MAX_BLOCK_DIM"), ("maxGridSize", "MAX_GRID_DIM")):
        properties[name] = tuple(getattr(found, f"{start}_{axis}", 0) for axis in "XYZ")
    return properties


def _numbered(device: int) -> devices.Device:
    if not 0 <= device < getDeviceCount():
        raise DeviceError(f"there is no device {device}: there are {getDeviceCount()}")
    return devices._numbered(device)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        f"phalanx does not provide cupy.cuda.runtime.{name}; {_cupy_table.remedy('cupy.cuda')}"
    )
