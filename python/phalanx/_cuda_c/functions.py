"""Functions in Python that kernels in CUDA C call by the names that their source declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .. import _engine
from .._launch import front_end
from .._types import bridge
from ..errors import CompileError, LoweringError

Functions = Mapping[str, Callable[..., Any]]


def checked(functions: Any) -> dict[str, Callable[..., Any]]:
    """The functions by their names in CUDA C. Raises `TypeError` for what is no such mapping."""
    if functions is None:
        return {}
    if not isinstance(functions, Mapping):
        raise TypeError(
            "functions are a dictionary of Python functions by the names that the source declares, "
            f"such as {{'f': f}}, not {type(functions).__name__}"
        )
    for name, given in functions.items():
        if not isinstance(name, str) or not hasattr(_plain(given), "__code__"):
            raise TypeError(
                f"functions[{name!r}] is a Python function, or one that cuda.jit(device=True) "
                f"decorates, not {type(given).__name__}"
            )
    return dict(functions)


def identity(functions: Functions, *, lines: bool) -> bytes | None:
    """What decides the code of the functions; None where nothing can tell that.

    `lines` also tells code apart that was written at other locations.
    """
    parts = []
    for name, given in sorted(functions.items()):
        key = front_end.fingerprint(_plain(given), lines=lines)
        if key is None:
            return None
        parts.append(name.encode() + b"=" + key)
    return b"|".join(parts)


def link(module: _engine.Module, functions: Functions, source: str, debug: bool) -> _engine.Module:
    """The module with the bodies of the functions that it declares.

    Raises `ValueError` for functions that the source does not declare, and `CompileError` for
    declarations without a function and for functions that do not fit theirs.
    """
    declared = {row[0]: row[1:] for row in _engine.external_functions(module)}
    for name in functions:
        if name not in declared:
            raise ValueError(
                f"functions[{name!r}] is called nowhere: {source} has to declare it "
                f'(extern "C" __device__ float {name}(float);), call it, and leave its body out; '
                f"it calls {', '.join(sorted(declared)) or 'no such function'}"
            )
    missing = [text for name, (_, _, text) in declared.items() if name not in functions]
    if missing:
        raise LoweringError(
            f"{source} calls {missing[0]}, which has no body: define it, or pass a Python function "
            "by functions={'name': function}"
        )
    made = [_compiled(name, functions[name], *declared[name], debug) for name in declared]
    return _engine.link_modules(module, made)


def _plain(function: Any) -> Any:
    return getattr(function, "py_func", function)


def _compiled(
    name: str, function: Any, types: list[_engine.Type], result: Any, declaration: str, debug: bool
) -> _engine.Module:
    """The function for arguments of the declared types."""
    own = [bridge.argument_types(each) for each in getattr(function, "declared_signatures", ())]
    if own and tuple(types) not in own:
        known = ", ".join(str(each) for each in function.declared_signatures)
        raise LoweringError(
            f"the source declares {declaration}, and the function is compiled for {known} only: "
            "declare it for these types, or decorate the function without a signature"
        )
    wanted = None if result.kind == "none" else result
    try:
        return _engine.compile_exported(_plain(function), types, name, wanted, debug=debug)
    except (CompileError, TypeError) as error:
        raise LoweringError(
            f"functions[{name!r}] does not fit {declaration}, as the source declares it:\n{error}"
        ) from error
