"""`DataFrame.eval` and `DataFrame.query`."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..building.columns import is_series
from ..in_place import caller_of
from ..selection.rows import RowMethods
from .expressions import Scope, assigned, evaluated


def variables_at(level: int, local_dict: Any = None, global_dict: Any = None) -> dict[str, Any]:
    """The variables of a caller, so many frames up: its own before the module's."""
    frame = sys._getframe()
    for _ in range(level + 1):
        frame = caller_of(frame)
    made = dict(frame.f_globals if global_dict is None else global_dict)
    made.update(frame.f_locals if local_dict is None else local_dict)
    return made


class Expressions:
    """`eval` and `query` of frames of any kind, which say what names mean and take conditions."""

    def eval(self, expr: str, *, inplace: bool = False, **kwargs: Any) -> Any:
        """The value of an expression of columns; ``name = ...`` gives a frame with that column.

        Names after ``@`` are variables. Raises NameError for names that nothing has.
        """
        level = kwargs.pop("level", 0)
        local, outer = kwargs.pop("local_dict", None), kwargs.pop("global_dict", None)
        _check_keywords(kwargs)
        variables = variables_at(1 + level, local, outer)
        made, is_assignment = assigned(self, expr, variables)
        if not inplace:
            return made
        if not is_assignment:
            raise ValueError("Cannot operate inplace if there is no assignment")
        self._become(made)
        return None

    def query(self, expr: str, *, inplace: bool = False, **kwargs: Any) -> Any:
        """The rows for which an expression of columns is True; names after ``@`` are variables.

        Raises NameError for names that nothing has, ValueError for what is no condition.
        """
        level = kwargs.pop("level", 0)
        local, outer = kwargs.pop("local_dict", None), kwargs.pop("global_dict", None)
        resolvers = kwargs.pop("resolvers", ())
        _check_keywords(kwargs)
        if not isinstance(expr, str):
            raise ValueError(f"expr must be a string to be evaluated, {type(expr)} given")
        variables = variables_at(1 + level, local, outer)
        found = evaluated(expr, self._scope(variables, resolvers))
        made = self._queried(found)
        if inplace:
            self._become(made)
            return None
        return made

    def _scope(self, variables: dict[str, Any], resolvers: Any = ()) -> Scope:
        raise NotImplementedError

    def _queried(self, found: Any) -> Any:
        raise NotImplementedError

    def _become(self, other: Any) -> None:
        raise NotImplementedError


class Evaluating(RowMethods, Expressions):
    """Expressions of columns."""

    def _scope(self, variables: dict[str, Any], resolvers: Any = ()) -> Scope:
        return Scope(self, variables, resolvers)

    def _queried(self, found: Any) -> Any:
        if isinstance(found, (bool, np.bool_)):
            raise KeyError(found)
        if is_series(found) and found.dtype.kind != "b":
            return self.loc[found]  # type: ignore[attr-defined]
        return self.loc[found] if is_series(found) else self[found]  # type: ignore[attr-defined, index]


def _check_keywords(kwargs: dict[str, Any]) -> None:
    known = {"parser": ("pandas",), "engine": (None, "python", "numexpr")}
    for name, value in kwargs.items():
        if name not in known:
            raise TypeError(f"eval() got an unexpected keyword argument {name!r}")
        if value not in known[name]:
            raise NotImplementedError(f"eval: {name}={value!r} of pandas is not supported")
