"""The efficient frontier: a cloud of random portfolios, and the curve that bounds it.

The notebook by which portfolio theory is taught with pandas and NumPy. Theory: H. Markowitz,
"Portfolio Selection", 1952; the curve in closed form: R. Merton, 1972.
"""

import numpy as np
from _program import Run, check, start

import phalanx as px

FIELD, USES = "finance", "arrays"
ASSETS = 16


def market():
    """Yearly returns and their covariances: a common factor and a risk of each asset's own."""
    rng = np.random.default_rng(4)
    exposure = rng.uniform(0.4, 1.6, ASSETS)
    own = rng.uniform(0.05, 0.25, ASSETS)
    returns = 0.02 + 0.05 * exposure + 0.1 * own + rng.normal(0, 0.01, ASSETS)
    return returns, 0.15**2 * np.outer(exposure, exposure) + np.diag(own**2)


def weigh(xp, draws, returns, covariances):
    """Return and risk of portfolios whose shares are as the draws."""
    shares = draws / draws.sum(axis=1, keepdims=True)
    gain = shares @ returns
    risk = xp.sqrt(((shares @ covariances) * shares).sum(axis=1))
    return gain, risk, xp.argmax(gain / risk)


def frontier(returns, covariances, targets):
    """The least risk for each return, shares below 0 allowed."""
    inverse = np.linalg.inv(covariances)
    ones = np.ones(ASSETS)
    a, b, c = ones @ inverse @ ones, ones @ inverse @ returns, returns @ inverse @ returns
    return np.sqrt((a * targets**2 - 2 * b * targets + c) / (a * c - b * b))


def main(run: Run) -> None:
    count = run.size(1_000_000, 10_000)
    returns, covariances = market()

    def draw():
        # The cube makes portfolios that have few assets as likely as those that have all.
        return px.random.default_rng(9).exponential(size=(count, ASSETS)) ** 3

    def job():
        draws = draw()
        return [np.asarray(each) for each in weigh(px, draws, returns, covariances)]

    gain, risk, best = run.measure(job)
    host = np.asarray(draw())

    def plain():
        np.random.default_rng(9).exponential(size=(count, ASSETS))
        return weigh(np, host, returns, covariances)

    expected = run.peer("NumPy", plain)
    run.agree((gain, risk), expected[:2], rtol=1e-12)
    check(gain[best] / risk[best], (gain / risk).max(), rtol=1e-12)
    least = frontier(returns, covariances, gain)
    check(np.all(risk >= least * (1 - 1e-9)), True)

    def draw_cloud(axes):
        some = slice(0, 20_000)
        dots = axes.scatter(risk[some], gain[some], c=(gain / risk)[some], s=2, cmap="viridis")
        targets = np.linspace(gain.min(), gain.max(), 200)
        axes.plot(frontier(returns, covariances, targets), targets, "k", label="frontier")
        axes.plot(risk[best], gain[best], "r*", markersize=12, label="best of the cloud")
        axes.figure.colorbar(dots, label="return by risk")
        axes.set(xlabel="risk (standard deviation of a year)", ylabel="return of a year")
        axes.legend()

    run.picture(draw_cloud)


if __name__ == "__main__":
    start(main)
