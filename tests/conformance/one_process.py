"""Suites that are run by one call of pytest, which reports in JSON."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from report import Outcomes, expanded, judge, read_known, renew_known, summary
from run import device_kind, version_of

HERE = Path(__file__).resolve().parent
# pytest's statuses of runs without all outcomes: a module that cannot be imported is one.
_BROKEN_OFF = (2, 3, 4)


def parser_of(doc: str | None) -> argparse.ArgumentParser:
    """The options that these suites have in common."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    parser.add_argument("-k", metavar="TEXT", help="only tests that match, as pytest's -k")
    parser.add_argument("-v", action="store_true", help="also list what was skipped")
    parser.add_argument("--device", help="as PHALANX_DEVICE: cpu, cuda, cuda:N")
    parser.add_argument("--renew", action="store_true", help="write the list of what fails anew")
    return parser


def run_pytest(
    folder: Path,
    arguments: Sequence[str],
    variables: Mapping[str, str],
    options: argparse.Namespace,
    words: Mapping[str, str],
) -> Outcomes:
    """Runs pytest in the checkout. `words` are the outcomes of tests that it expects to fail."""
    with tempfile.TemporaryDirectory() as temporary:
        report = Path(temporary) / "report.json"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line"]
        command += ["--json-report", f"--json-report-file={report}", *arguments]
        command += ["-k", options.k] if options.k else []
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **variables}
        if options.device:
            environment["PHALANX_DEVICE"] = options.device
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        if not report.exists() or done.returncode in _BROKEN_OFF:
            raise SystemExit(
                f"the suite did not end:\n{done.stdout[-4000:]}\n{done.stderr[-2000:]}"
            )
        return read_report(report, {"passed": "passed", "skipped": "skipped", **words})


def read_report(path: Path, words: Mapping[str, str]) -> Outcomes:
    """The outcome of each test, named as ``FILE::TEST`` without the folder."""
    outcomes = Outcomes()
    for test in json.loads(path.read_text())["tests"]:
        file, _, rest = test["nodeid"].replace(" ", "").partition("::")
        crash = test.get("call", {}).get("crash", {})
        why = " ".join(str(crash.get("message", test["outcome"])).split())[:300]
        name = f"{file.rpartition('/')[2]}::{rest}"
        outcomes.add(name, words.get(test["outcome"], "failed"), why)
    return outcomes


def conclude(name: str, folder: Path, outcomes: Outcomes, options: argparse.Namespace) -> int:
    """Compares with the list of known differences, prints the result, returns the exit status."""
    device = device_kind(options.device)
    modules = {
        test.partition("::")[0] for test in (*outcomes.passed, *outcomes.failed, *outcomes.skipped)
    }
    path = HERE / "known" / f"{name}.txt"
    if options.renew:
        renew_known(path, device, outcomes)
    known = read_known(path, device, [*modules])
    known = expanded(known, outcomes, not options.k)
    verdict = judge(outcomes, known, whole=not options.k)
    if options.v:
        for test, why in sorted(outcomes.skipped.items()):
            print(f"skipped {test}: {why}")
    for test, why in sorted(verdict.failed.items()):
        print(f"FAILED {test}: {why}")
    for surprise in verdict.surprises:
        print(f"ERROR {surprise}")
    print(f"{datetime.date.today()}, {device} device, {name} {version_of(folder)}")
    print(summary(name, outcomes, verdict))
    return 0 if verdict.is_good else 1
