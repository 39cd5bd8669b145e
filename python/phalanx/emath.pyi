"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.emath."""

from typing import Any as _Any
def arccos(x: _Any) -> _Any:
    """The angle with that cosine."""
def arcsin(x: _Any) -> _Any:
    """The angle with that sine."""
def arctanh(x: _Any) -> _Any:
    """The number with that hyperbolic tangent."""
def log(x: _Any) -> _Any:
    """The natural logarithm."""
def log10(x: _Any) -> _Any:
    """The logarithm to base 10."""
def log2(x: _Any) -> _Any:
    """The logarithm to base 2."""
def logn(n: _Any, x: _Any) -> _Any:
    """The logarithm of the second argument to the base of the first."""
def power(x: _Any, p: _Any) -> _Any:
    """The first argument to the power of the second."""
def sqrt(x: _Any) -> _Any:
    """The square root."""
