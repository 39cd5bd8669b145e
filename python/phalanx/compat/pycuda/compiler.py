"""`pycuda.compiler`: CUDA C source to modules."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ... import _engine, errors
from ..._cuda_c import CudaCModule, SourceOptions
from ..._cuda_c.functions import checked
from .errors import CompileError, LogicError
from .modules import Function, Module

__all__ = [
    "DEFAULT_NVCC_FLAGS", "CudaModule", "DynamicModule", "DynamicSourceModule", "SourceModule",
    "compile", "compile_plain",
]  # fmt: skip

DEFAULT_NVCC_FLAGS: list[str] = []  # the user's, for all modules

# Of nvcc's options those that say what the source means; the compiler is phalanx's own.
_OF_NVCC = ("-m64", "-O", "-arch", "-code", "-gencode", "-rdc", "-l", "-L", "-lineinfo", "-v", "-w")
_VALUE_FOLLOWS = ("-arch", "-code", "-gencode", "-ccbin", "-Xcompiler", "-Xptxas", "-Xlinker")


def _options(given: Sequence[str] | None, include_dirs: Sequence[str]) -> SourceOptions:
    """Raises `CompileError` for an option that is not known, `TypeError` for one text."""
    if isinstance(given, str):
        raise TypeError(f"options are a list of texts, such as [{given!r}], not one text")
    folders = [include_dirs] if isinstance(include_dirs, str) else include_dirs
    kept = []
    words = iter([*DEFAULT_NVCC_FLAGS, *(given or [])])
    for word in words:
        if word in _VALUE_FOLLOWS:
            next(words, None)
        elif not isinstance(word, str) or not word.startswith(
            (*_OF_NVCC, "-Xcompiler", "-Xptxas", "-ccbin")
        ):
            kept.append(word)
    try:
        return SourceOptions.parse([*kept, *(f"-I{folder}" for folder in folders)])
    except (TypeError, ValueError) as error:
        raise CompileError(str(error), kept) from None


class SourceModule(Module):
    """The kernels and variables of CUDA C source.

    `options` are those of nvcc that say what the source means (``-DN=4``, ``-I``, ``-std=c++17``,
    ``--use_fast_math``, ``-maxrregcount=32``), `include_dirs` folders of headers. All names have C
    linkage, unless `no_extern_c` is true, which templates and overloads need; a kernel's plain name
    is enough then, too. `functions` are Python functions by the names that the source declares and
    leaves without a body (``__device__ float f(float);``). `keep` writes the source to a file,
    whose name is printed; `nvcc`, `arch`, `code` and `cache_dir` make no difference: the compiler
    is phalanx's own, whose cache is kept (`cache_dir=False` too). Raises `CompileError`, whose
    `stderr` has the compiler's messages with the lines of the source.
    """

    def __init__(
        self,
        source: str | bytes,
        nvcc: str = "nvcc",
        options: Sequence[str] | None = None,
        keep: bool = False,
        no_extern_c: bool = False,
        arch: str | None = None,
        code: str | None = None,
        cache_dir: str | bool | None = None,
        include_dirs: Sequence[str] = (),
        functions: Mapping[str, Callable[..., Any]] | None = None,
    ) -> None:
        super().__init__(_built(source, options, include_dirs, no_extern_c, keep, functions))


CudaModule = SourceModule

# What nvcc's sources have from the system's headers.
_PRELUDE = "typedef unsigned int uint; typedef unsigned short ushort; typedef unsigned long ulong;"


def _text_of(source: Any) -> str:
    """The text of source, of bytes, or of what generates it, such as a module of `cgen`."""
    if isinstance(source, bytes):
        return source.decode(errors="replace")  # comments may be in another encoding
    if isinstance(source, str):
        return source
    if isinstance(source, _NO_SOURCES) or "__str__" not in _attributes(type(source)):
        raise TypeError(f"source is a text, not {type(source).__name__}")
    return str(source)


def _attributes(kind: type) -> set[str]:
    """What a class and its bases define, beside what every object has."""
    return {name for each in kind.__mro__[:-1] for name in vars(each)}


_NO_SOURCES = (type(None), int, float, complex, list, tuple, dict, set, Path)


def _built(
    source: Any,
    options: Sequence[str] | None,
    include_dirs: Sequence[str],
    no_extern_c: bool,
    keep: bool,
    functions: Any = None,
) -> CudaCModule:
    """What `SourceModule` and `compile` make of their arguments."""
    text = _text_of(source)
    if keep:
        _keep(text)
    return _compiled(text, _options(options, include_dirs), no_extern_c, functions)


def _compiled(
    text: str, options: SourceOptions, no_extern_c: bool, functions: Any = None
) -> CudaCModule:
    before, after = (_PRELUDE, "") if no_extern_c else (f'{_PRELUDE} extern "C" {{', "}\n")
    # On an empty first line, as most texts have it, lines stay where they are.
    if text.partition("\n")[0].strip() or "\n" not in text:
        before += "\n#line 1\n"
    whole = f"{before}{text}\n{after}"
    told = dataclasses.replace(options, functions=checked(functions))
    try:
        return CudaCModule(whole, "kernel.cu", told)
    except (errors.CompileError, ValueError) as error:
        log = getattr(error, "log", str(error))
        raise CompileError("compilation of kernel.cu failed", (), "", log) from None


def _keep(text: str) -> None:
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="phalanx-"))
    (folder / "kernel.cu").write_text(text)
    print(f"*** compiler output in {folder}")


class DynamicModule:
    """Several sources as one module: `add_source` each, then `link`."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._texts: list[tuple[str, bool]] = []
        self._options: list[str] = []
        self._folders: list[str] = []
        self._linked: Module | None = None

    def add_source(
        self,
        source: Any,
        nvcc_options: Sequence[str] | None = None,
        name: str = "kernel.cu",
        no_extern_c: bool = False,
        include_dirs: Sequence[str] = (),
    ) -> DynamicModule:
        """Adds source; gives itself."""
        self._texts.append((_text_of(source), no_extern_c))
        self._options += [each for each in nvcc_options or [] if each not in self._options]
        self._folders += include_dirs
        return self

    def add_stdlib(self, libname: str) -> DynamicModule:
        """Changes nothing: there are no libraries of NVIDIA's in modules; gives itself."""
        return self

    def add_file(self, filename: str, *args: Any) -> DynamicModule:
        """Raises `LogicError`: machine code is not linked."""
        raise LogicError(f"cuLinkAddFile failed: {filename} is machine code; add its source")

    add_data = add_file

    def link(self) -> DynamicModule:
        """Compiles all of it; gives itself. Raises `CompileError`."""
        whole = "\n".join(
            text if no_extern_c else f'extern "C" {{\n#line 1 "source {i}"\n{text}\n}}'
            for i, (text, no_extern_c) in enumerate(self._texts)
        )
        self._linked = Module(_compiled(whole, _options(self._options, self._folders), True))
        return self

    @property
    def module(self) -> Module:
        """The module. Raises `LogicError` before `link`."""
        if self._linked is None:
            raise LogicError("the sources are not linked: call link() before")
        return self._linked

    def get_function(self, name: str) -> Function:
        """As `Module.get_function`."""
        return self.module.get_function(name)

    def get_global(self, name: str) -> Any:
        """As `Module.get_global`."""
        return self.module.get_global(name)


class DynamicSourceModule(SourceModule):
    """As `SourceModule`. Kernels that launch kernels raise `CompileError`: no device has them."""

    def __init__(
        self,
        source: str,
        nvcc: str = "nvcc",
        options: Sequence[str] | None = None,
        keep: bool = False,
        no_extern_c: bool = False,
        arch: str | None = None,
        code: str | None = None,
        cache_dir: str | bool | None = None,
        include_dirs: Sequence[str] = (),
        cuda_libdir: str | None = None,
    ) -> None:
        super().__init__(
            source, options=options, keep=keep, no_extern_c=no_extern_c, include_dirs=include_dirs
        )


def compile(
    source: str | bytes,
    nvcc: str = "nvcc",
    options: Sequence[str] | None = None,
    keep: bool = False,
    no_extern_c: bool = False,
    arch: str | None = None,
    code: str | None = None,
    cache_dir: str | bool | None = None,
    include_dirs: Sequence[str] = (),
    target: str = "cubin",
) -> bytes:
    """The machine code of a source for the current GPU, which `module_from_buffer` loads.

    The arguments are those of `SourceModule`. Raises `CompileError` as it does, and `LogicError`
    on the CPU device, whose code is made when a kernel runs, and for a target but "cubin".
    """
    device = _engine.current_device()
    if device.is_host or target != "cubin":
        raise LogicError(
            f"there is no {target} of {device.name}: on the CPU device use SourceModule, which "
            "compiles when a kernel runs; of a GPU the target is 'cubin'"
        )
    compiled = _built(source, options, include_dirs, no_extern_c, keep)
    return compiled.kernel(compiled.kernel_names[0]).handle.cubin(device)


compile_plain = compile
