"""Exceptions that compiled functions raised, as Python's."""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import re
from typing import Any, NoReturn

from .._frontend import resolve
from .._frontend.missing import MISSING

_SITE = re.compile(r"(?P<place>.*?:\d+): (?P<type>[\w.<>]+): (?P<arguments>\(.*\))", re.DOTALL)


def raise_site(function: Any, site: str) -> NoReturn:
    """Raises what stands at a site of the compiled code: ``file:line: Type: (arguments)``.

    The exception has a note that names file and line.
    """
    found = _SITE.fullmatch(site)
    if found is None:
        raise RuntimeError(site)
    kind = exception_class(function, found["type"])
    error = kind(*ast.literal_eval(found["arguments"]))
    error.add_note(f"raised at {found['place']}")
    raise error


def exception_class(function: Any, name: str) -> type[BaseException]:
    """The class that `resolve` described by that name.

    Raises `RuntimeError` when it is gone, as a class made inside a function may be.
    """
    known = resolve.EXCEPTIONS.get(name)
    if known is not None:
        return known
    found = getattr(builtins, name, None) or resolve.lookup(function, name.rpartition(".")[2])
    if found is MISSING:
        found = _import(name)
    if isinstance(found, type) and issubclass(found, BaseException):
        return found
    raise RuntimeError(f"the exception class {name} cannot be found any more")


def _import(name: str) -> Any:
    """The object of a dotted name; the module is the longest part that can be imported."""
    module, _, rest = name.rpartition(".")
    while module:
        try:
            return functools.reduce(getattr, rest.split("."), importlib.import_module(module))
        except (ImportError, AttributeError):
            module, _, part = module.rpartition(".")
            rest = f"{part}.{rest}"
    return None
