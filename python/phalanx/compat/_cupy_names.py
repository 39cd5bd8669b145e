"""The names of package `cupy` that lead elsewhere than to the arrays' names of `phalanx`."""

from __future__ import annotations

import math

# Name, and the module that has it.
OWN: dict[str, str] = {
    **dict.fromkeys(
        ("clear_memo", "fuse", "memoize"),
        "cupy_kernels",
    ),
    **dict.fromkeys(("RawKernel", "RawModule"), "cupy_raw_kernels"),
    "ElementwiseKernel": "cupy_user_kernels",
    "ReductionKernel": "cupy_reduction_kernels",
    "vectorize": "cupy_vectorize",
    **dict.fromkeys(
        ("allclose", "amax", "amin", "argmax", "argmin", "array", "asanyarray", "asarray",
         "asnumpy", "fromDlpack", "get_array_module", "get_default_pinned_memory_pool",
         "is_available", "max", "min", "percentile", "prod", "quantile", "show_config", "sum"),
        "cupy_functions",
    ),
    "get_default_memory_pool": "cupy_memory",
    **dict.fromkeys(
        ("AxisError", "ComplexWarning", "ModuleDeprecationWarning", "RankWarning", "TooHardError",
         "VisibleDeprecationWarning"),
        "cupy_exceptions",
    ),
    **dict.fromkeys(
        ("asfarray", "byte_bounds", "disp", "find_common_type", "in1d", "issctype", "issubclass_",
         "issubsctype", "msort", "obj2sctype", "sctype2char", "who"),
        "cupy_older",
    ),
}  # fmt: skip

MODULES = ("cuda", "exceptions", "fft", "lib", "linalg", "polynomial", "random", "testing")

# Names that NumPy has given up, and those that it has now.
RENAMED: dict[str, str] = {
    "Inf": "inf", "Infinity": "inf", "infty": "inf", "PINF": "inf", "NAN": "nan", "NaN": "nan",
    "alltrue": "all", "sometrue": "any", "product": "prod", "cumproduct": "cumprod",
    "round_": "round", "trapz": "trapezoid",
    "float_": "float64", "complex_": "complex128", "cfloat": "complex128",
    "singlecomplex": "complex64",
}  # fmt: skip

CONSTANTS: dict[str, float] = {"NINF": -math.inf, "PZERO": 0.0, "NZERO": -0.0}
