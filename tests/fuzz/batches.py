"""Numbered checks in processes, many at a time: a crash costs one number, not the run.

A check is a program with `--first N --count M --progress`, which prints `at N` before each number
and whatever differs after it, and at last the number after the last, and `judge NAME: COUNT` for
what it counted. A record keeps what was done, so that the same command goes on where it ended;
records of several machines can be put together, one after the other.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

LIMIT = 300.0  # seconds without a word after which a process is ended

_AT = re.compile(r"at (\d+)")
_DONE = re.compile(r"^done (\d+) (\d+):(.*)", re.MULTILINE)
_JUDGE = re.compile(r"^judge (.*): (\d+)$", re.MULTILINE)


class Batch(NamedTuple):
    """Numbers that one process runs, and those of them that differ, with what was said."""

    first: int
    count: int
    different: dict[int, str] = {}  # noqa: RUF012 (never written to)
    judges: str = ""


class Record:
    """What was done, in a file: a line for each batch, after the texts of its differences."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self.done: set[int] = set()
        self.different: set[int] = set()
        text = path.read_text() if path is not None and path.exists() else ""
        for first, count, numbers in _DONE.findall(text):
            self.done.update(range(int(first), int(first) + int(count)))
            self.different.update(map(int, numbers.split()))
        self.judges: Counter[str] = Counter()
        self._count(text)

    def _count(self, text: str) -> None:
        for judge, count in _JUDGE.findall(text):
            self.judges[judge] += int(count)

    def add(self, batch: Batch) -> None:
        """Notes a batch, and prints what differs in it."""
        numbers = " ".join(map(str, batch.different))
        text = "".join(batch.different.values())
        with self._lock:
            self.done.update(range(batch.first, batch.first + batch.count))
            self.different.update(batch.different)
            self._count(batch.judges)
            print(text, end="", flush=True)
            if self._path is not None:
                with self._path.open("a") as file:
                    done = f"done {batch.first} {batch.count}: {numbers}\n"
                    file.write(text + batch.judges + done)


def _output(command: list[str]) -> tuple[str, str]:
    """What a program prints, and why it ended; it is ended where it prints nothing for so long."""
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors) as process,
    ):
        pipe = process.stdout
        assert pipe is not None
        output = b""
        while select.select([pipe], [], [], LIMIT)[0]:
            part = os.read(pipe.fileno(), 1 << 16)
            if not part:
                status = process.wait()
                errors.seek(0)
                return output.decode(), f"ended with {status}: {errors.read()[-2000:].decode()}"
            output += part
        process.kill()
        return output.decode(), f"printed nothing for {LIMIT:.0f} s"


def _run(program: list[str], batch: Batch) -> Batch:
    """Runs a batch; where its process dies, the number it was at differs, and the rest goes on."""
    different: dict[int, str] = {}
    judges = ""
    first, end = batch.first, batch.first + batch.count
    while first < end:
        command = [*program, "--first", str(first), "--count", str(end - first), "--progress"]
        output, why = _output(command)
        last = first
        for line in output.splitlines(keepends=True):
            if at := _AT.fullmatch(line.rstrip()):
                last = int(at[1])
            elif _JUDGE.fullmatch(line.rstrip()):
                judges += line
            else:
                different[last] = different.get(last, "") + line
        if last == end:
            break
        different[last] = f"number {last}: the process {why}\n"
        first = last + 1
    return batch._replace(different=different, judges=judges)


def _missing(numbers: range, done: set[int], size: int) -> Iterator[Batch]:
    """Batches of the numbers that are not done."""
    first = None
    for number in (*numbers, None):
        is_open = number is not None and number not in done
        if first is not None and (not is_open or number - first == size):
            yield Batch(first, (number if number is not None else numbers.stop) - first)
            first = None
        if is_open and first is None:
            first = number


def run(
    program: list[str],
    numbers: range,
    *,
    jobs: int,
    size: int = 20,
    seconds: float = float("inf"),
    record: Path | None = None,
) -> int:
    """Runs a program's numbers; returns how many differ, and prints which.

    No batch begins after that many `seconds`; a number that takes longer than `LIMIT` is ended.
    """
    begin = time.monotonic()
    kept = Record(record)

    def work(batch: Batch) -> None:
        if time.monotonic() - begin < seconds:
            kept.add(_run(program, batch))

    with ThreadPoolExecutor(jobs) as pool:
        for _ in pool.map(work, _missing(numbers, kept.done, size)):
            pass
    done = kept.done & set(numbers)
    different = sorted(kept.different & done)
    print(f"{len(done)} of {len(numbers)} done from {numbers.start}: {len(different)} differ")
    print("numbers that differ:", *different)
    for judge, count in sorted(kept.judges.items()):
        print(f"judge {judge}: {count}")
    return len(different)
