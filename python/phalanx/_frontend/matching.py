"""Whether a syntax tree is a function's own: compiled where it stands, it gives the same code.

What is compiled is what Python would run: text that was edited after its import, or the lambda
beside the one that is meant, does not match.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from types import CodeType
from typing import Any

from .fingerprint import code_key, instructions, is_method, name_of

ONLY_AST = 0x400  # ast.PyCF_ONLY_AST: the module ast itself takes milliseconds to import
_FUTURE = 0x1FE0000  # the flags of `from __future__ import ...`
_NESTED = 0x10  # inspect.CO_NESTED


def matches(node: Any, code: CodeType) -> bool:
    """Whether the definition or lambda `node` compiles to `code`, at any line."""
    if _is_rewritten(code):
        return True
    made = compiled(node, code)
    return made is not None and made.co_name == code.co_name and code_key(made) == code_key(code)


def compiled(node: Any, code: CodeType) -> CodeType | None:
    """The code that the definition or lambda compiles to between the scopes that `code` has."""
    body = [node]
    scopes = 0
    if not hasattr(node, "name"):  # a lambda
        body = _parsed("0")
        body[0].value = node
    if owner := _class_around(code):  # names such as __name are written _Owner__name there
        body = _inside(f"class {owner}: 0", body)
        scopes += 1
    if code.co_flags & _NESTED:
        free = [name for name in code.co_freevars if name.isidentifier()]
        body = _inside(f"def outer({', '.join(free)}): 0", body)
        scopes += 1
    imported = sorted(set(_imported(code)))
    module: Any = compile(
        "".join(map("import {}\n".format, imported)), "<kernel>", "exec", ONLY_AST
    )
    module.body += body
    flags = code.co_flags & _FUTURE
    try:
        made = _compile_deep(module, flags)
    except (SyntaxError, ValueError):  # what stands around it is missing: a nonlocal name
        return None
    for _ in range(scopes + 1):
        # Lambdas in decorators and defaults come before what they are for.
        made = [constant for constant in made.co_consts if isinstance(constant, CodeType)][-1]
    return made


def _compile_deep(module: Any, flags: int) -> CodeType:
    """Compiles a tree as deep as text may be: for text, Python's parser allows more levels."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 5000))
    try:
        code: CodeType = compile(module, "<kernel>", "exec", flags, dont_inherit=True)
        return code
    finally:
        sys.setrecursionlimit(limit)


def _is_rewritten(code: CodeType) -> bool:
    """Whether the tree was changed before it was compiled: pytest's asserts have such names."""
    return any(name.startswith("@") for name in (*code.co_names, *code.co_varnames))


def _imported(code: CodeType) -> Iterator[str]:
    """Names that the module imports: CPython calls their attributes as functions, not as methods.

    Such a call loads NULL, the name and the attribute, by instructions of their own.
    """
    before = ("", "")
    for each in instructions(code):
        has_null = each.name == "PUSH_NULL" or (each.name == "LOAD_GLOBAL" and each.argument & 1)
        if before[1] and each.name == "LOAD_ATTR" and not is_method(each):
            yield before[1]
        is_load = each.name in ("LOAD_FAST", "LOAD_DEREF", "LOAD_GLOBAL", "LOAD_NAME")
        is_callee = is_load and (has_null or before[0] == "PUSH_NULL")
        before = (each.name, name_of(code, each) if is_callee else "")
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _imported(constant)


def _class_around(code: CodeType) -> str | None:
    """The innermost class that the definition is in, from ``Class.method.<locals>.name``."""
    names = code.co_qualname.split(".")
    classes = [
        name
        for name, after in itertools.pairwise(names)
        if name.isidentifier() and after != "<locals>"
    ]
    return classes[-1] if classes else None


def _parsed(text: str) -> Any:
    module: Any = compile(text, "<kernel>", "exec", ONLY_AST)
    return module.body


def _inside(text: str, body: Any) -> Any:
    around = _parsed(text)
    around[0].body = body
    return around
