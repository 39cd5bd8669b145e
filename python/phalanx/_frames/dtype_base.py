"""What dtypes that NumPy has not have in common."""

from __future__ import annotations

from typing import Any

from .missing import NA


class ExtensionDtype:
    """A dtype that NumPy has not. Two are equal where their texts are."""

    name: str
    kind = "O"
    type: type = object
    na_value: Any = NA

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return other == self.name
        return type(other) is type(self) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)
