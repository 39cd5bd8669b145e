"""Methods that a model has only with some parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class available_if:
    """A method that is there only where `check` of the model is true; else AttributeError."""

    def __init__(self, check: Callable[[Any], bool]) -> None:
        self._check = check
        self.method: Callable[..., Any]

    def __call__(self, method: Callable[..., Any]) -> available_if:
        """Take the method: the decorator's use."""
        self.method = method
        self.__doc__ = method.__doc__
        return self

    def __get__(self, model: Any, owner: type) -> Any:
        """Return the method of a model."""
        if model is None:
            return self.method
        if not self._check(model):
            raise AttributeError(
                f"This {owner.__name__!r} has no attribute {self.method.__name__!r} with these "
                "parameters"
            )
        return self.method.__get__(model, owner)
