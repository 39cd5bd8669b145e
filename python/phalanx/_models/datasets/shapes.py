"""Samples along curves: moons, circles, a rolled sheet, an S."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from ..draws import shuffled
from ..options import generator_of
from .output import check_count, data_set


def _counts(n_samples: Any) -> tuple[int, int]:
    """How many samples the first and the second curve have."""
    if isinstance(n_samples, numbers.Integral):
        check_count("n_samples", n_samples)
        return int(n_samples) // 2, int(n_samples) - int(n_samples) // 2
    if not hasattr(n_samples, "__len__") or len(n_samples) != 2:
        raise ValueError("`n_samples` can be either an int or a two-element tuple.")
    return int(n_samples[0]), int(n_samples[1])


def _two_curves(first: Any, second: Any, shuffle: bool, noise: Any, random_state: Any) -> Any:
    random = generator_of(random_state)
    x = np.concatenate([np.stack(first, axis=1), np.stack(second, axis=1)])
    y = np.repeat(np.arange(2, dtype=np.intp), [len(first[0]), len(second[0])])
    if shuffle:
        x, y = shuffled(random, x, y)
    if noise is not None:
        x = x + random.normal(scale=noise, size=x.shape)
    return x, y


@data_set
def make_moons(
    n_samples: Any = 100, *, shuffle: bool = True, noise: Any = None, random_state: Any = None
) -> Any:
    """Return samples x 2 on two half circles that reach into each other, and which one, 0 or 1.

    `n_samples` is a number, or one for each. Raises ValueError for others.
    """
    outer, inner = (np.linspace(0, np.pi, count) for count in _counts(n_samples))
    first = (np.cos(outer), np.sin(outer))
    second = (1 - np.cos(inner), 1 - np.sin(inner) - 0.5)
    return _two_curves(first, second, shuffle, noise, random_state)


@data_set
def make_circles(
    n_samples: Any = 100,
    *,
    shuffle: bool = True,
    noise: Any = None,
    random_state: Any = None,
    factor: float = 0.8,
) -> Any:
    """Return samples x 2 on a circle and one of radius `factor` inside, and which one, 0 or 1.

    Raises ValueError for numbers as `make_moons`, and for a factor outside [0, 1).
    """
    if not 0 <= factor < 1:
        raise ValueError(f"The 'factor' parameter must be in the range [0, 1). Got {factor!r}.")
    outer, inner = (
        np.linspace(0, 2 * np.pi, count, endpoint=False) for count in _counts(n_samples)
    )
    first = (np.cos(outer), np.sin(outer))
    second = (np.cos(inner) * factor, np.sin(inner) * factor)
    return _two_curves(first, second, shuffle, noise, random_state)


@data_set
def make_swiss_roll(
    n_samples: int = 100, *, noise: float = 0.0, random_state: Any = None, hole: bool = False
) -> Any:
    """Return samples x 3 on a rolled sheet, and where along the roll each is.

    Of S. Marsland, "Machine Learning: An Algorithmic Perspective" (2009).
    Raises ValueError for no samples.

    >>> from phalanx.ml.datasets import make_swiss_roll
    >>> X, y = make_swiss_roll(20, random_state=0)
    >>> X.shape, y.shape
    ((20, 3), (20,))
    """
    check_count("n_samples", n_samples)
    random = generator_of(random_state)
    if hole:
        tiles = [(np.pi * (1.5 + i), 7 * j) for i in range(3) for j in range(3) if (i, j) != (1, 1)]
        corners = np.array(tiles)[random.choice(8, n_samples)].T
        along, across = corners + random.uniform(size=(2, n_samples)) * np.array([[np.pi], [7]])
    else:
        along = 1.5 * np.pi * (1 + 2 * random.uniform(size=n_samples))
        across = 21 * random.uniform(size=n_samples)
    x = np.stack([along * np.cos(along), across, along * np.sin(along)])
    return (x + noise * random.standard_normal(size=x.shape)).T, along


@data_set
def make_s_curve(n_samples: int = 100, *, noise: float = 0.0, random_state: Any = None) -> Any:
    """Return samples x 3 on a sheet bent into an S, and where along it each is.

    Raises ValueError for no samples.

    >>> from phalanx.ml.datasets import make_s_curve
    >>> X, y = make_s_curve(20, random_state=0)
    >>> X.shape, y.shape
    ((20, 3), (20,))
    """
    check_count("n_samples", n_samples)
    random = generator_of(random_state)
    along = 3 * np.pi * (random.uniform(size=n_samples) - 0.5)
    across = 2.0 * random.uniform(size=n_samples)
    x = np.stack([np.sin(along), across, np.sign(along) * (np.cos(along) - 1)], axis=1)
    return x + noise * random.standard_normal(size=(3, n_samples)).T, along
