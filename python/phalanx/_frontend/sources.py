"""Finds the source of a function: files, notebooks, `exec` with a linecache entry, lambdas."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, NamedTuple

_ONLY_AST = 0x400  # ast.PyCF_ONLY_AST: the module ast itself takes milliseconds to import
_COROUTINE = 0x80 | 0x200  # inspect.CO_COROUTINE, CO_ASYNC_GENERATOR
_ANY_NUMBER = 0x04  # inspect.CO_VARARGS: *rest
_ANY_NAMES = 0x08  # inspect.CO_VARKEYWORDS: **rest
_OUR_CODE = __file__.rpartition("_frontend")[0]


class Source(NamedTuple):
    """The syntax tree of a function and the text that it stands in."""

    node: Any  # ast.FunctionDef or ast.Lambda
    path: str
    text: str  # the lines of the function, as written
    first_line: int  # line of the file that `text` starts at
    line_shift: int  # to be added to the node's line numbers
    defaults: list[Any]  # of the last parameters
    is_library: bool  # our own: messages speak of its caller


def source(function: Callable[..., Any]) -> Source:
    """The source of a function.

    Raises `phalanx.errors.UnsupportedError` when there is none.
    """
    code = function.__code__
    if code.co_flags & _COROUTINE:
        raise _asynchronous(function)
    if code.co_flags & _ANY_NAMES or (code.co_flags & _ANY_NUMBER and code.co_kwonlyargcount):
        raise _too_many_parameters(function)
    lines = _file_lines(function)
    first = code.co_firstlineno - 1
    if first >= len(lines):
        raise _no_source(function)
    if code.co_name == "<lambda>":
        node, start, end = _lambda(function, lines, first)
    else:
        node, start, end = _definition(function, lines, first)
    # One line stands before the block where it had to be wrapped: see _parse.
    is_wrapped = lines[start][:1] in " \t"
    return Source(
        node=node,
        path=code.co_filename,
        text="".join(lines[start:end]),
        first_line=start + 1,
        line_shift=start - is_wrapped,
        defaults=_defaults(function),
        is_library=code.co_filename.startswith(_OUR_CODE),
    )


def _file_lines(function: Callable[..., Any]) -> list[str]:
    name = function.__code__.co_filename
    linecache.checkcache(name)
    lines = linecache.getlines(name, function.__globals__)
    if not lines:
        raise _no_source(function)
    return lines


def _asynchronous(function: Callable[..., Any]) -> Exception:
    from ..errors import UnsupportedError

    code = function.__code__
    return UnsupportedError(
        f"{code.co_filename}:{code.co_firstlineno}: {function.__name__} is an async function, "
        "which cannot be compiled\nWrite def; launches are asynchronous already."
    )


def _too_many_parameters(function: Callable[..., Any]) -> Exception:
    from ..errors import UnsupportedError

    code = function.__code__
    place = f"{code.co_filename}:{code.co_firstlineno}: {function.__name__}"
    if code.co_flags & _ANY_NAMES:
        return UnsupportedError(
            f"{place} takes **, which cannot be compiled\n"
            "Name the parameters; a dataclass or a named tuple passes many as one."
        )
    return UnsupportedError(
        f"{place} has keyword-only parameters after *, which takes any number: this cannot be "
        "compiled\nMake them positional parameters, before the *."
    )


def _no_source(function: Callable[..., Any]) -> Exception:
    from ..errors import UnsupportedError

    name = getattr(function, "__name__", "the function")
    return UnsupportedError(
        f"the source of {name} cannot be found (its code says {function.__code__.co_filename!r}, "
        f"line {function.__code__.co_firstlineno})\n"
        "Define it in a file or a notebook cell; for exec(), put the text into linecache.cache "
        "under the name given to compile()."
    )


def _defaults(function: Callable[..., Any]) -> list[Any]:
    """Values of the last parameters, positional ones first."""
    defaults = list(function.__defaults__ or ())
    code = function.__code__
    if code.co_kwonlyargcount:
        count = code.co_argcount
        names = code.co_varnames[count : count + code.co_kwonlyargcount]
        given = function.__kwdefaults__ or {}
        if any(name not in given for name in names):
            if defaults or given:
                from ..errors import UnsupportedError

                raise UnsupportedError(
                    f"{function.__name__} has keyword-only parameters without a default after "
                    "parameters with one: give all of them a default, or none"
                )
            return []
        defaults += [given[name] for name in names]
    return defaults


def _parse(text: str) -> Any | None:
    """The statements of the block, ``None`` where it is not complete. Indented text is wrapped."""
    is_wrapped = text[:1] in " \t"
    try:
        module: Any = compile(
            "if 1:\n" + text if is_wrapped else text, "<kernel>", "exec", _ONLY_AST, True
        )
    except (SyntaxError, ValueError):
        return None
    return module.body[0].body if is_wrapped else module.body


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _last_line(code: CodeType) -> int:
    """The last line that any instruction of the code or of code in it stands on."""
    last = code.co_firstlineno
    for _, _, line in code.co_lines():
        if line is not None and line > last:
            last = line
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            last = max(last, _last_line(constant))
    return last


def _block_ends(lines: list[str], first: int, last: int) -> Iterator[int]:
    """Where the block that starts at `first` and holds `last` may end, nearest first."""
    indentation = _indentation(lines[first])
    for end in range(last, len(lines)):
        text = lines[end].strip()
        if text and not text.startswith("#") and _indentation(lines[end]) <= indentation:
            yield end
    yield len(lines)


def _definition(function: Callable[..., Any], lines: list[str], first: int) -> tuple[Any, int, int]:
    code = function.__code__
    for end in _block_ends(lines, first, max(_last_line(code), first + 1)):
        body = _parse("".join(lines[first:end]))
        if body and type(body[0]).__name__ == "FunctionDef" and body[0].name == code.co_name:
            is_wrapped = lines[first][:1] in " \t"
            return body[0], first, first + body[0].end_lineno - is_wrapped
    raise _no_source(function)


def _lambda(function: Callable[..., Any], lines: list[str], first: int) -> tuple[Any, int, int]:
    """The lambda whose code is the function's, in the statement around its line.

    The statement may start above; where it cannot be parsed on its own there is no source.
    """
    code = function.__code__
    last = max(_last_line(code), first + 1)
    for start in range(first, max(first - 20, -1), -1):
        for end in list(_block_ends(lines, start, last))[:3] + list(range(last, last + 20)):
            body = _parse("".join(lines[start:end]))
            if not body:
                continue
            shift = start - (lines[start][:1] in " \t")
            found = [
                node
                for node in _lambdas(body)
                if node.lineno + shift == code.co_firstlineno and _is_same(node, code)
            ]
            if found:
                return found[0], start, end
    raise _no_source(function)


def _lambdas(node: Any) -> Iterator[Any]:
    if isinstance(node, list):
        for item in node:
            yield from _lambdas(item)
    elif hasattr(node, "_fields"):
        if type(node).__name__ == "Lambda":
            yield node
        for field in node._fields:
            yield from _lambdas(getattr(node, field, None))


def _is_same(node: Any, code: CodeType) -> bool:
    """Whether the lambda compiles to this code, but for where its names come from."""
    import ast

    # Beside the code stand the defaults of its parameters.
    constants = compile(ast.Expression(node), "<kernel>", "eval", 0, True).co_consts
    made = next(each for each in constants if isinstance(each, CodeType))
    names = (*code.co_names, *code.co_freevars)
    return (
        made.co_varnames == code.co_varnames
        and sorted((*made.co_names, *made.co_freevars)) == sorted(names)
        and [type(each) for each in made.co_consts] == [type(each) for each in code.co_consts]
        and all(
            ours == theirs
            for ours, theirs in zip(made.co_consts, code.co_consts, strict=True)
            if not isinstance(ours, CodeType)
        )
    )
