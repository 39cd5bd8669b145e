"""What kind of number an expression is: the classes that Python would give it."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

import numpy as np

INT, FLOAT, BOOL, NONE, MIXED = "int", "float", "bool", "None", "mixed"
TEXT, LIST = "text", "list"  # what compiled code has of these: see `texts.py`
_BASES = {"i": INT, "f": FLOAT, "b": BOOL}
LARGEST = 2**63 - 1


class Kind(NamedTuple):
    """An int, a float, a bool, None, a text or a list of texts.

    NumPy's own numbers divide by zero without an error. Where it is not known whether a number is
    NumPy's, it counts as Python's, which raises more. `among` are the numbers of the columns of
    which a text is one's element; `symbol` is the whole column that has a number or the parts of a
    text, where that is known (see `texts.py`).
    """

    base: str
    is_numpy: bool = False
    among: tuple[int, ...] = ()
    symbol: Any = None

    def with_base(self, base: str) -> Kind:
        """The same library's number of another class."""
        return Kind(base, self.is_numpy)


class Expression(NamedTuple):
    """An expression of the compiled function, and its kind."""

    node: Any
    kind: Kind
    constant: Any = None  # the number or text, where it is written as one


class Refused(Exception):
    """Why a function is not compiled.

    `line` is that of the function's syntax tree, 0 where it is not known; `place` the file and the
    line in it, once it is known which function the tree is of.
    """

    def __init__(self, sentence: str, line: int = 0) -> None:
        super().__init__(sentence)
        self.line = line
        self.place = ""


def kind_of_dtype(dtype: np.dtype, is_numpy: bool) -> Kind:
    """The kind of a column's elements. Raises Refused for what is no number of 64 bits."""
    if dtype.kind not in _BASES:
        raise Refused(f"values of {dtype} are not compiled")
    if is_numpy and dtype not in (np.int64, np.float64, np.bool_):
        raise Refused(f"rows of {dtype} are not compiled: convert the columns to 64 bits")
    return Kind(_BASES[dtype.kind], is_numpy)


def kind_of_value(value: Any) -> Kind | None:
    """The kind of a number that a function refers to; None for all else."""
    known = {bool: BOOL, int: INT, float: FLOAT}.get(type(value))
    if known is not None:
        return None if known == INT and not -LARGEST <= value <= LARGEST else Kind(known)
    known = {np.bool_: BOOL, np.int64: INT, np.float64: FLOAT}.get(type(value))
    return None if known is None else Kind(known, True)


def common(left: Kind, right: Kind) -> Kind:
    """The kind of a name that is one of two."""
    if left.base != right.base or (left.base == LIST and left != right):
        return Kind(MIXED)
    among = tuple(sorted({*left.among, *right.among}))
    symbol = left.symbol if left.symbol == right.symbol else None
    return Kind(left.base, left.is_numpy and right.is_numpy, among, symbol)


def constant(value: Any) -> Expression:
    """A number as an expression. Raises Refused for what is none that compiled code has."""
    kind = kind_of_value(value)
    if value is None:
        return Expression(ast.Constant(None), Kind(NONE))
    if kind is None:
        raise Refused(f"{value!r:.40} is no number of 64 bits")
    plain = value.item() if isinstance(value, np.generic) else value
    node: Any = ast.Constant(plain)
    if isinstance(plain, float) and (plain != plain or abs(plain) == float("inf")):
        node = call("float", ast.Constant(str(plain)))
    elif not isinstance(plain, bool) and plain < 0:
        node = ast.UnaryOp(ast.USub(), ast.Constant(-plain))
    return Expression(node, kind, plain)


def call(name: str, *arguments: Any) -> ast.Call:
    """A call of a function by its name."""
    return ast.Call(name_node(name), list(arguments), [])


def name_node(name: str) -> ast.Name:
    """A name that is read."""
    return ast.Name(name, ast.Load())


def as_float(expression: Expression) -> Any:
    """The node as a float, rounded as Python's own conversion rounds."""
    if expression.kind.base == FLOAT:
        return expression.node
    return call("float", expression.node)


def as_int(expression: Expression) -> Any:
    """The node of an int or a bool as an int; of a text the number of its column."""
    return expression.node if expression.kind.base in (INT, TEXT) else call("int", expression.node)
