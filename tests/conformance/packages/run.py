"""Runs PyPI packages that use Numba, under Numba and under ``python -m phalanx run``.

    python tests/conformance/packages/run.py --python VENV/bin/python [--examples] [NAME ...]

One line a package: passes under Numba N, of those under phalanx M, functions compiled by us X of Y.
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

from packages import PACKAGES, Package

HERE = Path(__file__).parent
PHALANX = ("-m", "phalanx", "run", "--fallback", "numba")


def main() -> int:
    """Runs what the command line names; 1 if a package passes less under phalanx."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="packages; all where none is named")
    parser.add_argument("--python", default=sys.executable, help="of the environment they are in")
    parser.add_argument("--sources", type=Path, help="folder of unpacked source distributions")
    parser.add_argument("--limit", type=float, default=1800, help="seconds for each suite")
    parser.add_argument("--examples", action="store_true", help="run the examples, not the suites")
    options = parser.parse_args()
    chosen = [each for each in PACKAGES if not options.names or each.name in options.names]
    run = run_example if options.examples else run_suite
    results = [run(each, options) for each in chosen]
    return int(not all(results))


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
        for prefix in ((), PHALANX):
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
    """Whether the printed numbers are the same but for the last digits."""
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


def _tests(package: Package, options: argparse.Namespace) -> Path | None:
    """Where the package's tests are; None where they are not at hand."""
    if not package.tests:
        return None
    if package.is_in_wheel:
        ask = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
        found = subprocess.run([options.python, "-c", ask], capture_output=True, text=True)
        folder = Path(found.stdout.strip()) / package.tests
    elif options.sources is None:
        return None
    else:
        name = f"{package.name.replace('-', '_')}-{package.version}"
        folder = options.sources / name / package.tests
    return folder if folder.is_dir() else None


def run_suite(package: Package, options: argparse.Namespace) -> bool:
    """The package's own tests, as far as the time goes."""
    title = f"{package.name} {package.version}"
    tests = _tests(package, options)
    if tests is None:
        print(f"{title}: its tests are not at hand; see README.md", flush=True)
        return True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        outcomes = [_outcomes(tests, prefix, folder, options) for prefix in ((), PHALANX)]
        functions = _functions(folder / "functions")
    expected = {test for test, outcome in outcomes[0].items() if outcome == "passed"}
    reached = {test for test in expected if test in outcomes[1]}
    passed = {test for test in reached if outcomes[1][test] == "passed"}
    print(
        f"{title}: passes under Numba {len(expected)}, of those under phalanx {len(passed)} "
        f"({len(expected) - len(reached)} not reached), {functions}",
        flush=True,
    )
    for test in sorted(reached - passed):
        print(f"    {test}", flush=True)
    return bool(expected) and reached == passed


def _outcomes(
    tests: Path, prefix: tuple[str, ...], folder: Path, options: argparse.Namespace
) -> dict[str, str]:
    """Each test's outcome; of several reports of one, a failure counts."""
    found = folder / f"outcomes{len(prefix)}"
    arguments = [*prefix, "-m", "pytest", "-q", "-p", "outcomes", "-p", "no:cacheprovider"]
    path = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    _start(
        options,
        [*arguments, str(tests)],
        folder,
        PACKAGES_OUTCOMES=str(found),
        PACKAGES_LIMIT=str(options.limit),
        PHALANX_FALLBACK_LOG=str(folder / "functions") if prefix else "",
        PYTHONPATH=path,
    )
    outcomes: dict[str, str] = {}
    for line in found.read_text().splitlines() if found.exists() else ():
        outcome, _, test = line.partition(" ")
        if outcomes.get(test) != "failed":
            outcomes[test] = outcome
    return outcomes


if __name__ == "__main__":
    sys.exit(main())
