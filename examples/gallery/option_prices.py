"""What an option costs, by Black and Scholes.

One expression over 40,000 prices and terms, which runs as one kernel.
"""

import numpy as np
from _show import SIZE, main
from matplotlib.figure import Figure

import phalanx as px


def call_price(spot, strike, years, rate, volatility):
    root = volatility * px.sqrt(years)
    d1 = (px.log(spot / strike) + (rate + volatility**2 / 2) * years) / root
    discounted = strike * px.exp(-rate * years)
    return spot * px.special.ndtr(d1) - discounted * px.special.ndtr(d1 - root)


def draw():
    spot, years = px.meshgrid(px.linspace(50, 150, 200), px.linspace(0.01, 2, 200))
    price = call_price(spot, 100.0, years, 0.03, 0.25)
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.add_subplot(projection="3d")
    x, y, z = (np.asarray(each) for each in (spot, years, price))
    axes.plot_surface(x, y, z, cmap="viridis")
    axes.set(xlabel="price of the share", ylabel="years", zlabel="call", title="price of a call")
    return figure


if __name__ == "__main__":
    main(draw)
