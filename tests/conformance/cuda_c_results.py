"""Runs the kernels of `cuda_c_kernels.txt` with made-up inputs: our results beside NVRTC's.

    export PHALANX_CUDA_C_SOURCES=../cuda_c_sources
    python tests/conformance/cuda_c_results.py [-k TEXT] [--ways phalanx,nvrtc,cpu] [--jobs N]

The repositories' own inputs are in their host code, which does not run here. So each pointer gets
memory with small whole numbers (integers are indices as often as not) or numbers about one, each
integer 32, each other number 0.5, and structs their like: the same for all ways. "phalanx" is our
compiler on the GPU, "nvrtc" NVIDIA's, "cpu" our compiler on the CPU device. Each kernel is launched
in three shapes, every time from fresh memory, in a process of its own for each way.

A kernel is compared when the first way and another ran it to its end and it wrote something; whole
numbers have to be equal, others within TOLERANCE. What differs from itself in a second run has
races or atomic additions of floats, and is not compared, nor what NVRTC does not compile, nor what
leaves its memory in all ways. Of what differs check mode is asked too, on the CPU device: inputs
that lead a kernel out of its memory, or into races, say nothing.
`known/cuda-c-results.txt` lists kernels that may differ, with reasons. The exit status is 1 when
another one differs.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from cuda_c_kernels import (
    SKIPPED,
    VARIABLE,
    Kernel,
    front_end_headers,
    known_failures,
    listed,
    source_of,
)

HERE = Path(__file__).resolve().parent
SHAPES = (((4,), (64,)), ((2, 2), (16, 16)), ((1,), (32,)))
SLOT = 1 << 20  # bytes of a pointer's memory, and of what lies between two
NUMBER = 32
TOLERANCE = 1e-4  # of the largest value; sums are contracted differently
SECONDS = 30
WAYS = {
    "checked": {"PHALANX_DEVICE": "cpu", "PHALANX_CHECK": "1"},
    "phalanx": {"PHALANX_DEVICE": "cuda"},
    "nvrtc": {"PHALANX_DEVICE": "cuda", "PHALANX_CUDA_C_COMPILER": "nvrtc"},
    "cpu": {"PHALANX_DEVICE": "cpu"},
}


def filled(name: str, seed: int) -> np.ndarray[Any, Any]:
    """The memory of a pointer to that dtype, as bytes."""
    random = np.random.default_rng(seed)
    dtype = np.dtype({"boolean": "bool", "bfloat16": "uint16", "uint8": "int32"}.get(name, name))
    count = SLOT // dtype.itemsize
    if dtype.kind in "fc":
        return (random.random(count) + 0.5).astype(dtype).view(np.uint8)
    return (
        random.integers(0, 2 if dtype.kind == "b" else NUMBER, count).astype(dtype).view(np.uint8)
    )


def value_of(declared: Any) -> Any:
    """What is passed for a parameter that is no pointer."""
    if declared.kind == "tuple":
        return tuple(value_of(field[1]) for field in declared.fields)
    name = str(declared.dtype)
    if name == "boolean":
        return True
    return 0.5 if "float" in name else NUMBER


def pointers(types: Sequence[Any]) -> list[str]:
    """The dtypes of the parameters that are pointers."""
    return [str(each.element.dtype) for each in types if each.kind == "pointer"]


def first_memory(types: Sequence[Any]) -> np.ndarray[Any, Any]:
    """Memory for all pointers: each has a slot, with an empty one before and after it."""
    names = pointers(types)
    memory = np.zeros((2 * len(names) + 1) * SLOT, np.uint8)
    for index, name in enumerate(names):
        begin = (2 * index + 1) * SLOT
        memory[begin : begin + SLOT] = filled(name, index)
    return memory


def arguments(types: Sequence[Any], base: int) -> Iterator[Any]:
    """What is passed: addresses in the memory at `base`, and numbers."""
    slot = 1
    for each in types:
        if each.kind == "pointer":
            yield base + slot * SLOT
            slot += 2
        else:
            yield value_of(each)


def launched(kernel: Any, shape: Any) -> np.ndarray[Any, Any]:
    """The memory after a launch."""
    import phalanx.compat.cupy as cp

    memory = cp.asarray(first_memory(kernel.handle.types))
    kernel.launch(*shape, list(arguments(kernel.handle.types, memory.data.ptr)))
    return cp.asnumpy(memory)


def one(kernel: Kernel, out: str) -> int:
    """Runs the kernel of the source that comes in, and writes its memories to files."""
    from phalanx._cuda_c import CudaCModule, SourceOptions
    from phalanx.errors import LaunchError

    options = SourceOptions(macros=("__NVCC__", *kernel.macros))
    module = CudaCModule(sys.stdin.read(), "kernel.cu", options, kernels=(kernel.name,))
    found = module.kernel(kernel.name)
    np.save(f"{out}.types.npy", np.array(pointers(found.handle.types), dtype="U16"))
    for index, shape in enumerate(SHAPES):
        with contextlib.suppress(LaunchError):  # more threads than its launch bounds allow
            np.save(f"{out}.{index}.npy", launched(found, shape))
    return 0


@dataclass
class Result:
    """What a way gave: the memories by shape, and why it ended early where it did."""

    memories: dict[int, np.ndarray[Any, Any]]
    why: str = ""
    names: tuple[str, ...] = ()


def reason(said: str, code: int) -> str:
    """Why a process failed, in a line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    first = next((line for line in lines if "errors." in line), lines[-1] if lines else "")
    error = next((line for line in lines if " error: " in line or "error C" in line), "")
    return f"{first[:120]} {error[:160]}".strip() or f"ended with {code}"


def result(kernel: Kernel, source: str, way: str, folder: Path) -> Result:
    """Runs the kernel in a process of its own."""
    out = folder / way
    try:
        done = subprocess.run(
            [sys.executable, __file__, "--one", kernel.title, "--out", str(out)],
            input=source, capture_output=True, text=True, timeout=SECONDS, check=False,
            env={**os.environ, **WAYS[way]},
        )  # fmt: skip
        why = reason(done.stdout + done.stderr, done.returncode) if done.returncode else ""
    except subprocess.TimeoutExpired:
        why = f"takes longer than {SECONDS} seconds"
    files = {index: folder / f"{way}.{index}.npy" for index in range(len(SHAPES))}
    memories = {index: np.load(file) for index, file in files.items() if file.exists()}
    names = folder / f"{way}.types.npy"
    return Result(memories, why, tuple(np.load(names)) if names.exists() else ())


def as_numbers(memory: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, Any]:
    """A slot's bytes as what they are compared as."""
    if name in ("float16", "float32", "float64"):
        return memory.view(name).astype(np.float64)
    if name in ("complex64", "complex128"):
        return memory.view("float32" if name == "complex64" else "float64").astype(np.float64)
    if name == "bfloat16":
        return (memory.view(np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return memory


def slot_differs(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], name: str) -> str:
    """How two slots differ; "" where they agree."""
    if np.array_equal(a, b):
        return ""
    x, y = as_numbers(a, name), as_numbers(b, name)
    if x.dtype == np.uint8:
        x, y = a.view(np.float32).astype(np.float64), b.view(np.float32).astype(np.float64)
        exact = name != "uint8"  # structs may have floats
        if exact:
            return f"{np.count_nonzero(a != b)} bytes of {name} differ"
    both = np.isfinite(x) & np.isfinite(y)
    same = (x == y) | (np.isnan(x) & np.isnan(y))
    far = ~same & (~both | (np.abs(x - y) > TOLERANCE * (np.abs(y) + 1e-3)))
    if not far.any():
        return ""
    at = int(np.flatnonzero(far)[0])
    return f"{np.count_nonzero(far)} of {name} differ, at {at} {x[at]} and {y[at]}"


def differs(ours: Result, other: Result) -> str:
    """How two results differ, by the first difference; "" where they agree."""
    for shape in ours.memories.keys() & other.memories.keys():
        a, b = ours.memories[shape], other.memories[shape]
        for index, name in enumerate(ours.names):
            part = slice((2 * index + 1) * SLOT, (2 * index + 2) * SLOT)
            said = slot_differs(a[part], b[part], name)
            if said:
                return f"launch {shape}, pointer {index}: {said}"
    return ""


def wrote(found: Result) -> bool:
    """Returns whether a launch changed memory."""
    memory = np.zeros((2 * len(found.names) + 1) * SLOT, np.uint8)
    for index, name in enumerate(found.names):
        begin = (2 * index + 1) * SLOT
        memory[begin : begin + SLOT] = filled(name, index)
    return any(not np.array_equal(memory, each) for each in found.memories.values())


def judged(results: dict[str, Result]) -> tuple[str, str]:
    """Same, differs, or not compared; and why."""
    ours, *others = results.values()
    if ours.why:
        agree = all(each.why for each in others)
        return "not compared" if agree else "differs", ours.why
    if not wrote(ours):
        return "not compared", "writes nothing with these inputs"
    for way, other in list(results.items())[1:]:
        if "LoweringError" in other.why:
            return "not compared", f"{way}: {other.why}"
        said = other.why or differs(ours, other)
        if said:
            return "differs", f"{way}: {said}"
    return "same", ", ".join(list(results)[1:])


def attempt(kernel: Kernel, root: Path, ways: Sequence[str]) -> tuple[str, str]:
    """Runs a kernel in all ways and compares."""
    try:
        source = source_of(kernel, root / kernel.repository, front_end_headers())
    except (OSError, SyntaxError) as error:
        return "not compared", str(error)
    with tempfile.TemporaryDirectory() as folder:
        results = {way: result(kernel, source, way, Path(folder)) for way in ways}
        word, why = judged(results)
        ours = results[ways[0]]
        is_asked_again = word == "differs" and not ours.why
        if is_asked_again and differs(ours, result(kernel, source, ways[0], Path(folder))):
            return "not compared", "differs from run to run"
        if is_asked_again:
            checked = result(kernel, source, "checked", Path(folder))
            if "check mode found" in checked.why:
                return "not compared", "these inputs lead it out of its memory, or into races"
        return word, why


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-k", metavar="TEXT", default="", help="only kernels of that text")
    parser.add_argument("--ways", default="phalanx,nvrtc", help=", ".join(WAYS))
    parser.add_argument("--jobs", type=int, default=2, help="kernels at once")
    parser.add_argument("--one", metavar="TITLE", help=argparse.SUPPRESS)
    parser.add_argument("--out", help=argparse.SUPPRESS)
    options = parser.parse_args()
    kernels = list(listed((HERE / "cuda_c_kernels.txt").read_text()))
    if options.one:
        return one(next(each for each in kernels if each.title == options.one), options.out)
    root = os.environ.get(VARIABLE)
    if not root:
        print(f"set {VARIABLE} to a folder with the kernels' repositories, as OWNER/REPO")
        return SKIPPED
    known = known_failures((HERE / "known" / "cuda-c-results.txt").read_text())
    chosen = [each for each in kernels if options.k in f"{each.kind} {each.title}"]
    counts: dict[str, int] = {}
    wrong = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        ways = options.ways.split(",")
        place = Path(root).resolve()
        waiting = {pool.submit(attempt, each, place, ways): each for each in chosen}
        for done in as_completed(waiting):
            kernel, (word, why) = waiting[done], done.result()
            counts[word] = counts.get(word, 0) + 1
            wrong += word == "differs" and kernel.title not in known
            print(f"{word}: {kernel.title}: {why}", flush=True)
    print("cuda-c results:", ", ".join(f"{counts[word]} {word}" for word in sorted(counts)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
