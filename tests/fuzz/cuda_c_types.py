"""C's arithmetic types: promotions, conversions, and what an operation of two ranges can give."""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """What variables are declared as: a type, and the range that assignments keep to."""

    type: str
    low: int
    high: int


def _range(bits: int, is_signed: bool) -> tuple[int, int]:
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)


RANGES = {
    "bool": (0, 1),
    "char": _range(8, True),
    "signed char": _range(8, True),
    "unsigned char": _range(8, False),
    "short": _range(16, True),
    "unsigned short": _range(16, False),
    "int": _range(32, True),
    "unsigned": _range(32, False),
    "long long": _range(64, True),
    "unsigned long long": _range(64, False),
}
WIDE = ("int", "unsigned", "long long", "unsigned long long")  # by their rank
UNSIGNED = ("unsigned", "unsigned long long")
FLOATS = ("float", "double")
SUFFIX = {"unsigned": "u", "long long": "LL", "unsigned long long": "ULL", "float": "f"}

NARROW = [Kind(each, *RANGES[each]) for each in RANGES if each not in WIDE]
INT = Kind("int", -1_000_000, 1_000_000)  # sums and products of a few fit
WHOLE_INT = Kind("int", *RANGES["int"])
UINT = Kind("unsigned", *RANGES["unsigned"])
LONG = Kind("long long", -(10**12), 10**12)
WHOLE_LONG = Kind("long long", *RANGES["long long"])
ULONG = Kind("unsigned long long", *RANGES["unsigned long long"])
FLOAT, DOUBLE = Kind("float", 0, 0), Kind("double", 0, 0)
KINDS = [
    *(INT, INT, INT, INT, WHOLE_INT, UINT, UINT, LONG, WHOLE_LONG, ULONG),
    *(FLOAT, FLOAT, DOUBLE),
    *NARROW,
]


def is_float(type_name: str) -> bool:
    """Returns whether a type is one of floats."""
    return type_name in FLOATS


def bits(type_name: str) -> int:
    """How many bits an integer type has."""
    low, high = RANGES[type_name]
    return (high - low).bit_length()


def promoted(type_name: str) -> str:
    """The type of unary + of it."""
    return type_name if type_name in WIDE or is_float(type_name) else "int"


def common(a: str, b: str) -> str:
    """The type that both operands of an operation are converted to."""
    for each in ("double", "float"):
        if each in (a, b):
            return each
    return max(promoted(a), promoted(b), key=WIDE.index)


def converted(low: int, high: int, type_name: str) -> tuple[int, int]:
    """The range of an integer after a conversion: the same, or anything."""
    if is_float(type_name):
        return 0, 0
    least, most = RANGES[type_name]
    if type_name == "bool":
        return (1, 1) if low > 0 or high < 0 else (0, 1)
    return (low, high) if least <= low and high <= most else (least, most)


def _products(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _bitwise(op: str, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    if op == "&" and (a[0] >= 0 or b[0] >= 0):
        return 0, min(high for low, high in (a, b) if low >= 0)
    size = max(abs(each) for each in (*a, *b)).bit_length()
    is_negative = a[0] < 0 or b[0] < 0
    return -(1 << size) if is_negative else 0, (1 << size) - 1


def result(op: str, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    """The range of an operation without end of its bits; divisors are positive."""
    if op == "+":
        return a[0] + b[0], a[1] + b[1]
    if op == "-":
        return a[0] - b[1], a[1] - b[0]
    if op == "*":
        return _products(a, b)
    if op == "/":
        return min(a[0], 0), max(a[1], 0)
    if op == "%":
        most = b[1] - 1
        return max(-most, min(a[0], 0)), min(most, max(a[1], 0))
    if op == "<<":
        return _products(a, (1 << b[0], 1 << b[1]))
    if op == ">>":
        return min(a[0], 0), max(a[1], 0)
    return _bitwise(op, a, b)


def is_inside(low: int, high: int, type_name: str) -> bool:
    """Returns whether a type has all numbers of a range."""
    return RANGES[type_name][0] <= low and high <= RANGES[type_name][1]


def literal(type_name: str, value: int) -> str:
    """A number as C writes it; only types from int on have literals."""
    if type_name not in WIDE:
        return f"({type_name}){value}" if value >= 0 else f"({type_name})({value})"
    suffix = SUFFIX.get(type_name, "")
    if value == RANGES[type_name][0] < 0:
        return f"({value + 1}{suffix} - 1)"
    return f"{value}{suffix}" if value >= 0 else f"({value}{suffix})"
