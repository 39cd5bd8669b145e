"""Runs Dask's tests of arrays with CuPy's chunks, with phalanx's arrays as the chunks.

    python tests/conformance/dask_array.py [-k TEXT] [-v] [--cluster] [--device cpu|cuda]

With --cluster all is computed by two processes of `distributed`. The last line printed is
``dask-array passed N failed N xfailed N of N``. The exit status is 0 when everything went as listed
in known/dask-array.txt (of a cluster: known/dask-array-cluster.txt), 1 when not, and 77 when the
suite is not there.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import tomllib
from importlib.util import find_spec
from pathlib import Path

from one_process import conclude, parser_of, run_pytest
from report import Outcomes
from run import SKIPPED

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent / "pyproject.toml"
SUITE = HERE / "dask_suite"
VARIABLE = "PHALANX_DASK_SRC"
TESTS = "dask/array/tests"
LEFT_OUT = "test_cupy_sparse.py"  # of CuPy's sparse matrices, which are not arrays
NEEDS = ("pytest_jsonreport", "pytest_timeout", "scipy", "toolz", "cloudpickle", "fsspec", "partd")
INSTRUCTIONS = f"""dask-array: the suite is not here. Get it, outside this repository, with
    git clone --depth 1 https://github.com/dask/dask
    pip install dask scipy pytest-json-report pytest-timeout
and set {VARIABLE} to the folder of the clone."""


def source() -> Path | None:
    """The checkout, if it is there with what it needs."""
    folder = Path(os.environ.get(VARIABLE, ""))
    is_there = bool(os.environ.get(VARIABLE)) and (folder / TESTS).is_dir()
    return folder.resolve() if is_there and all(map(find_spec, NEEDS)) else None


def write_entry_points(folder: Path) -> None:
    """Phalanx's entry points as an installed package has them: by them Dask finds the arrays."""
    project = tomllib.loads(PROJECT.read_text())["project"]
    info = folder / f"{project['name']}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    lines = []
    for group, entries in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines))


def cluster_arguments(options: argparse.Namespace) -> list[str]:
    """What has pytest send all that Dask computes to a cluster, if that is wanted."""
    if not options.cluster:
        return []
    # Not by Dask's own choice, which ends the process, and leaves its workers.
    timeout = ["--timeout", "240", "--timeout-method", "signal"]
    return ["-p", "dask_suite.cluster_plugin", *timeout]


def run(folder: Path, options: argparse.Namespace) -> Outcomes:
    """Runs the suite with `cupy` and Dask's back end of that name answered by ours."""
    tests = sorted(each.name for each in folder.glob(f"{TESTS}/test_cupy_*.py"))
    arguments = ["-o", "addopts=", "-o", "xfail_strict=0", "-p", "dask_suite.plugin"]
    # Zarr's plugin asks the name `cupy` for CuPy's runtime as it is loaded; a mark is of a plugin
    # that Dask's own runs have.
    arguments += ["-p", "no:zarr", "-W", "ignore::pytest.PytestUnknownMarkWarning"]
    arguments += cluster_arguments(options)
    arguments += [f"{TESTS}/{name}" for name in tests if name != LEFT_OUT]
    with tempfile.TemporaryDirectory() as installed:
        write_entry_points(Path(installed))
        path = [installed, SUITE / "site", HERE, folder, os.environ.get("PYTHONPATH", "")]
        variables = {"PYTHONPATH": os.pathsep.join(str(each) for each in path if each)}
        # Dask expects some of them to fail with CuPy.
        words = {"xfailed": "passed", "xpassed": "passed"}
        return run_pytest(folder, arguments, variables, options, words)


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--cluster", action="store_true", help="on a cluster of two processes")
    options = parser.parse_args()
    folder = source()
    if folder is None:
        print(INSTRUCTIONS)
        return SKIPPED
    name = "dask-array-cluster" if options.cluster else "dask-array"
    return conclude(name, folder, run(folder, options), options)


if __name__ == "__main__":
    sys.exit(main())
