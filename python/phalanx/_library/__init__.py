"""Functions of NumPy for kernels, written in Python: compiled with the kernels that call them.

Each module registers its functions with `implements`; `load` imports a module when a kernel first
names one of its functions. It registers itself with the front end.
"""

from __future__ import annotations

import importlib

from .._frontend import providers
from . import replacements

_FUNCTIONS = {
    "joining": (
        "append", "column_stack", "concatenate", "delete", "dstack", "hstack", "insert",
        "meshgrid", "repeat", "row_stack", "stack", "vstack",
    ),
    "counting": ("bincount", "histogram"),
    "kinds": (
        "divmod", "iscomplex", "iscomplexobj", "isneginf", "isposinf", "isreal", "isrealobj",
        "isscalar", "nanargmax", "nanargmin",
    ),
    "layouts": (
        "asfortranarray", "broadcast_to", "diagflat", "indices", "moveaxis", "ravel", "swapaxes",
        "transpose",
    ),
    "matrices": (
        "diag", "diagonal", "fill_diagonal", "kron", "tri", "tril", "triu", "vander",
    ),
    "nan_reductions": (
        "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar",
    ),
    "order_statistics": (
        "argpartition", "median", "nanmedian", "nanpercentile", "nanquantile", "partition",
        "percentile", "quantile",
    ),
    "reductions": ("count_nonzero", "ptp"),
    "running": (
        "cumprod", "cumsum", "diff", "ediff1d", "nancumprod", "nancumsum", "trapezoid", "trapz",
    ),
    "selecting": ("argwhere", "extract", "flatnonzero", "nonzero", "take", "where"),
    "sets": (
        "intersect1d", "select", "setdiff1d", "setxor1d", "trim_zeros", "union1d",
    ),
    "shaping": (
        "array", "asarray", "ascontiguousarray", "imag", "real", "reshape", "shape", "size",
    ),
    "sorting": (
        "argsort", "digitize", "isin", "searchsorted", "sort", "unique",
    ),
    "statistics": ("average", "corrcoef", "cov"),
    "sums": (
        "allclose", "angle", "around", "array_equal", "clip", "convolve", "correlate", "cross",
        "finfo", "iinfo", "inner", "interp", "isclose", "logspace", "nan_to_num", "round", "vdot",
    ),
    "turning": (
        "atleast_1d", "atleast_2d", "atleast_3d", "expand_dims", "flip", "fliplr", "flipud",
        "roll", "rot90",
    ),
    "windows": (
        "bartlett", "blackman", "hamming", "hanning", "kaiser", "sinc", "unwrap",
    ),
    "whole_numbers": ("gcd", "isnat", "lcm", "ldexp"),
}  # fmt: skip

_METHODS = {
    "lists": (
        "append",
        "clear",
        "copy",
        "count",
        "extend",
        "index",
        "insert",
        "pop",
        "remove",
        "reverse",
        "sort",
    ),
    "layouts": ("swapaxes",),
    "reductions": ("ptp",),
    "running": ("cumprod", "cumsum"),
    "selecting": ("nonzero", "take"),
    "joining": ("repeat",),
    "shaping": ("astype", "conj", "conjugate", "dot", "fill", "item"),
    "sorting": ("argsort", "searchsorted", "sort"),
    "sums": ("clip", "round"),
}

_MODULES: dict[str, dict[str, tuple[str, ...]]] = {
    "attribute": {"shaping": ("flat", "imag")},
    "cmath": {
        "complex_functions": (
            "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log", "rect",
            "sin", "sinh", "sqrt", "tan", "tanh",
        ),
    },
    "builtins": {
        "lists": ("all", "any", "list", "max", "min", "reversed", "sorted", "sum"),
    },
    "index": {"selecting": ("get", "set")},
    "list": {
        "lists": ("append_all", "contains", "equal", "less", "repeat", "set_slice", "slice"),
    },
    "math": {"whole_numbers": ("gcd", "lcm")},
    "method": _METHODS,
    "numpy": _FUNCTIONS,
}  # fmt: skip
# Arrays and lists may have methods of one name.
_MODULES_OF: dict[str, list[str]] = {}
for _prefix, _modules in _MODULES.items():
    for _module, _names in _modules.items():
        for _name in _names:
            _MODULES_OF.setdefault(f"{_prefix}.{_name}", []).append(_module)


def load(name: str) -> None:
    """Imports what implements the name, such as ``numpy.ptp`` or ``method.ptp``."""
    for module in _MODULES_OF.get(name, ()):
        importlib.import_module(f"{__name__}.{module}")


providers.loaders.append(load)
providers.replacements.append(replacements.find)
providers.special_names["@"] = replacements.operator
