"""Python functions to PTX, for other programs to use: ``cuda.compile`` and its relatives."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from .. import _engine
from .._launch import front_end
from .._types import bridge
from .._types.objects import Signature, Type
from . import options as _options


def compile(
    pyfunc: Callable[..., Any],
    sig: Any,
    debug: bool | None = None,
    lineinfo: bool = False,
    device: bool = True,
    fastmath: bool = False,
    cc: tuple[int, int] | None = None,
    opt: Any = None,
    abi: str = "c",
    abi_info: dict[str, Any] | None = None,
    output: str = "ptx",
    forceinline: bool = False,
    launch_bounds: Any = None,
) -> tuple[str, Type]:
    """The PTX of a function for arguments of some types, and the type of its result.

        ptx, result = cuda.compile(lambda x: x * 2, "float32(float32)", cc=(9, 0))

    `sig` is a signature, whose result the value is converted to, or a tuple of argument types.
    With ``device=False`` it is a kernel. ``abi="c"`` makes a function that C can call, named as the
    Python function or by ``abi_info={"abi_name": ...}``; ``abi="numba"`` one that returns a status
    and writes its result where a further first parameter points. `cc` is the compute capability,
    by default 7.5 or that of ``NUMBA_CUDA_DEFAULT_PTX_CC``. No GPU is needed.

    Raises `CompileError` for code that does not compile, `TypeError` for a kernel that returns a
    value, `NotImplementedError` for LTO-IR (``output="ltoir"``), another output or abi.

    >>> code, result = cuda.compile(lambda x: x + 1, (px.types.int64,), device=True)
    >>> result
    int64
    """
    _check(output, abi, device, forceinline)
    signature = _one_signature(sig)
    options = _options.read(
        {
            "debug": bool(debug),
            "lineinfo": lineinfo,
            "fastmath": fastmath,
            "opt": opt,
            "launch_bounds": launch_bounds,
        }
    )
    function = getattr(pyfunc, "py_func", pyfunc)
    if not hasattr(function, "__code__"):
        raise TypeError(f"cuda.compile takes a Python function, not {pyfunc!r}")
    capability = _default_capability() if cc is None else (int(cc[0]), int(cc[1]))
    if not device:
        kernel = _kernel(function, signature, options, None)
        return kernel.ptx(capability), bridge.from_engine(_engine.Type.none())
    symbol = str((abi_info or {}).get("abi_name", ""))
    result = _result_of(function, signature)
    wanted = (symbol, result, abi == "numba")
    kernel = _kernel(function, signature, options, wanted)
    return kernel.ptx(capability), bridge.from_engine(result)


def compile_ptx(
    pyfunc: Callable[..., Any],
    sig: Any,
    debug: bool | None = None,
    lineinfo: bool = False,
    device: bool = False,
    fastmath: bool = False,
    cc: tuple[int, int] | None = None,
    opt: Any = None,
    abi: str = "numba",
    abi_info: dict[str, Any] | None = None,
    forceinline: bool = False,
    launch_bounds: Any = None,
) -> tuple[str, Type]:
    """`compile` of a kernel, or with ``device=True`` of a function; by default in Numba's abi.

    >>> ptx, result = cuda.compile_ptx(lambda x: x + 1, (px.types.int64,), device=True)
    >>> ".visible .func" in ptx, result
    (True, int64)
    """
    return compile(
        pyfunc,
        sig,
        debug=debug,
        lineinfo=lineinfo,
        device=device,
        fastmath=fastmath,
        cc=cc,
        opt=opt,
        abi=abi,
        abi_info=abi_info,
        forceinline=forceinline,
        launch_bounds=launch_bounds,
    )


def compile_for_current_device(
    pyfunc: Callable[..., Any], sig: Any, **options: Any
) -> tuple[str, Type]:
    """`compile` for the compute capability of the calling thread's device.

    >>> code, result = cuda.compile_for_current_device(lambda x: x, (px.types.int64,), device=True)
    >>> result
    int64
    """
    return compile(pyfunc, sig, cc=_current_capability(), **options)


def compile_ptx_for_current_device(
    pyfunc: Callable[..., Any], sig: Any, **options: Any
) -> tuple[str, Type]:
    """`compile_ptx` for the compute capability of the calling thread's device."""
    return compile_ptx(pyfunc, sig, cc=_current_capability(), **options)


def compile_all(
    pyfunc: Callable[..., Any], sig: Any, output: str = "ltoir", **options: Any
) -> tuple[list[Any], Type]:
    """`compile` with what the function calls of linked code: a list of codes, the first its PTX.

        codes, result = cuda.compile_all(function, "float32(float32)", output="ptx")

    CUDA C of `declare_device` becomes PTX by NVRTC; other code is in the list as it was given.

    Raises as `compile` and NVRTC do. Pass ``output="ptx"``: there is no LTO-IR, the default.
    """
    from .link import CUSource, ExternFunction, compile_source, without_repetitions

    ptx, result = compile(pyfunc, sig, output=output, **options)
    cc = options.get("cc")
    capability = _default_capability() if cc is None else (int(cc[0]), int(cc[1]))
    called = front_end.referred(getattr(pyfunc, "py_func", pyfunc), ExternFunction)
    linked = without_repetitions(code for each in called for code in each.link)
    is_lined = bool(options.get("lineinfo", False))
    further = [
        compile_source(code, capability, is_lined) if isinstance(code, CUSource) else code
        for code in linked
    ]
    return [ptx, *further], result


def _one_signature(given: Any) -> Signature:
    signatures = bridge.signatures_of(given)
    if len(signatures) != 1:
        raise TypeError(
            "cuda.compile takes one signature: text such as 'float32(float32)', or a tuple of the "
            f"argument types, not {given!r}"
        )
    return signatures[0]


def _check(output: str, abi: str, device: bool, forceinline: bool) -> None:
    if output == "ltoir":
        raise NotImplementedError("phalanx writes no LTO-IR; use output='ptx'")
    if output != "ptx":
        raise NotImplementedError(f"Unsupported output type: {output}; it is 'ptx'")
    if abi not in ("numba", "c"):
        raise NotImplementedError(f"Unsupported ABI: {abi}; it is 'c' or 'numba'")
    if abi == "c" and not device:
        raise NotImplementedError("The C ABI is not supported for kernels; use abi='numba'")
    if forceinline:
        raise ValueError(
            "Can only designate forced inlining in LTO-IR, which phalanx does not write"
        )


def _kernel(
    function: Callable[..., Any],
    signature: Signature,
    options: _options.Options,
    exported: tuple[str, _engine.Type, bool] | None,
) -> _engine.Kernel:
    """The engine's kernel of a function.

    `exported` makes it a device function: its symbol, its result, whether it returns a status.
    """
    types = bridge.argument_types(signature)

    def produce() -> _engine.Module:
        if exported is None:
            return front_end.compile_kernel(function, types, **options.frontend_options())
        symbol, result, status = exported
        declared = None if result.kind == "none" else result
        return _engine.compile_exported(
            function, list(types), symbol, declared, status, options.debug
        )

    name = getattr(function, "__name__", "function")
    return _engine.Kernel(
        name,
        b"",
        list(types),
        produce,
        **{**options.engine_options(), "cache": False},
        location=front_end.location(function),
    )


def _result_of(function: Callable[..., Any], signature: Signature) -> _engine.Type:
    if signature.return_type is not None:
        return bridge.to_argument(signature.return_type)
    return _engine.result_of_python(function, list(bridge.argument_types(signature)))


def _default_capability() -> tuple[int, int]:
    text = os.environ.get("NUMBA_CUDA_DEFAULT_PTX_CC", "7.5")
    major, _, minor = text.partition(".")
    return int(major), int(minor or 0)


def _current_capability() -> tuple[int, int]:
    from .._device.devices import get_current_device

    return get_current_device().compute_capability
