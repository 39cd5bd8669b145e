"""Finds the source of a function: in files, notebooks, `linecache`, ``python -c``.

A definition counts where it compiles to the function's own code. What has no text at all, as what
`exec` made, is read from its bytecode.
"""

from __future__ import annotations

import functools
import itertools
import linecache
import sys
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, NamedTuple

from .._core.trees import tree_of
from .matching import matches

_COROUTINE = 0x80 | 0x200  # inspect.CO_COROUTINE, CO_ASYNC_GENERATOR
_ANY_NUMBER = 0x04  # inspect.CO_VARARGS: *rest
_ANY_NAMES = 0x08  # inspect.CO_VARKEYWORDS: **rest
_MOST_ENDS = 3  # of a block that is hard to tell: then the whole file is parsed
_OUR_CODE = __file__.rpartition("_frontend")[0]


class Source(NamedTuple):
    """The syntax tree of a function and the text that it is in."""

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
    has_text = False
    for lines in _texts(function):
        found = _found(code, lines)
        if found is not None:
            return found._replace(defaults=_defaults(function))
        has_text = True
    if has_text and not code.co_filename.startswith("<"):
        raise _changed(function)
    return _from_bytecode(function)._replace(defaults=_defaults(function))


def _texts(function: Callable[..., Any]) -> Iterator[list[str]]:
    """The lines that the function may be in: as they were read before, as they are now."""
    name = function.__code__.co_filename
    entry = linecache.cache.get(name, ())
    before = entry[2] if len(entry) == 4 else None
    if before:
        yield before
    linecache.checkcache(name)
    now = linecache.getlines(name, function.__globals__)
    if now and now is not before:
        yield now
    if name == "<string>" and "-c" in sys.orig_argv:
        text = sys.orig_argv[sys.orig_argv.index("-c") + 1]
        yield text.splitlines(keepends=True)


def _found(code: CodeType, lines: list[str]) -> Source | None:
    """The definition among the lines: where the code says, or where it has moved to.

    Locations are where the code says, as in Python's tracebacks: what is cached names no others.
    """
    found = _at_its_line(code, lines) if code.co_firstlineno <= len(lines) else None
    if found is not None:
        return found
    candidates = _definitions("".join(lines)).get(code.co_name, ())
    for node in sorted(candidates, key=lambda node: _first_line(node) != code.co_firstlineno):
        if matches(node, code):
            first = _first_line(node)
            text = "".join(lines[first - 1 : node.end_lineno])
            return _source(code, node, text, code.co_firstlineno, code.co_firstlineno - first)
    return None


def _source(code: CodeType, node: Any, text: str, first_line: int, line_shift: int) -> Source:
    return Source(
        node=node,
        path=code.co_filename,
        text=text,
        first_line=first_line,
        line_shift=line_shift,
        defaults=[],
        is_library=code.co_filename.startswith(_OUR_CODE),
    )


def _from_bytecode(function: Callable[..., Any]) -> Source:
    from .bytecode import NotDecompiled, decompiled

    code = function.__code__
    try:
        node, text = decompiled(code)
    except NotDecompiled as error:
        raise _no_source(function, str(error)) from None
    return _source(code, node, text, code.co_firstlineno, code.co_firstlineno - 1)


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
    location = f"{code.co_filename}:{code.co_firstlineno}: {function.__name__}"
    if code.co_flags & _ANY_NAMES:
        return UnsupportedError(
            f"{location} takes **, which cannot be compiled\n"
            "Name the parameters; a dataclass or a named tuple passes many as one."
        )
    return UnsupportedError(
        f"{location} has keyword-only parameters after *, which takes any number: this cannot be "
        "compiled\nMake them positional parameters, before the *."
    )


def _changed(function: Callable[..., Any]) -> Exception:
    from ..errors import UnsupportedError

    code = function.__code__
    return UnsupportedError(
        f"{code.co_filename}:{code.co_firstlineno}: the file has changed since it was imported: "
        f"its text is not that of {function.__name__} any longer\n"
        "Reload the module, or start the program again."
    )


def _no_source(function: Callable[..., Any], why: str) -> Exception:
    from ..errors import UnsupportedError

    name = getattr(function, "__name__", "the function")
    return UnsupportedError(
        f"the source of {name} cannot be found (its code says {function.__code__.co_filename!r}, "
        f"line {function.__code__.co_firstlineno}), and it was not read from its bytecode: {why}\n"
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
        module = tree_of("if 1:\n" + text if is_wrapped else text)
    except (SyntaxError, ValueError):
        return None
    return module.body[0].body if is_wrapped else module.body


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _last_line(code: CodeType) -> int:
    """The last line that any instruction of the code or of code in it is on."""
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


def _at_its_line(code: CodeType, lines: list[str]) -> Source | None:
    """The definition in the block that begins at the code's line, without reading the others."""
    start = code.co_firstlineno - 1
    last = max(_last_line(code), start + 1)
    for end in itertools.islice(_block_ends(lines, start, last), _MOST_ENDS):
        body = _parse("".join(lines[start:end]))
        if not body:
            continue
        for node in _nodes(body[:1]):
            if _name_of(node) == code.co_name and matches(node, code):
                # One line is before the block where it had to be wrapped: see _parse.
                shift = start - (lines[start][:1] in " \t")
                text = "".join(lines[start : node.end_lineno + shift])
                return _source(code, node, text, start + 1, shift)
        return None
    return None


@functools.lru_cache(maxsize=4)
def _definitions(text: str) -> dict[str, list[Any]]:
    """The definitions and lambdas of a text, by the name of their code."""
    found: dict[str, list[Any]] = {}
    for node in _nodes(_parse(text) or []):
        found.setdefault(_name_of(node), []).append(node)
    return found


def _nodes(node: Any) -> Iterator[Any]:
    """The definitions and lambdas in a tree."""
    if isinstance(node, list):
        for item in node:
            yield from _nodes(item)
    elif hasattr(node, "_fields"):
        if type(node).__name__ in ("FunctionDef", "Lambda"):
            yield node
        for field in node._fields:
            yield from _nodes(getattr(node, field, None))


def _name_of(node: Any) -> str:
    return getattr(node, "name", "<lambda>")


def _first_line(node: Any) -> int:
    decorators = getattr(node, "decorator_list", ())
    return int(min([node.lineno, *(each.lineno for each in decorators)]))
