"""What type checkers see of decorators: the parameters and the result of what they decorate.

`P` and `R` are those of the decorated function. Nothing of the rest is used when a program runs:
the options are checked by `_kernels.options` and `_functions.options`, whose names these are
(`tests/python/typing` compares them).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, ParamSpec, SupportsIndex, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

if TYPE_CHECKING:
    from typing import TypedDict

    from .. import _engine
    from .._types.objects import Signature, Type

    Extent = SupportsIndex | Sequence[SupportsIndex]
    Configuration = (
        tuple[Extent, Extent] | tuple[Extent, Extent, Any] | tuple[Extent, Extent, Any, int]
    )
    OneSignature = str | Signature | tuple[Type, ...]
    Signatures = OneSignature | Sequence[OneSignature]
    FastMath = bool | set[str] | frozenset[str] | Sequence[str] | dict[str, bool]

    class KernelOptions(TypedDict, total=False):
        """The options of ``cuda.jit``."""

        abi: str
        abi_info: dict[str, Any] | None
        boundscheck: bool | None
        cache: bool
        check: bool | str | Sequence[str] | set[str] | frozenset[str] | None
        contract: bool
        debug: bool | None
        device: bool
        extensions: Sequence[Any]
        fastmath: FastMath
        forceinline: bool
        inline: bool | str
        launch_bounds: int | tuple[int, ...] | None
        lineinfo: bool
        link: Any
        lto: bool
        max_registers: int | None
        no_cfunc_wrapper: bool
        no_cpython_wrapper: bool
        nopython: bool
        opt: bool | int | None
        shared_memory_carveout: int | str | None

    class FunctionOptions(TypedDict, total=False):
        """The options of ``phalanx.jit``."""

        _nrt: bool
        boundscheck: bool | None
        cache: bool | None
        debug: bool
        error_model: Literal["python", "numpy"]
        error_on_warning: bool
        fastmath: FastMath
        forceobj: bool
        inline: Any
        locals: dict[str, Any] | None
        looplift: bool
        no_cfunc_wrapper: bool
        no_cpython_wrapper: bool
        no_rewrites: bool
        nogil: bool
        nopython: bool
        parallel: bool | dict[str, bool]
        pipeline_class: Any
        target: str

    class UfuncOptions(TypedDict, total=False):
        """The options of ``vectorize`` and ``guvectorize``."""

        boundscheck: bool | None
        cache: bool
        fastmath: FastMath
        forceobj: bool
        locals: dict[str, Any] | None
        looplift: bool
        nogil: bool
        nopython: bool

    class ConfiguredLaunch(_engine.Configured, Generic[P]):
        """``kernel[grid, block]``: a call with the kernel's arguments launches it."""

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
            """Launches the kernel; returns at once on a GPU."""
