"""Random frames go through random chains of methods as pandas' do."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings

from .against_pandas import assert_same, attempt, ours, same_kind, theirs
from .chain_frames import frames
from .chain_samples import CHAINS, STEPS

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]


def chained(frame, chain):
    """What the methods of a chain make of a frame, one after the other.

    Objects end a chain: what pandas infers of them anew depends on the way they came. So does what
    is Arrow's column of nothing there, which are objects here.
    """
    for name, a, b in chain:
        if frame.ndim == 1:
            frame = frame.to_frame("s")
        frame = STEPS[name](frame, a, b)
        dtypes = map(str, [frame.dtype] if frame.ndim == 1 else frame.dtypes)
        if not {"object", "null[pyarrow]"}.isdisjoint(dtypes):
            break
    return frame


def of_arrow(wanted, found):
    """pandas' result; what it has as Arrow's dtypes, for "string" only, as our dtypes."""
    if isinstance(wanted, pd.Series) and isinstance(wanted.dtype, pd.ArrowDtype):
        missing = pd.NA if found.dtype == object else None
        return pd.Series(
            [missing if each is pd.NA else each for each in wanted],
            wanted.index,
            found.dtype,
            wanted.name,
        )
    if isinstance(wanted, pd.DataFrame) and wanted.shape == found.shape:
        for i, dtype in enumerate(wanted.dtypes):
            if isinstance(dtype, pd.ArrowDtype):
                wanted.isetitem(i, of_arrow(wanted.iloc[:, i], found.iloc[:, i]).array)
    return wanted


def check_chain(frame, chain):
    """Raises AssertionError where a chain gives another result, or an error of another kind."""
    wanted, error = attempt(chained, frame, chain)
    found, own = attempt(chained, ours(frame), chain)
    if error is None and own is None:
        check_results(found, wanted)
        return
    if error is None or own is None or not is_fine(own, error):
        raise AssertionError(f"pandas: {wanted!r} {error!r}\nours: {found!r} {own!r}") from own


def check_results(found, wanted):
    """Raises AssertionError where what we have is not what pandas has."""
    found = theirs(found)
    assert_same(found, of_arrow(wanted, found))


def is_fine(own, error):
    """True for an error of pandas' class or a subclass, or one that says what is not there."""
    classes = {each.__name__ for each in type(own).__mro__}
    return (
        type(error).__name__ in classes
        or same_kind(error, own)
        or isinstance(own, NotImplementedError)
        or (isinstance(error, ValueError) and isinstance(own, ValueError))
    )


@settings(max_examples=150)
@given(frames(), CHAINS)
def test_chain(frame, chain):
    check_chain(frame, chain)
