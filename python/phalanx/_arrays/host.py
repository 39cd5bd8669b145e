"""What runs through NumPy on the host, whichever device the arrays are on.

On the CPU device nothing is copied. On a GPU the operands come to the host and the result goes
back: right, and as slow as that is. Each function here is to be replaced by kernels of the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _engine
from . import coerce
from .one_device import refuse_spread


def as_host(value: Any) -> Any:
    """`value` with NumPy's arrays, which must not be written to, in the place of ours."""
    if isinstance(value, _engine.Array):
        return coerce.to_numpy(value)
    if isinstance(value, (list, tuple)):
        return type(value)(as_host(each) for each in value)
    refuse_spread(value)
    return value


def as_ours(value: Any, device: _engine.Device | None = None) -> Any:
    """`value`, which nobody else has, with our arrays in the place of NumPy's."""
    import numpy as np

    if isinstance(value, (np.ndarray, np.generic)):
        made = np.asarray(value)
        if not made.flags.writeable:  # a view of an array of ours
            made = np.array(made)
        ours = coerce.from_numpy(made, is_shared=False, device=device)
        return ours._as_number() if isinstance(value, np.generic) else ours
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(as_ours(each, device) for each in value))
    if isinstance(value, (list, tuple)):
        return type(value)(as_ours(each, device) for each in value)
    return value


def run(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The function of NumPy's, of our arrays, on whose device the result is.

    Raises `ValueError` for arrays of several devices.
    """
    device = coerce.common_device([*args, *kwargs.values()])
    named = {name: as_host(value) for name, value in kwargs.items()}
    return as_ours(function(*map(as_host, args), **named), device)


def update_at(function: Callable[..., Any], array: Any, key: Any, *operand: Any) -> None:
    """What `ufunc.at` of NumPy's does to the elements of an array, done to ours.

    Raises `ValueError` for an operand that does not go into an empty selection: there NumPy 2.4
    reads outside of its memory.
    """
    import numpy as np

    chosen = np.broadcast_to(np.False_, array.shape)[as_host(key)].shape
    for each in operand if 0 in chosen else ():
        shape = each.shape[max(each.ndim - len(chosen), 0) :]
        if each.size != np.prod(shape) or np.broadcast_shapes(shape, chosen) != chosen:
            raise ValueError(
                f"the operand's shape {each.shape} does not broadcast to that of the elements, "
                f"{chosen}"
            )
    update(function, array, key, *operand)


def update(function: Callable[..., Any], array: Any, *args: Any, **kwargs: Any) -> None:
    """What the function does to a NumPy array, its first argument, done to ours.

    On the CPU device it writes to the array's memory; on a GPU the array goes to the host and back.
    """
    import numpy as np

    given = [as_host(each) for each in args]
    named = {name: as_host(value) for name, value in kwargs.items()}
    if coerce.is_on_host(array):
        own = coerce.opened(array)
        named = {name: _apart(value, own) for name, value in named.items()}
        function(own, *(_apart(each, own) for each in given), **named)
        return
    own = np.array(coerce.to_numpy(array))
    function(own, *given, **named)
    array._assign(as_ours(own, array._place))


def _apart(value: Any, own: Any) -> Any:
    """The value without arrays of memory that is to be written to."""
    import numpy as np

    if isinstance(value, (list, tuple)):
        return type(value)(_apart(each, own) for each in value)
    is_shared = isinstance(value, np.ndarray) and np.may_share_memory(value, own)
    return value.copy() if is_shared else value


def indexed(array: _engine.Array, key: Any) -> Any:
    """`array[key]` for keys with arrays."""
    import numpy as np

    made = coerce.to_numpy(array)[as_host(key)]
    # A copy by NumPy's rules for such keys; of a 0-d key it may be a view still.
    own = np.array(made, copy=None if made.base is None else True)
    return as_ours(own, array._place)


def check_writable(array: _engine.Array) -> None:
    """Raises `ValueError` for an array that cannot be assigned to."""
    if array._is_read_only:
        raise ValueError("assignment destination is read-only")


def assign_indexed(array: _engine.Array, key: Any, value: Any) -> None:
    """`array[key] = value` for keys with arrays."""
    update(lambda host, where, what: host.__setitem__(where, what), array, key, value)
