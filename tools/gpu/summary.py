"""Prints what tools/gpu_check.sh found: a row for each step, then failed tests and the benchmarks.

python tools/gpu/summary.py LOGS 'STEP|VERDICT|SECONDS'...
"""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

LONGEST_MESSAGE = 140


def failed_tests(report: Path) -> tuple[str, list[str]]:
    """The counts of a JUnit report, and a line for each test that failed."""
    if not report.exists():
        return "", []
    suite = ElementTree.parse(report).getroot()
    if suite.tag == "testsuites":
        suite = suite[0]
    counts = {name: int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")}
    passed = counts["tests"] - counts["failures"] - counts["errors"] - counts["skipped"]
    lines = []
    for case in suite.iter("testcase"):
        for problem in (*case.findall("failure"), *case.findall("error")):
            message = (problem.get("message") or "").replace("\n", " ")[:LONGEST_MESSAGE]
            lines.append(f"  {case.get('classname')}::{case.get('name')}: {message}")
    text = f"{passed} passed, {counts['failures'] + counts['errors']} failed, "
    return text + f"{counts['skipped']} skipped", lines


def main() -> int:
    """Prints the table; the logs' folder and the steps come from the command line."""
    logs = Path(sys.argv[1])
    counts, failures = failed_tests(logs / "tests.xml")
    if failures:
        print("Failed tests:", *failures, sep="\n")
    benchmarks = logs / "bench.md"
    if benchmarks.exists():
        print(benchmarks.read_text())
    print("| step | verdict | seconds | |\n|---|---|---|---|")
    for row in sys.argv[2:]:
        step, verdict, seconds = row.split("|")
        print(f"| {step} | {verdict} | {seconds} | {counts if step == 'tests' else ''} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
