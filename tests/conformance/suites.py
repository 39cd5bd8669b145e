"""The suites there are: where each comes from, what of it is run, and how."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Suite:
    """One suite of somebody else's tests."""

    name: str
    variable: str  # the environment variable that names the checkout
    repository: str
    version: str  # the release that the list of known differences is about
    tests: str  # folder of the tests in the checkout
    modules: tuple[str, ...]  # below that folder, without .py
    plugin: str  # the pytest plugin that reports
    python_path: tuple[Path, ...]  # what the test process finds first

    @property
    def known_differences(self) -> Path:
        """The file that lists what is known to fail, with reasons."""
        return HERE / "known" / f"{self.name}.txt"

    def instructions(self) -> str:
        """How to get the suite."""
        return (
            f"{self.name}: the suite is not here. Get it, outside this repository, with\n"
            f"    git clone --branch {self.version} --depth 1 https://github.com/{self.repository}\n"
            f"and set {self.variable} to the folder of the clone."
        )


NUMBA_CUDA = Suite(
    name="numba-cuda",
    variable="PHALANX_NUMBA_CUDA_SRC",
    repository="NVIDIA/numba-cuda",
    version="v0.30.4",
    tests="numba_cuda/numba/cuda/tests",
    modules=(
        "cudapy/test_array_args",
        "cudapy/test_ssa",
        "cudapy/test_sync",
        "cudapy/test_array",
        "cudapy/test_atomics",
        "cudapy/test_intrinsics",
        "cudapy/test_math",
        "cudapy/test_ufuncs",
        "cudapy/test_dispatcher",
        "cudapy/test_device_func",
        "cudapy/test_gufunc",
        "cudapy/test_cuda_array_interface",
        "cudapy/test_warp_ops",
        "cudapy/test_record_dtype",
        "cudapy/test_print",
        "cudapy/test_reduction",
        "cudapy/test_random",
    ),
    plugin="numba_cuda_suite.plugin",
    python_path=(HERE / "numba_cuda_suite" / "site", HERE),
)

SUITES = {suite.name: suite for suite in (NUMBA_CUDA,)}
