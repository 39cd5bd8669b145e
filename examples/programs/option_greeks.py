"""Monte Carlo: price, delta and vega of an Asian option, in one pass over simulated paths.

The Monte-Carlo pricer of CUDA's samples and of Numba's GPU courses, with Greeks by the pathwise
method (P. Glasserman, "Monte Carlo Methods in Financial Engineering", 2003, 7.2). The price of the
option on the geometric mean is known (Kemna and Vorst, 1990): simulated beside it, it checks all.
"""

import math

import numpy as np
from _program import Run, check, start
from numba import cuda
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_normal_float64

FIELD, USES = "finance", "kernels"
SPOT, STRIKE, RATE, VOLATILITY, YEARS, STEPS = 100.0, 100.0, 0.03, 0.25, 1.0, 32
THREADS = 4096


@cuda.jit
def simulate(states, paths, sums):
    """Each thread adds up the pay-offs of its paths, their slopes, and the geometric one's."""
    thread = cuda.grid(1)
    if thread < sums.shape[1]:
        step = YEARS / STEPS
        drift = (RATE - VOLATILITY * VOLATILITY / 2) * step
        paid = delta = vega = geometric = 0.0
        for _ in range(paths):
            log_price = math.log(SPOT)
            noise = mean = slope = log_mean = 0.0
            for k in range(1, STEPS + 1):
                normal = xoroshiro128p_normal_float64(states, thread)
                log_price += drift + VOLATILITY * math.sqrt(step) * normal
                noise += math.sqrt(step) * normal
                price = math.exp(log_price)
                mean += price / STEPS
                slope += price * (noise - VOLATILITY * step * k) / STEPS  # of price by volatility
                log_mean += log_price / STEPS
            if mean > STRIKE:
                paid += mean - STRIKE
                delta += mean / SPOT
                vega += slope
            geometric += max(math.exp(log_mean) - STRIKE, 0.0)
        sums[0, thread] = paid
        sums[1, thread] = delta
        sums[2, thread] = vega
        sums[3, thread] = geometric


def geometric_price():
    """The closed form for the geometric mean of STEPS prices."""
    step = YEARS / STEPS
    mean = math.log(SPOT) + (RATE - VOLATILITY**2 / 2) * step * (STEPS + 1) / 2
    spread = VOLATILITY * math.sqrt(step * (STEPS + 1) * (2 * STEPS + 1) / (6 * STEPS))
    below = (mean - math.log(STRIKE)) / spread
    normal = [0.5 * math.erfc(-x / math.sqrt(2)) for x in (below + spread, below)]
    forward = math.exp(mean + spread**2 / 2)
    return math.exp(-RATE * YEARS) * (forward * normal[0] - STRIKE * normal[1])


def simulate_in_numpy(paths):
    step = YEARS / STEPS
    normal = np.random.default_rng(5).standard_normal((paths, STEPS))
    noise = np.sqrt(step) * normal.cumsum(axis=1)
    years = step * np.arange(1, STEPS + 1)
    price = SPOT * np.exp((RATE - VOLATILITY**2 / 2) * years + VOLATILITY * noise)
    mean = price.mean(axis=1)
    slope = (price * (noise - VOLATILITY * years)).mean(axis=1)
    geometric = np.maximum(np.exp(np.log(price).mean(axis=1)) - STRIKE, 0)
    paid = mean > STRIKE
    sums = (mean - STRIKE) @ paid, mean @ paid / SPOT, slope @ paid, geometric.sum()
    return math.exp(-RATE * YEARS) * np.array(sums) / paths


def main(run: Run) -> None:
    paths = run.size(256, 8)
    states = create_xoroshiro128p_states(THREADS, seed=11)
    sums = cuda.device_array((4, THREADS))

    def job():
        simulate[THREADS // 128, 128](states, paths, sums)
        return math.exp(-RATE * YEARS) * sums.copy_to_host().mean(axis=1) / paths

    result = run.measure(job)
    total, part = THREADS * paths, min(THREADS * paths, 100_000)
    # Standard errors are about 8.6, 0.6, 60 and 8.2 by the root of the number of paths.
    errors = 5 * np.array([8.6, 0.6, 60.0, 8.2])
    check(abs(result[3] - geometric_price()) < errors[3] / math.sqrt(total), True)
    plain = run.peer("NumPy", lambda: simulate_in_numpy(part), share=part / total)
    check(np.all(np.abs(result - plain) < errors * math.sqrt(1 / part + 1 / total)), True)


if __name__ == "__main__":
    start(main)
