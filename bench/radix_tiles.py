"""The radix sort of a GPU by the shape of its tiles, beside CuPy where it is installed.

python bench/radix_tiles.py [--count N] [--device cuda|cpu]

Per dtype and shape: milliseconds of `sort` and of `argsort`, and keys a second. `radix.tile_of`
has what is chosen.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from _measure import medians
from phalanx._sorting import parts, radix, rows

import phalanx as px
from phalanx import _engine

SHAPES = (  # threads of a block, keys of a thread, registers of a thread at most
    (256, 24, 80),
    (384, 16, 56),
    (512, 16, 64),
    (512, 20, 64),
    (512, 24, 64),
    (1024, 8, 32),
)


def timed(call: Callable[[], Any], rounds: int) -> float:
    """The seconds of a call, until its result is in memory."""

    def until_done() -> None:
        made = call()
        if isinstance(made, px.ndarray):
            made._evaluate().device.default_stream.synchronize()

    until_done()
    return medians({"": until_done}, rounds)[""]


def print_tiles(x: Any, rounds: int) -> None:
    """Print a line for each shape of tiles, the one that is chosen first."""
    chosen = radix.tile_of
    for shape in (None, *(parts.Tile(*each) for each in SHAPES)):
        half = shape and parts.Tile(shape.threads, shape.items // 2, shape.registers)
        radix.tile_of = chosen if shape is None else partial(tile, shape, half)
        name = "chosen" if shape is None else f"{shape.threads} x {shape.items} {shape.registers}"
        try:
            sort, order = (timed(partial(each, x), rounds) for each in (rows.sort, rows.argsort))
        except Exception as error:  # a tile that the device has no room for
            print(f"{x.dtype.name:8} {name:12} {error}")
            continue
        print_times(x.dtype.name, name, x.size, sort, order)
    radix.tile_of = chosen


def tile(shape: Any, half: Any, what: Any) -> Any:
    """The tile of 32-bit keys and positions, or of those of 64 bits."""
    return half if what.kept is np.uint64 else shape


def print_times(dtype: str, name: str, count: int, sort: float, order: float) -> None:
    """Print one line."""
    rate = count / sort / 1e9
    times = f"sort {sort * 1e3:7.3f} ms {rate:6.2f} G/s  argsort {order * 1e3:7.3f} ms"
    print(f"{dtype:8} {name:12} {times}")


def main() -> None:
    """Print the lines of each dtype."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=float, default=1e8)
    parser.add_argument("--device", default="cuda", choices=("cpu", "cuda"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--dtypes", nargs="*", default=["float32", "float64", "int32", "uint8"])
    options = parser.parse_args()
    _engine.set_current_device(_engine.device(options.device))
    for dtype in options.dtypes:
        host = (np.random.default_rng(0).random(int(options.count)) * 1e9).astype(dtype)
        print_tiles(px.asarray(host), options.rounds)
        beside_cupy(host, options.rounds)


def beside_cupy(host: Any, rounds: int) -> None:
    """Print CuPy's line, if it is there."""
    try:
        import cupy as cp
    except ImportError:
        return
    x = cp.asarray(host)

    def done(function: Callable[[Any], Any]) -> None:
        function(x)
        cp.cuda.Device().synchronize()

    sort, order = (timed(partial(done, each), rounds) for each in (cp.sort, cp.argsort))
    print_times(host.dtype.name, "CuPy", host.size, sort, order)


if __name__ == "__main__":
    main()
