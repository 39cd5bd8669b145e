"""``cupy.vectorize``: a function of numbers, done to the elements of arrays."""

from __future__ import annotations

import dis
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px


class vectorize:
    """A function of numbers, done to each element.

    A function without conditions and loops computes with whole arrays, in the dtypes that NumPy's
    operators give; others are compiled by `phalanx.vectorize`. `otypes` names another dtype of the
    result. Raises the errors of the compiler for what it does not know.
    """

    def __init__(
        self,
        pyfunc: Callable[..., Any],
        otypes: Any = None,
        doc: str | None = None,
        excluded: Any = None,
        cache: bool = False,
        signature: str | None = None,
    ) -> None:
        if excluded or cache or signature is not None:
            raise NotImplementedError(
                "cupy.vectorize takes neither excluded, cache nor signature, here as in CuPy: "
                "phalanx.guvectorize has signatures"
            )
        self.pyfunc = pyfunc
        self.otypes = None if otypes is None else [np.dtype(each) for each in otypes]
        self.__doc__ = pyfunc.__doc__ if doc is None else doc
        self._is_expression = _is_expression(pyfunc)
        self._compiled: Any = None

    def __call__(self, *args: Any) -> Any:
        """The function of each element, of arguments that are broadcast together."""
        arrays = [px.asarray(each) for each in args]
        made = self._of_arrays(arrays) if self._is_expression else None
        if made is None:
            if self._compiled is None:
                self._compiled = px.vectorize(self.pyfunc)
            made = px.asarray(self._compiled(*arrays))
        if isinstance(made, tuple):
            return tuple(self._typed(each, i) for i, each in enumerate(made))
        return self._typed(made, 0)

    def _typed(self, made: Any, number: int) -> Any:
        return made if self.otypes is None else made.astype(self.otypes[number], copy=False)

    def _of_arrays(self, arrays: list[Any]) -> Any:
        """The function of whole arrays; None where it needs numbers."""
        try:
            made = self.pyfunc(*arrays)
        except (AttributeError, ValueError):
            return None  # such as of the truth of an array
        except TypeError as error:
            if _is_of_operator(error):
                raise  # which has no loop for these dtypes
            return None  # such as of an array in the place of a number
        shape = px.broadcast_shapes(*(each.shape for each in arrays))
        parts = made if isinstance(made, tuple) else (made,)
        if not parts or not all(isinstance(each, px.ndarray) for each in parts):
            return None
        own = tuple(_own(each, arrays, shape) for each in parts)
        return own if isinstance(made, tuple) else own[0]


def _is_of_operator(error: TypeError) -> bool:
    """Returns whether an operator raised it, which leaves no frame; else a conversion of ours."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return place is None or not place.tb_frame.f_globals["__name__"].startswith("phalanx.")


def _own(made: Any, arrays: list[Any], shape: tuple[int, ...]) -> Any:
    """The result in the shape of all arguments, and none of them."""
    is_given = any(made is each for each in arrays) or made.shape != shape
    return px.broadcast_to(made, shape).copy() if is_given else made


def _is_expression(function: Any) -> bool:
    """Returns whether a function has neither branches nor loops, and changes nothing in place."""
    code = getattr(function, "__code__", None)
    if code is None:
        return False
    jumps = {*dis.hasjrel, *dis.hasjabs}
    for each in dis.get_instructions(code):
        is_in_place = each.opname.startswith("INPLACE_") or (
            each.opname == "BINARY_OP" and each.argrepr.endswith("=")
        )
        if each.opcode in jumps or is_in_place or each.opname.startswith("STORE_SUBSCR"):
            return False
    return True
