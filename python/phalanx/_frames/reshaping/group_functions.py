"""Aggregations of groups by a name, by a function of the user's, and by a dict of these."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..building.kinds import is_list_like


class Groups(NamedTuple):
    """A frame, the keys of its groups, and how groups are made."""

    frame: Any
    keys: list[Any]
    options: dict[str, Any]

    def groupby(self) -> Any:
        """The groups of the frame."""
        return self.frame.groupby(self.keys, **self.options)


def function_name(func: Any) -> str:
    """What a function is called in labels."""
    return func if isinstance(func, str) else getattr(func, "__name__", str(func))


def aggregated(groups: Groups, values: list[Any], func: Any, kwargs: dict[str, Any]) -> Any:
    """A row for each group, of what `groupby(...).agg` makes of the columns.

    Raises NotImplementedError for lists of functions of all columns, and what `agg` raises.
    """
    if is_list_like(func) and not isinstance(func, dict):
        raise NotImplementedError("a list of functions for all columns of groups")
    return groups.groupby()[values].agg(func, **kwargs)
