"""NumPy's generators of random numbers, whose arrays are ours: its numbers, made on the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _engine
from .. import host, outputs
from . import examples


class MT19937(np.random.MT19937):
    """The Mersenne twister.

    >>> px.random.Generator(px.random.MT19937(7)).integers(0, 100, size=3)
    array([30, 43, 63])
    """


class PCG64(np.random.PCG64):
    """A permuted congruential generator of 128 bits, which NumPy's `default_rng` takes.

    >>> px.random.Generator(px.random.PCG64(7)).integers(0, 100, size=3)
    array([94, 62, 68])
    """


class PCG64DXSM(np.random.PCG64DXSM):
    """`PCG64` with a better output function, for many streams side by side.

    >>> px.random.Generator(px.random.PCG64DXSM(7)).integers(0, 100, size=3)
    array([65,  9, 15])
    """


class Philox(np.random.Philox):
    """A generator by counter, whose streams are found by key.

    >>> px.random.Generator(px.random.Philox(7)).integers(0, 100, size=3)
    array([26, 46, 97])
    """


class SFC64(np.random.SFC64):
    """A small and fast chaotic generator.

    >>> px.random.Generator(px.random.SFC64(7)).integers(0, 100, size=3)
    array([97,  4,  0])
    """


class _Drawing:
    """Draws from a generator of NumPy's."""

    def __init__(self, own: Any) -> None:
        self._own = own

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._own)

    def shuffle(self, x: Any, *args: Any, **kwargs: Any) -> None:
        """Brings the array's own elements or rows, or a list's items, into a random order.

        >>> items = [1, 2, 3]
        >>> px.random.RandomState(7).shuffle(items)
        >>> items
        [3, 2, 1]
        """
        if isinstance(x, _engine.Array):
            host.update(lambda own: self._own.shuffle(own, *args, **kwargs), x)
        else:
            self._own.shuffle(x, *args, **kwargs)


class Generator(_Drawing):
    """Draws from distributions: `numpy.random.Generator`, of a bit generator."""

    def __init__(self, bit_generator: Any) -> None:
        super().__init__(np.random.Generator(bit_generator))

    @property
    def bit_generator(self) -> Any:
        """Where the random bits come from."""
        return self._own.bit_generator

    def spawn(self, n_children: int) -> list[Generator]:
        """Generators that are independent of this one and of each other."""
        return [Generator(each) for each in self.bit_generator.spawn(n_children)]


class RandomState(_Drawing):
    """The legacy generator: `numpy.random.RandomState`, of a seed or a bit generator."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(np.random.RandomState(seed))


def _restored(kind: type[_Drawing], own: Any) -> _Drawing:
    made = kind.__new__(kind)
    made._own = own
    return made


def _method(name: str, doc: str) -> Callable[..., Any]:
    def draw(self: _Drawing, *args: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", None)
        if out is not None and name != "permuted":
            kwargs.setdefault("size", out.shape)
        made = host.run(getattr(self._own, name), *args, **kwargs)
        return made if out is None else outputs.store(out, made, name=name)

    draw.__name__ = draw.__qualname__ = name
    draw.__doc__ = doc
    return draw


def _add_methods(kind: type, of: type) -> None:
    for name in dir(of):
        if not name.startswith("_") and not hasattr(kind, name) and callable(getattr(of, name)):
            doc = f"As `numpy.random.{of.__name__}.{name}`."
            shown = examples.of_legacy(name, doc) if kind is RandomState else doc
            setattr(kind, name, _method(name, shown))


_add_methods(Generator, np.random.Generator)
_add_methods(RandomState, np.random.RandomState)
