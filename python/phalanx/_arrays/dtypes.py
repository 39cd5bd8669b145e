"""NumPy's dtypes and the engine's names of them."""

from __future__ import annotations

from functools import cache
from typing import Any

_NAMES = {
    "bool",
    *(f"{kind}int{bits}" for kind in ("", "u") for bits in (8, 16, 32, 64)),
    *("float16", "float32", "float64", "complex64", "complex128"),
}


def can_cast(from_: Any, to: Any, casting: Any) -> bool:
    """Returns whether NumPy's rule of that name allows the conversion."""
    import numpy as np

    return bool(np.can_cast(from_, to, casting))


@cache
def numpy_dtype(name: str) -> Any:
    """The NumPy dtype that the engine calls so."""
    import numpy as np

    return np.dtype(name)


@cache
def engine_type(name: str) -> Any:
    """The engine's type of an element of that name."""
    from .._types.bridge import to_engine

    return to_engine(numpy_dtype(name))


def name_of(dtype: Any) -> str:
    """The engine's name of what `numpy.dtype` takes; raises `TypeError` for what arrays lack."""
    try:
        return _found_name(dtype)
    except TypeError:  # no key of a table, or no dtype
        return _found_name.__wrapped__(dtype)


@cache
def _found_name(dtype: Any) -> str:
    import numpy as np

    found = np.dtype(dtype)
    if found.name not in _NAMES:
        raise TypeError(f"arrays of dtype {found} are not supported")
    return str(found.name)
