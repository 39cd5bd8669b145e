"""Mistakes with functions, arrays, frames and models; each line says what mypy answers."""

from phalanx.ml.linear_model import Ridge

import phalanx as px
from phalanx import njit


@njit
def half(x: float) -> float:
    return x / 2


@njit(multicore=True)  # E: Unexpected keyword argument "multicore"
def third(x: float) -> float:
    return x / 3


@njit(error_model="c")  # E: No overload variant of "njit" matches
def fourth(x: float) -> float:
    return x / 4


half("1")  # E: Argument 1 to "__call__" of "Function" has incompatible type "str"
half(1.0, 2.0)  # E: Too many arguments for "__call__" of "Function"
text: str = half(1.0)  # E: Incompatible types in assignment (expression has type "float"
px.zeroes(3)  # E: Module has no attribute "zeroes"
px.zeros(3).summ()  # E: "ndarray" has no attribute "summ"
px.zeros(shape=3, dtyp="f4")  # E: Unexpected keyword argument "dtyp" for "zeros"
px.Datafame({})  # E: Module has no attribute "Datafame"
Ridge(alfa=1.0)  # E: Unexpected keyword argument "alfa" for "Ridge"
px.linalg.slove(1, 2)  # E: Module has no attribute "slove"
px.DataFrame({}).merge(other=1)  # E: Unexpected keyword argument "other"
