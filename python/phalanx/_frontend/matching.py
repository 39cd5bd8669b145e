"""Decides whether a syntax tree is a function's own: compiled there, it gives the same code.

What is compiled is what Python would run: text that was edited after its import, or the lambda
beside the one that is meant, does not match.
"""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Iterator
from types import CodeType
from typing import Any

from .._core.trees import tree_of
from .fingerprint import Instruction, code_key, instructions, is_method, name_of

_FUTURE = 0x1FE0000  # the flags of `from __future__ import ...`
_VARIABLES = frozenset(("LOAD_FAST", "LOAD_FAST_BORROW", "LOAD_DEREF", "LOAD_GLOBAL", "LOAD_NAME"))
_NULL_IS_LAST = sys.version_info >= (3, 13)  # what a call finds below its arguments
_NESTED = 0x10  # inspect.CO_NESTED


def matches(node: Any, code: CodeType) -> bool:
    """Returns whether the definition or lambda `node` compiles to `code`, at any line."""
    if _is_rewritten(code):
        return _may_be_rewritten_as(node, code)
    made = compiled(node, code)
    return made is not None and made.co_name == code.co_name and code_key(made) == code_key(code)


def compiled(node: Any, code: CodeType) -> CodeType | None:
    """The code that the definition or lambda compiles to between the scopes that `code` has."""
    body = [node]
    scopes = 0
    if not hasattr(node, "name"):  # a lambda
        body = tree_of("0").body
        body[0].value = node
    if owner := _class_around(code):  # names such as __name are written _Owner__name there
        body = _inside(f"class {owner}: 0", body)
        scopes += 1
    if code.co_flags & _NESTED:
        free = [name for name in code.co_freevars if name.isidentifier()]
        body = _inside(f"def outer({', '.join(free)}): 0", body)
        scopes += 1
    imported = sorted(_imported(code))
    module = tree_of("".join(map("import {}\n".format, imported)))
    module.body += body
    flags = code.co_flags & _FUTURE
    try:
        made = _compile_deep(module, flags)
    except (SyntaxError, ValueError):  # what is around it is missing: a nonlocal name
        return None
    for _ in range(scopes + 1):
        # Lambdas in decorators and defaults come before what they are for.
        made = [constant for constant in made.co_consts if isinstance(constant, CodeType)][-1]
    return made


# The limit of recursions is the process's: threads that change it take turns, so that each finds
# the program's own to restore. Reentrant, as a collection may begin.
_limit_lock = threading.RLock()


def _compile_deep(module: Any, flags: int) -> CodeType:
    """Compiles a tree as deep as text may be: for text, Python's parser allows more levels."""

    def compiled() -> CodeType:
        code: CodeType = compile(module, "<kernel>", "exec", flags, dont_inherit=True)
        return code

    try:
        return compiled()
    except RecursionError:  # seldom; without a GIL all threads stop where the limit is set
        with _limit_lock:
            limit = sys.getrecursionlimit()
            sys.setrecursionlimit(max(limit, 5000))
            try:
                return compiled()
            finally:
                sys.setrecursionlimit(limit)


def _is_rewritten(code: CodeType) -> bool:
    """Returns whether the tree was changed before compilation: pytest's asserts have such names."""
    return any(name.startswith("@") for name in (*code.co_names, *code.co_varnames))


def _may_be_rewritten_as(node: Any, code: CodeType) -> bool:
    """Returns whether all of the definition but its asserts is in the rewritten code."""
    import ast
    import copy

    class WithoutAsserts(ast.NodeTransformer):
        def visit_Assert(self, statement: ast.Assert) -> ast.Pass:
            return ast.copy_location(ast.Pass(), statement)

    made = compiled(WithoutAsserts().visit(copy.deepcopy(node)), code)
    return made is not None and made.co_name == code.co_name and _parts(made) <= _parts(code)


def _parts(code: CodeType) -> set[tuple[str, str]]:
    """The names and constants of the code, and of the functions in it."""
    found = {("name", name) for name in (*code.co_names, *code.co_varnames)}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _parts(constant)
        else:
            found.add((type(constant).__name__, repr(constant)))
    return found


def _imported(code: CodeType) -> set[str]:
    """Names that the module imports: CPython calls their attributes as functions, not as methods.

    Calls with * are never made as methods: a name that has methods elsewhere is not imported.
    """
    functions: set[str] = set()
    methods: set[str] = set()
    for name, is_called_as_method in _called_attributes(code):
        (methods if is_called_as_method else functions).add(name)
    return {name for name in functions - methods if name.isidentifier()}  # not pytest's @names


def _called_attributes(code: CodeType) -> Iterator[tuple[str, bool]]:
    """The variables of which attributes are called, each with whether as a method.

    Functions have an instruction of their own that loads NULL: before the variable, from Python
    3.13 on after the attribute.
    """
    steps = [Instruction("", 0), *instructions(code), Instruction("", 0)]
    for before, owner, attribute, after in zip(
        steps, steps[1:], steps[2:], steps[3:], strict=False
    ):
        if owner.name not in _VARIABLES or attribute.name not in ("LOAD_ATTR", "LOAD_METHOD"):
            continue
        if _NULL_IS_LAST:
            has_null = after.name == "PUSH_NULL"
        else:
            is_global = owner.name == "LOAD_GLOBAL" and owner.argument & 1 == 1
            has_null = is_global or before.name == "PUSH_NULL"
        if is_method(attribute) or has_null:
            yield name_of(code, owner), is_method(attribute)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _called_attributes(constant)


def _class_around(code: CodeType) -> str | None:
    """The innermost class that the definition is in, from ``Class.method.<locals>.name``."""
    names = code.co_qualname.split(".")
    classes = [
        name
        for name, after in itertools.pairwise(names)
        if name.isidentifier() and after != "<locals>"
    ]
    return classes[-1] if classes else None


def _inside(text: str, body: Any) -> Any:
    around = tree_of(text).body
    around[0].body = body
    return around
