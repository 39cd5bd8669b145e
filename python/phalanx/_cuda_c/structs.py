"""NumPy's records as structs of C."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

_IN_C = {
    "bool": "bool", "int8": "signed char", "uint8": "unsigned char", "int16": "short",
    "uint16": "unsigned short", "int32": "int", "uint32": "unsigned int", "int64": "long long",
    "uint64": "unsigned long long", "float16": "__half", "float32": "float", "float64": "double",
    # The classes of complex numbers are aligned as vectors are, and NumPy's are not.
    "complex64": "struct { float real; float imag; }",
    "complex128": "struct { double real; double imag; }",
}  # fmt: skip
_HALF = "#include <cuda_fp16.h>\n"
_KEYWORDS = re.compile(
    "alignas|alignof|asm|auto|bool|break|case|catch|char|class|const|constexpr|continue|default|"
    "delete|do|double|else|enum|explicit|export|extern|false|float|for|friend|goto|if|inline|int|"
    "long|mutable|namespace|new|noexcept|nullptr|operator|private|protected|public|register|return|"
    "short|signed|sizeof|static|struct|switch|template|this|throw|true|try|typedef|typeid|typename|"
    "union|unsigned|using|virtual|void|volatile|while"
)


def struct_declaration(dtype: Any, name: str) -> str:
    """The declaration in CUDA C of a struct that lies in memory as records of `dtype` do.

        Body = np.dtype([("mass", "f4"), ("at", "f8", 3)], align=True)
        text = cuda.struct_declaration(Body, "Body")

    It includes the header that float16 needs. Raises `TypeError` for a dtype without fields and for
    types that C does not have, `ValueError` for names that are none in C and for fields that lie
    elsewhere than C would put them, which ``align=True`` mends.

    >>> print(cuda.struct_declaration(np.dtype([("x", "f4"), ("n", "i4")]), "Point"))
    struct Point {
      float x;
      int n;
    };
    """
    made = np.dtype(dtype)
    if made.names is None:
        raise TypeError(f"a struct has fields: {made} is no structured dtype")
    if not _is_name(name):
        raise ValueError(f"{name!r} is no name of a struct in C")
    body = _body(made, "  ")
    return f"{_HALF if '__half' in body else ''}struct {name} {{\n{body}}};\n"


def _is_name(name: str) -> bool:
    is_word = re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) is not None
    return is_word and not _KEYWORDS.fullmatch(name)


def _body(dtype: np.dtype[Any], indent: str) -> str:
    lines, end, alignment = [], 0, 1
    for field in dtype.names or ():
        if not _is_name(field):
            raise ValueError(f"{field!r} is no name of a member in C: rename the field")
        assert dtype.fields is not None
        kind, offset = dtype.fields[field][:2]
        element, shape = kind.subdtype or (kind, ())
        own = _alignment(element)
        if offset != -(-end // own) * own:
            raise ValueError(
                f"the field {field!r} lies at byte {offset}, where a struct of C has it at "
                f"{-(-end // own) * own}: make the dtype with align=True"
            )
        end, alignment = offset + kind.itemsize, max(alignment, own)
        extents = "".join(f"[{extent}]" for extent in shape)
        lines.append(f"{indent}{_type(element, indent)} {field}{extents};\n")
    if dtype.itemsize != -(-end // alignment) * alignment:
        raise ValueError(
            f"a record has {dtype.itemsize} bytes, and a struct of C with its fields "
            f"{-(-end // alignment) * alignment}: make the dtype with align=True"
        )
    return "".join(lines)


def _alignment(dtype: np.dtype[Any]) -> int:
    """As C aligns it."""
    if dtype.subdtype is not None:
        return _alignment(dtype.subdtype[0])
    if dtype.names is not None:
        assert dtype.fields is not None
        return max(_alignment(dtype.fields[each][0]) for each in dtype.names)
    return dtype.itemsize // 2 if dtype.kind == "c" else dtype.itemsize


def _type(dtype: np.dtype[Any], indent: str) -> str:
    if dtype.names is not None:
        return f"struct {{\n{_body(dtype, indent + '  ')}{indent}}}"
    if not dtype.isnative or dtype.name not in _IN_C:
        raise TypeError(
            f"C has no type for {dtype}: members are numbers, in the machine's byte order"
        )
    return _IN_C[dtype.name]
