"""What arrays cost on the host: recording, small arrays, the first use in a new process.

python bench/arrays_host.py [--device cpu|cuda] [--output FILE]
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, cpu_name, per_call, report, versions

import phalanx as px
from phalanx import _engine

# A new process without a cache: importing, 30 different operations, each looked at.
FIRST_USE = """
import time
start = time.perf_counter()
import numpy as np
import phalanx as px
from phalanx import _engine
a = px.asarray(np.linspace(0.5, 2, 1000, dtype=np.float32))
b = px.asarray(np.linspace(1, 3, 1000, dtype=np.float32))
i, m = px.arange(1000), px.ones((100, 100), dtype=np.float32)
for x in (
    lambda: a + b, lambda: a - b, lambda: a * b, lambda: a / b, lambda: a**2, lambda: -a,
    lambda: abs(a), lambda: px.sin(a), lambda: px.cos(a), lambda: px.exp(a), lambda: px.log(a),
    lambda: px.sqrt(a), lambda: px.tanh(a), lambda: a < b, lambda: a > b, lambda: a == b,
    lambda: px.where(a < b, a, b), lambda: a.sum(), lambda: a.mean(), lambda: a.max(),
    lambda: a.min(), lambda: m.sum(axis=0), lambda: m.sum(axis=1), lambda: i + 1, lambda: i * 2,
    lambda: i // 3, lambda: i % 3, lambda: a.astype(px.float64), lambda: px.maximum(a, b),
    lambda: a.argmax(),
):
    np.asarray(x())
print(time.perf_counter() - start, _engine.statistics()["counts"]["codegen"])
"""

# The first use of a fused expression in a new process. With "each" its operations are computed one
# by one, which leaves their code in the cache; what is timed begins with none for the expression.
EXPRESSION = """
import sys, time
import numpy as np
import phalanx as px
name, is_each = sys.argv[1], sys.argv[2] == "each"

def e(value):
    if is_each:
        value._evaluate()
    return value

def chain(a, b):
    return e(e(e(e(e(e(a * b) + 0.5) / b) - a) * a) + b)

def normal(x):
    t = e(1 / e(1 + e(0.2316419 * e(abs(x)))))
    p = e(1.330274429 * t)
    for c in (-1.821255978, 1.781477937, -0.356563782, 0.319381530):
        p = e(e(p + c) * t)
    tail = e(e(p * 0.3989422804) * e(px.exp(e(e(x * x) * -0.5))))
    return e(px.where(e(x > 0), e(1 - tail), tail))

def black_scholes(s, t):
    k, r, v = 25.0, 0.02, 0.3
    root = e(v * e(px.sqrt(t)))
    d1 = e(e(e(px.log(e(s / k))) + e((r + v * v / 2) * t)) / root)
    d2 = e(d1 - root)
    return e(e(s * normal(d1)) - e(e(k * e(px.exp(e(-r * t)))) * normal(d2)))

def softmax(a, b):
    powers = e(px.exp(e(a - e(px.max(a, axis=1, keepdims=True)))))
    return e(powers / e(px.sum(powers, axis=1, keepdims=True)))

a = px.asarray(np.linspace(5.0, 30.0, 40000).reshape(200, 200))
b = px.asarray(np.linspace(0.25, 3.0, 40000).reshape(200, 200))
np.asarray(a + b)
start = time.perf_counter()
np.asarray(globals()[name](a, b))
print(time.perf_counter() - start)
"""


def expression_rows(device: str) -> list[Row]:
    """The first use of expressions whose operations are on disk; the median of seven processes."""

    def seconds(name: str, what: str, cache: str, is_in_background: bool) -> float:
        own = {"PHALANX_CACHE_DIR": cache, "PHALANX_DEVICE": device}
        own["PHALANX_BACKGROUND_COMPILE"] = str(int(is_in_background))
        done = subprocess.run(
            [sys.executable, "-c", EXPRESSION, name, what],
            env={**os.environ, **own},
            capture_output=True,
            text=True,
            check=True,
        )
        return float(done.stdout)

    rows = []
    for name, title in (
        ("chain", "6 operations"),
        ("black_scholes", "Black-Scholes"),
        ("softmax", "softmax of rows"),
    ):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "each").mkdir()  # nothing comes there where the package has all
            seconds(name, "each", f"{folder}/each", False)
            taken: dict[bool, list[float]] = {False: [], True: []}
            for number in range(7):
                for choice, times in taken.items():
                    copy = f"{folder}/{number}{choice}"
                    shutil.copytree(f"{folder}/each", copy)
                    times.append(seconds(name, "whole", copy, choice) * 1e3)
        ours, waiting = (statistics.median(taken[choice]) for choice in (True, False))
        title = f"first use of an expression: {title}"
        rows.append(Row(title, ours, waiting, "ms", "waiting for the compiler"))
    return rows


def first_use_rows(device: str) -> list[Row]:
    """The first use, with the median of five processes."""
    seconds, compiled = [], "0"
    for _ in range(5):
        with tempfile.TemporaryDirectory() as cache:
            own = {"PHALANX_CACHE_DIR": cache, "PHALANX_DEVICE": device}
            done = subprocess.run(
                [sys.executable, "-c", FIRST_USE],
                env={**os.environ, **own},
                capture_output=True,
                text=True,
                check=True,
            )
        taken, compiled = done.stdout.split()
        seconds.append(float(taken))
    title = f"a new process: import and 30 operations ({compiled} compiled)"
    target = 0.5 if device == "cpu" else 1.0
    return [Row(title, statistics.median(seconds), float("nan"), "s", "", target=target)]


def small_rows() -> list[Row]:
    """Host time of recording, and of looking at small arrays on the CPU device."""
    host = np.ones(1024, np.float32)
    x = px.asarray(host)
    record = per_call(lambda: x + x, lambda: None, 2000)
    one = per_call(lambda: (x + x)._evaluate(), lambda: None, 2000)
    as_numpys = per_call(lambda: np.asarray(x + x), lambda: None, 2000)
    one_there = per_call(lambda: host + host, lambda: None, 2000)

    def chain(a: Any) -> Any:
        return ((((a + a) * a - a) * a + a) * a - a) * a

    eight = per_call(lambda: chain(x)._evaluate(), lambda: None, 2000)
    eight_there = per_call(lambda: chain(host), lambda: None, 2000)
    return [
        Row("record x + x", record * 1e6, float("nan"), "us", "", target=1.0),
        Row("x + x of 1,024, looked at", one * 1e6, one_there * 1e6, "us", "NumPy", target=1 / 3),
        Row("the same by np.asarray", as_numpys * 1e6, one_there * 1e6, "us", "NumPy"),
        Row("8 operations on 1,024", eight * 1e6, eight_there * 1e6, "us", "NumPy", target=1.0),
    ]


def main() -> int:
    """Print the table; the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    _engine.set_current_device(_engine.device(options.device))
    rows = first_use_rows(options.device) + expression_rows(options.device)
    if options.device == "cpu":
        rows += small_rows()
    heading = f"## Arrays on the host, {options.device}\n\n{cpu_name()}; {versions(['numpy'])}\n"
    return report(heading, rows, options.output)


if __name__ == "__main__":
    raise SystemExit(main())
