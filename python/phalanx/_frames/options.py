"""Options of display, under pandas' names, and of users' functions."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from phalanx.errors import OptionError

_DEFAULTS: dict[str, Any] = {
    "compute.user_functions": "auto",  # or "compile", "python": see functions/compiled.py
    "compute.values": "numpy",  # or "array": see interchange/device_forms.py
    "display.chop_threshold": None,
    "display.colheader_justify": "right",
    "display.expand_frame_repr": True,
    "display.float_format": None,
    "display.html.border": 1,
    "display.html.use_mathjax": True,
    "display.large_repr": "truncate",
    "display.max_categories": 8,
    "display.max_columns": 20,
    "display.max_colwidth": 50,
    "display.max_info_columns": 100,
    "display.max_info_rows": 1690785,
    "display.max_rows": 60,
    "display.max_seq_items": 100,
    "display.memory_usage": True,
    "display.min_rows": 10,
    "display.multi_sparse": True,
    "display.notebook_repr_html": True,
    "display.pprint_nest_depth": 3,
    "display.precision": 6,
    "display.show_dimensions": "truncate",
    "display.width": 80,
}
# Options of how pandas computes: every value is taken, as results are the same with each.
_DEFAULTS |= {
    "compute.use_bottleneck": True,
    "compute.use_numba": False,
    "compute.use_numexpr": True,
    "display.encoding": "utf-8",
    "display.max_dir_items": 100,
    "mode.chained_assignment": "warn",
    "mode.copy_on_write": True,
    "mode.max_threads": None,
    "mode.performance_warnings": True,
    "mode.string_storage": "auto",  # texts have one form
}
# Options of which only pandas' default is there.
_FIXED = {
    "display.date_dayfirst": False,
    "display.date_yearfirst": False,
    "display.html.table_schema": False,
    "display.unicode.ambiguous_as_wide": False,
    "display.unicode.east_asian_width": False,
    "future.distinguish_nan_and_na": False,
    "future.infer_string": True,
    "future.no_silent_downcasting": False,
    "future.python_scalars": False,
    "mode.sim_interactive": False,
    "plotting.backend": "matplotlib",
}
_DEFAULTS |= _FIXED
# What values options take; the others take any.
_CHOICES: dict[str, tuple[Any, ...]] = {
    "compute.user_functions": ("auto", "compile", "python"),
    "compute.values": ("numpy", "array"),
    "display.colheader_justify": ("right", "left"),
    "display.large_repr": ("truncate", "info"),
    "display.memory_usage": (True, False, None, "deep"),
    "display.show_dimensions": (True, False, "truncate"),
}
_COUNTS = frozenset(
    f"display.{each}"
    for each in (
        *("max_colwidth", "max_columns", "max_info_rows", "max_rows", "max_seq_items", "min_rows"),
        *("precision", "width"),
    )
)
_values = dict(_DEFAULTS)
_set: set[str] = set()


def _key(text: str) -> str:
    """The option that a text names, whole or by a part that only one has."""
    if text in _DEFAULTS:
        return text
    found = [key for key in _DEFAULTS if text.lower() in key]
    if not found:
        raise OptionError(f"No such keys(s): {text!r}; get_option knows: {', '.join(_DEFAULTS)}")
    if len(found) > 1:
        raise OptionError(f"Pattern matched multiple keys: {text!r} is of {', '.join(found)}")
    return found[0]


def get_option(name: str) -> Any:
    """The value of an option such as ``"display.max_rows"``, also by a part of its name.

    Raises OptionError, which is a KeyError, for a name that no option has, or several have.

    >>> px.get_option("display.max_rows")
    60
    """
    key = _key(name)
    if key == "display.max_columns" and key not in _set:
        # As pandas has it: in notebooks 20 columns, in terminals as many as fit.
        return 20 if "ipykernel" in sys.modules else 0
    return _values[key]


def set_option(*pairs: Any, **named: Any) -> None:
    """Set options: ``set_option("display.max_rows", 10, "precision", 3)``, or a dict of them.

    Raises OptionError for unknown names, ValueError for a name without a value and for values that
    the option cannot have, before any is set, and NotImplementedError where only pandas' default
    is there.

    >>> px.set_option("display.precision", 3)
    >>> px.reset_option("display.precision")
    """
    if len(pairs) == 1 and isinstance(pairs[0], dict):
        pairs = tuple(each for pair in pairs[0].items() for each in pair)
    pairs = (*pairs, *(each for pair in named.items() for each in pair))
    if not pairs or len(pairs) % 2:
        raise ValueError("options are set by pairs of a name and a value")
    checked = [(_key(pairs[i]), pairs[i + 1]) for i in range(0, len(pairs), 2)]
    for name, value in checked:
        _check_value(name, value)
    for name, value in checked:
        _values[name] = value
        _set.add(name)


def _check_value(name: str, value: Any) -> None:
    """Raise ValueError, or NotImplementedError for a value that pandas has and we have not."""
    if name in _FIXED and value != _FIXED[name]:
        raise NotImplementedError(
            f"the option {name!r} is {_FIXED[name]!r}; {value!r} of pandas is not supported"
        )
    choices = _CHOICES.get(name)
    if isinstance(_DEFAULTS[name], bool) and choices is None:
        choices = (True, False)
    if choices is not None and value not in choices:
        raise ValueError(f"{name}: Value must be one of {'|'.join(map(str, choices))}")
    is_count = isinstance(value, (int, np.integer)) and value >= 0
    if name in _COUNTS and value is not None and not is_count:
        raise ValueError(f"{name}: Value must be a nonnegative integer or None")
    if name == "display.float_format" and value is not None and not callable(value):
        raise ValueError(f"{name}: Value must be a callable or None")


def reset_option(name: str) -> None:
    """Give an option, or with ``"all"`` each, its first value. A part may name several.

    >>> px.set_option("display.precision", 3)
    >>> px.reset_option("display.precision")
    >>> px.get_option("display.precision")
    6
    """
    keys = list(_DEFAULTS) if name == "all" else [key for key in _DEFAULTS if name in key]
    if not keys:
        raise OptionError(f"No such keys(s) for pat={name!r}")
    for key in keys:
        _values[key] = _DEFAULTS[key]
        _set.discard(key)


@contextmanager
def option_context(*pairs: Any) -> Iterator[None]:
    """Options that hold inside a ``with`` block, given as `set_option` takes them.

    >>> with px.option_context("display.precision", 2):
    ...     print(px.get_option("display.precision"))
    2
    """
    values, was_set = dict(_values), set(_set)
    try:
        set_option(*pairs)
        yield
    finally:
        _values.update(values)
        _set.clear()
        _set.update(was_set)


def console_width() -> int | None:
    """Columns of text to which tables are cut: those of the option, or the terminal's."""
    width: int | None = get_option("display.width")
    return width if width is not None else os.get_terminal_size().columns


class Options:
    """The options as attributes: ``options.display.max_rows = 10``."""

    def __init__(self, prefix: str = "") -> None:
        self.__dict__["_prefix"] = prefix

    def __getattr__(self, name: str) -> Any:
        key = f"{self._prefix}{name}"
        if key in _DEFAULTS:
            return get_option(key)
        if not name.startswith("_") and any(each.startswith(f"{key}.") for each in _DEFAULTS):
            return Options(f"{key}.")
        raise OptionError(f"No such option: {key!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        key = f"{self._prefix}{name}"
        if key not in _DEFAULTS:
            raise OptionError(f"{key!r}: You can only set the value of existing options")
        set_option(key, value)

    def __dir__(self) -> list[str]:
        start = len(self._prefix)
        names = [each[start:] for each in _DEFAULTS if each.startswith(self._prefix)]
        return sorted({each.split(".")[0] for each in names})


options = Options()
