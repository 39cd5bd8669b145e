"""The names of the package ``numba`` that Phalanx serves."""

from __future__ import annotations

from typing import Any

from .. import types
from ..types import *  # noqa: F403  (numba.float32, numba.void, ... are the same objects)
from ..types import from_dtype
from . import numba_config as config
from . import numba_errors as errors
from ._placeholders import names_of
from .numba_np import carray, farray

# The version of Numba whose interface this is; scripts compare it.
__version__ = "0.68.1"
version_info = (0, 68, 1)

_FUNCTIONS = ("get_num_threads", "guvectorize", "jit", "njit", "prange", "set_num_threads",
              "vectorize")  # fmt: skip

_others = names_of("numba")

config.apply()  # the environment variables NUMBA_CUDA_*


def typeof(value: Any) -> types.Type:
    """The type that `value` has as a kernel argument."""
    from .._launch.arguments import typeof as find

    return find(value)


def threading_layer() -> str:
    """What runs the threads of parallel loops: a pool of our own."""
    return "workqueue"


def __getattr__(name: str) -> Any:
    if name == "cuda":
        import importlib

        return importlib.import_module("phalanx.compat.numba_cuda")
    if name == "literal_unroll":
        from .numba_misc import literal_unroll

        return literal_unroll
    if name in ("jit", "njit") and config.DISABLE_JIT:
        return _left_in_python
    if name in _FUNCTIONS:
        import phalanx

        return getattr(phalanx, name)
    return _others(name)


def _left_in_python(signature_or_function: Any = None, **options: Any) -> Any:
    """`jit` with NUMBA_DISABLE_JIT=1: the function as it is."""
    if hasattr(signature_or_function, "__code__"):
        return signature_or_function
    return lambda function: function


__all__ = [
    "carray",
    "config",
    "errors",
    "farray",
    "from_dtype",
    "threading_layer",
    "typeof",
    "types",
    *types.__all__,
]
