"""Which module answers to an import name of PyCUDA's."""

from __future__ import annotations

_MODULES = (
    "autoinit", "autoprimaryctx", "characterize", "compiler", "cumath", "curandom", "driver",
    "elementwise", "gpuarray", "reduction", "scan", "tools",
)  # fmt: skip

TABLE: dict[str, str] = {
    "pycuda": "phalanx.compat.pycuda",
    **{f"pycuda.{name}": f"phalanx.compat.pycuda.{name}" for name in _MODULES},
}


def remedy(name: str) -> str:
    """What a program takes in the place of a module that is not there."""
    if name.startswith("pycuda.gl"):
        return "memory is not shared with OpenGL: copy it by numpy arrays"
    if name.startswith("pycuda.sparse"):
        return "phalanx.sparse has sparse matrices and solvers"
    return "docs/guide/coming-from-pycuda.md says what there is"
