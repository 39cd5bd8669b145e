"""The libraries that bench/arrays.py runs beside ours."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px


class NotThereError(Exception):
    """The library does not have what the computation needs."""


class Library:
    """What the benchmark needs of one of them."""

    name = ""
    xp: Any = None

    def array(self, host: Any) -> Any:
        """The numbers in the device's memory."""
        return self.xp.asarray(host)

    def prepare(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function as its users would write it for speed."""
        return function

    def wait(self, result: Any) -> None:
        """Return when the result is in memory."""

    def start(self, result: Any) -> None:
        """Let the device begin, where calling does not."""

    def times(self, count: int, function: Callable[..., Any], arrays: list[Any]) -> None:
        """Call it so often, and return when the results are in memory."""
        for _ in range(count):
            result = function(*arrays)
            self.start(result)
        self.wait(result)


class Phalanx(Library):
    """Ours."""

    name, xp = "phalanx", px

    def start(self, result: Any) -> None:
        """As `Library` has it."""
        for each in result if isinstance(result, tuple) else (result,):
            each._evaluate()

    def wait(self, result: Any) -> None:
        """As `Library` has it."""
        last = result[-1] if isinstance(result, tuple) else result
        last._evaluate().device.default_stream.synchronize()


class NumPy(Library):
    """On the host."""

    name, xp = "NumPy", np


class SciPyNames:
    """Its transforms with two workers; what else it has is NumPy's."""

    __name__ = "scipy"

    def __init__(self) -> None:
        import scipy.fft

        self.fft = scipy.fft

    def __getattr__(self, name: str) -> Any:
        raise NotThereError(name)


class SciPy(Library):
    """On the host, with two threads."""

    name = "SciPy"

    def __init__(self) -> None:
        self.xp = SciPyNames()

    def array(self, host: Any) -> Any:
        """As `Library` has it."""
        return host

    def times(self, count: int, function: Callable[..., Any], arrays: list[Any]) -> None:
        """As `Library` has it."""
        with self.xp.fft.set_workers(2):
            super().times(count, function, arrays)


class Term:
    """A part of an expression of numexpr, as its text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def joined(self, operator: str, other: Any, is_second: bool = False) -> Term:
        """Both with the operator between."""
        theirs = other.text if isinstance(other, Term) else repr(other)
        first, second = (theirs, self.text) if is_second else (self.text, theirs)
        return Term(f"({first} {operator} {second})")

    def __add__(self, other: Any) -> Term:
        return self.joined("+", other)

    def __radd__(self, other: Any) -> Term:
        return self.joined("+", other, is_second=True)

    def __sub__(self, other: Any) -> Term:
        return self.joined("-", other)

    def __rsub__(self, other: Any) -> Term:
        return self.joined("-", other, is_second=True)

    def __mul__(self, other: Any) -> Term:
        return self.joined("*", other)

    def __rmul__(self, other: Any) -> Term:
        return self.joined("*", other, is_second=True)

    def __truediv__(self, other: Any) -> Term:
        return self.joined("/", other)

    def __rtruediv__(self, other: Any) -> Term:
        return self.joined("/", other, is_second=True)


class TermNames:
    """The functions of elements; it has no others for one expression with them."""

    def __getattr__(self, name: str) -> Callable[[Term], Term]:
        if name not in ("exp", "log", "sqrt", "tanh", "sin", "cos", "abs"):
            raise NotThereError(name)
        return lambda x: Term(f"{name}({x.text})")


class NumExpr(Library):
    """One expression in blocks that the caches hold, on all cores."""

    name, xp = "numexpr", TermNames()

    def __init__(self) -> None:
        import numexpr

        self.numexpr = numexpr

    def array(self, host: Any) -> Any:
        """As `Library` has it."""
        return host

    def prepare(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """As `Library` has it: each result is compiled once."""
        compiled: list[Callable[..., Any]] = []

        def call(*arrays: Any) -> list[Any]:
            if not compiled:
                compiled.extend(self.compiled(function, arrays))
            return [each(*arrays) for each in compiled]

        return call

    def compiled(
        self, function: Callable[..., Any], arrays: tuple[Any, ...]
    ) -> list[Callable[..., Any]]:
        """One function for each result. Operands are named by their order."""
        kinds = {"float32": float, "float64": np.float64}  # as it names them
        if any(str(array.dtype) not in kinds for array in arrays):
            raise NotThereError("the dtype")
        signature = [(f"x{i}", kinds[str(array.dtype)]) for i, array in enumerate(arrays)]
        try:
            terms = function(*(Term(name) for name, _ in signature))
        except (AttributeError, TypeError):
            raise NotThereError("more than expressions of elements") from None
        terms = terms if isinstance(terms, tuple) else (terms,)
        return [self.numexpr.NumExpr(term.text, signature) for term in terms]


class CuPy(Library):
    """On a GPU, operation by operation."""

    name = "CuPy"

    def __init__(self) -> None:
        import cupy

        self.xp = cupy

    def wait(self, result: Any) -> None:
        """As `Library` has it."""
        self.xp.cuda.runtime.deviceSynchronize()


class Jax(Library):
    """Compiled by XLA."""

    name = "jax.jit"

    def __init__(self) -> None:
        # Else it takes three quarters of the GPU's memory from all others.
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        import jax

        jax.config.update("jax_enable_x64", True)
        self.jax, self.xp = jax, jax.numpy

    def prepare(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """As `Library` has it."""
        return self.jax.jit(function)

    def wait(self, result: Any) -> None:
        """As `Library` has it."""
        self.jax.block_until_ready(result)


class Torch(Library):
    """Compiled by Inductor."""

    name = "torch.compile"

    def __init__(self, device: str) -> None:
        import torch

        self.torch, self.device = torch, device
        self.xp = TorchNames(torch)

    def array(self, host: Any) -> Any:
        """As `Library` has it."""
        return self.torch.asarray(host, device=self.device)

    def prepare(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """As `Library` has it; the compiler gives up after some functions with one name."""
        self.torch._dynamo.reset()
        return self.torch.compile(function)

    def wait(self, result: Any) -> None:
        """As `Library` has it."""
        if self.device == "cuda":
            self.torch.cuda.synchronize()


class TorchNames:
    """NumPy's keywords for the few functions that are called here."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch

    def __getattr__(self, name: str) -> Any:
        return getattr(self.torch, name)

    def max(self, x: Any, axis: int, keepdims: bool) -> Any:
        """With `axis` and `keepdims`."""
        return self.torch.amax(x, dim=axis, keepdim=keepdims)

    def sum(self, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        """With `axis` and `keepdims`."""
        return self.torch.sum(x, dim=axis, keepdim=keepdims)

    def roll(self, x: Any, shift: int, axis: int | None = None) -> Any:
        """With `axis`."""
        return self.torch.roll(x, shift, dims=axis)

    def pad(self, x: Any, width: int) -> Any:
        """With zeros, as much on all sides."""
        return self.torch.nn.functional.pad(x, (width,) * (2 * x.ndim))

    def cumsum(self, x: Any, axis: int) -> Any:
        """With `axis`."""
        return self.torch.cumsum(x, dim=axis)

    def mean(self, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        """With `axis` and `keepdims`."""
        return self.torch.mean(x, dim=axis, keepdim=keepdims)


def libraries(device: str) -> list[Library]:
    """Ours first, then those that are installed and have the device."""
    found: list[Library] = [Phalanx()]
    if device == "cpu":
        found.append(NumPy())
    elif importlib.util.find_spec("cupy"):
        found.append(CuPy())
    if device == "cpu" and importlib.util.find_spec("scipy"):
        found.append(SciPy())
    if device == "cpu" and importlib.util.find_spec("numexpr"):
        found.append(NumExpr())
    if importlib.util.find_spec("jax"):
        found.append(Jax())
    if importlib.util.find_spec("torch"):
        found.append(Torch(device))
    return found
