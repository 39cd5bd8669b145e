"""Print what must hold of the structure, with the figures that the sources give.

python tools/house.py              # the table; 1 where a row that holds no longer does
python tools/house.py --sites      # and the files behind the rows that count files
python tools/house.py --times      # first measure the builds: from nothing, after an edit
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import check_layers
import check_sizes
import check_words

# Rows that are not at their target yet, with today's figure: more than that fails. A row that has
# come to its target is taken off, and then has to stay there.
OPEN: dict[str, int] = {"rooms that clang-tidy has findings in": 4}

ENGINE = {"phalanx": {".h", ".cpp", ".def"}, "python/phalanx": {".py"}}

# Texts of messages that are searched. Names, files and text formats may be: they are no messages.
SEARCHES = re.compile(
    r"what\(\)\)?\s*\.\s*(find|rfind|starts_with|ends_with|contains)\(|std::regex|"
    r"\b(message|problem|sentence)\w*\.(find|rfind|starts_with|ends_with|contains|startswith|"
    r"endswith|partition)\(|[\"'] in (str\(\w*(error|problem)\w*\)|message\b)|"
    r"\bre\.\w+\([^)]*\b(str\(\w*error|message)"
)
# One existing example of each thing that is added, as the sources name it: `cbrt` for elementwise
# operations (nothing else is made of it), `vote` for those of the structure, a pass, and GPUs for
# kinds of device.
# tests/python/test_adding_an_op.py proves for the first that one row is enough.
OP = re.compile(r"^OP\( *cbrt\b|\bOp::cbrt\b")
PASS = re.compile(r"\bmerge_duplicates\b")
STRUCTURE_OP = re.compile(r"^STRUCTURE_OP\( *vote\b|\bOp::vote\b|\bvote\(Builder& builder, Vote\b")
DEVICE = re.compile(
    r"^DEVICE\( *cuda\b|\bDeviceKind::cuda\b|\bCudaDevice\b|\bmake_cuda_\w+\("
    r"|\b(cuda|nvptx)::(?!std)\w|\bkind\b *(==|!=) *\"cuda\"|\{\"cuda\": \d|\bis_cuda\b"
)
DEVICE_FOLDERS = ("runtime/cpu", "runtime/cuda", "codegen/cpu", "codegen/nvptx")

BENCHMARKS = "bench/results/*-house.md"  # before and after, side by side
CI_TIMES = Path("build/ci_times.txt")  # .ci/run: `SECONDS stage`
BUILD_TIMES = Path("build/house_times.txt")  # --times: `SECONDS what`


class Row(NamedTuple):
    """One thing that must hold: its figure, the target, and where the figure comes from."""

    what: str
    figure: int
    target: int
    sites: tuple[str, ...] = ()

    @property
    def state(self) -> str:
        """Returns how the row stands: ok, open, or FAILED."""
        if self.figure <= self.target:
            return "ok, take it off OPEN" if self.what in OPEN else "ok"
        return "open" if self.figure <= OPEN.get(self.what, self.target) else "FAILED"


def engine_lines() -> Iterator[tuple[Path, int, str]]:
    """Yield the lines of the engine, without C++ comments."""
    for root, suffixes in ENGINE.items():
        for file in sorted(Path(root).rglob("*")):
            if file.suffix in suffixes:
                for number, line in enumerate(file.read_text().splitlines(), 1):
                    yield file, number, line.partition("//")[0] if root == "phalanx" else line


def files_with(pattern: re.Pattern[str], *apart: str) -> tuple[str, ...]:
    """Return the engine's files in which the pattern is found, but for those of some folders."""
    found = {str(file): None for file, _, line in engine_lines() if pattern.search(line)}
    return tuple(file for file in found if not any(f"phalanx/{each}/" in file for each in apart))


def counted(what: str, sites: tuple[str, ...], target: int = 0) -> Row:
    """Return the row of a list."""
    return Row(what, len(sites), target, sites)


def untidy_rooms() -> tuple[str, ...]:
    """Return the rooms of C++ in which clang-tidy is not asked for no findings."""
    found = re.search(r"^clean='(.*)'", Path("tools/tidy.sh").read_text(), re.MULTILINE)
    clean = set(found[1].split()) if found else set()
    return tuple(
        room for room in check_layers.read_layers(Path("phalanx/LAYERS")) if room not in clean
    )


def rows() -> list[Row]:
    """Return the rows that the sources decide."""
    over = Counter(kind for kind, _ in check_sizes.worst_of(list(check_sizes.sizes())))
    layers = [each for root in ENGINE for each in check_layers.problems(Path(root))]
    words = [each for file in check_words.tracked() for each in check_words.problems(file)]
    searches = [
        f"{file}:{number}"
        for file, number, line in engine_lines()
        # Examples in docstrings show a message; they decide nothing.
        if SEARCHES.search(line) and not line.lstrip().startswith(("...", ">>>"))
    ]
    device = files_with(DEVICE, *DEVICE_FOLDERS)
    return [
        counted("layers of C++ rooms and Python packages: violations, cycles", tuple(layers)),
        Row("functions > 60 lines", over["function"], 0),
        Row("files > 600 lines", over["file"], 0),
        Row("parameters > 6", over["parameters"], 0),
        Row("members > 60", over["members"], 0),
        counted("files to add an elementwise op", files_with(OP), 1),
        counted("files to add a pass", files_with(PASS), 2),
        counted("files to add a structure op", files_with(STRUCTURE_OP), 5),
        counted("files to add a device, besides 2 folders", device, 5),
        counted("retired words in tracked files", tuple(words)),
        counted("lines that search a message's text to decide", tuple(searches)),
        counted("rooms that clang-tidy has findings in", untidy_rooms()),
    ]


def minutes(file: Path) -> dict[str, float]:
    """Return the minutes of a file of `SECONDS what`."""
    lines = file.read_text().splitlines() if file.exists() else []
    split = (line.split(maxsplit=1) for line in lines)
    return {what: float(seconds) / 60 for seconds, what in split}


def timed(what: str, found: float | None, limit: float) -> str:
    """Return the line of a time; other load of the machine may lengthen it, so it never fails."""
    if found is None:
        return f"  {what:62} not measured (target {limit:g} min)"
    state = "ok" if found < limit else "OVER"
    return f"  {what:62} {found:6.1f} min (target {limit:g} min)  {state}"


def measured() -> list[str]:
    """Return the lines of what is measured elsewhere: benchmarks, builds, CI."""
    results = sorted(map(str, Path().glob(BENCHMARKS)))
    build, stages = minutes(BUILD_TIMES), minutes(CI_TIMES)
    total = sum(stages.values()) if stages else None
    return [
        f"  {'benchmarks, none over 1.03 x of before':62} "
        + (results[-1] if results else f"no results yet ({BENCHMARKS})"),
        timed("build from nothing", build.get("nothing"), 12),
        timed("build after an edit of one room's source", build.get("edit"), 1),
        timed(f"CI, stages so far: {len(stages)}", total, 60),
    ]


def measure_builds() -> None:
    """Build the engine and its tests without a cache, edit one source, and write the seconds."""
    environment = {**os.environ, "CCACHE_DISABLE": "1", "PHALANX_PRESET": "ci"}
    environment.setdefault("PHALANX_JOBS", str(os.cpu_count()))

    with tempfile.TemporaryDirectory(dir="build", prefix="house") as folder:
        source = Path("phalanx/passes/merge_duplicates.cpp")
        lines = []
        for what in ("nothing", "edit"):
            if what == "edit":
                source.touch()
            begin = time.monotonic()
            command = ["tools/dev_build.sh", Path(folder).name]
            subprocess.run(command, check=True, env=environment)
            lines.append(f"{time.monotonic() - begin:.0f} {what}\n")
        BUILD_TIMES.write_text("".join(lines))


def main() -> int:
    """Print the table; 1 where a row fails."""
    if "--times" in sys.argv[1:]:
        measure_builds()
    table = rows()
    print("== house: what must hold (issue 'The house before it grows')")
    for row in table:
        print(f"  {row.what:62} {row.figure:4} (target {row.target})  {row.state}")
        if row.sites and (row.state == "FAILED" or "--sites" in sys.argv[1:]):
            print("".join(f"       {site}\n" for site in row.sites), end="")
    print("\n".join(measured()))
    return int(any(row.state == "FAILED" for row in table))


if __name__ == "__main__":
    sys.exit(main())
