"""Arrays as text, as NumPy's, with the device where it is not the current one."""

from __future__ import annotations

from typing import Any

from .. import _engine
from . import coerce, dtypes, placement

_FROM_NUMPY = ("get_printoptions", "printoptions", "set_printoptions")


def __getattr__(name: str) -> Any:
    if name not in _FROM_NUMPY:
        raise AttributeError(name)
    import numpy as np

    return getattr(np, name)


def to_repr(array: Any) -> str:
    """What `repr` gives."""
    text = _named(repr(coerce.to_readable(array)), array)
    if array._place is None or placement.is_same(array._device, _engine.current_device()):
        return text
    return f"{text[:-1]}, device={placement.name_of(array._device)!r})"


def array_repr(
    arr: Any,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """The array as text, as code that makes it."""
    import numpy as np

    array = coerce.asarray(arr)
    text = np.array_repr(coerce.to_readable(array), max_line_width, precision, suppress_small)
    return _named(text, array)


def _named(text: str, array: Any) -> str:
    """The text with the array's dtype, where NumPy prints it in another one."""
    is_known = dtypes.has_numpys(array._dtype)
    return text if is_known else text.replace("dtype=float32", f"dtype={array._dtype}")


def array_str(
    a: Any,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """The elements as text."""
    import numpy as np

    host = coerce.to_readable(coerce.asarray(a))
    return np.array_str(host, max_line_width, precision, suppress_small)


def array2string(a: Any, *args: Any, **options: Any) -> str:
    """The elements as text, with the options of NumPy's function."""
    import numpy as np

    return np.array2string(coerce.to_readable(coerce.asarray(a)), *args, **options)
