"""Functions of each element that are zero at zero, as methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import phalanx as px

from . import _formats


def _method(name: str) -> Callable[[Any], Any]:
    def function(self: Any) -> Any:
        own = self._once()
        return own._with_data(getattr(px, name)(own.data))

    function.__name__ = name
    function.__doc__ = f"`phalanx.{name}` of each element, as a sparse matrix."
    return function


class FunctionsOfData(_formats.SparseRoot):
    """The methods of SciPy's matrices that apply a ufunc to the data."""

    _once: Any

    arcsin = _method("arcsin")
    arcsinh = _method("arcsinh")
    arctan = _method("arctan")
    arctanh = _method("arctanh")
    ceil = _method("ceil")
    deg2rad = _method("deg2rad")
    expm1 = _method("expm1")
    floor = _method("floor")
    log1p = _method("log1p")
    rad2deg = _method("rad2deg")
    rint = _method("rint")
    sign = _method("sign")
    sin = _method("sin")
    sinh = _method("sinh")
    sqrt = _method("sqrt")
    tan = _method("tan")
    tanh = _method("tanh")
    trunc = _method("trunc")
