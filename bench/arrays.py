"""Arrays beside NumPy, numexpr, CuPy, torch.compile and jax.jit: prints a Markdown table.

    python bench/arrays.py [--device cpu|cuda] [--only WORD ...] [--rounds N] [--output FILE]

Each row runs one computation on the same numbers in every library that is installed and has the
device; data is in the device's memory before. A time is of ten calls (one on the CPU and of
decompositions), each of which begins while the one before may still run, divided by ten: the time
ends when all results are there.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from _array_libraries import Library, NotThereError, libraries
from _measure import Row, cpu_name, medians, report, versions

HALF_ROOT = float(np.sqrt(0.5))


DECOMPOSITIONS = ("solve", "cholesky", "qr", "svd", "eigh", "inv")


def black_scholes(xp: Any, erf: Callable[[Any], Any], s: Any, k: Any, t: Any) -> Any:
    """Prices of calls and puts; rate 0.1, volatility 0.2."""
    root = xp.sqrt(t)
    d1 = (xp.log(s / k) + (0.1 + 0.5 * 0.2 * 0.2) * t) / (0.2 * root)
    d2 = d1 - 0.2 * root
    n1 = 0.5 + 0.5 * erf(d1 * HALF_ROOT)
    n2 = 0.5 + 0.5 * erf(d2 * HALF_ROOT)
    discounted = k * xp.exp(-0.1 * t)
    call = s * n1 - discounted * n2
    return call, discounted - s + call


def logistic(xp: Any) -> Callable[[Any], Any]:
    """An erf of exp alone, for libraries that have none: the same in all of them."""
    return lambda x: 2 / (1 + xp.exp(-2.5066 * x - 0.1787 * x * x * x)) - 1


def softmax(xp: Any, x: Any) -> Any:
    """Along the rows."""
    e = xp.exp(x - xp.max(x, axis=1, keepdims=True))
    return e / xp.sum(e, axis=1, keepdims=True)


def layer_norm(xp: Any, x: Any) -> Any:
    """Along the rows, without weights."""
    centred = x - xp.mean(x, axis=1, keepdims=True)
    return centred / xp.sqrt(xp.mean(centred * centred, axis=1, keepdims=True) + 1e-5)


def gelu(xp: Any, x: Any) -> Any:
    """The tanh form."""
    return 0.5 * x * (1 + xp.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def distances(xp: Any, a: Any, b: Any) -> Any:
    """Euclidean, of all pairs of rows."""
    difference = a[:, None, :] - b[None, :, :]
    return xp.sqrt(xp.sum(difference * difference, axis=2))


def centred(xp: Any, x: Any) -> Any:
    """A transpose and a mean in one expression."""
    return x + x.T - xp.mean(x, axis=0)


def assign(xp: Any, x: Any, where: Any, value: Any) -> Any:
    """In place."""
    x[where] = value
    return x


def add_at(xp: Any, x: Any, index: Any, value: Any) -> Any:
    """In place, each index counts."""
    xp.add.at(x, index, value)
    return x


def computations(device: str) -> Iterator[tuple[str, Callable[..., Any], list[Any], float]]:
    """Name, function of (library's names, arrays), arrays, bytes that have to move at least."""
    large = device == "cuda"
    random = np.random.default_rng(1).random
    for dtype in (np.float32, np.float64):
        n = 20_000_000 if large else 2_000_000
        inputs = [random(n).astype(dtype) * 50 + 25, random(n).astype(dtype) * 50 + 25]
        inputs.append(random(n).astype(dtype) + 0.1)
        title = f"Black-Scholes {n:.0e} {np.dtype(dtype).name}"
        yield (
            title,
            lambda xp, *a: black_scholes(xp, logistic(xp), *a),
            inputs,
            5 * inputs[0].nbytes,
        )
    side = 10_000 if large else 2_000
    m = random((side, side)).astype(np.float32)
    for axis in (None, 0, 1):
        yield (
            f"sum {side}^2 axis {axis}",
            lambda xp, x, axis=axis: xp.sum(x, axis=axis),
            [m],
            m.nbytes,
        )
    yield f"m + m.T {side}^2", lambda xp, x: x + x.T, [m], 3 * m.nbytes
    yield f"x + x.T - mean {side}^2", centred, [m], 4 * m.nbytes
    flat = random(10**8 if large else 10**7).astype(np.float32)
    yield f"add {flat.size:.0e}", lambda xp, x, y: x + y, [flat, flat[::-1].copy()], 3 * flat.nbytes
    yield f"a[a > .5] {flat.size:.0e}", lambda xp, x: x[x > 0.5], [flat], 1.5 * flat.nbytes
    yield f"gelu {flat.size:.0e}", gelu, [flat], 2 * flat.nbytes
    yield f"cumsum {flat.size:.0e}", lambda xp, x: xp.cumsum(x, axis=0), [flat], 2 * flat.nbytes
    rows = random((16384 if large else 2048, 1024)).astype(np.float32)
    yield f"softmax {rows.shape}", softmax, [rows], 2 * rows.nbytes
    yield f"layer norm {rows.shape}", layer_norm, [rows], 2 * rows.nbytes
    for dtype in (np.float32, np.float64):
        n = 10_000 if large else 2_000
        square = random((n, n)).astype(dtype)
        title = f"matmul {n}^2 {np.dtype(dtype).name}"
        yield title, lambda xp, x, y: xp.matmul(x, y), [square, square.T.copy()], 3 * square.nbytes
    count = 2000 if large else 500
    points = [random((count, 32)).astype(np.float32) for _ in range(2)]
    yield f"distances {count}^2 x 32", distances, points, 4.0 * count * count
    plate = random((10**4 if large else 3000,) * 2).astype(np.float32)
    yield f"heat {len(plate)}^2", heat, [plate], 2 * plate.nbytes
    yield from sorts(flat, random(1 << 26 if large else 1 << 20))
    yield from decompositions(random((2000, 2000)))
    yield from draws(10**8 if large else 10**7)
    yield from parts(random(10**7), random((3000, 3000)))
    yield from writes(10**7)


def five_points(xp: Any, p: Any) -> Any:
    """The sum of the four neighbours of each inner element less four times that."""
    middle = p[1:-1, 1:-1]
    return p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * middle


def heat(xp: Any, p: Any) -> Any:
    """A step of heat diffusion, as it is written with slices."""
    return p[1:-1, 1:-1] + 0.1 * five_points(xp, p)


def four_rolls(xp: Any, m: Any) -> Any:
    """The same, from one edge to the other."""
    one = xp.roll(m, 1, axis=0) + xp.roll(m, -1, axis=0)
    return one + xp.roll(m, 1, axis=1) + xp.roll(m, -1, axis=1) - 4 * m


def parts(x: Any, m: Any) -> Iterator[tuple[str, Callable[..., Any], list[Any], float]]:
    """Likewise of concatenations and what is computed of them."""
    pair = [x, x[::-1].copy()]
    octets = 4.0 * x.nbytes
    yield "parts concatenate", lambda xp, x, y: xp.concatenate([x, y]), pair, octets
    yield "parts of values", lambda xp, x, y: xp.concatenate([x + 1, y * 2]), pair, octets
    yield "parts * 2 + 1", lambda xp, x, y: xp.concatenate([x, y]) * 2 + 1, pair, octets
    yield "parts stack * 2", lambda xp, x, y: xp.stack([x, y]) * 2, pair, octets
    yield "parts x - roll(x)", lambda xp, x: x - xp.roll(x, 1), [x], 2.0 * x.nbytes
    yield "parts four rolls", four_rolls, [m], 2.0 * m.nbytes
    yield "parts pad, five points", lambda xp, m: five_points(xp, xp.pad(m, 1)), [m], 2.0 * m.nbytes


def sorts(x: Any, signal: Any) -> Iterator[tuple[str, Callable[..., Any], list[Any], float]]:
    """Likewise of sorting, with the indices in order where numbers are equal, and transforms."""

    def sorted_copy(xp: Any, a: Any) -> Any:
        made = xp.sort(a)
        return made[0] if xp.__name__ == "torch" else made  # which gives the indices, too

    def order(xp: Any, a: Any) -> Any:  # CuPy's is stable, and has no word for it
        return xp.argsort(a) if xp.__name__ == "cupy" else xp.argsort(a, stable=True)

    yield f"sort {x.size:.0e}", sorted_copy, [x], 2 * x.nbytes
    yield f"argsort {x.size:.0e}", order, [x], 3 * x.nbytes
    few = x.astype(np.float16).astype(np.float32)
    yield f"unique of sorts {x.size:.0e}", lambda xp, a: xp.unique(a), [few], x.nbytes
    yield f"median by sort {x.size:.0e}", lambda xp, a: xp.median(a), [x], x.nbytes
    single = signal.astype(np.complex64)
    for each in (single, signal.astype(np.complex128)):
        title = f"fft 2^{each.size.bit_length() - 1} {each.dtype.name}"
        yield title, lambda xp, a: xp.fft.fft(a), [each], 2 * each.nbytes


def decompositions(a: Any) -> Iterator[tuple[str, Callable[..., Any], list[Any], float]]:
    """Likewise of linear algebra."""
    n = len(a)
    positive = a @ a.T + n * np.eye(n)
    right = a[:, :10].copy()
    for name in DECOMPOSITIONS:
        inputs = [positive, right] if name == "solve" else [positive if name == "cholesky" else a]

        def computed(xp: Any, *arrays: Any, name: str = name) -> Any:
            made = getattr(xp.linalg, name)(*arrays)
            return made if hasattr(made, "shape") else tuple(made)

        yield f"{name} {n}^2 {a.dtype.name}", computed, inputs, 2.0 * a.nbytes


def draws(n: int) -> Iterator[tuple[str, Callable[..., Any], list[Any], float]]:
    """Likewise of random numbers, by libraries with NumPy's generators."""
    generators: dict[Any, Any] = {}

    def generator(xp: Any) -> Any:
        if not hasattr(getattr(xp, "random", None), "default_rng"):
            raise NotThereError("default_rng")
        return generators.setdefault(xp, xp.random.default_rng(1))

    def legacy(xp: Any) -> Any:
        generator(xp)
        return xp.random if xp.__name__ == "cupy" else generators[xp]

    yield f"draw random {n:.0e}", lambda xp: generator(xp).random(n), [], 8 * n
    yield f"draw legacy random {n:.0e}", lambda xp: legacy(xp).random(n), [], 8 * n
    single = {"dtype": np.float32}
    yield f"draw random {n:.0e} float32", lambda xp: generator(xp).random(n, **single), [], 4 * n
    yield f"draw random mean {n:.0e}", lambda xp: generator(xp).random(n).mean(), [], 0
    yield f"draw normal {n:.0e}", lambda xp: generator(xp).standard_normal(n), [], 8 * n
    yield f"draw gamma {n:.0e}", lambda xp: generator(xp).standard_gamma(2.5, n), [], 8 * n
    yield f"draw poisson {n:.0e}", lambda xp: generator(xp).poisson(30.0, n), [], 8 * n
    yield f"draw integers {n:.0e}", lambda xp: generator(xp).integers(0, 1000, n), [], 8 * n


def writes(n: int) -> Iterator[tuple[str, Callable[..., Any], list[Any], float]]:
    """Likewise of writes to `n` elements at random places, by libraries whose arrays change."""
    generator = np.random.default_rng(1)
    x, value = np.zeros(n), generator.random(n)
    index, few = generator.integers(0, n, n), generator.integers(0, 100, n)
    mask = generator.random(n) < 0.5
    rows, side = generator.integers(0, n // 100, n // 100), (n // 100, 100)
    octets = 3.0 * x.nbytes
    yield "scatter x[i] = v", assign, [x, index, value], octets
    yield "scatter x[i] = 1.5", lambda xp, *a: assign(xp, *a, 1.5), [x, index], octets
    yield "scatter x[mask] = v", assign, [x, mask, value[: mask.sum()]], octets
    yield "scatter rows x[i] = v", assign, [x.reshape(side), rows, value.reshape(side)], octets
    yield (
        "scatter x[i] += v",
        lambda xp, x, i, v: assign(xp, x, i, x[i] + v),
        [x, index, value],
        octets,
    )
    yield "scatter add.at", add_at, [x, index, value], octets
    yield "scatter add.at, 100 places", add_at, [x[:100], few, value], octets
    yield (
        "scatter maximum.at",
        lambda xp, x, i, v: xp.maximum.at(x, i, v) or x,
        [x, index, value],
        octets,
    )
    yield "scatter bincount, 100 places", lambda xp, i: xp.bincount(i), [few], octets / 3


def has(library: Library, function: Callable[..., Any], arrays: list[Any]) -> bool:
    """Return whether the library can compute it."""
    try:
        library.times(1, function, arrays)
    except NotThereError:
        return False
    return True


def rows_of(device: str, only: list[str], rounds: int) -> list[Row]:
    """A row for each computation and peer."""
    rows = []
    for title, function, inputs, octets in computations(device):
        if only and not any(word in title for word in only):
            continue
        is_short = not title.startswith(DECOMPOSITIONS)
        calls_at_once = 10 if device == "cuda" and is_short else 1
        calls = {}
        for library in libraries(device):
            if library.name == "jax.jit" and title.startswith(("a[a", "unique")):
                continue  # which has no arrays of a size that their values decide
            is_impure = title.startswith(("scatter", "draw"))
            if library.name not in ("phalanx", "NumPy", "CuPy") and is_impure:
                continue  # whose compiled functions do not change arrays and generators
            arrays = [library.array(each) for each in inputs]
            prepared = library.prepare(lambda *a, xp=library.xp, f=function: f(xp, *a))
            if has(library, prepared, arrays):
                calls[library.name] = lambda p=prepared, a=arrays, lib=library, n=calls_at_once: (
                    lib.times(n, p, a)
                )
        seconds = {name: s / calls_at_once for name, s in medians(calls, rounds).items()}
        ours = seconds.pop("phalanx") * 1e3
        note = f" {octets / ours / 1e6:.0f} GB/s"
        if title.startswith("matmul"):
            note = f" {2 * len(inputs[0]) ** 3 / ours / 1e9:.2f} TFLOP/s"
        rows += [Row(title, ours, s * 1e3, "ms", name, note=note) for name, s in seconds.items()]
    return rows


def main() -> int:
    """Print the table; the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    from phalanx import _engine

    _engine.set_current_device(_engine.device(options.device))
    rows = rows_of(options.device, options.only, options.rounds)
    known = versions(["numpy", "scipy", "numexpr", "cupy-cuda13x", "cupy-cuda12x", "jax", "torch"])
    heading = f"## Arrays on {options.device}\n\n{cpu_name()}; {known}\n"
    return report(heading, rows, options.output)


if __name__ == "__main__":
    raise SystemExit(main())
