"""``cuda.jit``."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from .._core.typed import P, R
from .._types import bridge
from .._types.objects import Signature, Type
from . import options as _options
from .dispatcher import Dispatcher

if TYPE_CHECKING:
    from typing import Unpack

    from .._core.typed import KernelOptions, Signatures


@overload
def jit(
    func_or_sig: Signatures | None = None, **options: Unpack[KernelOptions]
) -> Callable[[Callable[P, R]], Dispatcher[P, R]]: ...
@overload
def jit(func_or_sig: Callable[P, R], **options: Unpack[KernelOptions]) -> Dispatcher[P, R]: ...
def jit(func_or_sig: Any = None, **options: Any) -> Any:
    """Makes a kernel, or with ``device=True`` a device function, of a Python function.

        @cuda.jit
        def add(a, b, out):
            i = cuda.grid(1)
            if i < out.shape[0]:
                out[i] = a[i] + b[i]

        add[blocks, threads](a, b, out)

    `func_or_sig` may be the function, a signature (text such as ``"void(float32[:], int64)"`` or
    ``void(float32[:], int64)``), or a list of signatures; with signatures the kernel is compiled
    at once and takes nothing else.

    Options: ``device``; ``fastmath`` (approximate division and functions, no care for NaN and
    infinity; or a set of LLVM's flags: nnan, ninf, nsz, arcp, contract, afn, reassoc);
    ``contract`` (fused multiply-add, on by default as in CUDA); ``debug`` (exceptions and
    assertions reach the host); ``check`` (True, or names of categories: looks for indices out
    of bounds and the like, see `phalanx.errors.KernelError`);
    ``opt`` (False, True or 0 to 3); ``lineinfo``; ``max_registers``; ``launch_bounds`` (threads,
    or (threads, blocks)); ``extensions`` (argument handlers, see `HandledDispatcher`); ``cache``
    (False keeps the kernel out of the disk cache).

    Raises `CompileError` with the source line for code that cannot be compiled: at decoration when
    there is a signature, else at the first launch with the types concerned.

    >>> @cuda.jit
    ... def add(a, b, out):
    ...     i = cuda.grid(1)
    ...     if i < out.size:
    ...         out[i] = a[i] + b[i]
    >>> out = cuda.device_array(3)
    >>> add.over(out)(np.arange(3.0), np.ones(3), out)
    >>> out.copy_to_host()
    array([1., 2., 3.])
    """
    checked = _options.read(options)
    if func_or_sig is None or _is_signature(func_or_sig):
        signatures = bridge.signatures_of(func_or_sig)
        _check_results(signatures, checked.device)

        def decorate(function: Callable[..., Any]) -> Dispatcher[..., Any]:
            return _made(_plain(function), checked, signatures)

        return decorate
    if isinstance(func_or_sig, Dispatcher):
        raise TypeError(
            "A jit decorator was called on an already jitted function: "
            f"{func_or_sig.__name__}. If trying to get access to the original python function, use "
            "the .py_func attribute."
        )
    return _made(_plain(func_or_sig), checked)


def _made(
    function: Callable[..., Any],
    options: _options.Options,
    signatures: list[Signature] | None = None,
) -> Dispatcher[..., Any]:
    if os.environ.get("PHALANX_REPLAY") and not options.device:
        from .recording import Recorder

        return Recorder(function, options, signatures or ())
    if options.others.get("extensions"):
        from .argument_handlers import HandledDispatcher

        return HandledDispatcher(function, options, signatures or ())
    return Dispatcher(function, options, signatures or ())


def _is_signature(given: Any) -> bool:
    return isinstance(given, (str, list, tuple, Signature, Type))


def _check_results(signatures: list[Signature], device: bool) -> None:
    """Kernels return nothing; says so where a signature has another result."""
    for signature in signatures:
        result = signature.return_type
        if not device and result is not None and str(result) != "none":
            raise TypeError(
                f"CUDA kernel must have void return type: {signature} returns {result}; write the "
                "result to an array argument, or use device=True"
            )


def _plain(function: Any) -> Callable[..., Any]:
    """The Python function itself; raises `TypeError` for what is none."""
    if hasattr(function, "__self__") and hasattr(function, "__func__"):
        raise TypeError(
            f"cuda.jit decorates Python functions, not the bound method {function.__qualname__}: "
            "write a function that takes what it needs of the object as arguments"
        )
    function = getattr(function, "__func__", function)
    function = getattr(function, "py_func", function)  # of a function for the CPU
    if not hasattr(function, "__code__"):
        raise TypeError(f"cuda.jit decorates Python functions, not {function!r}")
    return function  # type: ignore[no-any-return]
