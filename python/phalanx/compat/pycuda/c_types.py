"""Types of C and dtypes of NumPy: names in both directions, and arguments of kernels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .errors import LogicError

__all__ = [
    "Argument", "ScalarArg", "VectorArg", "dtype_to_ctype", "get_arg_type",
    "get_or_register_dtype", "parse_arg_list", "parse_c_arg", "register_dtype",
]  # fmt: skip

_NAMES: dict[np.dtype[Any], str] = {
    np.dtype(name): text
    for name, text in {
        "bool": "bool", "int8": "signed char", "uint8": "unsigned char", "int16": "short",
        "uint16": "unsigned short", "int32": "int", "uint32": "unsigned int", "int64": "long",
        "uint64": "unsigned long", "float16": "half", "float32": "float", "float64": "double",
        "complex64": "pycuda::complex<float>", "complex128": "pycuda::complex<double>",
    }.items()
}  # fmt: skip
_DTYPES: dict[str, np.dtype[Any]] = {
    **{text: dtype for dtype, text in _NAMES.items()},
    **{f"{name}_t": np.dtype(name) for name in ("int8", "int16", "int32", "int64")},
    **{f"{name}_t": np.dtype(name) for name in ("uint8", "uint16", "uint32", "uint64")},
    "size_t": np.dtype(np.uintp), "ptrdiff_t": np.dtype(np.intp), "ssize_t": np.dtype(np.intp),
    "uintptr_t": np.dtype(np.uintp), "intptr_t": np.dtype(np.intp), "__half": np.dtype("float16"),
}  # fmt: skip

_INTEGER_WORDS = frozenset(("signed", "unsigned", "char", "short", "int", "long"))


def register_dtype(dtype: Any, c_names: str | Sequence[str], alias_ok: bool = False) -> None:
    """Gives a dtype a name in C, such as that of a struct; of several the first is the one used.

    Raises `RuntimeError` for a name of another dtype, and for a dtype that has another name unless
    `alias_ok` is true.
    """
    dtype = np.dtype(dtype)
    names = [c_names] if isinstance(c_names, str) else list(c_names)
    known = _NAMES.get(dtype)
    if known is not None and known not in names and not alias_ok:
        raise RuntimeError(f"dtype {dtype} is {known} in C already, not {names[0]}")
    get_or_register_dtype(names, dtype)


def get_or_register_dtype(c_names: str | Sequence[str], dtype: Any = None) -> np.dtype[Any]:
    """The dtype of a name in C; with `dtype` the names become its names, too, unless they are.

    Raises `TypeError` for a name that is not known and `RuntimeError` for one of another dtype.
    """
    names = [c_names] if isinstance(c_names, str) else list(c_names)
    if dtype is None:
        try:
            return _dtype_of(names[0])
        except ValueError as error:
            raise TypeError(str(error)) from None
    wanted: np.dtype[Any] = np.dtype(dtype)
    for name in map(_normal, names):
        if _DTYPES.get(name, wanted) != wanted:
            raise RuntimeError(f"{name} is the name of {_DTYPES[name]} already, not of {wanted}")
        _DTYPES[name] = wanted
    _NAMES.setdefault(wanted, names[0])
    return wanted


def dtype_to_ctype(dtype: Any, with_fp_tex_hack: bool = False) -> str:
    """The name of a dtype in CUDA C.

    Raises `ValueError` for one without, and `LogicError` for types of textures.
    """
    if dtype is None:
        raise ValueError("dtype may not be None")
    if with_fp_tex_hack:
        raise LogicError("there are no types of textures: CUDA 12 has removed their references")
    try:
        return _NAMES[np.dtype(dtype)]
    except KeyError:
        raise ValueError(
            f"unable to map dtype {np.dtype(dtype)} to a type of C: "
            "pycuda.tools.register_dtype(dtype, name) names a struct of the preamble"
        ) from None


def _normal(name: str) -> str:
    """The name with one blank between words, and none elsewhere."""
    return re.sub(r"\s*(::|[<>,])\s*", r"\1", " ".join(name.split()))


def _dtype_of(name: str) -> np.dtype[Any]:
    """Raises `ValueError` for a name that is not known."""
    normal = _normal(name)
    words = normal.split()
    if normal in _DTYPES:
        return _DTYPES[normal]
    if words and _INTEGER_WORDS.issuperset(words):
        size = 1 if "char" in words else 2 if "short" in words else 8 if "long" in words else 4
        return np.dtype(f"{'uint' if 'unsigned' in words else 'int'}{8 * size}")
    raise ValueError(
        f"unknown type {normal!r}: pycuda.tools.register_dtype(dtype, {normal!r}) says which dtype "
        "it is"
    )


class Argument:
    """A parameter of a kernel in CUDA C: its type as a dtype, and its name."""

    struct_char: Any = ""

    def __init__(self, dtype: Any, name: str) -> None:
        self.dtype = np.dtype(dtype)
        self.name = name

    def declarator(self) -> str:
        """Its declaration."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.dtype})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Argument):
            return NotImplemented
        same = type(self) is type(other) and self.name == other.name
        return same and bool(self.dtype == other.dtype)

    def __hash__(self) -> int:
        return hash((type(self), self.dtype, self.name))


class VectorArg(Argument):
    """A pointer to elements."""

    struct_char = "P"

    def declarator(self) -> str:
        """Its declaration, such as ``float *x``."""
        return f"{dtype_to_ctype(self.dtype)} *{self.name}"


class ScalarArg(Argument):
    """A value."""

    def declarator(self) -> str:
        """Its declaration, such as ``float x``."""
        return f"{dtype_to_ctype(self.dtype)} {self.name}"

    @property
    def struct_char(self) -> str:
        """What `Function.prepare` is told of it."""
        return f"{self.dtype.itemsize}s" if self.dtype.char == "V" else self.dtype.char


_QUALIFIER = re.compile(r"\b(?:const|volatile|restrict|__restrict__|__restrict|struct)\b")
_DECLARATION = re.compile(r"\s*(\S.*?)([\s*]+)([A-Za-z_]\w*)((?:\s*\[[^\]]*\])?)\s*", re.DOTALL)


def parse_c_arg(c_arg: str) -> Argument:
    """The argument that a declaration in C declares. Raises `ValueError` for what is none."""
    found = _DECLARATION.fullmatch(_QUALIFIER.sub(" ", c_arg))
    if found is None:
        raise ValueError(f"{c_arg.strip()!r} is no declaration of an argument, such as 'float *x'")
    name, stars, argument, extent = found.groups()
    if stars.count("*") > 1:
        raise ValueError(f"{c_arg.strip()!r} is a pointer to pointers, which no array is")
    kind = VectorArg if "*" in stars or extent else ScalarArg
    return kind(_dtype_of(name), argument)


def parse_arg_list(arguments: str | Iterable[Any]) -> list[Argument]:
    """The arguments of a list in C, or of a sequence of declarations and arguments."""
    given = split_arguments(arguments) if isinstance(arguments, str) else arguments
    return [parse_c_arg(each) if isinstance(each, str) else each for each in given]


def split_arguments(arguments: str) -> list[str]:
    """The declarations of a list in C. A comma between ``<`` and ``>`` does not part them."""
    return [each for each in re.split(r",(?![^<]*>)", arguments) if each.strip()]


def get_arg_type(c_arg: str) -> Any:
    """What `Function.prepare` is told of an argument that C declares."""
    return parse_c_arg(c_arg).struct_char
