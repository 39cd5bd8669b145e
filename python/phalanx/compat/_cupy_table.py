"""Which module answers to an import name of CuPy's."""

from __future__ import annotations

TABLE: dict[str, str] = {
    "cupy": "phalanx.compat.cupy",
    "cupy._core": "phalanx.compat.cupy_core",
    "cupy.cuda": "phalanx.compat.cupy_cuda",
    "cupy.cuda.compiler": "phalanx.compat.cupy_compiler",
    "cupy.cuda.device": "phalanx.compat.cupy_cuda",
    "cupy.cuda.driver": "phalanx.compat.cupy_driver",
    "cupy.cuda.function": "phalanx.compat.cupy_function",
    "cupy.cuda.graph": "phalanx.compat.cupy_streams",
    "cupy.cuda.memory": "phalanx.compat.cupy_memory",
    "cupy.cuda.nvtx": "phalanx.compat.cupy_nvtx",
    "cupy.cuda.pinned_memory": "phalanx.compat.cupy_memory",
    "cupy.cuda.profiler": "phalanx.compat.cupy_profiler",
    "cupy.cuda.runtime": "phalanx.compat.cupy_runtime",
    "cupy.cuda.stream": "phalanx.compat.cupy_streams",
    "cupy.cuda.texture": "phalanx.compat.cupy_textures",
    "cupy.exceptions": "phalanx.compat.cupy_exceptions",
    "cupy.fft": "phalanx.compat.cupy_fft",
    "cupy.lib": "phalanx.compat.cupy_lib",
    "cupy.lib.stride_tricks": "phalanx.compat.cupy_lib",
    "cupy.linalg": "phalanx.compat.cupy_linalg",
    "cupy.polynomial": "phalanx.compat.cupy_polynomial",
    "cupy.polynomial.polynomial": "phalanx.compat.cupy_polynomials",
    "cupy.polynomial.polyutils": "phalanx.compat.cupy_polyutils",
    "cupy.random": "phalanx.compat.cupy_random",
    "cupy.testing": "phalanx.compat.cupy_testing",
    "cupyx": "phalanx.compat.cupyx",
    "cupyx.jit": "phalanx.compat.cupyx_jit",
    "cupyx.scipy": "phalanx.compat.cupyx_scipy",
    "cupyx.profiler": "phalanx.compat.cupyx_profiler",
    "cupyx.scipy.sparse": "phalanx.sparse",
    "cupyx.scipy.sparse.linalg": "phalanx.sparse.linalg",
}

# Modules of CuPy's that are not there, and what to take instead; of others the page says it.
INSTEAD: dict[str, str] = {
    "cupy.cuda.nccl": "phalanx has no collectives between GPUs",
    "cupyx.scipy": "SciPy's functions take cupy.asnumpy(x)",
}


def remedy(name: str) -> str:
    """What a program takes in the place of a module that is not there."""
    for module, text in INSTEAD.items():
        if f"{name}.".startswith(f"{module}."):
            return text
    return "docs/guide/coming-from-cupy.md says what there is"
