"""One expression of pandas' objects and of ours: the same result, or an error of the same kind."""

from __future__ import annotations

import itertools
import math
import warnings

import numpy as np
import pandas as pd
from phalanx._frames.interchange.to_pandas import pandas_index

import phalanx as px


def ours(thing):
    """pandas' objects as ours, also in lists, dicts and tuples."""
    if isinstance(thing, (pd.DataFrame, pd.Series, pd.Index)):
        return px.from_pandas(thing)
    if isinstance(thing, pd.Categorical):
        return px.Categorical(pd.Series(thing))
    if isinstance(thing, dict):
        return {key: ours(value) for key, value in thing.items()}
    if isinstance(thing, (list, tuple)):
        return type(thing)(map(ours, thing))
    return thing


def theirs(thing):
    """Our objects as pandas'."""
    if isinstance(thing, (px.DataFrame, px.Series)):
        return thing.to_pandas()
    if isinstance(thing, px.Index):
        return pandas_index(thing)
    if isinstance(thing, px.Categorical):
        return px.Series(thing).to_pandas().array
    if isinstance(thing, (px.Timestamp, px.Timedelta)):
        return time_of_pandas(thing)
    if isinstance(thing, dict):
        return {theirs(key): theirs(value) for key, value in thing.items()}
    if isinstance(thing, (list, tuple)) and not hasattr(thing, "_fields"):
        return type(thing)(map(theirs, thing))
    return thing


def time_of_pandas(thing):
    """Our date or duration as pandas', of the same unit and zone."""
    kind = pd.Timestamp if isinstance(thing, px.Timestamp) else pd.Timedelta
    made = kind(thing.asm8)
    assert made.unit == thing.unit
    zone = getattr(thing, "tz", None)
    return made if zone is None else made.tz_localize("UTC").tz_convert(zone)


def attempt(function, *args):
    """A result, or the error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*args), None
    except Exception as error:
        return None, error


# Errors that are of another class of the same name, or that Python has no other word for.
ALIKE = (
    {"DTypePromotionError", "TypeError"},
    {"ValueError", "TypeError", "UFuncTypeError", "UFuncNoLoopError", "_UFuncNoLoopError"},
    {"KeyError", "LabelError", "UnknownColumnError"},
    {"IndexingError", "IndexError"},
    {"InvalidIndexError", "TypeError", "KeyError"},
    {"NotImplementedError", "TypeError"},
    {"OutOfBoundsDatetime", "ValueError", "OverflowError"},
    {"DataError", "TypeError"},
    {"ArrowInvalid", "ValueError"},
    {"ArrowNotImplementedError", "TypeError"},
    {"AttributeError", "MissingNameError"},
    {"DateParseError", "ValueError", "KeyError", "LabelError"},
)


def same_kind(left, right):
    """True if two errors are of one kind."""
    names = {type(left).__name__, type(right).__name__}
    return len(names) == 1 or any(names <= each for each in ALIKE)


def check(function, *args, exact=True):
    """Raises AssertionError where pandas and we give different results or errors."""
    mine = ours(args)
    wanted, error = attempt(function, *args)
    found, own = attempt(function, *mine)
    if error is not None or own is not None:
        if error is None or own is None or not same_kind(error, own):
            raise AssertionError(f"pandas: {wanted!r} {error!r}\nours: {found!r} {own!r}") from own
        return
    assert_same(theirs(found), wanted, exact=exact)


def check_all(function, samples, *, exact=True, but=()):
    """`check` for each sample, a dict of tuples of arguments; one error that lists what differs."""
    wrong = []
    for name, args in samples.items():
        if name in but or name.split("/")[0] in but:
            continue
        try:
            check(function, *(args if isinstance(args, tuple) else (args,)), exact=exact)
        except AssertionError as error:
            wrong.append(f"{name}: {error}")
    assert not wrong, "\n".join(wrong)


def check_program(program):
    """Raises AssertionError where a function of the library gives different results or errors."""
    wanted, error = attempt(program, pd)
    found, own = attempt(program, px)
    if error is not None or own is not None:
        if error is None or own is None or not same_kind(error, own):
            raise AssertionError(f"pandas: {wanted!r} {error!r}\nours: {found!r} {own!r}") from own
        return
    assert_same(theirs(found), wanted)


def assert_same(found, wanted, *, exact=True):
    """Equal values, dtypes, labels and names; floats to 12 digits."""
    close = {"rtol": 1e-12, "atol": 1e-12} if exact else {"rtol": 1e-6, "atol": 1e-8}
    if isinstance(wanted, pd.DataFrame):
        pd.testing.assert_frame_equal(
            found, wanted, check_freq=False, check_column_type=False, **close
        )
    elif isinstance(wanted, pd.Series):
        pd.testing.assert_series_equal(found, wanted, check_freq=False, **close)
    elif isinstance(wanted, pd.Index):
        pd.testing.assert_index_equal(found, wanted, exact="equiv", **close)
    elif isinstance(wanted, pd.Categorical):
        pd._testing.assert_categorical_equal(found, wanted)
    elif isinstance(wanted, (list, tuple)):
        assert len(found) == len(wanted), (found, wanted)
        for a, b in itertools.zip_longest(found, wanted):
            assert_same(a, b, exact=exact)
    elif isinstance(wanted, dict):
        assert list(found) == list(wanted), (found, wanted)
        for key in wanted:
            assert_same(found[key], wanted[key], exact=exact)
    elif isinstance(wanted, np.ndarray):
        assert np.asarray(found).shape == wanted.shape
        assert found.dtype == wanted.dtype, (found.dtype, wanted.dtype)
        assert_same(np.ravel(found).tolist(), np.ravel(wanted).tolist())
    else:
        assert_same_scalar(found, wanted, close["rtol"])


def assert_same_scalar(found, wanted, rtol):
    """Equal values, missing ones included."""
    if pd.api.types.is_scalar(wanted) and pd.isna(wanted):
        own = type(found).__name__ in ("NAType", "NaTType")
        assert own or (pd.api.types.is_scalar(found) and pd.isna(found)), (found, wanted)
        assert (found is px.NaT or found is pd.NaT) == (wanted is pd.NaT), (found, wanted)
        return
    if isinstance(wanted, (pd.Timestamp, pd.Timedelta)):
        found = theirs(found)
        assert isinstance(found, type(wanted)), (found, wanted)
        assert found == wanted and found.unit == wanted.unit, (found, wanted)
        assert str(getattr(found, "tz", None)) == str(getattr(wanted, "tz", None))
        return
    if isinstance(wanted, (float, complex)) and not isinstance(found, str):
        assert not isinstance(found, (pd.Series, pd.DataFrame)), (found, wanted)
        assert (
            math.isclose(abs(found - wanted), 0, abs_tol=rtol * max(1, abs(wanted)))
            or found == wanted
        ), (
            found,
            wanted,
        )
        return
    assert type(found) is type(wanted) or isinstance(found, type(wanted)) or found == wanted, (
        found,
        wanted,
    )
    assert found == wanted, (found, wanted)
