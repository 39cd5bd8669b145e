"""What the programs of the gallery share: a plain picture of an array, and where it goes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.animation import FuncAnimation, PillowWriter
from matplotlib.figure import Figure

SIZE = (4.8, 3.6)  # inches; 120 dots each


def image(array: Any, colors: str = "viridis", **options: Any) -> Figure:
    """A figure that is the array, (height, width) or (height, width, 3), without axes."""
    figure = Figure(figsize=SIZE)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.imshow(np.asarray(array), cmap=colors, aspect="auto", **options)
    return figure


def film(frames: Sequence[Any], colors: str = "viridis", **options: Any) -> FuncAnimation:
    """An animation of arrays of one shape (height, width), without axes."""
    figure = image(frames[0], colors, **options)
    shown = figure.axes[0].images[0]

    def step(number: int) -> list[Any]:
        shown.set_data(np.asarray(frames[number]))
        return [shown]

    return FuncAnimation(figure, step, frames=len(frames), interval=80)


def save(picture: Figure | FuncAnimation, folder: Path, name: str) -> Path:
    """Writes a figure as NAME.png, an animation as NAME.gif; returns the file."""
    with mpl.rc_context({"savefig.dpi": 120}):
        if isinstance(picture, FuncAnimation):
            file = folder / f"{name}.gif"
            picture.save(file, writer=PillowWriter(fps=12), dpi=80)
        else:
            file = folder / f"{name}.png"
            picture.savefig(file)
    return file


def main(draw: Callable[[], Figure | FuncAnimation]) -> None:
    """Draws the picture of a program into the folder that is named, or the current one."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    print(save(draw(), folder, Path(sys.argv[0]).stem))
