"""A decorated CPU function: compiled for the argument types it meets, and called."""

from __future__ import annotations

import collections
import functools
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from .. import _engine
from .._core import enums, fast_math
from .._core.typed import P, R
from .._frontend import resolve
from .._launch import arguments as _arguments
from .._launch import front_end
from .._launch.compiled import Compiled
from .._types import (
    bridge,
    numba_objects,
)
from .._types.objects import Signature
from . import constants, errors, fallback
from . import options as _options
from .options import Options


class Function(Compiled[P, R], _engine.Function):
    """What ``phalanx.jit`` makes of a Python function.

    Calling it compiles the function for the types of the arguments, once for each, and runs the
    machine code. `py_func` is the Python function; a call of `py_func` runs in Python.
    """

    if TYPE_CHECKING:  # the engine's

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
            """The result of the compiled function."""

    _is_counted = True  # among the functions of the program that are compiled

    def __init__(
        self,
        py_func: Callable[P, R],
        options: Options,
        signatures: Sequence[Signature] = (),
        given: dict[str, Any] | None = None,
        given_signatures: Any = None,
    ) -> None:
        super().__init__(py_func, options, signatures)
        self._given = given or {}  # the options and signatures as they were written
        self._given_signatures = given_signatures
        self._substitute: Any = None  # what answers for the function since it did not compile
        self._results = [_result_row(each) for each in signatures]
        code = py_func.__code__
        is_plain = not code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
        arity = code.co_argcount + code.co_kwonlyargcount if is_plain else -1
        self._set_calling(
            arity,
            arity - self._optional(),
            options.nogil,
            fallback.policy() != "error",
        )
        if signatures:
            for signature in signatures:
                _arguments.check_count(py_func, signature, defaults=False)
            types = [bridge.argument_types(each) for each in signatures]
            self.set_signatures(types)
            for each in types:
                self.kernel_for(each).compile(_engine.device("cpu"))

    def _optional(self) -> int:
        """How many arguments at the end a call may leave to defaults and need not be bound."""
        code = self.py_func.__code__
        if code.co_posonlyargcount or code.co_kwonlyargcount or self.declared_signatures:
            return 0
        return len(self.py_func.__defaults__ or ())

    @property
    def _takes_large_integers(self) -> bool:
        """Returns whether ints beyond 64 bits are passed: to a declared type that is no integer."""
        return bool(self.declared_signatures)

    @functools.cached_property
    def targetoptions(self) -> dict[str, Any]:
        """The options as Numba names them, for it reads ``inline`` there.

        What a program changes in them counts from the next `recompile` on.
        """
        return self._known_options()

    def _known_options(self) -> dict[str, Any]:
        return {"nopython": True, **vars(self.options), **self._given}

    def own_options(self) -> tuple[int | None, dict[str, _engine.Type] | None]:
        """What counts where another function calls it: the flags of ``fastmath=`` as bits, and the
        types of ``locals=``; None for those that were not given (the caller's flags count then).
        """
        options = self.options.front_end()
        flags = options["fastmath"] if "fastmath" in self._given else None
        return flags, options["locals"] or None

    def _compile(self, types: tuple[_engine.Type, ...]) -> _engine.Kernel:
        """The code for these argument types; the engine asks once for each tuple of types."""
        if self._is_counted:
            fallback.note_compiled(self.py_func)
        key = self._identity()
        result = self._declared_result(types)
        shown = constants.key_of(
            repr(([str(each) for each in types], self.options, result and str(result)))
        )
        if key is not None and shown is not None:
            key += shown.encode()
        is_cached = self.options.cache and key is not None and shown is not None
        return _engine.Kernel(
            self.__name__,
            key if key is not None and is_cached else b"",
            list(types),
            lambda: self._module_for(types),
            function=True,
            debug=True,
            contract=False,
            fastmath=fast_math.bits_of(self.options.fastmath),
            cache=is_cached,
            location=front_end.location(self.py_func),
        )

    def _identity(self) -> bytes | None:
        """What tells the code apart from all other in the disk cache; None where nothing can."""
        return front_end.fingerprint(self.py_func, lines=True)

    def _front_end(self, types: tuple[_engine.Type, ...]) -> _engine.Module:
        options = self.options.front_end()
        result = self._declared_result(types)
        return _engine.compile_function(self.py_func, list(types), result=result, **options)

    def _declared_result(self, types: tuple[_engine.Type, ...]) -> _engine.Type | None:
        return dict(self._results).get(tuple(types))

    def _device(self) -> _engine.Device:
        return _engine.device("cpu")

    def _return_type(self, kernel: _engine.Kernel) -> Any:
        result = kernel.result
        is_reflected = constants.is_reflected(result)
        return bridge.from_engine(result.fields[-1][1] if is_reflected else result)

    def _fall_back(self, error: Exception, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """A call that cannot be compiled, done by what functions fall back to; from then on all.

        Raises `error` for a call that fits no function, and both errors where Numba fails too.
        """
        # Declared signatures are compiled: what is refused then is a call that none of them takes.
        if not fallback.is_refusal(error) or self.declared_signatures:
            raise error
        if fallback.policy() == "error":
            raise error
        _arguments.bind(self.__name__, inspect.signature(self.py_func), args, named)
        return self._done_by_substitute(error, lambda: self(*args, **named))

    def _done_by_substitute(self, error: Exception, do: Callable[[], Any]) -> Any:
        """What `do` gives once what functions fall back to has taken over."""
        is_numbas = fallback.policy() == "numba"
        self._give_to(self.counterpart if is_numbas else self.py_func)
        refusals = fallback.numba_errors() if is_numbas else ()
        try:
            return do()
        except refusals as second:
            self._give_to(None)
            fallback.raise_both(self.__name__, error, second)
        finally:
            if self._substitute is not None:
                fallback.note(self.py_func, error, fallback.policy())

    def _give_to(self, substitute: Any) -> None:
        """From now on `substitute` answers for the function; None: its own code does again."""
        self._substitute = substitute
        self._hand_over(substitute, self._is_numbas)

    @property
    def _is_numbas(self) -> bool:
        return self._substitute not in (None, self.py_func)

    @classmethod
    def of_numba(cls, py_func: Callable[..., Any], counterpart: Any) -> Function[..., Any]:
        """A function that Numba has compiled, and that it answers for."""
        made = cls(py_func, Options(), given=counterpart.targetoptions)
        made.counterpart = counterpart
        made._give_to(counterpart)
        return made

    @functools.cached_property
    def counterpart(self) -> Any:
        """The installed Numba's function of the same Python function."""
        made = fallback.numba_jit()(self._given_signatures, **self._given)
        return made(self.py_func)

    @property
    def _numba_type_(self) -> Any:
        """What Numba takes it for, where code that it compiles calls it."""
        if numba_objects.installed() is None:
            raise AttributeError("_numba_type_")
        return self.counterpart._numba_type_

    def _adapt(self, value: Any) -> Any:
        made = constants.stand_in(value)
        return _arguments.adapt(value) if made is None else made

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments in the order of the parameters; those of ``*rest`` are one tuple.

        Raises `TypeError` as Python does for arguments that do not fit the parameters.
        """
        bound = _arguments.bind(self.__name__, self._signature, args, kwargs)
        values = tuple(bound.arguments.values())
        if kwargs or self.declared_signatures or len(values) != len(self._signature.parameters):
            return values
        # Defaults at the end are known when the function is compiled: text may be one.
        is_plain = all(each.kind is each.POSITIONAL_OR_KEYWORD for each in self._parameters)
        return values[: len(args)] if is_plain else values

    @functools.cached_property
    def _parameters(self) -> list[inspect.Parameter]:
        return list(self._signature.parameters.values())

    @functools.cached_property
    def _signature(self) -> inspect.Signature:
        signature = inspect.signature(self.py_func)
        for parameter in signature.parameters.values():
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                raise TypeError(f"{self.__name__}: **{parameter.name} cannot be compiled")
        return signature

    def _raise(self, location: str, kind: str, arguments: str, values: list[int]) -> NoReturn:
        errors.raise_site(self.py_func, location, kind, arguments, values)

    def _named_tuple(self, name: str, fields: list[str], elements: list[Any]) -> Any:
        """What the function returned as a named tuple: one of its class, or a member of an enum."""
        # Other modules may have a class of that name and those fields: the function's own is first.
        key = (name, tuple(fields))
        kind = resolve.lookup(self.py_func, name)
        if getattr(kind, "_fields", None) != key[1]:
            kind = resolve.NAMED_TUPLES.get(key)
        if kind is None and key[1] == ("value",) and enums.is_name(name):
            return enums.member(name, *elements)
        if kind is None:
            kind = resolve.NAMED_TUPLES[key] = collections.namedtuple(name, fields)
        return kind(*elements)

    def compile(self, sig: Any) -> None:
        """Compiles for a signature without a call."""
        if self._is_numbas:
            self.counterpart.compile(sig)
            return
        signature = bridge.signatures_of(sig)[0]
        self._results.append(_result_row(signature))
        try:
            super().compile(signature)
        except Exception as error:
            self._results.pop()
            if not fallback.is_refusal(error) or fallback.policy() != "numba":
                raise
            self._done_by_substitute(error, lambda: self.counterpart.compile(sig))

    def recompile(self) -> None:
        """Forgets what is compiled: the next call sees changed globals and `targetoptions`.

        Raises what the decorator does for options that there are not.
        """
        known = self._known_options()
        changed = {n: v for n, v in self.targetoptions.items() if n not in known or v != known[n]}
        self.options = _options.read(self.targetoptions)
        self._given = {**self._given, **changed}
        if "counterpart" in vars(self):
            self.counterpart.targetoptions.update(changed)
            self.counterpart.recompile()
        super().recompile()

    @property
    def overloads(self) -> Any:
        """The compiled code by the types of its arguments: `Overloads`, or Numba's dictionary."""
        if self._is_numbas:
            return self.counterpart.overloads
        return super().overloads

    @property
    def nopython_signatures(self) -> list[Signature]:
        """The same with the types of the results."""
        return [each.signature for each in self.overloads.values()]

    def return_type(self, types: Sequence[Any]) -> Any:
        """The type that calls with arguments of these types return."""
        return self._return_type(self.kernel_for(bridge.to_engines(types)))

    def inspect_llvm(self, signature: Any = None) -> Any:
        """The optimised LLVM IR: of a signature, or a dictionary of all."""
        if self._is_numbas:
            return self.counterpart.inspect_llvm(signature)
        return super().inspect_llvm(signature)

    def inspect_asm(self, signature: Any = None) -> Any:
        """The machine code as assembly: of a signature, or a dictionary of all."""
        if self._is_numbas:
            return self.counterpart.inspect_asm(signature)
        return super().inspect_asm(signature)

    def inspect_types(self, file: Any = None, signature: Any = None) -> None:
        """Prints the typed IR of every compiled signature."""
        if self._is_numbas:
            self.counterpart.inspect_types(file, signature)
        else:
            super().inspect_types(file, signature)

    def __getattr__(self, name: str) -> Any:
        """What Numba's functions have and ours lack, where functions fall back to Numba."""
        if name.startswith("_") or numba_objects.installed() is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.counterpart, name)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __reduce__(self) -> str | tuple[Any, ...]:
        from .._core.pickling import has_name, reduced

        if has_name(self):  # as functions are
            return str(vars(self)["__qualname__"])
        return reduced(
            self, self.options, self.declared_signatures, self._given, self._given_signatures
        )

    def __repr__(self) -> str:
        return f"<phalanx function {self.__name__}>"


def _result_row(signature: Signature) -> tuple[tuple[_engine.Type, ...], _engine.Type | None]:
    """The types of the arguments, and that of the result where the signature declares one."""
    result = signature.return_type
    return bridge.argument_types(signature), None if result is None else bridge.to_engine(result)
