"""Runs Dask's tests of data frames, with phalanx's frames as the library and the partitions.

    python tests/conformance/dask_frames.py [-k TEXT] [-v] [--quick] [--cluster]
        [--device cpu|cuda] [--renew] [--library phalanx|pandas]

With --quick the last case of each of the tests; with --cluster all is computed by the two processes
of a `distributed.LocalCluster`; with --renew the list is written anew; with --library pandas one
sees what Dask's own tests do there. The tests are those of the installed Dask, which brings them; a
checkout is taken where PHALANX_DASK_SRC names one. The last line printed is
``dask-frames passed N failed N xfailed N of N``. The exit status is 0 when everything went as
listed in known/dask-frames.txt (of a cluster: known/dask-frames-cluster.txt), 1 when not, and 77
when the suite is not there.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from dask_array import NEEDS, VARIABLE, write_entry_points
from one_process import conclude, parser_of, run_pytest
from report import Outcomes
from run import SKIPPED

HERE = Path(__file__).resolve().parent
TESTS = "dask/dataframe/dask_expr"
MORE = ("distributed", "pandas", "pyarrow", "xdist")
INSTRUCTIONS = f"""dask-frames: the suite is not here. Get it with
    pip install "dask[complete]" pytest-json-report pytest-timeout pytest-xdist
or set {VARIABLE} to the folder of a checkout of Dask."""


def source() -> Path | None:
    """The folder that has Dask and its tests, if what they need is there."""
    installed = find_spec("dask")
    named = os.environ.get(VARIABLE)
    folder = Path(named) if named else Path(str(installed and installed.origin)).parent.parent
    needed = [each for each in (*NEEDS, *MORE) if each not in ("scipy",)]
    is_there = (folder / TESTS).is_dir() and all(map(find_spec, needed))
    return folder.resolve() if is_there else None


def run(folder: Path, options: argparse.Namespace) -> Outcomes:
    """Runs the suite with the back end "phalanx", by which the tests import their library."""
    arguments = ["-o", "addopts=", "-o", "xfail_strict=0", "--import-mode", "append"]
    arguments += ["-p", "dask_suite.frames_plugin"]
    arguments += (
        ["-n", "0", "-p", "dask_suite.cluster_plugin"]
        if options.cluster
        else ["-n", str(options.jobs)]
    )
    arguments += ["--timeout", "120", TESTS]
    with tempfile.TemporaryDirectory() as installed:
        write_entry_points(Path(installed))
        # The folder last: that of an installed Dask may hold another version of ours.
        path = [installed, HERE, os.environ.get("PYTHONPATH", ""), folder]
        variables = {
            "PYTHONPATH": os.pathsep.join(str(each) for each in path if each),
            "PYTHONSAFEPATH": "1",
            "DASK_DATAFRAME__BACKEND": options.library,
            "PHALANX_QUICK": "1" if options.quick else "",
        }
        # Dask expects some of them to fail with every library.
        return run_pytest(
            folder, arguments, variables, options, {"xfailed": "passed", "xpassed": "passed"}
        )


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--quick", action="store_true", help="one case of each test")
    parser.add_argument("--cluster", action="store_true", help="on a cluster of two processes")
    parser.add_argument("--library", default="phalanx", help="whose partitions: phalanx, pandas")
    parser.add_argument("--jobs", type=int, default=2, help="processes, without a cluster")
    options = parser.parse_args()
    folder = source()
    if folder is None:
        print(INSTRUCTIONS)
        return SKIPPED
    name = "dask-frames-cluster" if options.cluster else "dask-frames"
    return conclude(name, folder, run(folder, options), options)


if __name__ == "__main__":
    sys.exit(main())
