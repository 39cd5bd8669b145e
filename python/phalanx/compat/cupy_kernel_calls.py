"""What both kinds of user kernels do with the arguments of a call, and remember of it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import phalanx as px

from .._arrays import placement
from .cupy_kernel_launching import Function, numbers_of
from .cupy_kernel_operands import Layout, Operand, Shape, placed, pointer
from .cupy_kernel_params import Number, Parameter, Placeholders

PlanType = TypeVar("PlanType")
_MOST = 256  # cases or plans that are kept: programs with more shapes would fill the memory


@dataclass
class Case(Generic[PlanType]):
    """What calls with arguments of the same dtypes and shapes have in common."""

    shape: Shape
    in_types: tuple[Any, ...]
    out_types: tuple[Any, ...]
    placeholders: Placeholders
    plans: dict[Any, PlanType] = field(default_factory=dict)  # by strides and kind of device


def key_of(given: Sequence[Any]) -> tuple[Any, ...]:
    """What tells the cases of arguments apart."""
    return tuple(
        type(each) if isinstance(each, Number) else (each._dtype, each.shape) for each in given
    )


def remember(kept: dict[Any, Any], key: Any, value: Any) -> Any:
    """Keeps a value; gives it."""
    if len(kept) >= _MOST:
        kept.clear()
    kept[key] = value
    return value


class Placed:
    """The arguments of a call in a device's memory; numbers have None for theirs."""

    def __init__(self, params: Sequence[Parameter], given: Sequence[Any], device: Any) -> None:
        self._given = given
        self.memories = [placed(*each, device) for each in zip(given, params, strict=True)]
        self.strides = tuple(None if m is None else m.strides for m in self.memories)

    def operands(self, params: Sequence[Parameter], types: Sequence[Any]) -> list[Operand]:
        """Their dtypes, shapes and strides."""
        return [Operand(*each) for each in zip(params, types, self.memories, strict=True)]

    def pointers(self) -> list[Any]:
        """The arguments of a launch for the arrays."""
        return [pointer(each) for each in self.memories if each is not None]

    def numbers(self, types: Sequence[Any], passed: Sequence[Shape | None]) -> list[Any]:
        """The arguments of a launch after the pointers: numbers, and what is `passed` of arrays."""
        made: list[Any] = []
        for given, dtype, own in zip(self._given, types, passed, strict=True):
            made += numbers_of(given.of(dtype)) if own is None else own
        return made


def output_arrays(
    case: Case[Any], given: list[Any], params: tuple[Parameter, ...], has_size: bool, device: Any
) -> list[Any]:
    """The outputs that were given, or new ones of the case's shape.

    Raises `ValueError` for another shape, and where nothing decides the size of a raw one.
    """
    if not given:
        for param in params:
            if param.raw and not has_size:
                raise ValueError(
                    f"Output array size is Undecided: {param.name} is raw, so pass the array"
                )
        name = placement.name_of(device)
        return [px.empty(case.shape, dtype, device=name) for dtype in case.out_types]
    for param, each in zip(params, given, strict=True):
        if not param.raw and each.shape != case.shape:
            raise ValueError(
                f"Out shape is mismatched: {param.name} has shape {each.shape}, and the kernel "
                f"makes {case.shape}"
            )
    return given


class CachedCodes:
    """What kernels show of the code that they have made."""

    _cached_codes: dict[tuple[Any, ...], str]

    @property
    def cached_codes(self) -> dict[tuple[Any, ...], str]:
        """The texts in CUDA C by the dtypes of their arrays; a warning where there are none yet."""
        if not self._cached_codes:
            warnings.warn(
                "No codes are cached because compilation is deferred until the first function "
                "call.",
                stacklevel=2,
            )
        return dict(self._cached_codes)

    @property
    def cached_code(self) -> str:
        """The text in CUDA C; a warning where calls of several dtypes have made several."""
        if len(self._cached_codes) > 1:
            warnings.warn(
                "The input types of the kernel could not be inferred. Please use `.cached_codes` "
                "instead.",
                stacklevel=2,
            )
        return next(iter(self._cached_codes.values()))

    def _keep_code(self, layouts: Sequence[Layout], function: Function) -> None:
        dtypes = tuple(each.dtype for each in layouts if each.is_array)
        self._cached_codes.setdefault(dtypes, function.text)
