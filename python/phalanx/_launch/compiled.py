"""What kernels and CPU functions are: a Python function, and its code by the types of arguments."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Generic

from .. import _engine
from .._core.cards import card
from .._core.typed import P, R
from .._types import bridge
from .._types.objects import Signature
from .overloads import Overloads, overloads_of

Types = tuple[_engine.Type, ...]


class Compiled(_engine.Launcher, Generic[P, R]):
    """A function that is compiled for the types it meets; the engine calls `_compile` for each.

    `py_func` is the Python function, `declared_signatures` those that its decorator was given.
    """

    def __init__(
        self, py_func: Callable[P, R], options: Any, signatures: Sequence[Signature]
    ) -> None:
        name = getattr(py_func, "__name__", "<function>")
        super().__init__(name)
        self.py_func = py_func
        self.__name__: str = name
        self.options = options
        self.declared_signatures = list(signatures)
        self._failed: set[Types] = set()  # types that it does not compile for
        functools.update_wrapper(self, py_func)  # type: ignore[arg-type]

    def _device(self) -> _engine.Device:
        """The device that `compile` compiles for, and whose code is shown."""
        raise NotImplementedError

    def _return_type(self, kernel: _engine.Kernel) -> Any:
        """The type that the code returns."""
        raise NotImplementedError

    def _front_end(self, types: Types) -> _engine.Module:
        """The function as the engine's intermediate representation."""
        raise NotImplementedError

    def _module_for(self, types: Types) -> _engine.Module:
        try:
            made = self._front_end(types)
        except BaseException:
            self._failed.add(types)
            raise
        self._failed.discard(types)
        return made

    def compile(self, sig: Any) -> Any:
        """Compiles for a signature without a launch or a call."""
        kernel = self.kernel_for(bridge.argument_types(bridge.signatures_of(sig)[0]))
        kernel.compile(self._device())
        return kernel

    def recompile(self) -> None:
        """Forgets what is compiled: changed globals are seen from now on.

        >>> @cuda.jit
        ... def scale(x, factor):
        ...     i = cuda.grid(1)
        ...     if i < x.size:
        ...         x[i] *= factor
        >>> x = np.ones(4)
        >>> scale[1, 4](x, 3.0)
        >>> scale.recompile()
        >>> scale[1, 4](x, 3.0)
        >>> x
        array([9., 9., 9., 9.])
        """
        self.forget()

    @property
    def overloads(self) -> Overloads:
        """The compiled code by the types of its arguments.

        >>> @cuda.jit
        ... def scale(x, factor):
        ...     i = cuda.grid(1)
        ...     if i < x.size:
        ...         x[i] *= factor
        >>> x = np.ones(4)
        >>> scale[1, 4](x, 3.0)
        >>> list(scale.overloads)
        [(array(float64, 1d, C), float64)]
        """
        return overloads_of(self, self._return_type, without=self._failed)

    @property
    def signatures(self) -> list[tuple[Any, ...]]:
        """The argument types compiled for.

        >>> @cuda.jit
        ... def scale(x, factor):
        ...     i = cuda.grid(1)
        ...     if i < x.size:
        ...         x[i] *= factor
        >>> x = np.ones(4)
        >>> scale[1, 4](x, 3.0)
        >>> scale.signatures
        [(array(float64, 1d, C), float64)]
        """
        return list(self.overloads)

    def _each(self, signature: Any, ask: Callable[[Any], Any]) -> Any:
        """`ask` of the code of one signature, or a dictionary over all."""
        if signature is None:
            return {types: ask(kernel) for types, kernel in self.overloads.items()}
        wanted = bridge.argument_types(bridge.signatures_of(signature)[0])
        if wanted not in [tuple(types) for types, _ in self.kernels()]:
            given = ", ".join(str(bridge.from_engine(each)) for each in wanted)
            known = "; ".join(str(types) for types in self.overloads) or "nothing yet"
            raise KeyError(f"{self.__name__} was not compiled for ({given}), but for {known}")
        return ask(self.kernel_for(wanted))

    def _repr_html_(self) -> str:
        import inspect

        code = self.py_func.__code__
        rows = [("defined at", f"{code.co_filename}:{code.co_firstlineno}")]
        made: dict[Any, Any] = dict(self.overloads)
        for types, kernel in made.items():
            taken = ", ".join(map(str, types))
            rows.append(("compiled for", f"({taken}) -> {self._return_type(kernel)}"))
        if len(rows) == 1:
            rows.append(("compiled for", "nothing yet: the first call compiles"))
        return card(f"{repr(self).strip('<>')}{inspect.signature(self.py_func)}", rows)

    def inspect_llvm(self, signature: Any = None) -> Any:
        """The optimised LLVM IR: of a signature, or a dictionary of all.

        >>> @cuda.jit
        ... def scale(x, factor):
        ...     i = cuda.grid(1)
        ...     if i < x.size:
        ...         x[i] *= factor
        >>> x = np.ones(4)
        >>> scale[1, 4](x, 3.0)
        >>> all("define" in text for text in scale.inspect_llvm().values())
        True
        """
        return self._each(signature, lambda kernel: kernel.llvm(self._device()))

    def inspect_asm(self, signature: Any = None) -> Any:
        """PTX on a GPU, x86 assembly on the CPU: of a signature, or a dictionary of all."""
        return self._each(signature, lambda kernel: kernel.assembly(self._device()))

    def inspect_types(self, file: Any = None, signature: Any = None) -> None:
        """Prints the typed IR: of a signature, or of all that are compiled."""
        for types, kernel in self.overloads.items():
            if signature is None or tuple(signature) == types:
                print(f"{self.__name__} {types}\n{'-' * 80}\n{kernel.module}", file=file)
