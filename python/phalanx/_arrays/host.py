"""What runs through NumPy on the host, whichever device the arrays are on.

On the CPU device nothing is copied. On a GPU the operands come to the host and the result goes back:
right, and as slow as that is. Each function here is to be replaced by kernels of the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _engine
from . import coerce


def as_host(value: Any) -> Any:
    """`value` with NumPy's arrays, which must not be written to, in the place of ours."""
    if isinstance(value, _engine.Array):
        return coerce.to_numpy(value)
    if isinstance(value, (list, tuple)):
        return type(value)(as_host(each) for each in value)
    return value


def as_ours(value: Any) -> Any:
    """`value`, which nobody else has, with our arrays in the place of NumPy's."""
    import numpy as np

    if isinstance(value, (np.ndarray, np.generic)):
        made = np.asarray(value)
        if not made.flags.writeable:  # a view of an array of ours
            made = np.array(made)
        return coerce.from_numpy(made, is_shared=False)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(as_ours, value))
    if isinstance(value, (list, tuple)):
        return type(value)(as_ours(each) for each in value)
    return value


def run(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The function of NumPy's, of our arrays."""
    named = {name: as_host(value) for name, value in kwargs.items()}
    return as_ours(function(*map(as_host, args), **named))


def indexed(array: _engine.Array, key: Any) -> _engine.Array:
    """`array[key]` for keys with arrays."""
    import numpy as np

    made = coerce.to_numpy(array)[as_host(key)]
    # A copy by NumPy's rules for such keys; of a 0-d key it may be a view still.
    return as_ours(np.array(made, copy=None if made.base is None else True))  # type: ignore[no-any-return]


def assign_indexed(array: _engine.Array, key: Any, value: Any) -> None:
    """`array[key] = value` for keys with arrays."""
    import numpy as np

    host = np.array(coerce.to_numpy(array))
    host[as_host(key)] = as_host(value)
    array._assign(as_ours(host))
