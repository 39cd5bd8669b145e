"""An epidemic by chance: many runs of the SIR model, and how large an outbreak becomes.

The notebook of the spring of 2020, here with binomial draws of arrays. Model: W. Kermack and
A. McKendrick, 1927; steps of chance: tau leaping (D. Gillespie, 2001). The final size of large
outbreaks is known: the share z of those infected has 1 - z = exp(-R0 z).
"""

import numpy as np
from _program import Run, check, start

import phalanx as px

FIELD, USES = "biology", "random numbers"
PEOPLE, FIRST, R0, DAYS_ILL, STEP = 20_000, 10, 1.8, 5.0, 0.25


def outbreak(xp, rng, runs, steps):
    """The susceptible and the infected of each run after each day."""
    susceptible = xp.full(runs, PEOPLE - FIRST, dtype="int64")
    infected = xp.full(runs, FIRST, dtype="int64")
    history = []
    recovers = 1 - np.exp(-STEP / DAYS_ILL)
    for step in range(steps):
        meets = 1 - xp.exp(-R0 / DAYS_ILL * STEP / PEOPLE * infected)
        new = rng.binomial(susceptible, meets)
        well = rng.binomial(infected, recovers)
        susceptible = susceptible - new
        infected = infected + new - well
        if step % 4 == 3:
            history.append(infected)
    return np.asarray(susceptible), np.stack([np.asarray(each) for each in history])


def final_size():
    z = 0.9
    for _ in range(100):
        z = 1 - np.exp(-R0 * z)
    return z


def main(run: Run) -> None:
    runs, steps = run.size((20_000, 640), (500, 640))
    left, history = run.measure(lambda: outbreak(px, px.random.default_rng(3), runs, steps))
    some = runs // 10
    plain = run.peer(
        "NumPy",
        lambda: outbreak(np, np.random.default_rng(3), some, steps),
        share=some / runs,
    )
    # Some outbreaks die out at once; the others have one size, a little more as steps are coarse.
    share = 1 - left / PEOPLE
    large = share[share > 0.3]
    check(large.mean(), final_size(), atol=0.02)
    check(large.mean(), (1 - plain[0] / PEOPLE)[plain[0] < 0.7 * PEOPLE].mean(), atol=0.01)

    def draw(axes):
        days = np.arange(1, len(history) + 1)
        axes.plot(days, history[:, :60], color="tab:blue", alpha=0.15)
        axes.plot(days, history.mean(axis=1), "k", label="mean of all runs")
        axes.set(xlabel="day", ylabel="infected")
        axes.legend()

    run.picture(draw)


if __name__ == "__main__":
    start(main)
