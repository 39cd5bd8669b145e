"""The packages of PyPI that use Numba, and where their tests are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Package:
    """One package: its name on PyPI, its version, its module, and its tests.

    `tests` is a folder in the wheel, or in the source distribution where `is_in_wheel` is false;
    "" where there are none. `left_out` are files of them that time, or that start many processes
    on purpose.
    """

    name: str
    version: str
    module: str
    tests: str = ""
    is_in_wheel: bool = True
    left_out: tuple[str, ...] = ()


PACKAGES = (
    Package("stumpy", "1.14.1", "stumpy", "tests", is_in_wheel=False),
    Package("librosa", "0.11.0", "librosa", "tests", is_in_wheel=False),
    Package("resampy", "0.4.3", "resampy", "tests", is_in_wheel=False),
    Package("pynndescent", "0.7.0", "pynndescent", "pynndescent/tests", is_in_wheel=False),
    Package("umap-learn", "0.5.12", "umap", "umap/tests", is_in_wheel=False),
    Package("quantecon", "0.11.4", "quantecon", "quantecon"),
    Package("sparse", "0.19.3", "sparse", "sparse/numba_backend/tests"),
    Package("fbpic", "0.27.1", "fbpic", "tests", is_in_wheel=False),
    Package(
        "numbagg",
        "0.9.6",
        "numbagg",
        "numbagg/test",
        left_out=("test_axis_ordering_benchmark.py", "test_benchmark.py", "test_cache_segfault.py"),
    ),
    Package("numba_celltree", "0.4.2", "numba_celltree", "tests", is_in_wheel=False),
    Package("datashader", "0.19.1", "datashader", "datashader/tests"),
    Package("tobac", "1.6.4", "tobac", "tobac/tests"),
    Package("arch", "8.0.0", "arch", "arch/tests"),
    Package("interpolation", "2.2.7", "interpolation", "interpolation"),
    Package("fastdist", "1.1.7", "fastdist"),
    Package("numba-stats", "1.14.0", "numba_stats", "tests", is_in_wheel=False),
    Package("pyts", "0.14.1", "pyts", "pyts"),
)
