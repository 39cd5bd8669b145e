"""Lists that grow, in CPU functions: methods and operators, made of a few operations on memory.

The engine knows a list's elements, length and room (frontend/python/lists.h), its display, index
and loop; the rest is here. Indices are checked as in Numba, with Numba's messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._core.intrinsic import Intrinsic
from .._frontend.extensions import Overload, add
from .._types.aggregates import BaseTuple, List
from .._types.objects import Array
from .register import implements, written
from .sorting import merge_order

_empty_like = Intrinsic("phalanx.list_empty_like", "An empty list for the same elements.")
_capacity = Intrinsic("phalanx.list_capacity", "How many elements there is room for.")
_reserve = Intrinsic("phalanx.list_reserve", "Makes room for that many elements.")
_set_length = Intrinsic("phalanx.list_set_length", "Within the room; the elements stay.")
_at = Intrinsic("phalanx.list_at", "The element at a position that is known to be one.")
_put = Intrinsic("phalanx.list_put", "Sets it.")
# _copy(own, to, other, first, count): both hold elements of one type, and may be one list.
_copy = Intrinsic("phalanx.list_copy", "Sets elements to those of a list, as `memmove` does.")

Function = Callable[..., Any]


def _method(name: str) -> Callable[[Function], Function]:
    """Registers a function as a method of lists."""

    def register(function: Function) -> Function:
        def make(*types: Any, **named: Any) -> Function:
            return function

        add(f"method.{name}", Overload(make, owner=List))
        return function

    return register


def _of_lists(*names: str) -> Callable[[Function], Function]:
    """Registers a function under names, where the first argument is a list."""

    def register(function: Function) -> Function:
        def make(first: Any, *types: Any, **named: Any) -> Function | None:
            return function if isinstance(first, List) else None

        implements(*names)(make)
        return function

    return register


# ---- Growing and shrinking ----


def _grow(own, length):
    """The list with that length; what is new is not set yet."""
    if length > _capacity(own):
        _reserve(own, max(length, _capacity(own) + (_capacity(own) >> 1) + 4))
    _set_length(own, length)


def _move_up(own, first, count):
    """Makes a gap of `count` elements before the element `first`."""
    length = len(own)
    _grow(own, length + count)
    _copy(own, first + count, own, first, length - first)


def _move_down(own, first, count):
    """Drops the `count` elements from `first` on."""
    rest = len(own) - first - count
    if rest > 0:
        _copy(own, first, own, first + count, rest)
    _set_length(own, len(own) - count)


@_method("append")
def append(own, item):
    """`list.append`."""
    length = len(own)
    _grow(own, length + 1)
    _put(own, length, item)


@written("list.append_all")
@_method("extend")
def extend(own, iterable):
    """`list.extend`."""
    for item in iterable:
        append(own, item)


# The other one may be the list itself, which is longer then.
def _extend_by_list(own, other):
    length = len(own)
    more = len(other)
    _grow(own, length + more)
    _copy(own, length, other, 0, more)


def _extend_by_other_list(own, other):
    length = len(own)
    more = len(other)
    _grow(own, length + more)
    for i in range(more):
        _put(own, length + i, _at(other, i))


def _make_extend(own: Any, other: Any) -> Function | None:
    if not isinstance(other, List):
        return None
    return _extend_by_list if other == own else _extend_by_other_list


add("method.extend", Overload(_make_extend, owner=List))
implements("list.append_all")(_make_extend)


@_method("insert")
def insert(own, index, item):
    """`list.insert`."""
    length = len(own)
    position = index + length if index < 0 else index
    position = min(max(position, 0), length)
    _move_up(own, position, 1)
    _put(own, position, item)


@_method("pop")
def pop(own, index=-1):
    """`list.pop`."""
    length = len(own)
    if length == 0:
        raise IndexError("pop from empty list")
    position = index + length if index < 0 else index
    if position < 0 or position >= length:
        raise IndexError("pop index out of range")
    item = _at(own, position)
    _move_down(own, position, 1)
    return item


@_method("remove")
def remove(own, item):
    """`list.remove`."""
    for i in range(len(own)):
        if _at(own, i) == item:
            _move_down(own, i, 1)
            return
    raise ValueError("list.remove(x): x not in list")


@_method("clear")
def clear(own):
    """`list.clear`."""
    _set_length(own, 0)


@_method("copy")
def copy(own):
    """`list.copy`."""
    made = _empty_like(own)
    _extend_by_list(made, own)
    return made


@_method("reverse")
def reverse(own):
    """`list.reverse`."""
    last = len(own) - 1
    for i in range(len(own) // 2):
        item = _at(own, i)
        _put(own, i, _at(own, last - i))
        _put(own, last - i, item)


# ---- Asking ----


@_method("index")
def index(own, item, start=0, stop=0x7FFFFFFFFFFFFFFF):
    """`list.index`."""
    length = len(own)
    first = max(start + length, 0) if start < 0 else start
    last = stop + length if stop < 0 else min(stop, length)
    for i in range(first, last):
        if _at(own, i) == item:
            return i
    raise ValueError("value not in list")


@_method("count")
def count(own, item):
    """`list.count`."""
    found = 0
    for i in range(len(own)):
        if _at(own, i) == item:
            found += 1
    return found


@written("list.contains")
def contains(own, item):
    """``item in l``."""
    for i in range(len(own)):
        if _at(own, i) == item:
            return True
    return False


@written("list.equal")
def equal(a, b):
    """``a == b``."""
    if len(a) != len(b):
        return False
    for i in range(len(a)):
        if _at(a, i) != _at(b, i):
            return False
    return True


@written("list.less")
def less(a, b):
    """``a < b``: the first elements that differ decide."""
    for i in range(min(len(a), len(b))):
        if _at(a, i) != _at(b, i):
            return _at(a, i) < _at(b, i)
    return len(a) < len(b)


# ---- Slices ----


def _bounds(length, first, last, step):
    """Start, step and number of the elements of a slice, as `slice.indices` finds them."""
    by = 1 if step is None else step
    if by == 0:
        raise ValueError("slice step cannot be zero")
    lowest = 0 if by > 0 else -1
    highest = length if by > 0 else length - 1
    if first is None:
        begin = lowest if by > 0 else highest
    else:
        begin = first + length if first < 0 else first
        begin = min(max(begin, lowest), highest)
    if last is None:
        end = highest if by > 0 else lowest
    else:
        end = last + length if last < 0 else last
        end = min(max(end, lowest), highest)
    # (end - begin + by - 1) // by would overflow for a large step.
    is_empty = begin >= end if by > 0 else begin <= end
    number = 0 if is_empty else (end - begin - (1 if by > 0 else -1)) // by + 1
    return begin, by, number


@written("list.slice")
def slice_of(own, first, last, step):
    """``l[first:last:step]``."""
    begin, by, number = _bounds(len(own), first, last, step)
    made = _empty_like(own)
    _grow(made, number)
    if by == 1:
        _copy(made, 0, own, begin, number)
        return made
    for i in range(number):
        _put(made, i, _at(own, begin + i * by))
    return made


@written("list.set_slice")
def set_slice(own, first, last, step, values):
    """``l[first:last:step] = values``."""
    items = _empty_like(own)
    extend(items, values)
    begin, by, number = _bounds(len(own), first, last, step)
    if by == 1:
        if len(items) > number:
            _move_up(own, begin + number, len(items) - number)
        else:
            _move_down(own, begin + len(items), number - len(items))
    elif len(items) != number:
        raise ValueError("cannot resize extended list slice with step != 1")
    for i in range(len(items)):
        _put(own, begin + i * by, _at(items, i))


@written("list.repeat")
def repeat(own, times):
    """``l * times``."""
    made = _empty_like(own)
    length = len(own) * max(times, 0)
    _grow(made, length)
    done = min(len(own), length)
    _copy(made, 0, own, 0, done)
    while done < length:
        count = min(done, length - done)
        _copy(made, done, made, 0, count)
        done += count
    return made


# ---- Sorting ----


def _is_less(keys, i, j):
    return _at(keys, i) < _at(keys, j)


def _is_greater(keys, i, j):
    return _at(keys, j) < _at(keys, i)


@_method("sort")
def sort(own, key=None, reverse=False):
    """`list.sort`."""
    before = copy(own)
    keys = before if key is None else [key(item) for item in before]
    order = merge_order(keys, _is_greater) if reverse else merge_order(keys, _is_less)
    for i in range(len(before)):
        _put(own, i, _at(before, order[i]))


@written("builtins.sorted")
def sorted_(iterable, key=None, reverse=False):
    """`sorted`."""
    made = [item for item in iterable]  # noqa: C416
    sort(made, key, reverse)
    return made


@written("builtins.list")
def list_(iterable):
    """`list`."""
    return [item for item in iterable]  # noqa: C416


@implements("builtins.reversed")
def _reversed(sequence: Any) -> Function | None:
    is_sequence = isinstance(sequence, (List, BaseTuple)) or (
        isinstance(sequence, Array) and sequence.ndim > 0
    )
    return (lambda sequence: sequence[::-1]) if is_sequence else None


# ---- Functions of a list ----


@_of_lists("builtins.sum")
def sum_(iterable, start=0):
    """`sum`."""
    total = start
    for item in iterable:
        total += item
    return total


def _extreme(iterable, is_less, empty):
    if len(iterable) == 0:
        raise ValueError(empty)
    best = iterable[0]
    for item in iterable:
        if is_less(item, best):
            best = item
    return best


@_of_lists("builtins.min")
def min_(iterable):
    """`min`."""
    return _extreme(iterable, lambda a, b: a < b, "min() iterable argument is empty")


@_of_lists("builtins.max")
def max_(iterable):
    """`max`."""
    return _extreme(iterable, lambda a, b: a > b, "max() iterable argument is empty")


@_of_lists("builtins.any")
def any_(iterable):
    """`any`."""
    for item in iterable:
        if item:
            return True
    return False


@_of_lists("builtins.all")
def all_(iterable):
    """`all`."""
    for item in iterable:
        if not item:
            return False
    return True
