"""Arrays as text, as NumPy's, with the device where it is not the current one."""

from __future__ import annotations

import html
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


_MOST_CELLS = 10  # of a row or a column of a notebook's table


def to_html(array: Any) -> str:
    """What a notebook shows: dtype, shape and device, and a table of one or two dimensions.

    Of long rows and columns it has the ends, and only those come from the device.
    """
    about = f"{array._dtype} {tuple(array.shape)} on {array.device}"
    if array.ndim not in (1, 2) or 0 in array.shape:
        return f"<div>{about}</div><pre>{html.escape(to_repr(array))}</pre>"
    shown = array._reshape((1, -1)) if array.ndim == 1 else array
    cells = coerce.to_readable(shown[_ends(shown.shape[0])][:, _ends(shown.shape[1])])
    rows = [[html.escape(str(cell)) for cell in row] for row in cells]
    for row in rows:
        _mark_gap(row, shown.shape[1], "&hellip;")
    _mark_gap(rows, shown.shape[0], ["&#8942;"] * len(rows[0]))
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<div>{about}</div><table>{body}</table>"


def _ends(count: int) -> Any:
    """The first and the last indices, all where there are few."""
    half = _MOST_CELLS // 2
    return slice(None) if count <= _MOST_CELLS else [*range(half), *range(count - half, count)]


def _mark_gap(items: list[Any], count: int, mark: Any) -> None:
    if count > _MOST_CELLS:
        items.insert(_MOST_CELLS // 2, mark)


def array_repr(
    arr: Any,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """The array as text, as code that makes it.

    >>> px.array_repr(px.arange(3))
    'array([0, 1, 2])'
    """
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
    """The elements as text.

    >>> px.array_str(px.arange(3))
    '[0 1 2]'
    """
    import numpy as np

    host = coerce.to_readable(coerce.asarray(a))
    return np.array_str(host, max_line_width, precision, suppress_small)


def array2string(a: Any, *args: Any, **options: Any) -> str:
    """The elements as text, with the options of NumPy's function.

    >>> print(px.array2string(px.arange(3), separator=", "))
    [0, 1, 2]
    """
    import numpy as np

    return np.array2string(coerce.to_readable(coerce.asarray(a)), *args, **options)
