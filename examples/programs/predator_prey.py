"""Hares and lynxes: the Lotka-Volterra equations for many rates of growth at once.

A generalised ufunc that integrates one system, over arrays of systems, as users of
`numba.guvectorize` sweep over parameters. Equations: A. Lotka, 1925, and V. Volterra, 1926; method:
Runge and Kutta's of fourth order. What stays the same along each orbit checks it.
"""

import numpy as np
from _program import Run, check, start
from numba import guvectorize, njit

FIELD, USES = "biology", "ufuncs"
PREDATION, DEATH, CONVERSION, STEP = 0.4, 0.5, 0.15, 0.01


@njit
def growth(rate, hares, lynxes):
    return hares * (rate - PREDATION * lynxes), lynxes * (CONVERSION * hares - DEATH)


@guvectorize(["void(float64, float64[:], float64[:], float64[:])"], "(),(t)->(t),(t)",
             target="parallel")  # fmt: skip
def integrate(rate, times, hares, lynxes):
    """Both numbers at each time; the times are STEP apart."""
    x, y = 4.0, 1.0
    for k in range(times.shape[0]):
        hares[k], lynxes[k] = x, y
        dx1, dy1 = growth(rate, x, y)
        dx2, dy2 = growth(rate, x + STEP / 2 * dx1, y + STEP / 2 * dy1)
        dx3, dy3 = growth(rate, x + STEP / 2 * dx2, y + STEP / 2 * dy2)
        dx4, dy4 = growth(rate, x + STEP * dx3, y + STEP * dy3)
        x += STEP / 6 * (dx1 + 2 * dx2 + 2 * dx3 + dx4)
        y += STEP / 6 * (dy1 + 2 * dy2 + 2 * dy3 + dy4)


def integrate_in_numpy(rate, times):
    """All systems take a step together."""
    slope = growth.py_func
    state = np.stack([np.full_like(rate, 4.0), np.ones_like(rate)])
    out = np.empty((2, rate.size, times.size))
    for k in range(times.size):
        out[:, :, k] = state
        first = np.stack(slope(rate, *state))
        second = np.stack(slope(rate, *(state + STEP / 2 * first)))
        third = np.stack(slope(rate, *(state + STEP / 2 * second)))
        fourth = np.stack(slope(rate, *(state + STEP * third)))
        state = state + STEP / 6 * (first + 2 * second + 2 * third + fourth)
    return out


def kept(rate, hares, lynxes):
    """The constant of an orbit."""
    return CONVERSION * hares - DEATH * np.log(hares) + PREDATION * lynxes - rate * np.log(lynxes)


def main(run: Run) -> None:
    systems, steps = run.size((2000, 3000), (20, 200))
    rate, times = np.linspace(0.4, 1.6, systems), STEP * np.arange(steps)
    hares, lynxes = run.measure(lambda: integrate(rate, times))
    expected = run.peer("NumPy", lambda: integrate_in_numpy(rate, times))
    run.agree((hares, lynxes), expected, rtol=1e-9)
    constant = kept(rate[:, None], hares, lynxes)
    check(constant, np.broadcast_to(constant[:, :1], constant.shape), rtol=1e-7)

    def draw(axes):
        for k in range(0, systems, max(systems // 8, 1)):
            axes.plot(hares[k], lynxes[k], label=f"growth {rate[k]:.2f}")
        axes.set(xlabel="hares", ylabel="lynxes")
        axes.legend()

    run.picture(draw)


if __name__ == "__main__":
    start(main)
