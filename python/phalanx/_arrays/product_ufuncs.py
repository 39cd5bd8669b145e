"""The universal functions of rows and matrices, recorded by the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _engine
from .ufunc_type import HostUfunc, as_operands


class ProductUfunc(HostUfunc):
    """One that the engine records; through NumPy with options of gufuncs, and for NumPy's errors.

    `ndims` are the dimensions that a product needs of its operands.
    """

    def __init__(self, name: str, doc: str, signature: str, ndims: tuple[int, int]) -> None:
        super().__init__(name, 2, 1, doc, signature)
        self._ndims = ndims
        self._record: Callable[[Any, Any], Any] = getattr(_engine, f"array_{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not kwargs and len(args) == 2:
            operands = as_operands(args)
            return self.compute(operands, None, "same_kind")
        return super().__call__(*args, **kwargs)

    def compute(self, operands: list[Any], dtype: Any, casting: Any, **options: Any) -> Any:
        """The product, recorded."""
        if dtype is None and self._fits(operands):
            if not options or options == {"axis": -1}:
                return self._record(*operands)
            if list(options) == ["axis"]:  # of vecdot
                moved = [_with_last(each, options["axis"]) for each in operands]
                if all(each is not None for each in moved):
                    return self._record(*moved)
        return super().compute(operands, dtype, casting, **options)

    def _fits(self, operands: list[Any]) -> bool:
        return all(
            isinstance(operand, _engine.Array) and operand.ndim >= least
            for operand, least in zip(operands, self._ndims, strict=True)
        )


def _with_last(array: Any, axis: Any) -> Any:
    """The view with that axis as the last one; None where there is no such axis."""
    if not isinstance(axis, int) or not -array.ndim <= axis < array.ndim:
        return None
    order = [i for i in range(array.ndim) if i != axis % array.ndim]
    return array._transpose([*order, axis % array.ndim])


_ROWS = (
    ("matmul", "Product of matrices, and of stacks of them.", "(n?,k),(k,m?)->(n?,m?)", (1, 1)),
    ("matvec", "Product of matrices and vectors.", "(m,n),(n)->(m)", (2, 1)),
    ("vecmat", "Product of conjugated vectors and matrices.", "(n),(n,m)->(m)", (1, 2)),
    ("vecdot", "Sum of the products along an axis, of x1 conjugated.", "(n),(n)->()", (1, 1)),
)
PRODUCTS = {row[0]: ProductUfunc(*row) for row in _ROWS}
