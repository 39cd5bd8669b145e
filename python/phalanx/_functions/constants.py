"""What represents the arguments of CPU functions that are no numbers and no arrays.

Strings and functions are known when the function is compiled. Nothing is passed for them: each is a
type of its own, a named tuple of one field that is None. The field's name is the string, or names
the function. A list of numbers is passed as an array, and gets back what the function left in it.
"""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Callable
from typing import Any

from .. import _engine
from .._core.spread_arguments import refuse_spread_argument
from .._frontend.missing import MISSING
from .._frontend.providers import special_names
from .._launch import front_end

_NAMES = _engine.argument_names()

_FUNCTION_NAME = re.compile(r"<function \d+>")
_MOST_KEPT = 1024

_stand_ins: dict[Any, Any] = {}
_lock = threading.RLock()  # a function has one number, and so one type
_numbers = itertools.count()
_functions: dict[str, Any] = {}  # kept: compiled code is found by their names


def stand_in(value: Any) -> Any:
    """What is passed for a string, a function or a list, None for anything else.

    Raises `TypeError` for a list of anything but numbers of one type.
    """
    if isinstance(value, list):
        return _of_list(value)
    is_function = callable(getattr(value, "py_func", None))
    if not is_function and not isinstance(value, str):
        return None
    key = (is_function, id(value) if is_function else str(value))
    made = _stand_ins.get(key)
    if made is not None:
        return made
    if not is_function and len(_stand_ins) >= _MOST_KEPT:
        return _make(*_text(value))
    with _lock:
        made = _stand_ins.get(key)
        if made is None:
            made = _stand_ins[key] = _of_function(value) if is_function else _make(*_text(value))
    return made


class _List(tuple):  # type: ignore[type-arg]
    _fields = ("elements",)


_List.__name__ = _NAMES["list"]


def _of_list(values: list[Any]) -> Any:
    import numpy as np

    kinds = set(map(_number_type, set(map(type, values))))
    if len(kinds) == 1 and None not in kinds:
        made = np.array(values)
        # NumPy makes floats of ints of which some fit int64 and others uint64 only.
        is_one_type = made.dtype == np.array(values[0]).dtype
        if is_one_type and made.dtype.kind in "biufc":
            return _List((made,))
    if all(isinstance(each, list) for each in values) and values:
        raise TypeError("a list of lists cannot be an argument; np.array(...) makes an array of it")
    for each in values:
        refuse_spread_argument(each, "a function in a list")
    raise TypeError(
        "a list that is an argument holds numbers of one type, and at least one; "
        "pass a NumPy array or a tuple"
    )


def _number_type(kind: type) -> type | None:
    """What a list of this class is of; a subclass of Python's numbers counts as its base."""
    import numpy as np

    if issubclass(kind, np.generic):
        return kind
    return next((each for each in (bool, int, float, complex) if issubclass(kind, each)), None)


def _text(value: str) -> tuple[str, str]:
    return _NAMES["text"], str(value)


def _of_function(function: Any) -> Any:
    name = f"<function {next(_numbers)}>"
    _functions[name] = function
    return _make(_NAMES["function"], name)


def _make(kind: str, field: str) -> Any:
    return type(kind, (tuple,), {"_fields": (field,)})((None,))


def function_of(name: str) -> Any:
    """The function that was passed, `MISSING` for a name that none has."""
    return _functions.get(name, MISSING)


special_names["<"] = function_of


def is_reflected(type_: _engine.Type) -> bool:
    """Returns whether it holds a function's list arguments, and the function's value after them."""
    return type_.kind == "tuple" and type_.name == _NAMES["reflected"]


def key_of(types: str) -> str | None:
    """The text of argument types, with what the functions among them mean instead of their names.

    None where a function refers to what cannot be told apart from something else.
    """
    keys: dict[str, str] = {}
    for name in set(_FUNCTION_NAME.findall(types)) & _functions.keys():
        function: Callable[..., Any] = _functions[name].py_func
        key = front_end.fingerprint(function, lines=True)
        if key is None:
            return None
        keys[name] = f"<function {key.hex()}>"
    return _FUNCTION_NAME.sub(lambda found: keys.get(found[0], found[0]), types)
