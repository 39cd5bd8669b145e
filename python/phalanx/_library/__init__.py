"""Functions of NumPy for kernels, written in Python: compiled with the kernels that call them.

Each module registers its functions with `implements`; `load` imports a module when a kernel first
names one of its functions.
"""

from __future__ import annotations

import importlib

_FUNCTIONS = {
    "kinds": (
        "divmod", "iscomplex", "iscomplexobj", "isneginf", "isposinf", "isreal", "isrealobj",
        "isscalar", "nanargmax", "nanargmin",
    ),
    "layouts": (
        "asfortranarray", "atleast_3d", "broadcast_to", "diagflat", "dstack", "indices",
        "moveaxis", "ravel", "row_stack", "swapaxes", "transpose",
    ),
    "matrices": (
        "diag", "diagonal", "fill_diagonal", "kron", "tri", "tril", "triu", "vander",
    ),
    "reductions": (
        "all", "amax", "amin", "any", "argmax", "argmin", "count_nonzero", "max", "mean", "min",
        "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar", "prod", "ptp",
        "std", "sum", "var",
    ),
    "selecting": ("argwhere", "extract", "flatnonzero", "nonzero", "take", "where"),
    "shaping": (
        "append", "array", "asarray", "ascontiguousarray", "atleast_1d", "atleast_2d",
        "column_stack", "concatenate", "delete", "expand_dims", "flip", "fliplr", "flipud",
        "hstack", "imag", "meshgrid", "real", "repeat", "roll", "rot90", "shape", "size", "stack",
        "vstack",
    ),
    "sets": (
        "insert", "intersect1d", "select", "setdiff1d", "setxor1d", "trim_zeros", "union1d",
    ),
    "sorting": (
        "argpartition", "argsort", "bincount", "digitize", "histogram", "isin", "median",
        "nanmedian", "nanpercentile", "nanquantile", "partition", "percentile", "quantile",
        "searchsorted", "sort", "unique",
    ),
    "sums": (
        "allclose", "angle", "around", "array_equal", "average", "clip", "convolve", "corrcoef",
        "correlate", "cov", "cross", "cumprod", "cumsum", "diff", "ediff1d", "finfo", "iinfo",
        "inner", "interp", "isclose", "logspace", "nan_to_num", "nancumprod", "nancumsum",
        "round", "trapezoid", "trapz", "vdot",
    ),
    "windows": (
        "bartlett", "blackman", "hamming", "hanning", "kaiser", "sinc", "unwrap",
    ),
    "whole_numbers": ("gcd", "isnat", "lcm", "ldexp"),
}  # fmt: skip

_METHODS = {
    "layouts": ("swapaxes",),
    "reductions": _FUNCTIONS["reductions"],
    "selecting": ("nonzero", "take"),
    "shaping": ("astype", "conj", "conjugate", "dot", "fill", "item", "repeat"),
    "sorting": ("argsort", "searchsorted", "sort"),
    "sums": ("clip", "cumprod", "cumsum", "round"),
}

_MODULES: dict[str, dict[str, tuple[str, ...]]] = {
    "attribute": {"shaping": ("flat",)},
    "cmath": {
        "complex_functions": (
            "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log", "rect",
            "sin", "sinh", "sqrt", "tan", "tanh",
        ),
    },
    "index": {"selecting": ("get", "set")},
    "math": {"whole_numbers": ("gcd", "lcm")},
    "method": _METHODS,
    "numpy": _FUNCTIONS,
}  # fmt: skip
_MODULE_OF = {
    f"{prefix}.{name}": module
    for prefix, modules in _MODULES.items()
    for module, names in modules.items()
    for name in names
}


def load(name: str) -> None:
    """Imports what implements the name, such as ``numpy.sum`` or ``method.sum``."""
    module = _MODULE_OF.get(name)
    if module is not None:
        importlib.import_module(f"{__name__}.{module}")
