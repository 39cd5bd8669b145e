"""Syntax trees of text, where several threads ask for them at once."""

from __future__ import annotations

import threading
from typing import Any

_ONLY_AST = 0x400  # ast.PyCF_ONLY_AST: the module ast itself takes milliseconds to import
_MOST_TRIES = 100

# Python 3.11 counts the depth of a tree that it builds in one place for all threads, and raises
# SystemError if another thread has built one meanwhile (CPython issue 106905). Our own threads take
# turns; one of the program that parses then is met seldom. Reentrant, as a collection may begin.
_lock = threading.RLock()


def tree_of(text: str) -> Any:
    """The module node of a text (`ast.Module`), whatever `__future__` features the caller has.

    Raises:
        SyntaxError: The text is no Python.
        ValueError: It has null bytes.
    """
    for _ in range(_MOST_TRIES):
        try:
            return _compiled(text)
        except SystemError:
            pass
    return _compiled(text)


def _compiled(text: str) -> Any:
    with _lock:
        return compile(text, "<kernel>", "exec", _ONLY_AST, dont_inherit=True)
