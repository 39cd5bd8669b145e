"""Runs the Array API consortium's test-suite on phalanx's arrays.

    python tests/conformance/array_api.py [--max-examples N] [-k TEXT] [-v] [--device cpu|cuda]

The last line printed is ``array-api passed N failed N xfailed N of N``. The exit status is 0 when
everything went as listed in known/array-api.txt, 1 when not, and 77 when the suite is not there.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from report import Outcomes, judge, read_known, summary
from run import SKIPPED, device_kind, version_of

HERE = Path(__file__).resolve().parent
VARIABLE = "PHALANX_ARRAY_API_TESTS_SRC"
STANDARD = "2025.12"
KNOWN = HERE / "known" / "array-api.txt"
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
    """Runs the suite in a process of its own and reads its report."""
    with tempfile.TemporaryDirectory() as temporary:
        report = Path(temporary) / "report.json"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line"]
        command += ["--max-examples", str(options.max_examples), "--disable-deadline"]
        command += ["--derandomize", "--json-report", f"--json-report-file={report}"]
        command += ["--skips-file", os.devnull, "--xfails-file", os.devnull]
        command += ["-k", options.k] if options.k else []
        environment = os.environ | {
            "ARRAY_API_TESTS_MODULE": "phalanx",
            "ARRAY_API_TESTS_VERSION": STANDARD,
            "HYPOTHESIS_STORAGE_DIRECTORY": temporary,
            "PYTHONDONTWRITEBYTECODE": "1",
            **({"PHALANX_DEVICE": options.device} if options.device else {}),
        }
        done = subprocess.run(
            [*command, "array_api_tests"],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        if not report.exists():
            raise SystemExit(
                f"the suite did not end:\n{done.stdout[-4000:]}\n{done.stderr[-2000:]}"
            )
        return read_report(report)


def read_report(path: Path) -> Outcomes:
    """The outcome of each test, named as ``FILE::TEST`` without the suite's folder."""
    outcomes = Outcomes()
    words = {"passed": "passed", "skipped": "skipped", "xfailed": "skipped"}
    for test in json.loads(path.read_text())["tests"]:
        name = test["nodeid"].removeprefix("array_api_tests/").replace(" ", "")
        crash = test.get("call", {}).get("crash", {})
        why = " ".join(str(crash.get("message", test["outcome"])).split())[:300]
        outcomes.add(name, words.get(test["outcome"], "failed"), why)
    return outcomes


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--max-examples", type=int, default=20, help="of hypothesis, for each test")
    parser.add_argument("-k", metavar="TEXT", help="only tests that match, as pytest's -k")
    parser.add_argument("-v", action="store_true", help="also list what was skipped")
    parser.add_argument("--device", help="as PHALANX_DEVICE: cpu, cuda, cuda:N")
    options = parser.parse_args()
    folder = source()
    if folder is None:
        print(INSTRUCTIONS)
        return SKIPPED
    device = device_kind(options.device)
    outcomes = run(folder, options)
    modules = {
        test.partition("::")[0] for test in (*outcomes.passed, *outcomes.failed, *outcomes.skipped)
    }
    verdict = judge(outcomes, read_known(KNOWN, device, [*modules]), whole=not options.k)
    if options.v:
        for test, why in sorted(outcomes.skipped.items()):
            print(f"skipped {test}: {why}")
    for test, why in sorted(verdict.failed.items()):
        print(f"FAILED {test}: {why}")
    for surprise in verdict.surprises:
        print(f"ERROR {surprise}")
    print(f"{datetime.date.today()}, {device} device, array-api-tests {version_of(folder)}")
    print(summary("array-api", outcomes, verdict))
    return 0 if verdict.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
