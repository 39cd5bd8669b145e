"""Code that is not Python: what kernels are linked with, and functions of it that they call."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar

from .. import _engine
from .._types import bridge
from .._types.objects import Signature
from ..errors import DeviceError, LinkFileError, LinkFileNotFoundError


class LinkableCode:
    """Code to link with kernels: text, bytes, or an open file of them; see the classes below.

    `name` is what messages call it. `setup_callback` is called with each module on a GPU that the
    code was linked into, once it is loaded and before its kernel runs; `teardown_callback` before
    the module goes. They get a `LoadedModule`, whose ``get_global(name)`` gives the address and
    the bytes of a global variable, and whose ``handle`` is the driver's.

    >>> code = cuda.CUSource('extern "C" __device__ int twice(int x) { return 2 * x; }')
    >>> twice = cuda.declare_device("twice", "int32(int32)", link=code, abi="c")
    >>> @cuda.jit
    ... def kernel(out):
    ...     out[0] = twice(21)
    >>> out = np.zeros(1, np.int32)
    >>> kernel[1, 1](out)
    >>> out
    array([42], dtype=int32)
    """

    kind: ClassVar[str] = ""
    default_name: ClassVar[str] = "<unnamed>"

    def __init__(
        self,
        data: Any,
        name: str | None = None,
        setup_callback: Callable[..., Any] | None = None,
        teardown_callback: Callable[..., Any] | None = None,
        nrt: bool = False,
    ) -> None:
        for given, what in ((setup_callback, "setup"), (teardown_callback, "teardown")):
            if given is not None and not callable(given):
                raise TypeError(f"{what}_callback must be callable")
        self._data = data
        self._name = name
        self.setup_callback = setup_callback
        self.teardown_callback = teardown_callback
        self.nrt = nrt

    @property
    def name(self) -> str:
        """What messages call it."""
        return self._name or self.default_name

    @property
    def data(self) -> Any:
        """The code itself, as text or bytes."""
        return self._data.getvalue() if isinstance(self._data, _FILES) else self._data

    @property
    def octets(self) -> bytes:
        """The code as bytes."""
        data = self.data
        return data.encode() if isinstance(data, str) else bytes(data)

    @staticmethod
    def from_path(path: Any) -> LinkableCode:
        """The code of a file: .cu, .ptx, .cubin, .fatbin, .a, .o or .ltoir.

        Raises `ValueError` for other files, `FileNotFoundError` where there is none.
        """
        file = Path(path)
        made = _BY_SUFFIX.get(file.suffix)
        if made is None:
            known = ", ".join(_BY_SUFFIX)
            what = f"extension {file.suffix}" if file.suffix else "no extension"
            raise LinkFileError(
                f"Don't know how to link file with {what}: {path}. Unknown extension: "
                f"{file.suffix or 'none'}; it is one of {known}"
            )
        if not file.exists():
            raise LinkFileNotFoundError(f"{path} not found")
        return made(file.read_bytes(), name=file.stem)

    @classmethod
    def from_path_or_obj(cls, given: Any) -> LinkableCode:
        """`given` itself, or the code of the file that it names."""
        if isinstance(given, LinkableCode):
            return given
        if not isinstance(given, (str, os.PathLike)):
            raise TypeError(
                f"Expected path to file or a LinkableCode, got {type(given).__name__}: say what "
                "kind of code it is, such as cuda.Cubin(data)"
            )
        return cls.from_path(given)


_FILES = (io.StringIO, io.BytesIO)


class CUSource(LinkableCode):
    """CUDA C++ source, which becomes part of the kernels that call its functions.

    >>> cuda.CUSource(b"__device__ int one() { return 1; }", name="one.cu").name
    'one.cu'
    """

    kind = "cu"
    default_name = "<unnamed-cu>"


class PTXSource(LinkableCode):
    """PTX.

    >>> cuda.PTXSource(b"// no code", name="empty.ptx").name
    'empty.ptx'
    """

    kind = "ptx"
    default_name = "<unnamed-ptx>"


class Cubin(LinkableCode):
    """Machine code of one GPU generation.

    >>> cuda.Cubin(b"", name="kernel.cubin").name
    'kernel.cubin'
    """

    kind = "cubin"
    default_name = "<unnamed-cubin>"


class Fatbin(LinkableCode):
    """Machine code of several GPU generations.

    >>> cuda.Fatbin(b"", name="kernels.fatbin").name
    'kernels.fatbin'
    """

    kind = "fatbin"
    default_name = "<unnamed-fatbin>"


class Archive(LinkableCode):
    """An archive of objects.

    >>> cuda.Archive(b"", name="library.a").name
    'library.a'
    """

    kind = "archive"
    default_name = "<unnamed-archive>"


class Object(LinkableCode):
    """An object of device code.

    >>> cuda.Object(b"", name="kernel.o").name
    'kernel.o'
    """

    kind = "object"
    default_name = "<unnamed-object>"


class LTOIR(LinkableCode):
    """NVIDIA's format for link-time optimisation, which Phalanx does not read.

    >>> cuda.LTOIR(b"", name="kernel.ltoir").name
    'kernel.ltoir'
    """

    kind = "ltoir"
    default_name = "<unnamed-ltoir>"


_BY_SUFFIX: dict[str, type[LinkableCode]] = {
    ".cu": CUSource, ".ptx": PTXSource, ".cubin": Cubin, ".fatbin": Fatbin, ".a": Archive,
    ".o": Object, ".ltoir": LTOIR,
}  # fmt: skip


def as_list(link: Any) -> list[LinkableCode]:
    """What ``link=`` got, one or several, as a list without repetitions."""
    if link is None:
        return []
    items = link if isinstance(link, (list, tuple, set, frozenset)) else (link,)
    return list(dict.fromkeys(LinkableCode.from_path_or_obj(item) for item in items))


def without_repetitions(codes: Iterable[LinkableCode]) -> list[LinkableCode]:
    """The codes to link, each once: the same file may have been read several times."""
    kept: dict[tuple[str, bytes], LinkableCode] = {}
    for code in codes:
        kept.setdefault((code.kind, code.octets), code)
    return list(kept.values())


class ExternFunction:
    """A function of linked code, to be called from kernels; made by `declare_device`."""

    def __init__(
        self, name: str, sig: Signature, link: list[LinkableCode], cooperative: bool, abi: str
    ) -> None:
        self.name = self.__name__ = name
        self.sig = sig
        self.link = link
        self.use_cooperative = cooperative
        self.abi = abi

    def _fingerprint_(self) -> tuple[Any, ...]:
        codes = [(code.kind, code.octets) for code in self.link]
        return (self.name, str(self.sig), self.abi, self.use_cooperative, repr(codes))

    def _describe_(self) -> tuple[Any, ...]:
        result = bridge.to_argument(self.sig.return_type)
        rows = [(list(bridge.argument_types(self.sig)), result)]
        return ("external", self.name, self.abi == "numba", rows, self.use_cooperative)

    def __call__(self, *args: Any) -> Any:
        raise RuntimeError(f"{self.name} is device code: it can be called only in a kernel")

    def __repr__(self) -> str:
        return f"<phalanx external function {self.name}{self.sig}>"


def declare_device(
    name: str, sig: Any, link: Any = None, use_cooperative: bool = False, abi: str = "numba"
) -> ExternFunction:
    """A function written in CUDA C, for kernels to call; in PTX or machine code, on a GPU.

        twice = cuda.declare_device("twice", "int32(int32)", link=cuda.CUSource('''
            extern "C" __device__ int twice(int x) { return 2 * x; }'''), abi="c")

    `sig` has the type of the result too. `link` is the code: a path, `CUSource`, `PTXSource`,
    `Cubin`, `Fatbin`, `Archive` or `Object`, or a list of them. With ``abi="c"`` the function is
    called as C calls it; with ``abi="numba"`` it returns an int status, and its result goes where
    a further first parameter points. Kernels that call a function declared with `use_cooperative`
    are launched with all blocks at once, so that its code can wait for other blocks.

    Raises `TypeError` for a signature without a result, `NotImplementedError` for another abi.

    >>> twice = cuda.declare_device("twice", "int32(int32)")
    >>> twice.name
    'twice'
    """
    if abi not in ("numba", "c"):
        raise NotImplementedError(f"Unsupported ABI: {abi}; it is 'numba' or 'c'")
    signature = bridge.signatures_of(sig)[0]
    if signature.return_type is None:
        raise TypeError(
            f"Return type must be provided for device declarations: {name} is declared as "
            f"{signature}; write for example 'int32{signature}'"
        )
    return ExternFunction(name, signature, as_list(link), use_cooperative, abi)


def driver_rows(
    codes: Iterable[LinkableCode], capability: tuple[int, int], lineinfo: bool = False
) -> list[tuple[str, str, bytes]]:
    """The rows that a GPU's driver links: kind, name, bytes. CUDA C becomes PTX, by NVRTC.

    Raises `CompileError` with NVRTC's log for wrong CUDA C, `DeviceError` that says what to
    install where there is no NVRTC, `NotImplementedError` for LTO-IR.
    """
    rows = []
    for code in without_repetitions(codes):
        if code.kind == "ltoir":
            raise NotImplementedError(
                f"LTO-IR cannot be linked: give {code.name} as PTX, cubin, object or CUDA C"
            )
        if code.kind == "cu":
            text = compile_source(code, capability, lineinfo)
            rows.append(("ptx", code.name, text.encode() + b"\0"))
        else:
            end = b"\0" if code.kind == "ptx" else b""
            rows.append((code.kind, code.name, code.octets + end))
    return rows


def compile_source(code: LinkableCode, capability: tuple[int, int], lineinfo: bool = False) -> str:
    """The PTX of CUDA C source by NVRTC, whose device functions other code may call.

    The headers of C and C++ that NVRTC does not have are phalanx's own.
    """
    from .._core.toolkit import find_library, include_folders
    from .._core.warnings import warn
    from .._cuda_c.nvrtc_headers import HEADERS

    library = find_library("nvrtc")
    if library is None:
        raise DeviceError(
            f"CUDA C source ({code.name}) needs NVRTC, and libnvrtc was not found: "
            "pip install nvidia-cuda-nvrtc, or install the CUDA toolkit and set CUDA_HOME"
        )
    major, minor = capability
    options = [
        f"--gpu-architecture=compute_{major}{minor}",
        "--relocatable-device-code=true",
        "--device-as-default-execution-space",  # as phalanx's own front end has it
        "--std=c++17",
        *(f"--include-path={folder}" for folder in include_folders()),
        *(["--generate-line-info"] if lineinfo else []),
    ]
    text = code.octets.decode()
    ptx, log = _engine.compile_cuda_source(str(library), code.name, text, options, HEADERS)
    if log.strip():
        warn("LinkWarning", f"NVRTC log messages of {code.name}:\n\n{log.strip()}\n")
    return str(ptx)
