"""Methods of two indexes beside pandas', for pairs of all kinds of labels."""

from __future__ import annotations

import numpy as np
import pytest

from .indexes_against_pandas import differences, of_pandas, samples


def filled(left, right, joined):
    """A join with all rows written out: None says that an operand stays as it is."""
    index, rows, others = joined
    return (
        index,
        np.arange(len(left)) if rows is None else np.asarray(rows),
        np.arange(len(right)) if others is None else np.asarray(others),
    )


METHODS = {
    "union": lambda i, j: i.union(j),
    "union F": lambda i, j: i.union(j, sort=False),
    "union T": lambda i, j: i.union(j, sort=True),
    "inter": lambda i, j: i.intersection(j),
    "inter N": lambda i, j: i.intersection(j, sort=None),
    "diff": lambda i, j: i.difference(j),
    "diff F": lambda i, j: i.difference(j, sort=False),
    "symdiff": lambda i, j: i.symmetric_difference(j),
    "symdiff F": lambda i, j: i.symmetric_difference(j, sort=False),
    "append": lambda i, j: i.append(j),
    "equals": lambda i, j: i.equals(j),
    "identical": lambda i, j: i.identical(j),
    "gi": lambda i, j: i.get_indexer(j),
    "gi for": lambda i, j: i.get_indexer_for(j),
    "gi nu": lambda i, j: i.get_indexer_non_unique(j),
    "isin": lambda i, j: i.isin(j),
    "reindex": lambda i, j: i.reindex(j),
    "pad": lambda i, j: i.get_indexer(j, method="ffill"),
    "bfill": lambda i, j: i.get_indexer(j, method="backfill"),
    "nearest": lambda i, j: i.get_indexer(j, method="nearest"),
    "join sort": lambda i, j: filled(i, j, i.join(j, how="left", sort=True, return_indexers=True)),
    **{
        f"join {how}": lambda i, j, how=how: filled(i, j, i.join(j, how=how, return_indexers=True))
        for how in ("left", "right", "inner", "outer")
    },
}
NEAR = ("pad", "bfill", "nearest")

GROUPS = [
    [
        "ints",
        "sorted ints",
        "falling ints",
        "repeated ints",
        "sorted repeated ints",
        "int8",
        "floats",
        "floats with NaN",
        "sorted floats",
        "range",
        "falling range",
        "no ints",
        "none",
        "nullable",
        "bools",
    ],
    [
        "texts",
        "sorted texts",
        "repeated texts",
        "texts with NaN",
        "mixed",
        "categories",
        "unique categories",
        "none",
        "ints",
    ],
    ["dates", "sorted dates", "dates with NaT", "daily", "hourly", "texts", "durations"],
    ["durations", "durations with NaT", "spaced durations"],
    ["zoned", "daily"],
    ["levels", "sorted levels", "repeated levels", "levels with NaN", "texts", "none"],
    ["categories", "unique categories", "ordered categories", "texts"],
]

# Where results differ in what nobody should build on: the class of an empty result, the order of
# equal labels, the frequency of no dates, a range that pandas turns around, categories that a
# join takes from the other side, names that both lack in joins
# of levels; and errors of another type.
KNOWN = {
    "diff": {
        "texts | levels",
        "texts | levels with NaN",
        "texts | repeated levels",
        "texts | sorted levels",
    },
    "gi nu": {"ordered categories | texts"},
    "inter": {
        "categories | repeated texts",
        "falling range | falling range",
        "falling range | range",
        "none | levels",
        "none | levels with NaN",
        "none | no ints",
        "none | repeated levels",
        "none | sorted levels",
    },
    "inter N": {
        "categories | repeated texts",
        "falling range | falling range",
        "int8 | nullable",
        "none | levels",
        "none | levels with NaN",
        "none | no ints",
        "none | repeated levels",
        "none | sorted levels",
    },
    "isin": {
        "levels with NaN | texts",
        "levels | texts",
        "repeated levels | texts",
        "sorted levels | texts",
        "texts with NaN | mixed",
        "texts | levels",
        "texts | levels with NaN",
        "texts | repeated levels",
        "texts | sorted levels",
    },
    "join inner": {
        "falling range | falling range",
        "falling range | range",
        "levels with NaN | none",
        "none | levels with NaN",
        "sorted levels | levels with NaN",
        "sorted levels | repeated levels",
    },
    "join left": {
        "none | levels with NaN",
        "sorted levels | levels with NaN",
        "sorted levels | repeated levels",
    },
    "join outer": {
        "no ints | repeated ints",
        "none | repeated ints",
        "repeated ints | no ints",
        "repeated ints | none",
        "sorted levels | levels with NaN",
        "sorted levels | repeated levels",
    },
    "join right": {
        "categories | unique categories",
        "levels with NaN | none",
        "sorted levels | levels with NaN",
        "sorted levels | repeated levels",
        "unique categories | categories",
    },
    "join sort": {
        "mixed | mixed",
        "mixed | none",
        "none | levels with NaN",
        "repeated ints | no ints",
        "repeated ints | none",
        "sorted levels | levels with NaN",
        "sorted levels | repeated levels",
    },
    "reindex": {"levels with NaN | none", "levels | none", "sorted levels | none"},
    "symdiff": {
        "bools | floats with NaN",
        "daily | daily",
        "floats with NaN | bools",
        "hourly | hourly",
        "levels with NaN | none",
        "levels with NaN | texts",
        "levels | none",
        "levels | texts",
        "none | levels",
        "none | levels with NaN",
        "none | repeated levels",
        "none | sorted levels",
        "repeated levels | none",
        "repeated levels | texts",
        "sorted levels | texts",
        "spaced durations | spaced durations",
        "texts | repeated levels",
        "zoned | zoned",
    },
    "symdiff F": {
        "daily | daily",
        "hourly | hourly",
        "levels with NaN | texts",
        "levels | texts",
        "none | levels",
        "none | levels with NaN",
        "none | repeated levels",
        "none | sorted levels",
        "repeated levels | none",
        "repeated levels | texts",
        "sorted levels | texts",
        "spaced durations | spaced durations",
        "texts | repeated levels",
        "zoned | zoned",
    },
    "union": {"bools | floats with NaN", "floats with NaN | bools", "texts | repeated levels"},
    "union F": {"texts | repeated levels"},
    "union T": {
        "bools | floats with NaN",
        "daily | zoned",
        "floats with NaN | bools",
        "texts | repeated levels",
        "zoned | daily",
    },
}
# Labels before or after one are asked of like kinds; texts have no distance in pandas, even where
# labels are found.
UNLIKE = ("text", "categories", "mixed", "none", "nullable")


def pairs():
    """Names of two samples and the samples, each pair once; of two the same also other orders."""
    found = samples()
    seen = {}
    for group in GROUPS:
        for left in group:
            for right in group:
                seen.setdefault((left, right))
    for left, right in seen:
        second = found[right]
        others = (second, second[::-1], second[1:]) if left == right else (second,)
        for number, other in enumerate(others):
            yield f"{left} | {right}", number, found[left], other


def is_known(method, name):
    if name in KNOWN.get(method, ()):
        return True
    unlike = any(word in name for word in UNLIKE) or "levels with NaN" in name
    return method in NEAR and (unlike or "levels | texts" in name)


@pytest.mark.parametrize("method", METHODS)
def test_method_of_two_is_as_in_pandas(method):
    cases = {
        (name, number): ([of_pandas(left), of_pandas(right)], [left, right])
        for name, number, left, right in pairs()
        if not is_known(method, name)
    }
    found = differences(METHODS[method], cases)
    assert not found, found
