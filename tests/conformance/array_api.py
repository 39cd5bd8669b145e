"""Runs the Array API consortium's test-suite on phalanx's arrays.

    python tests/conformance/array_api.py [--max-examples N] [-k TEXT] [-v] [--device cpu|cuda]

The last line printed is ``array-api passed N failed N xfailed N of N``. The exit status is 0 when
everything went as listed in known/array-api.txt, 1 when not, and 77 when the suite is not there.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from one_process import conclude, parser_of, run_pytest
from report import Outcomes
from run import SKIPPED

VARIABLE = "PHALANX_ARRAY_API_TESTS_SRC"
STANDARD = "2025.12"
INSTRUCTIONS = f"""array-api: the suite is not here. Get it, outside this repository, with
    git clone --recursive https://github.com/data-apis/array-api-tests
    pip install pytest-json-report ndindex hypothesis
and set {VARIABLE} to the folder of the clone."""


def source() -> Path | None:
    """The checkout, if it is there with what it needs."""
    folder = Path(os.environ.get(VARIABLE, ""))
    stubs = folder / "array-api" / "src" / "array_api_stubs"
    needs = ("pytest_jsonreport", "ndindex", "hypothesis")
    is_there = bool(os.environ.get(VARIABLE)) and stubs.is_dir()
    return folder.resolve() if is_there and all(map(find_spec, needs)) else None


def run(folder: Path, options: argparse.Namespace) -> Outcomes:
    """Runs the suite with the same examples each time."""
    arguments = ["--max-examples", str(options.max_examples), "--disable-deadline", "--derandomize"]
    arguments += ["--skips-file", os.devnull, "--xfails-file", os.devnull, "array_api_tests"]
    with tempfile.TemporaryDirectory() as examples:
        variables = {
            "ARRAY_API_TESTS_MODULE": "phalanx",
            "ARRAY_API_TESTS_VERSION": STANDARD,
            "HYPOTHESIS_STORAGE_DIRECTORY": examples,
        }
        return run_pytest(folder, arguments, variables, options, {"xfailed": "skipped"})


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--max-examples", type=int, default=20, help="of hypothesis, for each test")
    options = parser.parse_args()
    folder = source()
    if folder is None:
        print(INSTRUCTIONS)
        return SKIPPED
    return conclude("array-api", folder, run(folder, options), options)


if __name__ == "__main__":
    sys.exit(main())
