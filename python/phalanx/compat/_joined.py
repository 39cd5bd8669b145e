"""What Phalanx and the installed Numba share once both are there: errors, settings, threads."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

from .. import errors, extending
from .._types import numba_objects
from . import numba_config

# Ours, and the class of Numba's that programs expect in its place.
_CLASSES = {
    "CompileError": "NumbaError",
    "TypingError": "TypingError",
    "KernelResultError": "TypingError",
    "UnsupportedError": "UnsupportedError",
    "LoweringError": "LoweringError",
    "PerformanceWarning": "NumbaPerformanceWarning",
    "OccupancyWarning": "NumbaPerformanceWarning",
    "CopyWarning": "NumbaPerformanceWarning",
    "Float64Warning": "NumbaPerformanceWarning",
    "StrideWarning": "NumbaPerformanceWarning",
    "ParallelWarning": "NumbaPerformanceWarning",
}


def join(numba: ModuleType) -> None:
    """Called once, when the installed Numba has been imported."""
    _join_errors(numba.core.errors)
    _join_settings(numba.core.config)
    _join_threads(numba)
    _join_dispatchers(numba.core)
    _join_extensions()


def _join_errors(theirs: Any) -> None:
    """What is raised and warned from now on is Numba's too: what catches or silences that works."""
    for name, other in _CLASSES.items():
        bases = getattr(errors, name), getattr(theirs, other)
        members = {
            "__module__": "phalanx.errors",
            "__doc__": bases[0].__doc__,
            "__init__": _init,
            "__reduce__": _reduce,  # the name is that of our class, not of this one
        }
        errors.raised_as[name] = type(name, bases, members)


def _init(self: Any, *args: Any) -> None:
    Exception.__init__(self, *args)


def _reduce(self: Any) -> tuple[Any, ...]:
    return errors.remade, (type(self).__name__, self.args, vars(self))


def _join_settings(theirs: ModuleType) -> None:
    """A setting that both have is changed in both."""
    numba_config.join(theirs)

    class Config(ModuleType):
        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, value)
            numba_config.set_from_numba(name, value)

    theirs.__class__ = Config


def _join_threads(numba: Any) -> None:
    """The number of threads is that of both, as far as each has that many."""
    set_theirs = numba.set_num_threads

    @functools.wraps(set_theirs)
    def set_num_threads(n: int) -> None:
        from .._core import threads

        set_theirs(n)
        threads.set_num_threads(min(int(n), threads.most_threads()))

    numba.set_num_threads = set_num_threads


def _join_dispatchers(core: Any) -> None:
    """What our decorators make is what `isinstance` looks for."""
    from .._functions import Function
    from ..cuda import Dispatcher

    core.registry.CPUDispatcher.register(Function)
    core.dispatcher.Dispatcher.register(Dispatcher)


def _join_extensions() -> None:
    """Overloads are registered with both: kernels and functions of ours call them, too."""
    theirs = importlib.import_module("numba.extending")
    for name in ("overload", "overload_method", "overload_attribute"):
        setattr(theirs, name, _registering_twice(name, getattr(theirs, name)))


def _registering_twice(name: str, theirs: Callable[..., Any]) -> Callable[..., Any]:
    ours = getattr(extending, name)

    @functools.wraps(theirs)
    def register(*args: Any, **options: Any) -> Any:
        decorate = theirs(*args, **options)

        def both(make: Any) -> Any:
            target = options.get("target", "generic")
            if target in extending.TARGETS:
                is_literal = options.get("prefer_literal", False)
                theirs_to_us = numba_objects.with_their_types(make, is_literal)
                ours(*args, target=target, prefer_literal=is_literal)(theirs_to_us)
            return decorate(make)

        return both

    return register
