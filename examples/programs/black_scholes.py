"""Black-Scholes: prices of European options, as one fused kernel of arrays.

The program that CUDA's samples, Numba's examples and most array libraries show first. Formula:
F. Black and M. Scholes, "The Pricing of Options and Corporate Liabilities", 1973.
"""

import numpy as np
from _program import Run, check, start

import phalanx as px

FIELD, USES = "finance", "arrays"
RATE, VOLATILITY = 0.02, 0.3


def prices(xp, ndtr, spot, strike, years):
    """Calls and puts; `xp` is phalanx or NumPy, `ndtr` the normal distribution."""
    spread = VOLATILITY * xp.sqrt(years)
    d1 = (xp.log(spot / strike) + (RATE + VOLATILITY**2 / 2) * years) / spread
    d2 = d1 - spread
    discounted = strike * xp.exp(-RATE * years)
    call = spot * ndtr(d1) - discounted * ndtr(d2)
    return call, call - spot + discounted


def main(run: Run) -> None:
    count = run.size(4_000_000, 20_000)
    rng = np.random.default_rng(1)
    market = rng.uniform(5, 30, count), rng.uniform(1, 100, count), rng.uniform(0.25, 10, count)
    ours = [px.asarray(each) for each in market]

    def job():
        return [np.asarray(each) for each in prices(px, px.special.ndtr, *ours)]

    call, put = run.measure(job)
    # Five operations for a number, and nothing between them is written to memory.
    kernels = px.explain(prices(px, px.special.ndtr, *ours)[0]).kernels
    check(len(kernels), 1)

    def plain():
        from scipy.special import ndtr

        return prices(np, ndtr, *market)

    run.agree((call, put), run.peer("SciPy", plain), rtol=1e-9, atol=1e-9)
    check(call.min() >= -1e-9 and np.all(call <= market[0] + 1e-9), True)
    # By hand: d1 = 0.2167, d2 = -0.0833, so that a call on 100 at 100 in a year is 12.822.
    one = prices(px, px.special.ndtr, px.asarray([100.0]), px.asarray([100.0]), px.asarray([1.0]))
    check(np.asarray(one[0]), 12.8216, atol=1e-3)


if __name__ == "__main__":
    start(main)
