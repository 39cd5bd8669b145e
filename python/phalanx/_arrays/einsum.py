"""`einsum`: products of several arrays, two at a time, as products of matrices where they are such.

Of three and more operands NumPy's `einsum_path` finds the order by their shapes. Products without
a sum stay recorded, and fuse.
"""

from __future__ import annotations

import operator
import string
from typing import Any

from .. import _engine
from . import coerce, dtype_functions, dtypes, outputs, shapes, ufuncs

_LETTERS = string.ascii_uppercase + string.ascii_lowercase  # also of ints, in this order


def einsum(
    *operands: Any,
    out: Any = None,
    dtype: Any = None,
    order: str = "K",
    casting: Any = "safe",
    optimize: Any = "greedy",
) -> Any:
    """The sum of products by Einstein's convention: einsum('ij,jk', a, b).

    Labels that no output has are summed over; equal ones of one operand are its diagonal. Operands
    may also be given as einsum(a, [0, 1], b, [1, 2], [0, 2]). `optimize` is NumPy's: with False
    products are made from left to right. Raises `ValueError` for labels that do not fit.

    >>> px.einsum("ij,j->i", px.ones((2, 3)), px.arange(3.0))
    array([3., 3.])
    """
    terms, result, arrays = _parsed(operands)
    # What only shows elements of one operand has its dtype in NumPy, too.
    if out is not None or len(arrays) > 1 or not set(terms[0]) <= set(result):
        arrays = _cast(arrays, dtype, casting)
    _check(terms, result, arrays)
    parts = [_prepared(array, term) for array, term in zip(arrays, terms, strict=True)]
    for chosen in _order(parts, result, optimize):
        pair = [parts.pop(place) for place in sorted(chosen, reverse=True)]
        wanted = set(result).union(*(labels for _, labels in parts))
        joined = pair.pop()
        while pair:
            kept = wanted.union(*(labels for _, labels in pair[:-1]))
            joined = _multiplied(joined, pair.pop(), kept)
        parts.append(joined)
    ((array, labels),) = parts
    array, labels = _summed(array, labels, set(result))
    made = shapes.transpose(array, [labels.index(each) for each in result])
    made = coerce.in_order(made, order) if order in ("C", "F") and made.ndim else made
    if out is not None:
        return outputs.store_reduced(out, made, "einsum", casting)
    return made if made.ndim else made._as_number()


def einsum_path(*operands: Any, optimize: Any = "greedy", einsum_call: Any = False) -> Any:
    """The order in which `einsum` would multiply, and a text about it, as NumPy tells both.

    >>> px.einsum_path("ij,jk->ik", px.ones((2, 3)), px.ones((3, 2)))[0]
    ['einsum_path', (0, 1)]
    """
    import numpy as np

    terms, result, arrays = _parsed(operands)
    text = f"{','.join(terms)}->{result}"
    return np.einsum_path(text, *map(_shape_of, arrays), optimize=optimize, einsum_call=einsum_call)


def _shape_of(array: Any) -> Any:
    """An array of NumPy's of the shape, which takes no memory."""
    import numpy as np

    return np.broadcast_to(np.zeros(()), array.shape)


# Subscripts


def _parsed(operands: tuple[Any, ...]) -> tuple[list[str], str, list[Any]]:
    """The labels of each operand, those of the result, and the arrays; without "..."."""
    if not operands:
        raise ValueError("No input operands")
    if isinstance(operands[0], str):
        text, given = operands[0].replace(" ", ""), [*operands[1:]]
    else:
        text, given = _text_of_lists(operands)
    arrays = coerce.operands(*given)
    inputs, arrow, result = text.partition("->")
    terms = inputs.split(",")
    if len(terms) != len(arrays):
        raise ValueError(
            f"the subscripts {text!r} are of {len(terms)} operands, and {len(arrays)} were given"
        )
    for term in (*terms, result):
        letters = term.replace("...", "", 1)
        wrong = next((each for each in letters if each not in _LETTERS), None)
        if wrong is not None:
            raise ValueError(f"invalid subscript {wrong!r} in {text!r}: subscripts must be letters")
    return _without_ellipsis(terms, result if arrow else None, arrays)


def _text_of_lists(operands: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """The subscripts of operands that are followed by lists of ints."""

    def letters(labels: Any) -> str:
        if hasattr(labels, "tolist"):
            labels = labels.tolist()
        if not isinstance(labels, (list, tuple)):
            raise TypeError("operands and lists of their subscripts take turns: a, [0, 1], b, [1]")
        labels = [each if each is Ellipsis else operator.index(each) for each in labels]
        for each in labels:
            if each is not Ellipsis and not 0 <= each < len(_LETTERS):
                raise ValueError(f"subscript {each} is not within the valid range [0, 52)")
        return "".join("..." if each is Ellipsis else _LETTERS[each] for each in labels)

    has_result = len(operands) % 2 == 1
    pairs = operands[:-1] if has_result else operands
    text = ",".join(map(letters, pairs[1::2]))
    return text + (f"->{letters(operands[-1])}" if has_result else ""), [*pairs[::2]]


def _without_ellipsis(
    terms: list[str], result: str | None, arrays: list[Any]
) -> tuple[list[str], str, list[Any]]:
    counts = [
        array.ndim - len(term.replace("...", "")) if "..." in term else 0
        for term, array in zip(terms, arrays, strict=True)
    ]
    for term, array, count in zip(terms, arrays, counts, strict=True):
        if count < 0 or ("..." not in term and len(term) != array.ndim):
            raise ValueError(f"{term!r} does not name the {array.ndim} dimensions of its operand")
    used = set("".join(terms) + (result or ""))
    free = [each for each in _LETTERS if each not in used]
    most = max(counts)
    if most > len(free):
        raise ValueError("there are more dimensions than letters")
    hidden = "".join(free[:most])
    named = [
        term.replace("...", hidden[most - count :])
        for term, count in zip(terms, counts, strict=True)
    ]
    if result is None:
        every = "".join(terms).replace(".", "")
        once = sorted(each for each in set(every) if every.count(each) == 1)
        return named, hidden + "".join(once), arrays
    if hidden and "..." not in result:
        raise ValueError("the output has no '...' for the dimensions that the operands have")
    return named, result.replace("...", hidden), arrays


def _check(terms: list[str], result: str, arrays: list[Any]) -> None:
    for label in result:
        if result.count(label) > 1:
            raise ValueError(f"the output has the subscript {label!r} several times")
        if not any(label in term for term in terms):
            raise ValueError(f"the output's subscript {label!r} is of no operand")
    extents: dict[str, int] = {}
    for term, array in zip(terms, arrays, strict=True):
        for label, extent in zip(term, array.shape, strict=True):
            known = extents.setdefault(label, extent)
            if 1 not in (known, extent) and known != extent:
                raise ValueError(f"the subscript {label!r} is of {known} elements and of {extent}")
            extents[label] = extent if known == 1 else known


# Types and order


def _cast(arrays: list[Any], dtype: Any, casting: Any) -> list[Any]:
    import numpy as np

    name = str(dtype_functions.result_type(*arrays)) if dtype is None else dtypes.name_of(dtype)
    for array in arrays if dtype is not None else ():
        if not np.can_cast(array._dtype, name, casting):
            raise TypeError(f"cannot cast {array._dtype} to {name} by the rule {casting!r}")
    return [each if each._dtype == name else _engine.array_cast(each, name) for each in arrays]


def _order(parts: list[Any], result: str, optimize: Any) -> list[tuple[int, ...]]:
    """Which operands are multiplied, step by step, and taken off the list."""
    if len(parts) < 3:
        return [(0, 1)] if len(parts) == 2 else []
    import numpy as np

    text = ",".join(labels for _, labels in parts) + "->" + result
    found = np.einsum_path(text, *(_shape_of(array) for array, _ in parts), optimize=optimize)
    return list(found[0][1:])


# Products


def _prepared(array: Any, labels: str) -> tuple[Any, str]:
    """The operand with each label once: the diagonals of those that come again."""
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            extents = array.shape[first], array.shape[second]
            if extents[0] != extents[1]:
                raise ValueError(f"the subscript {label!r} is of {extents[0]} and {extents[1]}")
            rest = labels[:first] + labels[first + 1 : second] + labels[second + 1 :]
            array = shapes.diagonal_view(array, 0, first, second)
            labels = rest + label
    return array, labels


def _summed(array: Any, labels: str, kept: set[str]) -> tuple[Any, str]:
    """The sum over the labels that nobody needs."""
    axes = tuple(i for i, each in enumerate(labels) if each not in kept)
    if not axes:
        return array, labels
    made = array.sum(axis=axes, dtype=array._dtype)
    return coerce.asarray(made), "".join(each for each in labels if each in kept)


def _without_ones(array: Any, labels: str, other: dict[str, int]) -> tuple[Any, str]:
    """The operand without dimensions of one element that the other operand has more of."""
    axes = tuple(
        i for i, each in enumerate(labels) if array.shape[i] == 1 and other.get(each, 1) != 1
    )
    if not axes:
        return array, labels
    rest = "".join(each for i, each in enumerate(labels) if i not in axes)
    return shapes.squeeze(array, axes), rest


def _multiplied(first: tuple[Any, str], second: tuple[Any, str], kept: set[str]) -> tuple[Any, str]:
    """The product of two operands, summed over what is not kept."""
    extents = [dict(zip(labels, array.shape, strict=True)) for array, labels in (first, second)]
    first = _without_ones(*first, extents[1])
    second = _without_ones(*second, extents[0])
    a, of_a = _summed(*first, kept | set(second[1]))
    b, of_b = _summed(*second, kept | set(first[1]))
    both = [each for each in of_a if each in of_b]
    batch = [each for each in both if each in kept]
    summed = [each for each in both if each not in kept]
    only_a = [each for each in of_a if each not in both]
    only_b = [each for each in of_b if each not in both]
    labels = "".join(batch + only_a + only_b)
    a = shapes.transpose(a, [of_a.index(each) for each in batch + only_a + summed])
    b = shapes.transpose(b, [of_b.index(each) for each in batch + summed + only_b])
    extent = [a.shape[len(batch) : len(batch) + len(only_a)], b.shape[len(batch) + len(summed) :]]
    if not summed:
        wide = a.reshape((*a.shape, *(1,) * len(only_b)))
        return wide * b.reshape((*b.shape[: len(batch)], *(1,) * len(only_a), *extent[1])), labels
    outer = a.shape[: len(batch)]
    inner = _count(b.shape[len(batch) : len(batch) + len(summed)])
    rows = a.reshape((*outer, _count(extent[0]), inner))
    columns = b.reshape((*outer, inner, _count(extent[1])))
    made = ufuncs.table()["matmul"](rows, columns)
    return made.reshape((*outer, *extent[0], *extent[1])), labels


def _count(extents: Any) -> int:
    made = 1
    for each in extents:
        made *= each
    return made
