"""`IndexSlice`: keys of ``loc`` written as they are in brackets."""

from __future__ import annotations

from typing import Any


class _IndexSlice:
    """``IndexSlice[:, "b"]`` is the tuple of a slice and a text."""

    def __getitem__(self, key: Any) -> Any:
        return key


IndexSlice = _IndexSlice()
