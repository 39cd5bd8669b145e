"""Runs PyPI packages that use Numba, under Numba and under ``python -m phalanx run``.

    python tests/conformance/packages/run.py --python VENV/bin/python [--examples] [NAME ...]

See README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import suite

from packages import PACKAGES, Package

HERE = Path(__file__).parent


def main() -> int:
    """Runs what the command line names; 1 if a package passes less under phalanx."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="packages; all where none is named")
    parser.add_argument("--python", default=sys.executable, help="of the environment they are in")
    parser.add_argument("--sources", type=Path, help="folder of unpacked source distributions")
    parser.add_argument("--limit", type=float, default=1800, help="seconds of processor time")
    parser.add_argument(
        "--part", type=_part, metavar="K/N", help="the K-th of N parts of each suite"
    )
    parser.add_argument("--both", action="store_true", help="run passing tests under Numba, too")
    parser.add_argument("--keep", type=Path, help="folder for what the tests print, and results")
    parser.add_argument("--examples", action="store_true", help="run the examples, not the suites")
    options = parser.parse_args()
    by_name = {each.name: each for each in PACKAGES}
    chosen = [by_name[name] for name in options.names or by_name]
    run = run_example if options.examples else run_suite
    results = [run(each, options) for each in chosen]
    return int(not all(results))


def _part(text: str) -> tuple[int, int]:
    """K and N of K/N."""
    number, _, parts = text.partition("/")
    if not 1 <= int(number) <= int(parts):
        raise argparse.ArgumentTypeError(f"{text} is no part: K/N with K from 1 to N")
    return int(number), int(parts)


def _start(options: argparse.Namespace, arguments: list[str], folder: Path, **more: str) -> int:
    """Runs Python there; what it prints goes to a file of the folder. Returns its status."""
    environment = {**os.environ, "PHALANX_DEVICE": "cpu", **more}
    with (folder / "printed").open("w") as printed, (folder / "errors").open("w") as errors:
        try:
            done = subprocess.run(
                [options.python, *arguments],
                cwd=folder,
                env=environment,
                stdout=printed,
                stderr=errors,
                timeout=options.limit * 2 + 60,
            )
        except subprocess.TimeoutExpired:
            return 124
    return done.returncode


def _functions(log: Path) -> str:
    """How many functions we compiled, of all that were called."""
    rows = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    ours = sum(row["to"] == "phalanx" for row in rows)
    return f"functions compiled by us {ours} of {len(rows)}"


def run_example(package: Package, options: argparse.Namespace) -> bool:
    """The package's example, whose results must be those under Numba."""
    script = str(HERE / "examples" / f"use_{package.module}.py")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        statuses, texts = [], []
        for prefix in ((), suite.PHALANX):
            log = folder / "functions"
            statuses.append(
                _start(options, [*prefix, script], folder, PHALANX_FALLBACK_LOG=str(log))
            )
            texts.append((folder / "printed").read_text())
        is_same = statuses == [0, 0] and _are_close(*texts)
        outcome = "as under Numba" if is_same else f"differs (exit statuses {statuses})"
        print(f"{package.name} {package.version}: example {outcome}; {_functions(log)}", flush=True)
    return is_same


def _are_close(first: str, second: str) -> bool:
    """Returns whether the printed numbers are the same but for the last digits."""
    if first == second:
        return True
    mine, theirs = _words(first), _words(second)
    return len(mine) == len(theirs) and all(map(_is_close, mine, theirs))


def _words(text: str) -> list[str]:
    for mark in "[](),":
        text = text.replace(mark, " ")
    return text.split()


def _is_close(first: str, second: str) -> bool:
    try:
        return math.isclose(float(first), float(second), rel_tol=1e-6, abs_tol=1e-9)
    except ValueError:
        return first == second


def run_suite(package: Package, options: argparse.Namespace) -> bool:
    """The package's own tests, as far as the time goes; Numba gets those that do not pass."""
    title = f"{package.name} {package.version}"
    tests = suite.find_tests(package, options)
    if tests is None:
        print(f"{title}: its tests are not at hand; see README.md", flush=True)
        return True
    with tempfile.TemporaryDirectory() as name:
        folder = (options.keep or Path(name)).absolute() / package.module
        if options.part:
            folder = folder.with_name("{}-{}-of-{}".format(package.module, *options.part))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "functions").unlink(missing_ok=True)
        ours = suite.run_side(package, tests, folder, options, suite.PHALANX)
        passed, failed = ours.having("passed"), ours.having("failed")
        wanted = passed + failed if options.both else failed
        theirs = suite.Side()
        if wanted or ours.missing:
            theirs = suite.run_side(package, tests, folder, options, wanted=wanted)
        functions = _functions(folder / "functions")
        worse = [test for test in failed if theirs.outcomes.get(test) in ("passed", None)]
        by_order = _pass_alone(package, tests, folder, options, worse)
    worse = [test for test in worse if test not in by_order]
    unimported = ours.missing - theirs.missing
    print(
        f"{title}: of {ours.collected} tests {len(ours.outcomes)} were reached, "
        f"pass {len(passed)}, fail {len(failed)}, "
        f"of these under Numba too {len(failed) - len(worse) - len(by_order)}, "
        f"after tests that Numba was not asked for only {len(by_order)}, {functions}, "
        f"{ours.processor_seconds:.0f} s of processor time",
        flush=True,
    )
    if ours.missing:
        print(f"    {len(ours.missing & theirs.missing)} modules cannot be imported under either")
    if options.both:
        _compare(passed, ours, theirs)
    for test in (*sorted(unimported), *sorted(worse)):
        print(f"    {test}", flush=True)
    return bool(passed) and not worse and not unimported


def _pass_alone(
    package: Package, tests: Path, folder: Path, options: argparse.Namespace, worse: list[str]
) -> set[str]:
    """Those that pass here, too, where they run without the tests before them, as under Numba."""
    if not worse:
        return set()
    folder = folder / "alone"
    folder.mkdir(exist_ok=True)
    again = suite.run_side(package, tests, folder, options, suite.PHALANX, wanted=worse)
    return set(again.having("passed"))


def _compare(passed: list[str], ours: suite.Side, theirs: suite.Side) -> None:
    """What the tests that pass under both cost."""
    passed = [test for test in passed if theirs.outcomes.get(test) == "passed"]
    seconds = [sum(side.seconds[test] for test in passed) for side in (ours, theirs)]
    print(f"    {len(passed)} that pass under both: {seconds[0]:.0f} s, Numba {seconds[1]:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
