"""Print the coefficients of phalanx/numpy/special_coefficients.h, computed with mpmath.

Each approximation is the polynomial or the quotient of two that has the function's values at the
Chebyshev nodes of an interval, and the greatest relative error between them is printed beside it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator

import mpmath as mp

mp.mp.dps = 60
Function = Callable[[mp.mpf], mp.mpf]


def quotient(
    function: Function, ends: tuple[float, float], degrees: tuple[int, int]
) -> tuple[list[mp.mpf], list[mp.mpf], float]:
    """The coefficients above and below, of which the first below is 1, and the relative error."""
    above, below = degrees
    count = above + below + 1
    low, high = (mp.mpf(end) for end in ends)

    def node(i: mp.mpf) -> mp.mpf:
        return (low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * count))

    nodes = [node(mp.mpf(i)) for i in range(count)]
    values = [function(x) for x in nodes]
    rows = [
        [x**j for j in range(above + 1)] + [-f * x**k for k in range(1, below + 1)]
        for x, f in zip(nodes, values, strict=True)
    ]
    solved = list(mp.lu_solve(mp.matrix(rows), mp.matrix(values)))
    upper, lower = solved[: above + 1], [mp.mpf(1), *solved[above + 1 :]]

    def error(x: mp.mpf) -> float:
        made = mp.polyval(upper[::-1], x) / mp.polyval(lower[::-1], x)
        return float(abs(made / function(x) - 1))

    between = [node(i + mp.mpf(part) / 3) for i in range(-1, count) for part in range(3)]
    return upper, lower, max(error(x) for x in between if low < x < high)


def zero(order: int, number: int) -> mp.mpf:
    """The positive zero of J of the order, by its number."""
    return mp.besseljzero(order, number)


def centred(function: Function, end: int) -> Function:
    """The function of x^2 from 0 to end^2, of a variable from -1 to 1."""
    return lambda t: function(mp.sqrt(mp.mpf(end) ** 2 * (1 + t) / 2))


def small_j(order: int) -> Function:
    """J without its zeros below 7.1, by x^order."""
    zeros = [zero(order, 1), zero(order, 2)]
    return centred(
        lambda x: mp.besselj(order, x) / x**order / mp.fprod(x * x - z * z for z in zeros), 5
    )


def small_y(order: int) -> Function:
    """Y without the parts that have poles, by x^order."""

    def rest(x: mp.mpf) -> mp.mpf:
        poles = mp.besselj(order, x) * mp.log(x) - order / x
        return (mp.bessely(order, x) - 2 / mp.pi * poles) / x**order

    return centred(rest, 5)


def modulated(order: int, is_sine: bool) -> Function:
    """P or Q x of DLMF 10.17.3 from 5 on, of (5 / x)^2."""

    def of(z: mp.mpf) -> mp.mpf:
        x = 5 / mp.sqrt(z)
        turned = x - mp.pi * (2 * order + 1) / 4
        j, y = (
            each * mp.sqrt(mp.pi * x / 2) for each in (mp.besselj(order, x), mp.bessely(order, x))
        )
        if is_sine:
            return x * (y * mp.cos(turned) - j * mp.sin(turned))
        return j * mp.cos(turned) + y * mp.sin(turned)

    return of


def small_i(order: int) -> Function:
    """I by x^order, of x^2 / 4."""
    return lambda y: mp.besseli(order, 2 * mp.sqrt(y)) / (2 * mp.sqrt(y)) ** order


def large_i(order: int) -> Function:
    """I by exp(x) / sqrt(x), of 16 / x - 1."""

    def of(t: mp.mpf) -> mp.mpf:
        x = 16 / (1 + t)
        return mp.besseli(order, x) * mp.exp(-x) * mp.sqrt(x)

    return of


def small_k(order: int) -> Function:
    """K without the parts that have poles, by x^order, of x^2."""

    def of(y: mp.mpf) -> mp.mpf:
        x = mp.sqrt(y)
        poles = order / x - (-1) ** order * mp.log(x) * mp.besseli(order, x)
        return (mp.besselk(order, x) - poles) / x**order

    return of


def large_k(order: int) -> Function:
    """K by exp(-x) / sqrt(x), of 1 / x."""
    return lambda z: mp.besselk(order, 1 / z) * mp.exp(1 / z) * mp.sqrt(1 / z)


def log_gamma_near_1(x: mp.mpf) -> mp.mpf:
    """The logarithm of gamma(1 + x), by x."""
    return mp.loggamma(1 + x) / x if abs(x) > 1e-30 else -mp.euler


def small_e1(x: mp.mpf) -> mp.mpf:
    """E_1 without its logarithm."""
    return mp.e1(x) + mp.log(x)


def large_e1(z: mp.mpf) -> mp.mpf:
    """E_1 by exp(-x) / x, of 1 / x."""
    return mp.e1(1 / z) * mp.exp(1 / z) / z


EI_ZERO = mp.findroot(mp.ei, 0.3725)


def small_ei(t: mp.mpf) -> mp.mpf:
    """Ei without its logarithm and its zero, of x / 3 - 1."""
    x = 3 * (1 + t)
    return (mp.ei(x) - mp.log(x / EI_ZERO)) / (x - EI_ZERO)


def large_ei(z: mp.mpf) -> mp.mpf:
    """Ei by exp(x) / x, of 1 / x."""
    return mp.re(mp.ei(1 / z)) * mp.exp(-1 / z) / z


def scaled_erfc(t: mp.mpf) -> mp.mpf:
    """exp(x^2) erfc(x) (1 + x), of 1 / (1 + x)."""
    x = 1 / t - 1
    if x > 1e6:  # where its logarithm overflows; the series' rest is below 1e-55
        terms = (mp.fac2(2 * k - 1) * (-2 * x * x) ** -k for k in range(1, 6))
        return (1 + mp.fsum(terms)) / (x * mp.sqrt(mp.pi)) / t
    return mp.exp(x * x) * mp.erfc(x) / t


def small_si(t: mp.mpf) -> mp.mpf:
    """Si by x, of x^2 / 8 - 1."""
    x = mp.sqrt(8 * (1 + t))
    return mp.si(x) / x


def small_ci(t: mp.mpf) -> mp.mpf:
    """Ci without its logarithm, of x^2 / 8 - 1."""
    x = mp.sqrt(8 * (1 + t))
    return mp.ci(x) - mp.log(x)


def auxiliary(is_sine: bool) -> Function:
    """f x or g x^2 of DLMF 6.2.17 and 6.2.18, of (4 / x)^2."""

    def of(z: mp.mpf) -> mp.mpf:
        x = 4 / mp.sqrt(z)
        si, ci = mp.si(x) - mp.pi / 2, mp.ci(x)
        if is_sine:
            return -x * x * (ci * mp.cos(x) + si * mp.sin(x))
        return x * (ci * mp.sin(x) - si * mp.cos(x))

    return of


TABLES: list[tuple[str, Function, tuple[float, float], tuple[int, int]]] = [
    *((f"j{n}_small", small_j(n), (-1, 1), (12, 0)) for n in (0, 1)),
    *((f"y{n}_small", small_y(n), (-1, 1), (14, 0)) for n in (0, 1)),
    *((f"p{n}", modulated(n, False), (0, 1), (7, 7)) for n in (0, 1)),
    *((f"q{n}", modulated(n, True), (0, 1), (8, 8)) for n in (0, 1)),
    *((f"i{n}_small", small_i(n), (0, 16), (17, 0)) for n in (0, 1)),
    *((f"i{n}_large", large_i(n), (-1, 1), (23, 0)) for n in (0, 1)),
    *((f"k{n}_small", small_k(n), (0, 1), (7, 0)) for n in (0, 1)),
    *((f"k{n}_large", large_k(n), (0, 1), (10, 10)) for n in (0, 1)),
    ("e1_small", small_e1, (0, 1), (13, 0)),
    ("e1_from_1", large_e1, (1 / 4, 1), (9, 9)),
    ("e1_from_4", large_e1, (0, 1 / 4), (10, 10)),
    ("ei_small", small_ei, (-1, 1), (19, 0)),
    ("ei_from_6", large_ei, (1 / 12, 1 / 6), (9, 9)),
    ("ei_from_12", large_ei, (1 / 24, 1 / 12), (9, 9)),
    ("ei_from_24", large_ei, (1 / 48, 1 / 24), (14, 0)),
    ("ei_from_48", large_ei, (0, 1 / 48), (5, 5)),
    ("erfcx_to_3", scaled_erfc, (1 / 4, 1), (9, 9)),
    ("erfcx_from_3", scaled_erfc, (0, 1 / 4), (8, 7)),
    ("si_small", small_si, (-1, 1), (11, 0)),
    ("ci_small", small_ci, (-1, 1), (12, 0)),
    *((f"si_{'g' if g else 'f'}_from_4", auxiliary(g), (1 / 4, 1), (8, 8)) for g in (False, True)),
    *(
        (f"si_{'g' if g else 'f'}_from_8", auxiliary(g), (0, 1 / 4), (10, 10))
        for g in (False, True)
    ),
    ("log_gamma_1", log_gamma_near_1, (0, 0.5), (7, 7)),
]


def temme(rows: int, columns: int) -> Iterator[list[mp.mpf]]:
    """The coefficients of DLMF 8.12.12: row k has those of c_k, as a series of eta."""
    count = columns + 2 * rows + 3
    # lambda - 1 = eta + alpha_2 eta^2 + ... solves lambda' (lambda - 1) = eta lambda.
    alpha = [mp.mpf(0), mp.mpf(1)]
    for n in range(2, count):
        inner = sum((k * alpha[k] * alpha[n + 1 - k] for k in range(2, n)), mp.mpf(0))
        alpha.append((alpha[n - 1] - inner) / (n + 1))
    before = [mp.mpf(-1) / 3] + [(n + 2) * alpha[n + 2] for n in range(1, count - 2)]
    first = before
    yield first[:columns]
    for k in range(1, rows):
        stirling = mp.taylor(gamma_star, 0, k)[k]
        before = [
            (-1) ** k * stirling * first[n] + (n + 2) * before[n + 2]
            for n in range(len(before) - 2)
        ]
        yield before[:columns]


def gamma_star(z: mp.mpf) -> mp.mpf:
    """exp of Stirling's series of 1 / z; enough of it for the derivatives at 0."""
    return mp.exp(
        mp.fsum(
            mp.bernoulli(2 * k) / (2 * k * (2 * k - 1)) * z ** (2 * k - 1) for k in range(1, 12)
        )
    )


def main() -> None:
    """Print all of them."""

    print("// Numbers that tools/special_coefficients.py computes, which says what they are of.")
    print("#pragma once\n\nnamespace phalanx::numpy {\n")
    print("// NOLINTBEGIN(modernize-use-std-numbers): some are near constants of another meaning")
    print("// clang-format off: it would give each number a line")

    def show(name: str, numbers: list[mp.mpf]) -> None:
        listed = ", ".join(repr(float(each)) for each in numbers)
        print(f"inline constexpr double {name}[] = {{")
        print(textwrap.fill(listed + "};", 100, initial_indent="    ", subsequent_indent="    "))

    for name, function, ends, degrees in TABLES:
        above, below, error = quotient(function, ends, degrees)
        print(f"// The relative error is at most {error:.0e}.")
        show(name if not degrees[1] else f"{name}_above", above)
        if degrees[1]:
            show(f"{name}_below", below)
    for order in (0, 1):
        for number in (1, 2):
            exact = zero(order, number)
            high = mp.mpf(round(float(exact) * 2**20)) / 2**20
            show(f"j{order}_zero_{number}", [high, exact - high])
    high = mp.mpf(round(float(EI_ZERO) * 2**20)) / 2**20
    show("ei_zero", [high, EI_ZERO - high])
    # Of |eta| <= 0.48, where |x / a - 1| <= 0.4, and of a >= 20.
    for k, row in enumerate(temme(11, 18)):
        terms = [abs(each) * mp.mpf(0.48) ** n * mp.mpf(20) ** -k for n, each in enumerate(row)]
        kept = max((n + 1 for n, term in enumerate(terms) if term > 5e-18), default=0)
        if kept:
            show(f"temme_{k}", row[:kept])
    print("// clang-format on\n// NOLINTEND(modernize-use-std-numbers)")
    print("\n}  // namespace phalanx::numpy")


if __name__ == "__main__":
    main()
