"""Functions without a text, as `exec` makes them: their syntax tree, read from the bytecode.

What is read is compiled again, and counts only where that gives the same instructions along every
path. A mistake here is an error then, never another function.
"""

from __future__ import annotations

import ast
from types import CodeType

from ..._core.trees import tree_of
from ..matching import compiled
from .errors import NotDecompiled
from .flow import Flow, is_same_flow
from .structure import definition_of

__all__ = ["NotDecompiled", "decompiled"]

_HAS_DOCSTRING = 0x4000000  # inspect.CO_HAS_DOCSTRING, from Python 3.13 on


def decompiled(code: CodeType) -> tuple[ast.FunctionDef, str]:
    """The definition of a function, and its text.

    Raises `NotDecompiled` where the bytecode is damaged, or has what kernels do not have.
    """
    try:
        text = ast.unparse(definition_of(code))
        node = tree_of(text).body[0]
        made = compiled(node, code)
        is_same = made is not None and _is_same(made, code)
    except NotDecompiled:
        raise
    except (
        ArithmeticError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
        SyntaxError,
    ) as error:
        raise NotDecompiled(f"it cannot be followed ({type(error).__name__})") from error
    if not is_same or not isinstance(node, ast.FunctionDef):
        raise NotDecompiled("what was read does not compile to the same bytecode")
    if code.co_name == "<lambda>":
        node.name = code.co_name
    return node, text


def _is_same(made: CodeType, code: CodeType) -> bool:
    """Returns whether both take the same parameters and do the same, whatever they are called."""
    shape = "co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_freevars"
    count = code.co_argcount + code.co_kwonlyargcount
    return (
        all(getattr(made, each) == getattr(code, each) for each in shape)
        and (made.co_flags ^ code.co_flags) & ~_HAS_DOCSTRING == 0
        and made.co_varnames[:count] == code.co_varnames[:count]
        and is_same_flow(Flow(made), Flow(code))
    )
