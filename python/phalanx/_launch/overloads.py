"""Compiled code by the types of its arguments, as `overloads` of compiled functions give it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .. import _engine
from .._types.bridge import from_engine, to_engines
from .._types.objects import Signature

Types = tuple[Any, ...]


class Overload:
    """The code of one signature: what an engine's kernel has, and its `signature`."""

    def __init__(
        self, kernel: _engine.Kernel, types: Types, return_type: Callable[[_engine.Kernel], Any]
    ) -> None:
        self._kernel = kernel
        self._types = types
        self._return_type = return_type

    @property
    def signature(self) -> Signature:
        """The types of the arguments and of the result."""
        return Signature(self._return_type(self._kernel), self._types)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self._kernel)})


class Overloads(dict[Types, Overload]):
    """Overloads by types: those of the installed Numba find them, too, and NumPy's dtypes."""

    def __missing__(self, types: Any) -> Overload:
        own = _own(types)
        if own not in self.keys():
            raise KeyError(types)
        return self[own]

    def __contains__(self, types: object) -> bool:
        return super().__contains__(types) or super().__contains__(_own(types))

    def get(self, types: Any, default: Any = None) -> Any:
        """The overload of these types, or `default`."""
        try:
            return self[types]
        except KeyError:
            return default


def _own(types: Any) -> Types | None:
    """Types as we have them; None for what are no types."""
    if not isinstance(types, tuple):
        types = getattr(types, "args", None)  # a signature
    try:
        return tuple(from_engine(each) for each in to_engines(types))
    except TypeError:
        return None


def overloads_of(
    launcher: _engine.Launcher,
    return_type: Callable[[_engine.Kernel], Any],
    without: Iterable[tuple[_engine.Type, ...]] = (),
) -> Overloads:
    """What a launcher has compiled, `without` that of some types."""
    made = Overloads()
    for types, kernel in launcher.kernels():
        if tuple(types) in without:
            continue
        own = tuple(from_engine(each) for each in types)
        made[own] = Overload(kernel, own, return_type)
    return made
