"""Print the coefficients of phalanx/numpy/special_coefficients.h, computed with mpmath.

Each approximation is the polynomial or the quotient of two that has the function's values at the
Chebyshev nodes of an interval, and the greatest relative error between them is printed beside it.
"""

from __future__ import annotations

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
        j, y = (each * mp.sqrt(mp.pi * x / 2) for each in (mp.besselj(order, x), mp.bessely(order, x)))
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


TABLES: list[tuple[str, Function, tuple[float, float], tuple[int, int]]] = [
    *((f"j{n}_small", small_j(n), (-1, 1), (12, 0)) for n in (0, 1)),
    *((f"y{n}_small", small_y(n), (-1, 1), (14, 0)) for n in (0, 1)),
    *((f"p{n}", modulated(n, False), (0, 1), (7, 7)) for n in (0, 1)),
    *((f"q{n}", modulated(n, True), (0, 1), (8, 8)) for n in (0, 1)),
    *((f"i{n}_small", small_i(n), (0, 16), (17, 0)) for n in (0, 1)),
    *((f"i{n}_large", large_i(n), (-1, 1), (23, 0)) for n in (0, 1)),
    *((f"k{n}_small", small_k(n), (0, 1), (7, 0)) for n in (0, 1)),
    *((f"k{n}_large", large_k(n), (0, 1), (10, 10)) for n in (0, 1)),
    ("log_gamma_1", log_gamma_near_1, (-0.5, 0.5), (9, 9)),
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
        mp.fsum(mp.bernoulli(2 * k) / (2 * k * (2 * k - 1)) * z ** (2 * k - 1) for k in range(1, 12))
    )


def main() -> None:
    """Print all of them."""

    print("// Numbers that tools/special_coefficients.py computes, which says what they are of.")
    print("#pragma once\n\nnamespace phalanx::numpy {\n")

    def show(name: str, numbers: list[mp.mpf]) -> None:
        listed = ", ".join(repr(float(each)) for each in numbers)
        print(f"inline constexpr double {name}[] = {{{listed}}};")

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
    # Of |eta| <= 0.48, where |x / a - 1| <= 0.4, and of a >= 20.
    for k, row in enumerate(temme(11, 18)):
        terms = [abs(each) * mp.mpf(0.48) ** n * mp.mpf(20) ** -k for n, each in enumerate(row)]
        kept = max((n + 1 for n, term in enumerate(terms) if term > 5e-18), default=0)
        if kept:
            show(f"temme_{k}", row[:kept])
    print("\n}  // namespace phalanx::numpy")


if __name__ == "__main__":
    main()
