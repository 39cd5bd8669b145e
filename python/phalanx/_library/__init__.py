"""Functions of NumPy for kernels, written in Python: compiled with the kernels that call them.

Each module registers its functions with `implements`; `load` imports a module when a kernel first
names one of its functions.
"""

from __future__ import annotations

import importlib

_MODULES = {
    "complex_functions": (
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log", "rect",
        "sin", "sinh", "sqrt", "tan", "tanh",
    ),
    "reductions": (
        "all", "amax", "amin", "any", "argmax", "argmin", "count_nonzero", "max", "mean", "min",
        "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar", "prod", "ptp",
        "std", "sum", "var",
    ),
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}
_PREFIXES = {"complex_functions": ("cmath",), "reductions": ("numpy", "method")}


def load(name: str) -> None:
    """Imports what implements the name, such as ``numpy.sum`` or ``method.sum``."""
    prefix, _, short = name.partition(".")
    module = _MODULE_OF.get(short)
    if module is not None and prefix in _PREFIXES[module]:
        importlib.import_module(f"{__name__}.{module}")
