"""Ticks to bars: trades with the quotes of their time, and bars of a minute with their VWAP.

The first notebook of a trading desk that has pandas: `merge_asof`, `resample`, rolling means. The
pandas code with the import replaced. Trades are told from sales by the quote rule of C. Lee and
M. Ready, "Inferring Trade Direction from Intraday Data", 1991.
"""

import importlib

import numpy as np
from _program import Run, check, start

import phalanx as px

FIELD, USES = "finance", "frames"


def ticks(count):
    """Trades and quotes of one day, as columns of NumPy."""
    rng = np.random.default_rng(12)
    opening = np.datetime64("2026-03-02T09:00:00", "ms")
    when = opening + np.sort(rng.integers(0, 8 * 3_600_000, count))
    price = 100 + np.cumsum(rng.normal(0, 0.002, count))
    quoted = opening + np.sort(rng.integers(0, 8 * 3_600_000, 2 * count))
    middle = np.interp(quoted.astype(float), when.astype(float), price)
    trades = {"time": when, "price": np.round(price, 2), "size": rng.integers(1, 500, count)}
    quotes = {"time": quoted, "bid": middle - 0.005, "ask": middle + 0.005}
    return trades, quotes


def bars(pd, trades, quotes):
    """The job; `pd` is phalanx or pandas."""
    trades, quotes = pd.DataFrame(trades), pd.DataFrame(quotes)
    table = pd.merge_asof(trades, quotes, on="time").dropna()
    side = (table["price"] > (table["bid"] + table["ask"]) / 2).astype("float64") * 2 - 1
    table["signed"] = table["size"] * side
    table["turnover"] = table["price"] * table["size"]
    minutes = table.set_index("time").resample("1min")
    result = minutes["price"].ohlc()
    sums = minutes[["size", "signed", "turnover"]].sum()
    result["vwap"] = sums["turnover"] / sums["size"]
    result["imbalance"] = sums["signed"] / sums["size"]
    result["trend"] = result["close"].rolling(15).mean()
    return result


def main(run: Run) -> None:
    data = ticks(run.size(500_000, 20_000))
    table = run.measure(lambda: bars(px, *data))
    values = np.asarray(table)
    expected = run.peer("pandas", lambda: bars(importlib.import_module("pandas"), *data))
    run.agree(values, expected, rtol=1e-9, atol=1e-9)
    check(len(table), 480)
    check(bool((table["high"] >= table["low"]).all()), True)
    check(bool(table["vwap"].between(table["low"], table["high"]).all()), True)

    def draw(axes):
        hours = np.arange(len(table)) / 60 + 9
        axes.fill_between(hours, values[:, 2], values[:, 1], alpha=0.4, label="low to high")
        axes.plot(hours, values[:, 4], lw=1, label="VWAP")
        axes.plot(hours, values[:, 6], lw=1.5, label="mean of 15 minutes")
        axes.set(xlabel="hour", ylabel="price")
        axes.legend()

    run.picture(draw)


if __name__ == "__main__":
    start(main)
