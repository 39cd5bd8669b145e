"""Implied volatility: the price of an option turned into its volatility, by Newton's method.

A ufunc with a loop in it, as users of `numba.vectorize` write them: each element ends after its own
number of steps. Method: the Newton iteration of S. Manaster and G. Koehler, 1982, with their start.
"""

import math

import numpy as np
from _program import Run, check, start
from numba import vectorize

FIELD, USES = "finance", "ufuncs"
RATE = 0.01


def cumulative(x):
    """The normal distribution of NumPy arrays."""
    from scipy.special import ndtr

    return ndtr(x)


@vectorize(["float64(float64, float64, float64, float64)"], target="parallel")
def implied(price, spot, strike, years):
    discounted = strike * math.exp(-RATE * years)
    guess = math.sqrt(2 * abs(math.log(spot / discounted)) / years) + 1e-3
    for _ in range(60):
        spread = guess * math.sqrt(years)
        d1 = math.log(spot / discounted) / spread + spread / 2
        below = 0.5 * math.erfc(-d1 / math.sqrt(2.0))
        below_too = 0.5 * math.erfc(-(d1 - spread) / math.sqrt(2.0))
        error = spot * below - discounted * below_too - price
        vega = spot * math.sqrt(years / (2 * math.pi)) * math.exp(-d1 * d1 / 2)
        step = error / vega
        guess -= step
        if abs(step) < 1e-12:
            break
    return guess


def price_of(volatility, spot, strike, years):
    discounted = strike * np.exp(-RATE * years)
    spread = volatility * np.sqrt(years)
    d1 = np.log(spot / discounted) / spread + spread / 2
    half_erfc = np.vectorize(lambda x: 0.5 * math.erfc(-x / math.sqrt(2.0)))
    return spot * half_erfc(d1) - discounted * half_erfc(d1 - spread)


def implied_in_numpy(price, spot, strike, years):
    """All elements take the steps of the slowest one."""
    discounted = strike * np.exp(-RATE * years)
    guess = np.sqrt(2 * np.abs(np.log(spot / discounted)) / years) + 1e-3
    for _ in range(60):
        spread = guess * np.sqrt(years)
        d1 = np.log(spot / discounted) / spread + spread / 2
        error = spot * cumulative(d1) - discounted * cumulative(d1 - spread) - price
        step = error / (spot * np.sqrt(years / (2 * np.pi)) * np.exp(-d1 * d1 / 2))
        guess -= step
        if np.abs(step).max() < 1e-12:
            break
    return guess


def main(run: Run) -> None:
    count = run.size(500_000, 2_000)
    rng = np.random.default_rng(3)
    volatility, spot = rng.uniform(0.15, 0.6, count), rng.uniform(80, 120, count)
    strike, years = rng.uniform(80, 120, count), rng.uniform(0.5, 2.0, count)
    price = price_of(volatility, spot, strike, years)
    found = run.measure(lambda: implied(price, spot, strike, years))
    check(found, volatility, atol=1e-8)
    expected = run.peer("SciPy", lambda: implied_in_numpy(price, spot, strike, years))
    run.agree(found, expected, atol=1e-8)


if __name__ == "__main__":
    start(main)
