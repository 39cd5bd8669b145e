"""What the programs share: their size, times, comparisons, pictures and one line of results."""

from __future__ import annotations

import argparse
import importlib
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from phalanx.errors import DeviceError

import phalanx as px

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where _report is
from _report import best_time, check, text_of, timed

__all__ = ["Missing", "Run", "arguments", "check", "device", "perform", "start", "text_of"]

# Whom programs are compared with, and the modules that are imported before the clock starts.
PEERS = {
    "Python": (),
    "NumPy": (),
    "SciPy": ("scipy.ndimage", "scipy.sparse.csgraph", "scipy.special"),
    "pandas": ("pandas",),
    "scikit-learn": ("sklearn",),
    "Dask": ("dask.dataframe",),
}


class Missing(Exception):
    """A package that the program is about is not installed."""


class Run:
    """One run of a program: how large it is, where pictures go, and what was measured."""

    def __init__(self, name: str, small: bool = False, save: Path | None = None) -> None:
        self.name, self.small, self.save = name, small, save
        self.seconds = self.peer_seconds = math.nan
        self.peer_name = ""

    def size(self, full: Any, small: Any) -> Any:
        """The size that the program has in this run."""
        return small if self.small else full

    def need(self, *packages: str) -> None:
        """Raises `Missing` unless the packages are installed."""
        missing = [each for each in packages if not _is_installed(each)]
        if missing:
            raise Missing(f"{' and '.join(missing)} not installed")

    def measure(self, job: Callable[[], Any]) -> Any:
        """What `job` returns; its time is the best of some calls after one that compiles.

        `job` returns what is on the host, or waits for the device itself.
        """
        result = job()
        self.seconds = best_time(job, repeats=1 if self.small else 3)
        return result

    def peer(self, name: str, job: Callable[[], Any], share: float = 1.0) -> Any:
        """What the plain program `job` returns, timed; None where its library is missing.

        `share` is the part of the work that `job` does: its time is scaled by it.
        """
        modules = PEERS[name]
        if not all(_is_installed(each.partition(".")[0]) for each in modules):
            print(f"    {self.name}: not compared, as {name} is not installed")
            return None
        for each in modules:
            importlib.import_module(each)
        seconds, result = timed(job)
        if seconds < 1:  # the first call imports what the job needs
            seconds, result = timed(job)
        self.peer_name, self.peer_seconds = name, seconds / share
        return result

    def agree(self, actual: Any, expected: Any, rtol: float = 0.0, atol: float = 0.0) -> None:
        """Compares with what `peer` gave, if it gave something; raises `AssertionError`."""
        if expected is not None:
            check(np.asarray(actual), np.asarray(expected), rtol=rtol, atol=atol)

    def picture(self, draw: Callable[[Any], Any], size: tuple[float, float] = (6.4, 4.8)) -> None:
        """Writes the picture that `draw` makes on axes of matplotlib, if a folder was named."""
        if self.save is None:
            return
        if not _is_installed("matplotlib"):
            print(f"    {self.name}: no picture, as matplotlib is not installed")
            return
        figure = importlib.import_module("matplotlib.figure").Figure(size, layout="constrained")
        draw(figure.subplots())
        self.save.mkdir(parents=True, exist_ok=True)
        figure.savefig(self.save / f"{self.name}.png", dpi=100)

    @property
    def times(self) -> float:
        """How many times faster than the peer."""
        return self.peer_seconds / self.seconds

    @property
    def line(self) -> str:
        """The row of the table."""
        ours = f"{self.name:<20} {device():<7} {text_of(self.seconds):>10}"
        if not self.peer_name:
            return ours
        return f"{ours}   {self.peer_name:<12} {text_of(self.peer_seconds):>10} {self.times:9.1f} x"


def perform(main: Callable[[Run], None], run: Run) -> None:
    """Runs a program; raises `Missing` where a package that it is about is not installed."""
    try:
        main(run)
    except DeviceError as error:
        if "phalanx[cuda-c]" not in str(error):
            raise
        raise Missing(str(error)) from None


def device() -> str:
    """The device on which programs run: "cpu" or "cuda:0"."""
    return str(px.zeros(1).device)


def _is_installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def arguments(description: str) -> argparse.ArgumentParser:
    """The options that all programs have."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--small", action="store_true", help="a size for tests")
    parser.add_argument("--save", type=Path, metavar="DIR", help="write pictures into this folder")
    return parser


def start(main: Callable[[Run], None]) -> None:
    """Runs one program from the command line and prints its line."""
    # What is measured are the kernels, not what runs while they are compiled.
    px.config.background_compile = False
    file = Path(sys.modules[main.__module__].__file__ or "")
    options = arguments(sys.modules[main.__module__].__doc__ or "").parse_args()
    run = Run(file.stem, options.small, options.save)
    try:
        perform(main, run)
    except Missing as reason:
        print(f"{run.name} left out: {reason}")
    else:
        print(run.line)
