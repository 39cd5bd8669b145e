"""The share of the time in which the engine was at work, and wrong input of profiles."""

import time
from types import SimpleNamespace

import pytest
from phalanx._profile.busy import busy_seconds

import phalanx


def record(start, end, device_start=0.0, device_end=0.0):
    return SimpleNamespace(
        start=start,
        end=end,
        device_start=device_start,
        device_end=device_end,
        device_seconds=device_end - device_start,
    )


@pytest.mark.parametrize(
    ("records", "seconds"),
    [
        ([], 0),
        ([record(1, 3)], 2),
        ([record(1, 3), record(2, 5), record(2, 3)], 4),  # nested, overlapping
        ([record(7, 8), record(1, 2)], 2),  # apart, in any order
        ([record(1, 2, 1.5, 4), record(3, 3.5)], 3),  # a GPU goes on after the call has returned
    ],
)
def test_busy_is_what_calls_and_devices_cover(records, seconds):
    assert busy_seconds(records) == seconds


def test_time_of_the_program_itself_is_not_in_phalanx():
    with phalanx.profile() as p:
        time.sleep(0.2)
        float(phalanx.ones(1000).sum())
    assert 0 < busy_seconds(p.records) <= p.seconds - 0.2
    assert " of it in Phalanx" in repr(p).splitlines()[0]
    assert " of it in Phalanx</p>" in p._repr_html_()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: p.merge(phalanx.profile()), r"list of profiles, not Profile: p.merge\(\[other"),
        (lambda p: p.merge(3), "list of profiles, not int"),
        (lambda p: p.merge([3]), "merge.. takes profiles, not int"),
        (lambda p: phalanx.profile(client=3), "client of Dask's `distributed`, not int"),
        (lambda p: phalanx.profile(len), "not builtin_function_or_method: to profile a function"),
    ],
)
def test_wrong_input_is_refused(make, message):
    with phalanx.profile() as p:
        pass
    with pytest.raises(TypeError, match=message):
        make(p)


def test_a_profile_that_is_being_taken_is_not_merged():
    with phalanx.profile() as done:
        pass
    with phalanx.profile() as p, pytest.raises(RuntimeError, match="being taken cannot be merged"):
        done.merge([p])
