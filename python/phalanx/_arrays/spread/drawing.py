"""Random numbers of spread arrays: those that one device would draw, each its part."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..random import Generator, Philox4x32
from . import layout
from .array import SpreadArray

if TYPE_CHECKING:
    from .group import DeviceGroup

# Distributions of which each element takes one step of the generator.
_DRAWN = """
    exponential integers laplace logistic lognormal normal random rayleigh standard_cauchy
    standard_exponential standard_normal uniform weibull"""
NAMES = frozenset(_DRAWN.split())


class SpreadGenerator:
    """Draws arrays whose elements are those of `phalanx.random.default_rng` of the same seed.

    Methods are the generator's, with numbers as parameters, and `size` is given: `random`,
    `standard_normal`, `normal`, `uniform`, `integers`, `exponential` and others; arrays are spread
    along the first axis. Another name raises AttributeError.
    """

    def __init__(self, group: DeviceGroup, seed: Any = None) -> None:
        self._group = group
        self._source = Philox4x32(seed)

    def __getattr__(self, name: str) -> Callable[..., SpreadArray]:
        if name not in NAMES:
            raise AttributeError(
                f"spread arrays are not drawn by {name!r}, only by {', '.join(sorted(NAMES))}: "
                "group.asarray(phalanx.random.default_rng(seed)...) spreads what one device draws"
            )

        def draw(*args: Any, size: Any = None, **options: Any) -> SpreadArray:
            return self._draw(name, args, size, options)

        draw.__name__, draw.__doc__ = name, getattr(Generator, name).__doc__
        return draw

    def __dir__(self) -> list[str]:
        return sorted(NAMES)

    def _draw(
        self, name: str, args: tuple[Any, ...], size: Any, options: dict[str, Any]
    ) -> SpreadArray:
        if size is None and name in ("random", "standard_normal", "standard_exponential"):
            size, args = (args[0] if args else None), args[1:]
        if size is None:
            raise TypeError(f"{name}() of a group of devices needs size=, the array's shape")
        shape = (size,) if hasattr(size, "__index__") else tuple(size)
        layout.checked_axis(0, len(shape))
        row = math.prod(shape[1:])
        state = self._source.state
        self._source.take(math.prod(shape))
        parts = []
        bounds = layout.Layout(0, layout.even(shape[0], len(self._group))).bounds
        for (first, last), each in zip(bounds, self._group, strict=True):
            own = Philox4x32(0)
            own.state = state
            own.advance(first * row)
            with each:
                draw = getattr(Generator(own), name)
                parts.append(draw(*args, size=(last - first, *shape[1:]), **options))
        return SpreadArray(self._group, parts, 0)
