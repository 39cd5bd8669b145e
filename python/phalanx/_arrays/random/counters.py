"""Random bits by counter: which elements of which key a generator draws next."""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ... import _engine
from .. import making

SeedSequence = np.random.SeedSequence

_LAST = 2**63  # numbers of elements are int64


class Philox4x32:
    """Philox 4x32-10, a bit generator by counter: the same numbers on all devices.

    Its key of 64 bits is made of `seed`, which is an int, a sequence of ints, a `SeedSequence` or
    None for entropy of the system. Each draw takes as many of its 2**63 elements as it gives
    numbers; an element's number depends on the key, the element and the distribution only. After
    Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

    Raises `ValueError` or `TypeError` for seeds that `numpy.random.SeedSequence` does not take.

    >>> px.random.Generator(px.random.Philox4x32(7)).integers(0, 100, size=3)
    array([52, 22, 73])
    """

    def __init__(self, seed: Any = None) -> None:
        self.seed_seq: Any = seed
        if not isinstance(seed, np.random.bit_generator.ISeedSequence):
            self.seed_seq = SeedSequence(seed)
        self._key = int(self.seed_seq.generate_state(1, np.uint64)[0])
        self._next = 0
        self.lock = threading.RLock()
        self._kept: dict[tuple[Any, ...], tuple[int, list[Any]]] = {}

    @property
    def _seed_seq(self) -> Any:
        """The seed sequence by the name that Dask asks bit generators for."""
        return self.seed_seq

    @property
    def key(self) -> int:
        """What the numbers depend on beside the elements, an int below 2**64.

        >>> px.random.Philox4x32(7).key
        16920295385781661272
        """
        return self._key

    @property
    def state(self) -> dict[str, Any]:
        """The key and the next element, in a dict as NumPy's bit generators have it.

        >>> px.random.Philox4x32(7).state["state"]
        {'key': 16920295385781661272, 'next': 0}
        """
        inner = {"key": self._key, "next": self._next}
        return {"bit_generator": type(self).__name__, "state": inner}

    @state.setter
    def state(self, value: dict[str, Any]) -> None:
        if not isinstance(value, dict) or value.get("bit_generator") != type(self).__name__:
            raise ValueError(f"state must be that of a {type(self).__name__}, as `state` gives it")
        key, following = int(value["state"]["key"]), int(value["state"]["next"])
        if not 0 <= key < 2**64 or not 0 <= following < _LAST:
            raise ValueError("a state's key is below 2**64, its next element below 2**63")
        with self.lock:
            self._key, self._next = key, following
            self._kept.clear()

    def take(self, count: int) -> int:
        """The first of `count` elements, which nobody else gets.

        Raises `OverflowError` where there are not as many left.

        >>> source = px.random.Philox4x32(7)
        >>> source.take(5), source.take(1)
        (0, 5)
        """
        with self.lock:
            first = self._next
            if count > _LAST - first:
                raise OverflowError(
                    f"the generator has {_LAST - first} elements left; spawn() makes fresh ones"
                )
            self._next = first + count
        return first

    def advance(self, delta: int) -> Philox4x32:
        """Leaves out `delta` elements; gives itself. Raises `ValueError` for a negative number.

        >>> source, other = px.random.Philox4x32(7), px.random.Philox4x32(7)
        >>> first, second = other.random_raw(), other.random_raw()
        >>> source.advance(1).random_raw() == second
        True
        """
        count = operator.index(delta)
        if count < 0:
            raise ValueError("a generator does not go back; set its state to draw again")
        self.take(count)
        return self

    def jumped(self, jumps: int = 1) -> Philox4x32:
        """A generator that is 2**48 elements, `jumps` times, further on.

        >>> px.random.Philox4x32(7).jumped().take(1) == 2**48
        True
        """
        made = Philox4x32.__new__(Philox4x32)
        made.__setstate__(self.__getstate__())
        return made.advance(operator.index(jumps) * 2**48)

    def spawn(self, n_children: int) -> list[Philox4x32]:
        """Generators of keys of their own, as `SeedSequence.spawn` makes them.

        >>> first, second = px.random.Philox4x32(7).spawn(2)
        >>> first.key != second.key
        True
        """
        if not isinstance(self.seed_seq, np.random.bit_generator.ISpawnableSeedSequence):
            raise TypeError("the seed sequence cannot spawn; give a numpy.random.SeedSequence")
        return [Philox4x32(each) for each in self.seed_seq.spawn(n_children)]

    def random_raw(self, size: Any = None, output: bool = True) -> Any:
        """Words of 64 random bits, in uint64; an int where no size is given.

        >>> px.random.Philox4x32(7).random_raw()
        2301404705374736042
        """
        made = self.number("words", ()) if size is None else self.array("words", extents(size), ())
        return made if output else None

    def array(self, name: str, shape: tuple[int, ...], parameters: Iterable[Any]) -> Any:
        """The next elements of a function of the engine's (numpy/random.h), recorded.

        >>> px.random.Philox4x32(7).array("normal", (2,), ()).round(3)
        array([ 0.408, -0.449])
        """
        count = 1
        for each in shape:
            count *= each
        made = _engine.array_draw(name, shape, self._key, self.take(count), list(parameters))
        # On the device that is chosen now, whichever one is when it is computed.
        return making.pinned(made, None)

    def number(self, name: str, parameters: tuple[tuple[Any, str], ...]) -> Any:
        """The next element as a number of Python's; parameters are numbers with their dtypes.

        Those that follow are made with it and kept: who asks for one number asks for more.

        >>> round(px.random.Philox4x32(7).number("normal", ()), 3)
        0.408
        """
        with self.lock:
            wanted = self.take(1)
            first, kept = self._kept.get((name, *parameters), (0, []))
            if not first <= wanted < first + len(kept):
                count = min(max(16, 2 * len(kept)), 4096, _LAST - wanted)
                given = [_engine.array_number(value, dtype) for value, dtype in parameters]
                made = _engine.array_draw(name, (count,), self._key, wanted, given)
                first, kept = wanted, np.asarray(made).tolist()
                if len(self._kept) >= 8:  # parameters that change with each draw
                    self._kept.clear()
                self._kept[(name, *parameters)] = (first, kept)
            return kept[wanted - first]

    def by_numpy(self, count: int, draw: Callable[[np.random.Generator], Any]) -> Any:
        """What `draw` makes with a generator of NumPy's, whose key are this one's next elements.

        For what the engine has no function for. If it raises, no elements are taken.

        >>> int(px.random.Philox4x32(7).by_numpy(1, lambda generator: generator.integers(0, 100)))
        97
        """
        with self.lock:
            key = [self._key, self._next]
            made = draw(np.random.Generator(np.random.Philox(key=key)))
            self.take(max(count, 1))
        return made

    def __getstate__(self) -> dict[str, Any]:
        return {"seed_seq": self.seed_seq, "state": self.state}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.seed_seq = state["seed_seq"]
        self.lock = threading.RLock()
        self._kept = {}
        self.state = state["state"]


def extents(size: Any) -> tuple[int, ...]:
    """A size as a shape. Raises `ValueError` for negative ones, `TypeError` for what is none."""
    from .. import making

    if isinstance(size, (np.ndarray, _engine.Array)) and size.ndim == 1:
        size = size.tolist()
    return making.extents(size)
