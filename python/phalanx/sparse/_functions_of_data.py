"""Functions of each element that are zero at zero, as methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import phalanx as px

from . import _formats


def _method(name: str, shown: str) -> Callable[[Any], Any]:
    def function(self: Any) -> Any:
        own = self._once()
        return own._with_data(getattr(px, name)(own.data))

    function.__name__ = name
    function.__doc__ = (
        f"`phalanx.{name}` of each element, as a sparse matrix.\n\n"
        f">>> px.sparse.csr_array([[0.0, 0.75]]).{name}().toarray().round(3)\n{shown}\n"
    )
    return function


class FunctionsOfData(_formats.SparseRoot):
    """The methods of SciPy's matrices that apply a ufunc to the data."""

    _once: Any

    arcsin = _method("arcsin", "array([[0.   , 0.848]])")
    arcsinh = _method("arcsinh", "array([[0.   , 0.693]])")
    arctan = _method("arctan", "array([[0.   , 0.644]])")
    arctanh = _method("arctanh", "array([[0.   , 0.973]])")
    ceil = _method("ceil", "array([[0., 1.]])")
    deg2rad = _method("deg2rad", "array([[0.   , 0.013]])")
    expm1 = _method("expm1", "array([[0.   , 1.117]])")
    floor = _method("floor", "array([[0., 0.]])")
    log1p = _method("log1p", "array([[0.  , 0.56]])")
    rad2deg = _method("rad2deg", "array([[ 0.   , 42.972]])")
    rint = _method("rint", "array([[0., 1.]])")
    sign = _method("sign", "array([[0., 1.]])")
    sin = _method("sin", "array([[0.   , 0.682]])")
    sinh = _method("sinh", "array([[0.   , 0.822]])")
    sqrt = _method("sqrt", "array([[0.   , 0.866]])")
    tan = _method("tan", "array([[0.   , 0.932]])")
    tanh = _method("tanh", "array([[0.   , 0.635]])")
    trunc = _method("trunc", "array([[0., 0.]])")
