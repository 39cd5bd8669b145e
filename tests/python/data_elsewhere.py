"""Checks that what is computed of data is the same, and lies there, with another current device."""

from __future__ import annotations

import contextlib
import types
import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd
import scipy.sparse
from device_group import NAMES
from frames.against_pandas import assert_same, theirs
from phalanx._arrays.ndarray import ndarray
from phalanx._arrays.placement import name_of

import phalanx as px

HOME, ELSEWHERE = NAMES[:2]
# A matrix, a vector of floats, one of integers and a mask.
OF_NUMPY = [
    np.diag([3.0, 1.0, 2.0]) + 0.5,
    np.array([3.0, 1.0, 2.0]),
    np.array([2, 0, 1]),
    np.array([True, False, True]),
]


def arrays():
    return [px.array(each) for each in OF_NUMPY]


def outcome(function):
    """What a function gives, iterators as lists, or the class of its error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = function()
            return list(made) if isinstance(made, Iterator) else made
    except Exception as error:
        return type(error)


def arrays_in(thing, seen):
    """The arrays that an object is made of."""
    if id(thing) in seen:
        return
    seen[id(thing)] = thing
    if isinstance(thing, ndarray):
        yield thing
    elif isinstance(thing, (list, tuple, dict)):
        for each in thing.values() if isinstance(thing, dict) else thing:
            yield from arrays_in(each, seen)
    elif type(thing).__module__.startswith("phalanx"):
        yield from arrays_in(getattr(thing, "__dict__", {}), seen)
        for slot in (each for kind in type(thing).__mro__ for each in vars(kind).values()):
            if isinstance(slot, types.MemberDescriptorType):
                with contextlib.suppress(AttributeError):  # what is not made yet
                    yield from arrays_in(slot.__get__(thing), seen)


def places_of(thing):
    """The names of the devices that an object's arrays are tied to."""
    known = (each._known_device for each in arrays_in(thing, {}))
    return {name_of(each) for each in known if each is not None}


def check(function, make, makes_new=False):
    """What `make` makes at home gives the same there and elsewhere, and lies there."""
    with px.device(HOME):
        wanted = outcome(lambda: function(make()))
        given = make()
    with px.device(ELSEWHERE):
        found = outcome(lambda: function(given))
        assert makes_new or places_of(found) <= {HOME}
        same(found, wanted)


def same(found, wanted):
    """Raises AssertionError where two results of ours are not the same."""
    found, wanted = outcome(lambda: theirs(found)), outcome(lambda: theirs(wanted))
    if scipy.sparse.issparse(wanted):
        found, wanted = found.toarray(), wanted.toarray()
    assert type(found) is type(wanted), (found, wanted)
    if isinstance(wanted, (ndarray, np.ndarray)):
        assert found.dtype == wanted.dtype
        pd.testing.assert_series_equal(*(pd.Series(np.ravel(each)) for each in (found, wanted)))
    elif isinstance(wanted, (list, tuple)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            same(one, other)
    elif not type(wanted).__module__.startswith("phalanx"):
        assert_same(found, wanted)


def wrong_in(table, make, new=()):
    """The rows of a table that `check` does not pass, with the reason; `new` make data anew."""
    wrong = []
    for name, function in table.items():
        try:
            check(function, make, name.startswith(new))
        except AssertionError as error:
            wrong.append(f"{name}: {error}")
    return "\n".join(wrong)
