"""NumPy's dtypes and the engine's names of them.

The names are NumPy's, with the unit of times: ``"datetime64[25s]"``. NumPy knows bfloat16 by the
package ml_dtypes; without it `phalanx.types.bfloat16` is the dtype of its arrays.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from .. import _engine
from .._core.warnings import say

_FLOATS = {"float16", "bfloat16", "float32", "float64"}
_SMALL_FLOATS = {"float16", "bfloat16"}
_NAMES = {
    "bool",
    *(f"{kind}int{bits}" for kind in ("", "u") for bits in (8, 16, 32, 64)),
    *_FLOATS,
    *("complex64", "complex128"),
}
_TIMES = ("datetime64", "timedelta64")

# What the messages of other dtypes say.
SUPPORTED = "bool, integers and floats of up to 64 bits, complex numbers, datetime64, timedelta64"


def is_floating(name: str) -> bool:
    """Returns whether elements of that name are real floating-point numbers."""
    return name in _FLOATS


def computed_in(name: str) -> str:
    """What sums and means of such elements are computed in: float32 for floats of 16 bits."""
    return "float32" if name in _SMALL_FLOATS else name


def is_time(name: str) -> bool:
    """Returns whether elements of that name are points in time or spans of it."""
    return name.startswith(_TIMES)


def warn_of_imaginary_parts(own: str, wanted: str) -> None:
    """Warns as NumPy does where complex elements become real ones."""
    if own.startswith("complex") and not wanted.startswith(("complex", "bool")):
        import numpy as np

        text = "Casting complex values to real discards the imaginary part"
        say(text, np.exceptions.ComplexWarning)


def adapted(name: str, own: str) -> str:
    """The name as a cast from `own` has it: a time without a unit keeps that of a time."""
    return name + own[own.find("[") :] if name in _TIMES and is_time(own) and "[" in own else name


def has_numpys(name: str) -> bool:
    """Returns whether NumPy has the dtype, for which it may need another package."""
    try:
        numpy_dtype(name)
    except TypeError:
        return False
    return True


def can_cast(from_: Any, to: Any, casting: Any) -> bool:
    """Returns whether NumPy's rule of that name allows the conversion; that of bfloat16 is ours."""
    import numpy as np

    if (is_bfloat16(from_) or is_bfloat16(to)) and casting in ("equiv", "safe", "same_kind"):
        names = name_of(from_), name_of(to)
        return not any(map(is_time, names)) and _engine.numpy_can_cast(*names, casting)
    return bool(np.can_cast(from_, to, casting))


def result_type(*operands: Any) -> str:
    """The name of what a function of those computes in: dtypes, and numbers of Python's."""
    import numpy as np

    if not any(map(is_bfloat16, operands)):
        return name_of(np.result_type(*operands))
    kinds = {bool: "bool", int: "int", float: "float", complex: "complex"}
    return str(
        _engine.numpy_result_type([kinds.get(type(each)) or name_of(each) for each in operands])
    )


@cache
def numpy_dtype(name: str) -> Any:
    """The NumPy dtype that the engine calls so; raises `TypeError` where ml_dtypes is missing."""
    import numpy as np

    if name != "bfloat16":
        return np.dtype(name)
    try:
        import ml_dtypes  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        raise TypeError(
            "NumPy has no bfloat16 without the package ml_dtypes: install it (pip install "
            "ml_dtypes), or convert the array with x.astype('float32')"
        ) from None
    return np.dtype(ml_dtypes.bfloat16)


def dtype_of(name: str) -> Any:
    """What an array's `dtype` is: NumPy's, or where it has none that of `phalanx.types`."""
    if name == "bfloat16" and not has_numpys(name):
        from .._types.objects import Scalar

        return Scalar(name)  # equal to that of phalanx.types
    return numpy_dtype(name)


@cache
def engine_type(name: str) -> Any:
    """The engine's type of an element of that name."""
    from .._types.bridge import to_engine

    return _engine.Type.scalar(name) if name == "bfloat16" else to_engine(numpy_dtype(name))


def name_of(dtype: Any) -> str:
    """The engine's name of what `numpy.dtype` takes; raises `TypeError` for what arrays lack."""
    try:
        return _found_name(dtype)
    except TypeError:  # no key of a table, or no dtype
        return _found_name.__wrapped__(dtype)


@cache
def _found_name(dtype: Any) -> str:
    import numpy as np

    if is_bfloat16(dtype):
        return "bfloat16"
    made = np.dtype(dtype)
    if made.name not in _NAMES and made.kind not in "mM":
        raise TypeError(f"arrays of dtype {made} are not supported, only {SUPPORTED}")
    return str(made.name)


def is_void(dtype: Any) -> bool:
    """Returns whether it is NumPy's dtype of bytes without a meaning, such as ``"V4"``."""
    import numpy as np

    if isinstance(dtype, str):
        text = dtype.lstrip("|")
        return text[:1] == "V" and text[1:].isdecimal()
    is_void = isinstance(dtype, np.dtype) and dtype.type is np.void  # not ml_dtypes' bfloat16
    return is_void and not (dtype.names or dtype.subdtype)


def is_bfloat16(dtype: Any) -> bool:
    """Returns whether it is the name of bfloat16, or its dtype here, in NumPy or in ml_dtypes."""
    if isinstance(dtype, type):
        return dtype.__name__ == "bfloat16"
    if getattr(dtype, "kind", "V") != "V":  # NumPy makes the name anew each time
        return False
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None)
    return bool(name == "bfloat16")
