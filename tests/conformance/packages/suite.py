"""A package's own tests, under ``python -m phalanx run`` and under Numba."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import subprocess
from argparse import Namespace
from dataclasses import dataclass, field
from pathlib import Path

from packages import Package

HERE = Path(__file__).resolve().parent
PHALANX = ("-m", "phalanx", "run", "--fallback", "numba")
# `addopts=`: what a project's own settings ask for needs plug-ins that nothing else here needs.
_PYTEST = ("-q", "-p", "outcomes", "-p", "no:cacheprovider", "-o", "addopts=",
           "--continue-on-collection-errors")  # fmt: skip
_SLOWEST = 20  # times slower than its processor time: a process that waits this long hangs


@dataclass
class Side:
    """What happened to the tests under one of the two."""

    outcomes: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    collected: int = 0
    missing: set[str] = field(default_factory=set)  # modules that cannot be imported
    processor_seconds: float = 0.0
    began: str = ""  # the test in which the process was when it ended

    def read(self, file: Path) -> None:
        """Takes in what the plugin wrote; of several reports of one test, a failure counts."""
        self.outcomes, self.seconds, self.missing = {}, {}, set()
        for line in file.read_text().splitlines() if file.exists() else ():
            outcome, seconds, test = line.split(" ", 2)
            if outcome == "collected":
                self.collected = max(self.collected, int(test))
            elif outcome == "missing":
                self.missing.add(test)
            elif outcome == "began":
                self.began = test
            else:
                self.seconds[test] = self.seconds.get(test, 0.0) + float(seconds)
                if self.outcomes.get(test) != "failed":
                    self.outcomes[test] = outcome

    def having(self, outcome: str) -> list[str]:
        """The tests with this outcome, in the order in which they ran."""
        return [test for test, each in self.outcomes.items() if each == outcome]


def find_tests(package: Package, options: Namespace) -> Path | None:
    """Where the package's tests are; None where they are not at hand."""
    if not package.tests:
        return None
    if package.is_in_wheel:
        ask = f"import importlib.util; print(importlib.util.find_spec('{package.module}').origin)"
        safe = {**os.environ, "PYTHONSAFEPATH": "1"}
        found = subprocess.run(
            [options.python, "-c", ask], env=safe, capture_output=True, text=True, check=False
        )
        if found.returncode:
            return None
        folder = Path(found.stdout.strip()).parents[1] / package.tests
    elif options.sources is None:
        return None
    else:
        folder = options.sources / _unpacked(package) / package.tests
    return folder.resolve() if folder.is_dir() else None


def _unpacked(package: Package) -> str:
    return f"{package.name.replace('-', '_')}-{package.version}"


def run_side(
    package: Package,
    tests: Path,
    folder: Path,
    options: Namespace,
    prefix: tuple[str, ...] = (),
    wanted: list[str] | None = None,
) -> Side:
    """The wanted tests, without a list all, as far as the processor time goes.

    A test in which the process dies has failed, and the rest goes on.
    """
    side = Side()
    file = folder / ("phalanx" if prefix else "numba")
    for old in (file, file.with_suffix(".errors")):
        old.unlink(missing_ok=True)
    # Numba's files do not know which compiler the functions that theirs call came from.
    shutil.rmtree(_cache(file), ignore_errors=True)
    more = {}
    if wanted is not None:
        (folder / "wanted").write_text("\n".join(wanted))
        more["PACKAGES_WANTED"] = str(folder / "wanted")
    elif options.part:
        more["PACKAGES_PART"] = "{}/{}".format(*options.part)
    status = -1
    while status < 0 and side.processor_seconds < options.limit:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        limit = options.limit - side.processor_seconds
        status = _run(package, prefix, tests, file, limit, options, **more)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        side.processor_seconds += after.ru_utime - before.ru_utime
        side.read(file)
        if status < 0:
            if not side.began or side.began in side.outcomes:
                break
            with file.open("a") as lines:
                print("failed 0", side.began, file=lines)
            side.read(file)
    return side


def _cache(file: Path) -> str:
    """Each side's own folder for what Numba keeps."""
    return f"{file}-cache"


def _run(
    package: Package,
    prefix: tuple[str, ...],
    tests: Path,
    file: Path,
    limit: float,
    options: Namespace,
    **more: str,
) -> int:
    """Runs the suite in a process of its own; returns its status, negative for a signal."""
    environment = {
        **os.environ,
        "PHALANX_DEVICE": "cpu",
        "PYTHONHASHSEED": "0",  # parts of a suite have to see its tests in one order
        "PYTHONSAFEPATH": "1",  # the installed package counts, not the folder with the tests
        "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]),
        "NUMBA_CACHE_DIR": _cache(file),
        "PACKAGES_OUTCOMES": str(file),
        "PACKAGES_LIMIT": str(limit),
        "PHALANX_FALLBACK_LOG": str(file.parent / "functions") if prefix else "",
        **more,
    }
    left_out = [f"--ignore={tests / name}" for name in package.left_out]
    # Suites of source distributions find their data from there.
    where = file.parent if package.is_in_wheel else options.sources / _unpacked(package)
    with file.with_suffix(".printed").open("a") as printed:
        process = subprocess.Popen(
            [options.python, *prefix, "-m", "pytest", *_PYTEST, *left_out, str(tests)],
            cwd=where,
            env=environment,
            stdout=printed,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # the processes of a suite end with it
        )
        try:
            return process.wait(limit * _SLOWEST)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
