"""`merge` and `join`: rows of two frames put together where keys are equal.

The engine finds the pairs of rows, in pandas' order (docs/decisions/0071-groups-and-joins.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from phalanx.errors import MergeError

from ..building.columns import is_frame, is_series, ours
from ..in_place import in_place
from ..indexes.ranges import RangeIndex
from ..signatures import NO_DEFAULT
from .by_parts import Matching, merged_by_parts
from .concat import concat
from .merge_keys import Keys, Request, Sides, check_unique, coerced, frame_of_side, keys_of
from .merge_result import Joined, Table, indicator_column, indicator_label
from .merge_rows import Pairs, all_pairs, joined_rows

if TYPE_CHECKING:
    from ..frame import DataFrame

HOW = ("left", "right", "inner", "outer", "left_anti", "right_anti", "cross", "asof")


@in_place
def merge(
    left: Any,
    right: Any,
    how: str = "inner",
    on: Any = None,
    left_on: Any = None,
    right_on: Any = None,
    left_index: bool = False,
    right_index: bool = False,
    sort: bool = False,
    suffixes: Sequence[str | None] = ("_x", "_y"),
    copy: Any = None,
    indicator: bool | str = False,
    validate: str | None = None,
) -> Any:
    """Rows of two frames side by side where their keys are equal, as ``pandas.merge``.

    ``on`` names columns or levels of the index of both, ``left_on`` and ``right_on`` those of
    each, or are arrays; ``left_index`` and ``right_index`` match by the whole index. Without them
    the columns are taken that both have. Missing keys are equal to one another. ``inner`` and
    ``left`` keep the order of the left rows, ``right`` of the right ones, ``outer`` sorts by the
    keys; ``left_anti`` and ``right_anti`` are the rows without a partner.

    ``copy`` means nothing, as in pandas 3. Raises MergeError where there is nothing to match by,
    where ``validate`` does not hold, or for wrong arguments, KeyError for a key that is no column,
    ValueError for keys of dtypes that do not compare and for names that no suffix tells apart.

    >>> left = px.DataFrame({"k": [1, 2], "x": [3, 4]})
    >>> px.merge(left, px.DataFrame({"k": [2], "y": [5]}), on="k")
       k  x  y
    0  2  4  5
    """
    sides = frame_of_side(left, "left"), frame_of_side(right, "right")
    if how not in HOW:
        raise ValueError(f"'{how}' is not a valid Merge type: {', '.join(HOW)}")
    if how == "asof":
        raise NotImplementedError("merge: how='asof'; merge_asof does it")
    request = Request(on, left_on, right_on, left_index, right_index)
    if how == "cross":
        return _crossed(sides, request, suffixes, indicator)
    keys = keys_of(sides, request)
    sides = coerced(keys, sides)
    label = indicator_label(indicator, sides)
    check_unique(validate, sides, keys, request)
    matching = Matching(request, how, sort, suffixes, label)
    made = merged_by_parts(sides, keys, matching, _matched)
    return _matched(sides, keys, matching)[0] if made is None else made


def _matched(sides: Sides, keys: Keys, matching: Matching) -> tuple[Any, Pairs]:
    index, pairs = joined_rows(sides, keys, matching.request, matching.how, matching.sort)
    table = Table(Joined(sides, keys, index, pairs), matching.suffixes)
    if matching.label is not None:
        table.labels.append(matching.label)
        table.columns.append(indicator_column(pairs))
    table.fill_keys()
    table.restore_levels()
    return table.frame(), pairs


def _crossed(sides: Sides, request: Request, suffixes: Sequence[str | None], indicator: Any) -> Any:
    if not request.is_empty:
        raise MergeError(
            "Can not pass on, right_on, left_on or set right_index=True or left_index=True"
        )
    label = indicator_label(indicator, sides)
    pairs = all_pairs(len(sides[0]), len(sides[1]))
    nothing = Keys([], [], [], [], [])
    table = Table(Joined(sides, nothing, RangeIndex(len(pairs.left)), pairs), suffixes)
    if label is not None:
        table.labels.append(label)
        table.columns.append(indicator_column(pairs))
    return table.frame()


def _pair_of_suffixes(lsuffix: Any, rsuffix: Any, suffixes: Any) -> tuple[Any, Any]:
    if suffixes is NO_DEFAULT:
        return (
            "" if lsuffix is NO_DEFAULT else lsuffix,
            "" if rsuffix is NO_DEFAULT else rsuffix,
        )
    if lsuffix is not NO_DEFAULT or rsuffix is not NO_DEFAULT:
        raise ValueError("suffixes cannot be given beside lsuffix and rsuffix")
    one, other = suffixes
    return one, other


class Merging:
    """What frames have of `merge`: themselves as the left side."""

    merge = merge

    def join(
        self,
        other: Any,
        on: Any = None,
        how: str = "left",
        lsuffix: Any = NO_DEFAULT,
        rsuffix: Any = NO_DEFAULT,
        sort: bool = False,
        validate: str | None = None,
        *,
        suffixes: Any = NO_DEFAULT,
    ) -> DataFrame:
        """The columns of others beside these, by their index.

        ``other`` is a frame, a series with a name, or a list of them. ``on`` are columns of this
        frame that are looked up in the other's index instead of this one's. Raises what `merge`
        raises, and ValueError for labels that both have without a suffix.
        """
        pair = _pair_of_suffixes(lsuffix, rsuffix, suffixes)
        other = ours(other)
        if is_series(other) and other.name is None:
            raise ValueError("Other Series must have a name")
        if not is_frame(other) and not is_series(other):
            return _join_many(  # type: ignore[no-any-return]
                self, list(map(ours, other)), on, pair, (how, sort, validate)
            )
        if how == "cross":
            return merge(  # type: ignore[no-any-return]
                self, other, how, on, suffixes=pair, sort=sort, validate=validate
            )
        return merge(  # type: ignore[no-any-return]
            self,
            other,
            how,
            left_on=on,
            left_index=on is None,
            right_index=True,
            suffixes=pair,
            sort=sort,
            validate=validate,
        )


def _join_many(frame: Any, others: list[Any], on: Any, suffixes: Any, rest: Any) -> Any:
    if on is not None:
        raise ValueError("Joining multiple DataFrames only supported for joining on index")
    if any(suffixes):
        raise ValueError("Suffixes not supported when joining multiple DataFrames")
    how, sort, validate = rest
    frames = [frame, *others]
    if not all(each.index.is_unique for each in frames):
        made = frame
        for each in others:
            made = merge(
                made, each, how, left_index=True, right_index=True, sort=sort, validate=validate
            )
        return made
    if how not in ("left", "right"):
        return concat(frames, axis=1, join=how, verify_integrity=True, sort=sort or how == "outer")
    made = concat(frames, axis=1, join="outer", verify_integrity=True, sort=sort)
    index = frames[0 if how == "left" else -1].index
    return made.reindex(index.sort_values() if sort else index)
