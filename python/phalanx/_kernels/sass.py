"""Machine code of GPUs as text, by the toolkit's programs."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from .. import _engine
from .._core.toolkit import find_tool

_ADVICE = "pip install nvidia-cuda-nvdisasm, or install the CUDA toolkit and put its bin into PATH"


def disassemble(kernel: _engine.Kernel) -> str:
    """The machine code of a kernel on the calling thread's GPU.

    Raises `RuntimeError` where there is no disassembler, and on the CPU device.
    """
    tool = find_tool("nvdisasm")
    if tool is not None:
        return _run([str(tool), "--print-line-info"], _cubin(kernel))
    tool = find_tool("cuobjdump")
    if tool is None:
        raise RuntimeError(f"nvdisasm was not found, nor cuobjdump: {_ADVICE}")
    return _run([str(tool), "--dump-sass"], _cubin(kernel))


def control_flow(kernel: _engine.Kernel) -> str:
    """The control flow of a kernel's machine code, in DOT; raises as `disassemble`."""
    tool = find_tool("nvdisasm")
    if tool is None:
        raise RuntimeError(f"nvdisasm was not found: {_ADVICE}")
    return _run([str(tool), "--output-control-flow-graph"], _cubin(kernel))


def _cubin(kernel: _engine.Kernel) -> bytes:
    device = _engine.current_device()
    if device.is_host:
        raise RuntimeError(
            "inspect_sass shows a GPU's machine code, and the current device is the CPU; see "
            "inspect_asm for its assembly, and cuda.compile_ptx for PTX without a GPU"
        )
    return bytes(kernel.cubin(device))


def _run(command: list[str], cubin: bytes) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.cubin"
        file.write_bytes(cubin)
        done = subprocess.run([*command, str(file)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stderr.strip()}")
    return done.stdout
