"""The options that nvcc and NVRTC take, as far as they say what the source means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_STANDARDS = {"03": 3, "11": 11, "14": 14, "17": 17, "20": 20}


@dataclass(frozen=True)
class SourceOptions:
    """What a compilation of CUDA C is told besides the text."""

    macros: tuple[str, ...] = ()  # NAME or NAME=VALUE
    folders: tuple[str, ...] = ()  # of headers
    standard: int = 17  # of C++
    fastmath: bool = False
    contract: bool = True  # a * b + c may be one operation
    debug: bool = False
    max_registers: int = 0
    others: tuple[str, ...] = field(default=(), compare=False)  # which do not matter here
    # In Python, by the names that the source declares and leaves without a body.
    functions: Mapping[str, Callable[..., Any]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @staticmethod
    def parse(given: Iterable[str]) -> SourceOptions:
        """Reads ``-DNAME=VALUE``, ``-IFOLDER``, ``-std=c++14``, ``--use_fast_math`` and the like.

        Raises `TypeError` for what is no text, and `ValueError` for an option that lacks its value,
        that names a C++ standard that is not known, or that is not known itself. What only says how
        NVIDIA's compilers work is kept aside.
        """
        macros: list[str] = []
        folders: list[str] = []
        others: list[str] = []
        single: dict[str, int | bool] = {}
        words = iter(_texts(given))
        for word in words:
            name, value = _split(word, words)
            if name == "macro":
                macros.append(value)
            elif name == "undefined":  # what was defined before
                macros = [each for each in macros if each.split("=")[0] != value]
            elif name == "folder":
                folders.append(value)
            elif name in _READ:
                field_name, read = _READ[name]
                single[field_name] = read(value)
            elif word in _FLAGS:
                single[_FLAGS[word]] = True
            elif word.startswith("-") and not word.startswith(_KEPT_ASIDE):
                raise ValueError(
                    f"the option {word} is not known; -D, -U, -I, -std, --use_fast_math, --fmad, "
                    "--maxrregcount and -G say what source means"
                )
            else:  # also the value of an option that is a word of its own
                others.append(word)
        return SourceOptions(tuple(macros), tuple(folders), others=tuple(others), **single)  # type: ignore[arg-type]


PLAIN = SourceOptions()  # nothing said


# Options with a value, which follows at once, behind "=", or as the next word.
_WITH_VALUE = {
    "--define-macro": "macro", "-D": "macro",
    "--undefine-macro": "undefined", "-U": "undefined", "--include-path": "folder", "-I": "folder",
    "--std": "standard", "-std": "standard", "--fmad": "fmad", "-fmad": "fmad",
    "--maxrregcount": "registers", "-maxrregcount": "registers",
}  # fmt: skip


# Beginnings of what makes no difference to the source: nvcc's and NVRTC's, by their documentation.
_KEPT_ASIDE = (
    "--gpu-architecture", "-arch", "--gpu-code", "-code", "--generate-code", "-gencode",
    "--device-c", "-dc", "--device-w", "-dw", "--relocatable-device-code", "-rdc", "-ewp",
    "--extensible-whole-program", "--generate-line-info", "-lineinfo", "--dopt", "-dopt", "--dlto",
    "-dlto", "--dlink-time-opt", "--gen-opt-lto", "--Ofast-compile", "-O", "--optimize", "-Ofc",
    "--ptxas-options", "-Xptxas", "--compiler-options", "-Xcompiler", "-ftz", "--ftz", "-prec-",
    "--prec-", "--extra-device-vectorization", "-extra-device-vectorization", "--restrict",
    "-restrict", "--modify-stack-limit", "--jump-table-density", "--device-stack-protector",
    "--device-as-default-execution-space", "-default-device", "--device-int128",
    "--optimization-info", "-opt-info", "--display-error-number", "--no-display-error-number",
    "-no-err-no", "--diag-", "-diag-", "--brief-diagnostics", "--builtin-", "--time", "-time",
    "--split-compile", "-split-compile", "--minimal", "-minimal", "--version-ident",
    "--no-source-include", "--disable-warnings", "-w", "-W", "-m64", "--machine", "-v",
    "--verbose", "-keep", "--keep", "-ccbin", "--compiler-bindir", "-t", "--threads", "-cudart",
    "--cudart", "--default-stream", "-default-stream", "--cubin", "-cubin", "--ptx", "-ptx",
    "--expt-", "-expt-", "--extended-lambda", "-extended-lambda", "-remove-unused-globals", "-fPIC",
)  # fmt: skip


def _texts(given: Iterable[str]) -> Iterator[str]:
    if isinstance(given, str):
        raise TypeError("options are a tuple of texts, such as ('-DN=4',), not one text")
    for word in given:
        if not isinstance(word, str):
            raise TypeError(f"an option is a text, not {type(word).__name__}")
        yield word


def _split(word: str, rest: Iterator[str]) -> tuple[str, str]:
    """What the option says, and its value; "" where it is none of those with a value."""
    for option, meaning in _WITH_VALUE.items():
        if not word.startswith(option):
            continue
        value = word[len(option) :]
        if value.startswith("="):
            return meaning, value[1:]
        if value and len(option) == 2:  # -DNAME
            return meaning, value
        if not value:
            following = next(rest, None)
            if following is None:
                raise ValueError(f"the option {word} needs a value")
            return meaning, following
    return "", ""


def _standard(text: str) -> int:
    year = text.removeprefix("c++").removeprefix("gnu++")
    if year not in _STANDARDS:
        raise ValueError(f"C++ {text} is not known: c++11, c++14, c++17 and c++20 are")
    return max(_STANDARDS[year], 11)


# What the value of an option decides, and how it is read; what options without a value decide.
_READ: dict[str, tuple[str, Callable[[str], int | bool]]] = {
    "standard": ("standard", _standard),
    "fmad": ("contract", lambda value: value == "true"),
    "registers": ("max_registers", int),
}
_FLAGS = {
    "-use_fast_math": "fastmath", "--use_fast_math": "fastmath",
    "-G": "debug", "--device-debug": "debug",
}  # fmt: skip
