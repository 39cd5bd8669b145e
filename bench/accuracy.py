"""Measures the mathematical functions against mpmath, over the whole range of their arguments.

python bench/accuracy.py [--samples N] [--only NAME ...] [--write]

Arguments are drawn from every exponent of the format, subnormal numbers and the largest ones
included, N of each; and 200 N from each range in which the function's result is neither trivial nor
out of range. The error is in units in the last place (ulp) of the exact result's binade, where
infinity counts as the power of two after the largest number; of complex numbers it is the length
of the difference in ulps of the larger part. `--write` raises the bounds in docs/accuracy.md
where an error is above. PHALANX_DEVICE=cuda measures a GPU.
"""

from __future__ import annotations

import argparse
import cmath
import math
import zlib
from pathlib import Path
from typing import NamedTuple

import mpmath
import numpy as np

from phalanx import _engine, cuda

PAGE = Path(__file__).parents[1] / "docs" / "accuracy.md"
PRECISION = 256  # bits of the references
BESIDE_ONE = PRECISION + 2 * 1074  # bits in which 1 + z * z is more than 1 for the least float64
TABLE_HEAD = "| function | float32 | float64 |"
COMPLEX_HEAD = "| function | complex64 | complex128 |"
mp = mpmath.mp


class Function(NamedTuple):
    """One row of the table: the name in ops.def, what kernels call, the reference."""

    name: str
    call: object
    exact: object
    ranges: tuple = ((-4.0, 4.0),)  # where arguments are dense
    domain: tuple = (-math.inf, math.inf)  # of the first argument


def gamma_logarithm(x):
    return mp.log(abs(mp.gamma(x))) if abs(x) < 100 else mp.loggamma(x)


def complement_of_erf(x):
    return mp.erfc(x) if abs(x) < 1000 else mp.mpf(1 - mp.sign(x))


ONE = (-1.0, 1.0)
BETWEEN_POLES = (math.nextafter(-1, 0), math.nextafter(1, 0))
EXP = ((-750.0, 712.0), (-104.0, 90.0), ONE)
HYPERBOLIC = ((700.0, 711.0), (-711.0, -700.0), (85.0, 90.0), (-90.0, 90.0), ONE)
FUNCTIONS = (
    Function("cbrt", np.cbrt, lambda x: mp.sign(x) * mp.cbrt(abs(x))),
    Function("exp", math.exp, mp.exp, EXP),
    Function("exp2", np.exp2, lambda x: mp.power(2, x), ((-1080.0, 1025.0), (-150.0, 129.0))),
    Function("expm1", math.expm1, mp.expm1, EXP),
    Function("log", math.log, mp.log, ((0.5, 2.0), (0.0, 100.0)), (0.0, math.inf)),
    Function("log2", math.log2, lambda x: mp.log(x, 2), ((0.5, 2.0),), (0.0, math.inf)),
    Function("log10", math.log10, mp.log10, ((0.5, 2.0),), (0.0, math.inf)),
    Function("log1p", math.log1p, mp.log1p, (ONE, (0.0, 10.0)), (BETWEEN_POLES[0], math.inf)),
    Function("sin", math.sin, mp.sin, ((-100.0, 100.0), (-1e6, 1e6))),
    Function("cos", math.cos, mp.cos, ((-100.0, 100.0), (-1e6, 1e6))),
    Function("tan", math.tan, mp.tan, ((-100.0, 100.0), (-1e6, 1e6))),
    Function("arcsin", math.asin, mp.asin, (ONE,), ONE),
    Function("arccos", math.acos, mp.acos, (ONE,), ONE),
    Function("arctan", math.atan, mp.atan),
    Function("sinh", math.sinh, mp.sinh, HYPERBOLIC),
    Function("cosh", math.cosh, mp.cosh, HYPERBOLIC),
    Function("tanh", math.tanh, mp.tanh, ((-25.0, 25.0), ONE)),
    Function("arcsinh", math.asinh, mp.asinh, ((-10.0, 10.0), ONE)),
    Function("arccosh", math.acosh, mp.acosh, ((1.0, 2.0), (1.0, 100.0)), (1.0, math.inf)),
    Function("arctanh", math.atanh, mp.atanh, (ONE,), BETWEEN_POLES),
    Function("erf", math.erf, mp.erf, ((-6.0, 6.0), ONE)),
    Function("erfc", math.erfc, complement_of_erf, ((-6.0, 28.0), (-4.0, 11.0))),
    Function("gamma", math.gamma, mp.gamma, ((0.0, 172.0), (0.0, 36.0)), (0.0, 1e3)),
    Function("lgamma", math.lgamma, gamma_logarithm, ((0.0, 10.0), (0.5, 2.5)), (0.0, math.inf)),
    Function("power", math.pow, mp.power, (), (0.0, math.inf)),
    Function("arctan2", math.atan2, mp.atan2, ((-4.0, 4.0),)),
    Function("hypot", math.hypot, mp.hypot, ((-4.0, 4.0),)),
    Function("fmod", math.fmod, math.fmod, ((-100.0, 100.0),)),
    Function("ieee_remainder", math.remainder, math.remainder, ((-100.0, 100.0),)),
)
OF_TWO = {row["name"] for row in _engine.op_table() if row["arity"] == 2}
EXACT = ("ldexp", "nextafter")


def others() -> tuple[Function, ...]:
    """A library's functions in ops.def for which mpmath's name and the default range will do."""
    known = {*(each.name for each in FUNCTIONS), *EXACT}
    rows = [row for row in _engine.op_table() if row["is_from_library"] and row["numpy"]]
    return tuple(
        Function(row["name"], getattr(np, row["numpy"]), getattr(mp, row["numpy"]))
        for row in rows
        if row["name"] not in known
    )


FUNCTIONS += others()


def inverse_tangent(z):
    w = inverse_hyperbolic_tangent(mp.mpc(-z.imag, z.real))
    return mp.mpc(w.imag, -w.real)


def inverse_hyperbolic_tangent(z):
    x, y = abs(z.real), z.imag
    real = mp.log1p(4 * x / ((1 - x) ** 2 + y * y)) / 4
    return mp.mpc(mp.sign(z.real) * real, mp.atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2)


def told_from_one(function):
    """An inverse function in more bits: mpmath 1.3 adds z * z to 1, and loses what z is then."""

    def exact(z):
        with mpmath.workprec(BESIDE_ONE):
            return function(z)

    return exact


GROWS = ((-720.0, 720.0), (-95.0, 95.0), (-4.0, 4.0))
NEAR = ((-4.0, 4.0),)
COMPLEX_FUNCTIONS = (
    Function("cmath.exp", cmath.exp, mp.exp, GROWS),
    Function("cmath.log", cmath.log, mp.log, NEAR),
    Function("cmath.log10", cmath.log10, mp.log10, NEAR),
    Function("cmath.sqrt", cmath.sqrt, mp.sqrt, NEAR),
    Function("cmath.sin", cmath.sin, mp.sin, GROWS),
    Function("cmath.cos", cmath.cos, mp.cos, GROWS),
    Function("cmath.tan", cmath.tan, mp.tan, GROWS),
    Function("cmath.sinh", cmath.sinh, mp.sinh, GROWS),
    Function("cmath.cosh", cmath.cosh, mp.cosh, GROWS),
    Function("cmath.tanh", cmath.tanh, mp.tanh, GROWS),
    Function("cmath.asin", cmath.asin, told_from_one(mp.asin), NEAR),
    Function("cmath.acos", cmath.acos, told_from_one(mp.acos), NEAR),
    Function("cmath.atan", cmath.atan, inverse_tangent, NEAR),
    Function("cmath.asinh", cmath.asinh, told_from_one(mp.asinh), NEAR),
    Function("cmath.acosh", cmath.acosh, told_from_one(mp.acosh), NEAR),
    Function("cmath.atanh", cmath.atanh, inverse_hyperbolic_tangent, NEAR),
)


class Format(NamedTuple):
    """A binary format: its digits, and the exponents of its least and largest binade."""

    dtype: np.dtype
    digits: int
    least: int
    most: int


FORMATS = {
    "float32": Format(np.dtype(np.float32), 24, -126, 127),
    "float64": Format(np.dtype(np.float64), 53, -1022, 1023),
}


def of_all_exponents(form: Format, samples: float, rng: np.random.Generator) -> np.ndarray:
    """Numbers of both signs, `samples` of each exponent on the average, and the limits."""
    exponents = np.arange(form.least - form.digits + 1, form.most + 1)
    chosen = rng.choice(exponents, max(int(len(exponents) * samples), 16))
    with np.errstate(all="ignore"):
        values = np.ldexp(rng.uniform(1, 2, len(chosen)), chosen).astype(form.dtype)
    info = np.finfo(form.dtype)
    limits = [info.max, info.tiny, info.smallest_subnormal, info.eps, 1 - info.epsneg, 1, 2]
    values = np.concatenate([values, np.array(limits, form.dtype)])
    values = np.concatenate([values, np.nextafter(values[-7:], form.dtype.type(1.5))])
    return values * rng.choice(np.array([-1, 1], form.dtype), len(values))


def within(function: Function, form: Format, samples: float, rng) -> np.ndarray:
    """Numbers of all exponents and of the function's own ranges, inside of its domain."""
    count = max(int(200 * samples), 20)
    dense = [rng.uniform(low, high, count) for low, high in function.ranges]
    x = np.concatenate([of_all_exponents(form, samples, rng), *dense]).astype(form.dtype)
    low, high = function.domain
    x = np.where((x < 0) & (low >= 0), -x, x)
    return x[(x >= low) & (x <= high) & (x != 0) & np.isfinite(x)]


def bases_and_exponents(form: Format, samples: float, rng) -> tuple[np.ndarray, np.ndarray]:
    """Of powers that lie within the format or just outside; negative ones to whole exponents."""
    x = np.abs(of_all_exponents(form, 2 * samples, rng))
    x = np.concatenate([x, rng.uniform(0, 4, len(x)).astype(form.dtype)])
    x = x[(x != 1) & (x > 0)]
    wanted = rng.uniform(form.least - form.digits, form.most + 1, len(x))
    with np.errstate(all="ignore"):
        y = (wanted / np.log2(x.astype(float))).astype(form.dtype)
    is_whole = rng.random(len(x)) < 0.25
    y = np.where(is_whole & (np.abs(y) < 2**20), np.rint(y), y).astype(form.dtype)
    x = np.where(is_whole & (y == np.rint(y)) & (rng.random(len(x)) < 0.5), -x, x)
    keep = np.isfinite(y)
    return x[keep], y[keep]


def arguments_of(function: Function, form: Format, samples: float, rng) -> list[np.ndarray]:
    if function.name == "power":
        return list(bases_and_exponents(form, samples, rng))
    x = within(function, form, samples, rng)
    if function.name in OF_TWO:
        return [x, rng.permutation(x)]
    return [x]


def computed(call: object, arguments: list[np.ndarray]) -> np.ndarray:
    """What a kernel makes of the arguments."""

    @cuda.jit
    def of_one(x, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = call(x[i])

    @cuda.jit
    def of_two(x, y, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = call(x[i], y[i])

    out = np.zeros_like(arguments[0])
    kernel = of_one if len(arguments) == 1 else of_two
    kernel[(len(out) + 127) // 128, 128](*arguments, out)
    return out


def unit_of(exact, form: Format) -> int:
    """The exponent of the last place of numbers in the binade of `exact`."""
    if not exact:
        return form.least - form.digits + 1
    exponent = mp.mag(exact) - 1
    return max(min(exponent, form.most), form.least) - form.digits + 1


def clamped(value, form: Format):
    """The number, or the power of two after the largest one where it is beyond that."""
    end = mp.ldexp(1, form.most + 1)
    return max(min(mp.mpf(value), end), -end)


def error_of(actual: float, exact, form: Format) -> float:
    """The distance in ulps; infinity where only one of the two is a number."""
    if math.isnan(actual):
        return math.inf
    exact = clamped(exact, form)
    return float(mp.ldexp(abs(clamped(actual, form) - exact), -unit_of(exact, form)))


def complex_error_of(actual: complex, exact, form: Format) -> float:
    if math.isnan(actual.real) or math.isnan(actual.imag):
        return math.inf
    real, imaginary = clamped(exact.real, form), clamped(exact.imag, form)
    unit = unit_of(max(abs(real), abs(imaginary)), form)
    distance = mp.hypot(clamped(actual.real, form) - real, clamped(actual.imag, form) - imaginary)
    return float(mp.ldexp(distance, -unit))


class Worst(NamedTuple):
    """The largest error of a function, and where."""

    error: float
    arguments: tuple
    actual: object
    count: int


def measure(function: Function, dtype: str, samples: float) -> Worst:
    """The largest error of a function of real numbers on this dtype."""
    form = FORMATS[dtype]
    rng = np.random.default_rng(zlib.crc32(f"{function.name} {dtype}".encode()))
    arguments = arguments_of(function, form, samples, rng)
    results = computed(function.call, arguments)
    worst = Worst(-1.0, (), None, len(results))
    with mpmath.workprec(PRECISION):
        for *given, actual in zip(*(a.tolist() for a in arguments), results.tolist(), strict=True):
            exact = function.exact(*(each if function.exact in (math.fmod, math.remainder)
                                     else mp.mpf(each) for each in given))  # fmt: skip
            error = error_of(actual, exact, form)
            if error > worst.error:
                worst = Worst(error, tuple(given), actual, len(results))
    return worst


def complex_arguments(function: Function, form: Format, samples: float, rng) -> np.ndarray:
    """Both parts of all exponents, one of them, and none: parts of the function's own ranges."""
    parts = [within(function, form, samples, rng) for _ in range(2)]
    count = min(map(len, parts))
    re, im = (rng.permutation(part)[:count] for part in parts)
    dense = np.concatenate([rng.uniform(low, high, count) for low, high in function.ranges])
    re = np.concatenate([re, rng.choice(dense, count), re, rng.choice(dense, count)])
    im = np.concatenate([im, rng.choice(dense, count), rng.choice(dense, count), im])
    made = np.empty(len(re), "c8" if form.dtype.itemsize == 4 else "c16")
    made.real, made.imag = re, im
    return made


def measure_complex(function: Function, dtype: str, samples: float) -> Worst:
    """The same of a function of complex numbers whose parts have this dtype."""
    form = FORMATS[dtype]
    rng = np.random.default_rng(zlib.crc32(f"complex {function.name} {dtype}".encode()))
    z = complex_arguments(function, form, samples, rng)
    results = computed(function.call, [z])
    worst = Worst(-1.0, (), None, len(z))
    with mpmath.workprec(PRECISION):
        for given, actual in zip(z.tolist(), results.tolist(), strict=True):
            error = complex_error_of(actual, mp.mpc(function.exact(mp.mpc(given))), form)
            if error > worst.error:
                worst = Worst(error, (given,), actual, len(z))
    return worst


def bounds(head: str) -> dict[str, tuple[float, float]]:
    """What a table of docs/accuracy.md promises for the two formats."""
    rows = PAGE.read_text().split(head, 1)[1].strip().splitlines()[1:]
    table = {}
    for row in rows:
        if not row.startswith("|"):
            break
        name, single, double = (cell.strip() for cell in row.strip("|").split("|"))
        table[name.strip("`")] = (float(single), float(double))
    return table


def shown(error: float) -> str:
    """A tenth more, for arguments that were not drawn, rounded up."""
    return f"{math.ceil(error * 11) / 10:.1f}"


def write(head: str, errors: dict[str, list[float]]) -> None:
    """Raises the bounds in the table of the page where an error is above."""
    known = bounds(head)
    before, after = PAGE.read_text().split(head, 1)
    lines = after.strip().splitlines()
    while lines and lines[0].startswith("|"):
        lines.pop(0)
    rows = []
    for name, both in errors.items():
        cells = [
            max(shown(error), f"{old:.1f}", key=float)
            for error, old in zip(both, known.get(name, (0.0, 0.0)), strict=True)
        ]
        rows.append(f"| `{name}` | {' | '.join(cells)} |")
    rest = "\n".join(lines)
    PAGE.write_text(before + "\n".join([head, "|---|---|---|", *rows]) + "\n" + rest + "\n")


def measured(functions, measure_one, samples: float, only: list[str]) -> dict[str, list[float]]:
    errors = {}
    for function in functions:
        if only and function.name not in only:
            continue
        worst = [measure_one(function, dtype, samples) for dtype in FORMATS]
        errors[function.name] = [each.error for each in worst]
        for dtype, each in zip(FORMATS, worst, strict=True):
            print(
                f"{function.name:16} {dtype} {each.error:10.4f} ulp of {each.count}: "
                f"{each.arguments} -> {each.actual}",
                flush=True,
            )
    return errors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=float, default=4, help="of each exponent")
    parser.add_argument("--only", nargs="*", default=[], help="names of functions")
    parser.add_argument("--write", action="store_true", help="raise the page's bounds")
    given = parser.parse_args()
    real = measured(FUNCTIONS, measure, given.samples, given.only)
    print("complex numbers, parts of")
    of_complex = measured(COMPLEX_FUNCTIONS, measure_complex, given.samples / 4, given.only)
    if given.write and not given.only:
        write(TABLE_HEAD, real)
        write(COMPLEX_HEAD, of_complex)


if __name__ == "__main__":
    main()
