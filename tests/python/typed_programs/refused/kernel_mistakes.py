"""Mistakes in kernels and their launches; each line says what mypy answers."""

from typing import Any

from phalanx import cuda


@cuda.jit
def scale(x: Any, factor: float) -> None:
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= factor


@cuda.jit(fast_math=True)  # E: Unexpected keyword argument "fast_math"
def other(x: Any) -> None:
    x[0] = cuda.grid(4)  # E: No overload variant of "grid" matches argument type "int"


scale[1, 32]([1.0])  # E: Missing positional argument "factor" in call to "__call__"
scale[1, 32]([1.0], "2")  # E: Argument 2 to "__call__" of "ConfiguredLaunch" has incompatible type
scale[1]([1.0], 2.0)  # E: Invalid index type "int"
scale[1.5, 32]([1.0], 2.0)  # E: Invalid index type "tuple[float, int]"
scale.forall(10)([1.0], by=2.0)  # E: Unexpected keyword argument "by"
cuda.to_devise([1.0])  # E: Module has no attribute "to_devise"
print(cuda.threadIdx.w)  # E: "_ThreadIdx" has no attribute "w"
cuda.atomic.add([1.0], 0)  # E: Missing positional argument "value" in call to "add"
