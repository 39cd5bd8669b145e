"""Keeps the text of code made by `exec` and `eval`, for kernels are compiled from their source.

Other compilers read a function's bytecode, so scripts written for them make kernels with
``exec(text)``, whose text Python forgets. Under ``phalanx run`` it goes into `linecache`, under a
file name of its own, where tracebacks find it too.
"""

from __future__ import annotations
import __future__

import builtins
import itertools
import linecache
import sys
from collections import deque
from collections.abc import Mapping
from types import CodeType
from typing import Any

_KEPT = 2000  # texts; the oldest go first
_numbers = itertools.count(1)
_names: deque[str] = deque()
_exec = builtins.exec
_eval = builtins.eval


def _remember(text: str, mode: str) -> CodeType | str:
    """The text compiled under a name of its own; as it is where it defines no function."""
    # exec() inherits the caller's `from __future__ import annotations`.
    flags = sys._getframe(2).f_code.co_flags & __future__.annotations.compiler_flag
    if "def " not in text and "lambda" not in text:
        return text
    name = f"<string {next(_numbers)}>"
    code: CodeType = compile(text, name, mode, flags, dont_inherit=True)
    if len(_names) == _KEPT:
        linecache.cache.pop(_names.popleft(), None)
    _names.append(name)
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    return code


def _namespaces(
    globals_: dict[str, Any] | None, locals_: Mapping[str, object] | None
) -> tuple[dict[str, Any], Mapping[str, object]]:
    """What the two arguments mean where they are not given: the caller's own."""
    caller = sys._getframe(2)
    if globals_ is None:
        return caller.f_globals, caller.f_locals if locals_ is None else locals_
    return globals_, globals_ if locals_ is None else locals_


def _exec_and_keep(
    source: Any,
    globals: dict[str, Any] | None = None,
    locals: Mapping[str, object] | None = None,
    /,
    **options: Any,
) -> None:
    """As the built-in `exec`; text that defines functions is kept for their source."""
    spaces = _namespaces(globals, locals)
    _exec(_remember(source, "exec") if isinstance(source, str) else source, *spaces, **options)


def _eval_and_keep(
    source: Any,
    globals: dict[str, Any] | None = None,
    locals: Mapping[str, object] | None = None,
    /,
) -> Any:
    """As the built-in `eval`; text with a lambda is kept for its source."""
    spaces = _namespaces(globals, locals)
    text = source.lstrip(" \t") if isinstance(source, str) else source
    return _eval(_remember(text, "eval") if isinstance(text, str) else text, *spaces)


def install() -> None:
    """From now on the texts are kept."""
    builtins.exec = _exec_and_keep
    builtins.eval = _eval_and_keep


def uninstall() -> None:
    """Puts the built-ins back."""
    builtins.exec = _exec
    builtins.eval = _eval
