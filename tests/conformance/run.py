"""Runs one suite of other people's tests on Phalanx.

    python tests/conformance/run.py SUITE [-m MODULE ...] [-k TEXT] [-v] [--device cpu|cuda]

The last line printed is ``SUITE passed N failed N xfailed N of N``, and where the list has tests
of CUDA only, how many passed of those beside them. The exit status is 0 when
everything went as listed in known/SUITE.txt, 1 when not, and 77 when the suite is not there.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from counted import by_module, read_counts, report_counts, write_counts
from report import (
    Outcomes,
    count_tests,
    expanded,
    folder_lines,
    judge,
    public_summary,
    read_known,
    read_public,
    share_beside_cuda,
    summary,
)
from suites import SUITES, Suite

SKIPPED = 77
RESULTS_VARIABLE = "PHALANX_CONFORMANCE_RESULTS"
DONE_VARIABLE = "PHALANX_CONFORMANCE_DONE"


class ModulesRun:
    """Test modules in processes of their own: a crash or hang costs only one test."""

    def __init__(
        self, suite: Suite, source: Path, modules: Sequence[str], options: argparse.Namespace
    ) -> None:
        self._suite = suite
        self._source = source
        self.modules = modules
        self._options = options
        self.outcomes = Outcomes()
        self.broken: dict[str, str] = {}  # modules that could not be imported, and why

    def run(self) -> None:
        """Runs until every test has ended."""
        while True:
            before = len(self.outcomes)
            in_flight, status = self._attempt()
            if in_flight is not None:
                self.outcomes.add(in_flight, "failed", status)
            if in_flight is None or len(self.outcomes) == before:
                break
        if not len(self.outcomes) and not self.broken and "no tests" not in status:
            self.broken = dict.fromkeys(self.modules, status)

    def _attempt(self) -> tuple[str | None, str]:
        """The test during which the process ended, if any, and how the process ended."""
        with tempfile.TemporaryDirectory() as folder:
            results = Path(folder) / "results"
            results.touch()
            done = Path(folder) / "done"
            seen = self.outcomes.passed | self.outcomes.failed | self.outcomes.skipped
            done.write_text("\n".join(seen))
            log = Path(folder) / "log"
            with log.open("w") as stream:
                process = subprocess.Popen(
                    self._command(), env=self._environment(results, done), cwd=folder,
                    stdout=stream, stderr=subprocess.STDOUT,
                )  # fmt: skip
                status = self._watch(process, results)
            in_flight = self._read(results)
            if status == "exit status 5":
                status = "no tests"
            elif status not in ("exit status 0", "exit status 1"):
                tail = [line for line in log.read_text().splitlines() if line.strip()][-1:]
                status = ": ".join([status, *tail])[:300]
            return in_flight, status

    def _watch(self, process: subprocess.Popen[bytes], results: Path) -> str:
        """Waits; a test that takes longer than allowed ends the process."""
        size, since = 0, time.monotonic()
        while process.poll() is None:
            time.sleep(0.05)
            if results.stat().st_size != size:
                size, since = results.stat().st_size, time.monotonic()
            elif time.monotonic() - since > self._options.timeout:
                process.kill()
                process.wait()
                return f"took longer than {self._options.timeout} s"
        if process.returncode < 0:
            return f"killed by signal {-process.returncode}"
        return f"exit status {process.returncode}"

    def _read(self, results: Path) -> str | None:
        in_flight = None
        for line in results.read_text().splitlines():
            event = json.loads(line)
            if event["event"] == "start":
                in_flight = event["test"]
            elif event["event"] == "broken":
                self.broken[event["module"]] = event["why"]
            else:
                in_flight = None
                self.outcomes.add(event["test"], event["outcome"], event["why"])
        return in_flight

    def _command(self) -> list[str]:
        command = [sys.executable, "-m", "pytest", "-q", *(["-x"] if self._options.first else [])]
        settings = self._source / self._suite.settings if self._suite.settings else os.devnull
        tests = str(self._source / self._suite.tests)
        command += ["-c", str(settings), "--rootdir", tests, "--confcutdir", tests]
        command += ["-p", "no:cacheprovider", "-p", self._suite.plugin]
        command += ["--continue-on-collection-errors"]  # of the other modules
        if self._suite.marks:
            command += ["-m", self._suite.marks]
        if self._options.k:
            command += ["-k", self._options.k]
        return [*command, *(f"{tests}/{module}.py" for module in self.modules)]

    def _environment(self, results: Path, done: Path) -> dict[str, str]:
        path = [*map(str, self._suite.python_path), os.environ.get("PYTHONPATH", "")]
        return os.environ | {
            "PYTHONPATH": os.pathsep.join(filter(None, path)),
            "PYTHONDONTWRITEBYTECODE": "1",
            RESULTS_VARIABLE: str(results),
            DONE_VARIABLE: str(done),
            self._suite.variable: str(self._source),  # absolute: the process runs elsewhere
            **({"PHALANX_DEVICE": self._options.device} if self._options.device else {}),
            **({"PHALANX_CONFORMANCE_QUICK": "1"} if self._options.quick else {}),
        }


def version_of(source: Path) -> str:
    """The checkout's version as git knows it."""
    result = subprocess.run(
        ["git", "-C", str(source), "describe", "--tags", "--always"], capture_output=True, text=True
    )
    return result.stdout.strip() or "unknown version"


def device_kind(device: str | None) -> str:
    """ "cpu" or "cuda", as the tests will see it."""
    environment = os.environ | ({"PHALANX_DEVICE": device} if device else {})
    code = "from phalanx import _engine; print(_engine.current_device().kind)"
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    if result.returncode != 0:
        raise SystemExit(f"phalanx does not run in {sys.executable}:\n{result.stderr}")
    return result.stdout.strip()


def run_modules(
    suite: Suite, source: Path, modules: Sequence[str], options: argparse.Namespace
) -> Outcomes:
    """Runs the modules, `--jobs` processes at a time, and prints a line for each process."""
    everything = Outcomes()
    folders: dict[str, list[str]] = {}
    for module in modules:
        folders.setdefault(str(Path(module).parent) if options.together else module, []).append(
            module
        )

    def run_part(part: Sequence[str]) -> ModulesRun:
        made = ModulesRun(suite, source, part, options)
        made.run()
        return made

    with ThreadPoolExecutor(options.jobs) as pool:
        for name, part in zip(folders, pool.map(run_part, folders.values()), strict=True):
            for module, why in part.broken.items():
                everything.add(module, "failed", f"cannot be imported: {why}")
                count = count_tests(source / suite.tests / f"{module}.py")
                sampled = options.quick and suite.is_counted  # one in ten
                everything.weights[module] = max(count // 10, 1) if sampled else count
            for outcome in ("passed", "failed", "skipped"):
                getattr(everything, outcome).update(getattr(part.outcomes, outcome))
            broken = ", ".join(part.broken)
            print(
                f"{name}: passed {len(part.outcomes.passed)}, "
                f"failed {len(part.outcomes.failed)}, skipped {len(part.outcomes.skipped)}"
                f"{f', cannot be imported: {broken}' if broken else ''}",
                flush=True,
            )
    return everything


def run_counted(suite: Suite, outcomes: Outcomes, device: str, options: argparse.Namespace) -> int:
    """Compares the sample with the list of counts; a whole run only has its own."""
    print(f"{datetime.date.today()}, {device} device, {suite.repository} {suite.version}")
    if options.renew:
        path = suite.known_differences
        write_counts(path, read_counts(path) | by_module(outcomes))
    listed = read_counts(suite.known_differences) if options.quick else by_module(outcomes)
    reasons = 40 if options.v else 0
    is_good = report_counts(suite.name, outcomes, listed, whole=not options.k, reasons=reasons)
    return int(not is_good)


def run_suite(suite: Suite, source: Path, options: argparse.Namespace) -> int:
    modules = suite.chosen(source, options.m or (), options.all)
    device = device_kind(options.device)
    if suite.is_counted:
        return run_counted(suite, run_modules(suite, source, modules, options), device, options)
    known = read_known(suite.known_differences, device, modules)
    everything = run_modules(suite, source, modules, options)
    is_whole = not options.k and not options.quick
    listed = known
    known = expanded(known, everything, is_whole)
    if options.m:  # patterns over all modules fit tests of others
        known = {test: why for test, why in known.items() if "*" not in test.partition("::")[0]}
    verdict = judge(everything, known, whole=is_whole)
    if options.v:
        for test, why in sorted(everything.skipped.items()):
            print(f"skipped {test}: {why}")
        for test in sorted(verdict.known):
            print(f"known to fail: {test}: {known[test]} [{verdict.known[test]}]")
    for test, why in sorted(verdict.failed.items()):
        print(f"FAILED {test}: {why}")
    for surprise in verdict.surprises:
        print(f"ERROR {surprise}")
    if suite.has_folder_counts:
        print(*folder_lines(everything, verdict), sep="\n")
    print(f"{datetime.date.today()}, {device} device, {suite.repository} {version_of(source)}")
    if options.all and suite.public_tests.exists():
        print(public_summary(everything, read_public(suite.public_tests)))
    share = share_beside_cuda(everything, listed)
    print(", ".join(filter(None, [summary(suite.name, everything, verdict), share])))
    return 0 if verdict.is_good else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument(
        "-m", action="append", metavar="MODULE", help="only these modules, or folders"
    )
    parser.add_argument(
        "--quick", action="store_true", help="CuPy's, pandas': a sample of all cases"
    )
    parser.add_argument("--all", action="store_true", help="the suite's further modules too")
    parser.add_argument("-k", metavar="TEXT", help="only tests that match, as pytest's -k")
    parser.add_argument("-v", action="store_true", help="also list what was skipped")
    parser.add_argument("--device", help="as PHALANX_DEVICE: cpu, cuda, cuda:N")
    parser.add_argument("--renew", action="store_true", help="pandas': write the list anew")
    parser.add_argument("--first", action="store_true", help="stop each module at a failure")
    parser.add_argument(
        "--together", action="store_true", help="the modules of a folder in one process"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--timeout", type=float, default=120, help="seconds allowed for one test")
    options = parser.parse_args()
    suite = SUITES[options.suite]
    source = os.environ.get(suite.variable)
    if not source or not (Path(source) / suite.tests).is_dir():
        print(suite.instructions())
        return SKIPPED
    return run_suite(suite, Path(source).resolve(), options)


if __name__ == "__main__":
    sys.exit(main())
