"""The array type."""

from __future__ import annotations

from .. import _engine
from . import cupy_methods, printing


class ndarray(cupy_methods.CuPyMethods):
    """An array as NumPy's, whose operations are recorded and run together when it is looked at.

    Made by `phalanx.asarray` and the other functions that create arrays; `ndarray(shape, dtype)`
    has elements without values.

    >>> x = px.asarray([[1.0, 2.0], [3.0, 4.0]])
    >>> (2 * x + x.T).sum(axis=0)
    array([11., 19.])
    """

    __slots__ = ()
    __array_priority__ = 1000

    def _repr_html_(self) -> str:
        return printing.to_html(self)


_engine.set_array_class(ndarray)
