"""The decorators of ``numba`` beside the installed package.

What Numba itself decorates stays its own: it is written for its compiler.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from typing import Any

from .._functions import decorators as ours
from .._functions import errors, fallback
from .._ufunc import for_cpu


def _numbas_own(name: str) -> Any:
    """Numba's decorator where a module of Numba's asks, two calls up; else None."""
    asking = str(sys._getframe(2).f_globals.get("__name__", ""))
    if asking.partition(".")[0] != "numba":
        return None
    home = "numba.core.decorators" if name.endswith("jit") else "numba.np.ufunc"
    return getattr(importlib.import_module(home), name)


def _is_off() -> bool:
    from . import numba_config

    return bool(numba_config.DISABLE_JIT)


def jit(signature_or_function: Any = None, locals: Any = None, **options: Any) -> Any:
    """`phalanx.jit`, with Numba's order of options."""
    if (theirs := _numbas_own("jit")) is not None:
        return theirs(signature_or_function, **options)
    return _jit(signature_or_function, locals, options)


def njit(signature_or_function: Any = None, locals: Any = None, **options: Any) -> Any:
    """The same as `jit`."""
    if (theirs := _numbas_own("njit")) is not None:
        return theirs(signature_or_function, **options)
    return _jit(signature_or_function, locals, options)


def _jit(given: Any, locals: Any, options: dict[str, Any]) -> Any:
    if locals:
        options["locals"] = locals
    if not hasattr(getattr(given, "__func__", given), "__code__"):
        return lambda function: _jitted(function, (given,), options)
    return _jitted(given, (), options)


def _jitted(function: Any, given: tuple[Any, ...], options: dict[str, Any]) -> Any:
    if _is_off():
        return function
    return ours.jit(*given, **options)(function) if given or options else ours.jit(function)


def vectorize(ftylist_or_function: Any = (), **options: Any) -> Any:
    """`phalanx.vectorize`, or Numba's where that is refused."""
    given = ftylist_or_function
    if (theirs := _numbas_own("vectorize")) is not None:
        return theirs(given, **options)
    if hasattr(given, "__code__") or hasattr(given, "py_func"):
        return _ufunc("vectorize", (), options, given)
    return lambda function: _ufunc("vectorize", (given,), options, function)


def guvectorize(*args: Any, **options: Any) -> Any:
    """`phalanx.guvectorize`, or Numba's where that is refused."""
    if (theirs := _numbas_own("guvectorize")) is not None:
        return theirs(*args, **options)
    return lambda function: _ufunc("guvectorize", args, options, function)


def _ufunc(name: str, args: tuple[Any, ...], options: dict[str, Any], function: Any) -> Any:
    def theirs() -> Any:
        make = getattr(importlib.import_module("numba.np.ufunc"), name)
        return make(*args, **options)(function)

    def of_signatures(signatures: list[Any]) -> Any:
        layout = args[-1:] if name == "guvectorize" else ()
        return getattr(for_cpu, name)(signatures, *layout, **options)(function)

    if options.get("target") == "cuda":
        return getattr(for_cpu, name)(*args, **options)(function)  # kernels never fall back
    try:
        made = getattr(for_cpu, name)(*args, **options)(function)
    except _REFUSALS as error:
        if fallback.policy() != "numba":
            raise
        fallback.note(function, error, "numba")
        return theirs()
    return made if fallback.policy() != "numba" else Ufunc(made, theirs, of_signatures, function)


# An option that is unknown is a KeyError.
_REFUSALS: Any = (*fallback.REFUSALS, KeyError)


class Ufunc:
    """A ufunc or gufunc of ours, which Numba's replaces where a call is refused.

    What is refused by both raises Numba's error.
    """

    def __init__(
        self,
        made: Any,
        theirs: Callable[[], Any],
        of_signatures: Callable[[list[Any]], Any],
        function: Any,
    ) -> None:
        self.py_func = getattr(function, "py_func", function)
        functools.update_wrapper(self, self.py_func)
        self._ours = made
        self._make_theirs = theirs
        self._of_signatures = of_signatures
        self._added: list[Any] = []
        self._is_handed_over = False
        self._takes_only_added = False

    @functools.cached_property
    def _theirs(self) -> Any:
        made = self._make_theirs()
        for signature in self._added:
            made.add(signature)
        if self._takes_only_added:
            made.disable_compile()
        return made

    @functools.cached_property
    def _loops(self) -> tuple[Any, ...]:
        """What is asked in turn: the loops that were added, those that are made as types come."""
        if not self._added:
            return (self._ours,)
        try:
            added = self._of_signatures(self._added)
        except _REFUSALS as error:
            self._hand_over(error)
            return ()
        return (added,) if self._takes_only_added else (added, self._ours)

    @property
    def _first(self) -> Any:
        return next(iter(self._loops), self._ours)

    def _hand_over(self, error: BaseException) -> None:
        self._is_handed_over = True
        fallback.note(self.py_func, error, "numba")

    def _forget(self) -> None:
        for name in ("_theirs", "_loops"):
            vars(self).pop(name, None)

    def add(self, sig: Any) -> None:
        """A loop for a signature, which calls prefer to one of their own types.

        Raises `RuntimeError` after `disable_compile`.
        """
        if self._takes_only_added:
            raise RuntimeError(f"compilation disabled for {self.__name__}")
        self._added.append(sig)
        self._forget()

    def disable_compile(self) -> None:
        """From now on there are the loops that were added, and what comes is converted to them."""
        self._takes_only_added = True
        self._forget()

    def _compile_for_argtys(self, argtys: tuple[Any, ...], return_type: Any = None) -> None:
        # Beneath `add` in Numba; packages call it.
        self.add(argtys if return_type is None else return_type(*argtys))

    @property
    def _frozen(self) -> bool:
        return self._takes_only_added

    @_frozen.setter
    def _frozen(self, value: bool) -> None:
        if value:
            self.disable_compile()

    def __call__(self, *args: Any, **named: Any) -> Any:
        if self._is_handed_over:
            return self._theirs(*args, **named)
        refusal: BaseException | None = None
        for loops in self._loops:
            try:
                result = loops(*args, **named)
            except _REFUSALS as error:
                if errors.is_raised(error):
                    raise
                refusal = error
                continue
            fallback.note_compiled(self.py_func)
            return result
        result = self._theirs(*args, **named)
        if refusal is not None:
            self._hand_over(refusal)
        return result

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") and name not in ("_overloads_",):
            raise AttributeError(name)
        made = self._first
        return getattr(made, name) if hasattr(made, name) else getattr(self._theirs, name)

    @property
    def _numba_type_(self) -> Any:
        target = importlib.import_module("numba.core.registry").cpu_target
        return target.typing_context.resolve_value_type(self._theirs)

    def __reduce__(self) -> str:
        return str(vars(self)["__qualname__"])

    def __repr__(self) -> str:
        return repr(self._first)
