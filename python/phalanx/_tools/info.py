"""``python -m phalanx info``: what this machine has, and how to get what is missing."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .._core.toolkit import find_library

# Libraries that Phalanx loads: stem of the file, what for, package that brings it.
_LIBRARIES = (
    ("nvrtc", "CUDA C source on the GPU", "nvidia-cuda-nvrtc"),
    ("sleef", "vector math of the CPU device", "phalanx (bundled)"),
)

# The first driver that reads the PTX that we write, whose version is codegen's (cuda_target).
# NVIDIA's tables: "PTX ISA, Release Notes" has 7.8 with CUDA 11.8, and "CUDA Toolkit Release Notes,
# CUDA Toolkit and Corresponding Driver Versions" has 520.61.05 for CUDA 11.8 on Linux.
PTX_VERSION = "7.8"
OLDEST_DRIVER = "520.61.05 (CUDA 11.8)"


def show(as_json: bool = False) -> int:
    """Prints the report; returns the exit status."""
    report = gather()
    if as_json:
        print(json.dumps(report, indent=2, default=str))
        return 0
    for title, lines in report.items():
        print(f"\n{title}")
        for name, value in lines.items():
            print(f"  {name:<24} {value}")
    return 0


def gather() -> dict[str, dict[str, Any]]:
    """The report as sections of names and values."""
    from .. import __version__, _engine

    report: dict[str, dict[str, Any]] = {
        "Phalanx": {
            "version": __version__,
            "python": f"{platform.python_version()} ({sys.executable})",
            "package": str(Path(__file__).parent.parent),
        }
    }
    report["Devices"] = _devices(_engine)
    report["Rates of arrays (measured once)"] = _rates(_engine)
    driver = _engine.driver_info()
    report["GPU driver"] = _driver(driver)
    report["Libraries"] = {name: where for name, _, _, where in _libraries()}
    report["Cache"] = _cache(_engine.cache_info())
    report["Kernels in the package"] = _shipped(_engine)
    report["CPU features"] = _features()
    missing = _missing(driver)
    if missing:
        report["Missing (all optional)"] = missing
    return report


def _devices(engine: Any) -> dict[str, Any]:
    current = engine.current_device()
    lines = {}
    for device in engine.devices():
        memory = device.memory_info()
        capability = device.compute_capability
        details = [
            device.name,
            f"{memory['total'] / 2**30:.1f} GiB, {memory['free'] / 2**30:.1f} GiB free",
            f"{device.limits['multiprocessors']} "
            + ("threads" if device.is_host else "multiprocessors"),
        ]
        if capability:
            details.append(f"compute capability {capability[0]}.{capability[1]}")
        if device == current:
            details.append("in use")
        name = device.kind if device.is_host else f"{device.kind}:{device.ordinal}"
        lines[name] = ", ".join(details)
    lines["chosen by"] = (
        os.environ.get("PHALANX_DEVICE") or "default: GPU if there is one, else CPU"
    )
    return lines


def _rates(engine: Any) -> dict[str, Any]:
    """What `explain` expects times by; the first call measures it, some tenths of a second."""
    lines = {}
    for device in engine.devices():
        rates = engine.array_rates(device)
        details = [
            f"{rates['memory'] / 1e9:.3g} GB/s in memory",
            f"{rates['launch'] * 1e6:.3g} us a kernel",
            *(
                f"{rates['arithmetic'][i] / 1e9:.3g} G operations/s and "
                f"{rates['functions'][i] / 1e9:.3g} G sines/s of {name}"
                for i, name in enumerate(("float32", "float64"))
            ),
        ]
        if rates["from_host"]:
            details.append(
                f"{rates['from_host'] / 1e9:.3g} GB/s from the host, "
                f"{rates['to_host'] / 1e9:.3g} GB/s to it, {rates['copy'] * 1e6:.3g} us a copy"
            )
        name = device.kind if device.is_host else f"{device.kind}:{device.ordinal}"
        lines[name] = ", ".join(details)
    return lines


def _shipped(engine: Any) -> dict[str, Any]:
    """Machine code of single operations: their first use waits for no compiler."""
    lines = {}
    for device in engine.devices():
        name = device.kind if device.is_host else f"{device.kind}:{device.ordinal}"
        lines[name] = ", ".join(
            f"{kernels} for {target}, {size / 2**20:.1f} MiB"
            for target, kernels, size in engine.shipped_kernels(device)
        )
        lines[name] = lines[name] or "none for this machine: each is compiled when it is first used"
    return lines


def _driver(driver: dict[str, Any]) -> dict[str, Any]:
    version = driver["version"]
    lines: dict[str, Any] = {
        "library": driver["path"] or "not found",
        "CUDA version": f"{version // 1000}.{version % 1000 // 10}" if version else "none",
        "devices": driver["device_count"],
    }
    if driver["problem"]:
        lines["problem"] = driver["problem"]
    return lines


def _libraries() -> Iterator[tuple[str, str, str, str]]:
    """Stem, purpose, package, and the file found (or "not found")."""
    for stem, purpose, package in _LIBRARIES:
        yield stem, purpose, package, str(find_library(stem) or "not found")


def _cache(info: dict[str, Any]) -> dict[str, Any]:
    lines = {
        "place": info["path"],
        "in use": "yes" if info["enabled"] else f"no: {info['reason']}",
        "size": _size(info),
        "limit": f"{info['cap'] / 2**20:.0f} MiB (PHALANX_CACHE_SIZE)",
    }
    for number, layer in enumerate(info["layers"], 1):
        state = f"not in use: {layer['reason']}" if layer["reason"] else _size(layer)
        lines[f"read-only layer {number}"] = f"{layer['path']}, {state}"
    return lines


def _size(folder: dict[str, Any]) -> str:
    return f"{folder['size'] / 2**20:.1f} MiB in {folder['files']} files"


def _features() -> dict[str, Any]:
    flags: set[str] = set()
    model = platform.processor()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                model = value.strip()
            if name.strip() == "flags":
                flags = set(value.split())
                break
    names = ("sse4_2", "avx", "avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512vl",
             "avx512_bf16", "avx512_fp16")  # fmt: skip
    return {
        "processor": model,
        "vector features": " ".join(name for name in names if name in flags) or "none",
        "usable cores": len(os.sched_getaffinity(0)),
    }


def _missing(driver: dict[str, Any]) -> dict[str, str]:
    lines = {}
    if not driver["usable"]:
        lines["GPU"] = (
            f"install NVIDIA's driver, {OLDEST_DRIVER} or newer; a GPU needs nothing else"
        )
    for stem, purpose, package, where in _libraries():
        if where == "not found" and (driver["usable"] or "GPU" not in purpose):
            lines[stem] = f"{purpose}: pip install {package}"
    return lines
