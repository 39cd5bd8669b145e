"""Keywords that pandas has: those that we leave out say so, and `inplace` is one rule for all."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


class MissingNameError(NotImplementedError, AttributeError):
    """A name that pandas has and we have not; `hasattr` is False for it, as for any other."""


def leaves_out(*names: str) -> Callable[[Method], Method]:
    """Keywords of pandas that a method does not take yet: NotImplementedError names them."""

    def decorate(method: Method) -> Method:
        left_out = frozenset(names)

        @functools.wraps(method)
        def checked(*args: Any, **keywords: Any) -> Any:
            if keywords and not left_out.isdisjoint(keywords):
                found = sorted(left_out & keywords.keys())[0]
                raise NotImplementedError(
                    f"{method.__qualname__}: the keyword {found!r} of pandas is not supported; "
                    "to_pandas() gives an object that has it"
                )
            return method(*args, **keywords)

        checked.left_out = left_out  # type: ignore[attr-defined]
        return checked  # type: ignore[return-value]

    return decorate


def in_place(method: Method) -> Method:
    """Give a method the keyword `inplace`: what it returns then becomes the object itself."""
    return _in_place(method, returns_self=False)


def in_place_self(method: Method) -> Method:
    """The same for those of which pandas 3 gives the object back."""
    return _in_place(method, returns_self=True)


def _in_place(method: Method, *, returns_self: bool) -> Method:
    @functools.wraps(method)
    def replaced(self: Any, *args: Any, inplace: bool = False, **keywords: Any) -> Any:
        if inplace.__class__ is not bool:
            raise ValueError(
                'For argument "inplace" expected type bool, received type '
                f"{type(inplace).__name__}."
            )
        result = method(self, *args, **keywords)
        if not inplace:
            return result
        self._become(result)
        return self if returns_self else None

    replaced.has_inplace = True  # type: ignore[attr-defined]
    return replaced  # type: ignore[return-value]


class NoDefault:
    """The value of keywords for which None means something."""

    def __repr__(self) -> str:
        return "<no default>"


NO_DEFAULT: Any = NoDefault()
