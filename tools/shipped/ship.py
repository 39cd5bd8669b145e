"""Compile single operations over common dtypes, and of frames, for the machines to come.

    python tools/shipped/ship.py MODULE FOLDER [--targets x86-64-v4 sm_90 ...] [--only PATTERN]

The package in python/phalanx, with the module in the folder MODULE, runs the operations of
operations.py on this machine's CPU, so that their kernels are known; then it compiles these for
each target, into FOLDER/TARGET.kernels. GPUs have kernels of another kind, which run here too, in a
process of their own. PTX is assembled by nvJitLink (PyPI: nvidia-nvjitlink-cu12), which needs
neither GPU nor driver.
"""

import argparse
import ctypes
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import Any

CPU_TARGETS = ("x86-64-v4", "x86-64-v3")
GPU_TARGETS = ("sm_90", "sm_80", "sm_75")
# Numbers of elements, rows and columns decide how many blocks there are and what each one does.
SHAPES = ((1, 1), (3, 5), (40, 30), (3, 4000), (4000, 3), (600, 700), (2, 400_000), (400_000, 2))
# They also decide how reductions and operations on parts share out the elements.
MORE_SHAPES = (
    *(
        (6, 9),
        (30, 8),
        (2, 100),
        (50, 2),
        (10, 60),
        (100, 100),
        (9000, 2),
        (9000, 12),
        (2, 10_000),
        (300, 1100),
    ),
)
NVJITLINK = "nvidia-nvjitlink-cu12"


class Assembler:
    """PTX to machine code of one architecture, by nvJitLink."""

    INPUT_PTX = 2  # nvJitLinkInputType of NVIDIA's "nvJitLink" manual

    def __init__(self, target: str) -> None:
        """Open the library of the PyPI package; ImportError where there is none."""
        try:
            files = metadata.files(NVJITLINK) or []
        except metadata.PackageNotFoundError:
            raise ImportError(f"pip install {NVJITLINK}: PTX is assembled with it") from None
        path = next(file for file in files if file.name.startswith("libnvJitLink.so"))
        self.library = ctypes.CDLL(str(path.locate()))
        self.options = [f"-arch={target}".encode(), b"-O3"]

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function of the library; RuntimeError where it fails."""
        if code := getattr(self.library, name)(*arguments):
            raise RuntimeError(f"{name} failed with code {code}")

    def assemble(self, text: str) -> bytes:
        """Return the cubin of one PTX text."""
        ptx = text.encode() + b"\0"
        handle = ctypes.c_void_p()
        options = (ctypes.c_char_p * len(self.options))(*self.options)
        self.call("nvJitLinkCreate", ctypes.byref(handle), len(self.options), options)
        try:
            data = ctypes.c_char_p(ptx)
            size = ctypes.c_size_t(len(ptx))
            self.call("nvJitLinkAddData", handle, self.INPUT_PTX, data, size, b"kernel")
            self.call("nvJitLinkComplete", handle)
            self.call("nvJitLinkGetLinkedCubinSize", handle, ctypes.byref(size))
            cubin = ctypes.create_string_buffer(size.value)
            self.call("nvJitLinkGetLinkedCubin", handle, cubin)
            return cubin.raw
        finally:
            self.call("nvJitLinkDestroy", ctypes.byref(handle))

    def __call__(self, texts: list[str]) -> list[bytes]:
        """Return the cubins, made on all cores."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(self.assemble, texts))


# Rows of these lengths are reduced and used again by blocks of each size.
ROWS = (100, 200, 400, 900, 1800, 4000)
# From a million elements on, a thread of a GPU computes several.
LARGE = (1100, 1000)


def all_rows(operations: Any, is_for_gpu: bool) -> Iterator[Any]:
    """Yield the rows of the module, for all shapes."""
    if is_for_gpu:
        yield from operations.large(LARGE[0] * LARGE[1])
    for shape in SHAPES:
        yield from operations.rows(shape)
    for shape in MORE_SHAPES:
        yield from operations.folds((shape[0] * shape[1],))
        yield from operations.folds(shape)
        yield from operations.broadcast(shape)
    for length in ROWS:
        yield from operations.rows_used_twice((length,))
        yield from operations.rows_used_twice((300, length))


def leave_nothing_to_numpy() -> None:
    """Let kernels compute few elements, too, as they do on a GPU."""
    from phalanx._arrays import gathering, scans

    gathering._FEW = scans._FEW = 0


def run_operations(only: str) -> int:
    """Run the operations whose texts match, for all shapes; how many."""
    import frames
    import numpy as np
    import operations

    is_for_gpu = os.environ["PHALANX_ARRAY_KERNELS"] == "gpu"
    if is_for_gpu:
        leave_nothing_to_numpy()
    done = 0
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for row in all_rows(operations, is_for_gpu):
            if re.search(only, row[0]):
                operations.run(row)
                done += 1
        for size in frames.SIZES:
            for row in frames.rows(size):
                if re.search(only, row[0]):
                    frames.run(row)
                    done += 1
    return done


def link_package(module: Path, folder: Path) -> None:
    """Make a package of our Python files and the module that was built, by links."""
    package = folder / "phalanx"
    package.mkdir()
    sources = Path(__file__).resolve().parents[2] / "python/phalanx"
    built = [*module.resolve().glob("_engine*.so"), module.resolve() / "_libs"]
    for path in [*sources.iterdir(), *built]:
        link = package / path.name
        if not link.is_symlink():
            link.symlink_to(path)


def ship(folder: Path, targets: list[str], only: str) -> None:
    """Run the operations in this process, and compile their kernels."""
    from phalanx import _engine

    start = time.monotonic()
    done = run_operations(only)
    print(f"{done} operations, {time.monotonic() - start:.0f} s", flush=True)
    for target in targets:
        start = time.monotonic()
        assemble = Assembler(target) if target.startswith("sm_") else None
        count = _engine.ship_kernels(target, str(folder), assemble)
        size = (folder / f"{target}.kernels").stat().st_size
        seconds = time.monotonic() - start
        print(f"{target}: {count} kernels, {size / 1e6:.1f} MB, {seconds:.0f} s", flush=True)


def main() -> int:
    """Make the archives named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("module", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--targets", nargs="*", default=[*CPU_TARGETS, *GPU_TARGETS])
    parser.add_argument("--only", default="", help="operations whose texts match, not all")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if unknown := set(wanted.targets) - {*CPU_TARGETS, *GPU_TARGETS}:
        parser.error(f"no code is shipped for {', '.join(sorted(unknown))}")
    if wanted.here:
        ship(wanted.folder, wanted.targets, wanted.only)
        return 0
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as package:
        link_package(wanted.module, Path(package))
        # Nothing is taken from a cache: what was found there was not compiled by this process.
        # What is fused is compiled now, not in background while its operations run one by one.
        settings = {"PHALANX_CACHE": "0", "PHALANX_DEVICE": "cpu", "PYTHONPATH": package}
        settings["PHALANX_BACKGROUND_COMPILE"] = "0"
        running = []
        for style, known in (("", CPU_TARGETS), ("gpu", GPU_TARGETS)):
            targets = [target for target in wanted.targets if target in known]
            command = [
                sys.executable,
                __file__,
                wanted.module,
                wanted.folder,
                "--here",
                f"--only={wanted.only}",
                "--targets",
            ]
            own = {**os.environ, **settings, "PHALANX_ARRAY_KERNELS": style}
            if targets:
                running.append(subprocess.Popen([*command, "--targets", *targets], env=own))
        # A process that a signal ended has a negative status.
        codes = [process.wait() for process in running]
        return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
