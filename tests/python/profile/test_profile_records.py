"""What is made of records of GPUs and of several processes, which tests without them write."""

from __future__ import annotations

import json
import pickle
from types import SimpleNamespace

import pytest
from phalanx._profile import scopes, summary, units
from phalanx._profile.memory import peaks
from phalanx._profile.page_timeline import to_html
from phalanx._profile.rates import Rates
from phalanx._profile.records import Executable, Record, Site, _estimate
from phalanx._profile.trace import to_json
from phalanx.errors import DeviceError

import phalanx
from phalanx import _engine

RATES = Rates(1e-6, 1e9, 1e9, 1e9, 1e-6, 1e12, 1e11, 10, 1024)


def record(kind, start, end, **others):
    others = {"device_start": start, "device_end": end, "device": "cuda:0", **others}
    return Record(kind, "scale", start, end, **{"thread": 1, "id": 1, "parent": 0, **others})


def profile_of(*records, process="here:1"):
    made = phalanx.profile()
    made.records, made.seconds = list(records), 10.0
    for each in records:
        each.process = each.process or process
    made.rates = {"cuda:0": RATES}
    return made


def test_a_launch_that_is_only_recorded_is_on_no_stream():
    made = profile_of(record("launch", 1, 2, recorded=True), record("launch", 3, 4, id=2))
    spans = [each for each in json.loads(to_json(made))["traceEvents"] if each["ph"] == "X"]
    assert sorted(each["ts"] for each in spans) == [1e6, 3e6, 3e6]  # host; host and stream
    page = to_html(made).partition("json'>")[2].partition("</script>")[0]
    assert len(json.loads(page)["spans"]) == 3


def test_a_launch_that_is_only_recorded_delays_no_untimed_one():
    recorded = record("launch", 1, 9, recorded=True)
    untimed = record("launch", 2, 2.5, untimed=True, device_start=0, device_end=0, id=2)
    _estimate([recorded, untimed])
    assert untimed.device_start == 2


def test_a_line_without_a_file_is_shown_as_it_is():
    made = profile_of(record("launch", 1, 2, site=Site("<stdin>", "f", 3)))
    data = to_html(made).partition("json'>")[2].partition("</script>")[0]
    assert "<" not in data
    assert "<stdin>:3" in json.loads(data)["notes"][0]


def test_processes_have_memory_at_one_address():
    first = [record("allocate", 1, 1, address=64, bytes_read=100, process="a:1")]
    second = [
        record("allocate", 2, 2, address=64, bytes_read=10, process="b:2"),
        record("release", 3, 3, address=64, process="b:2"),
        record("allocate", 4, 4, address=64, bytes_read=20, process="b:2"),
    ]
    (peak,) = peaks(first + second)
    assert (peak.bytes, peak.at) == (120, 4)
    assert sum(each.bytes for each in peak.largest) == 120


def test_merged_profiles_have_the_rates_of_all_devices():
    here = profile_of(record("launch", 1, 2, device="cpu"))
    here._rates = None  # nobody has asked
    there = profile_of(record("launch", 1, 2), process="there:1")
    assert here.merge([])._rates is None
    assert here.merge([there]).rates.keys() == {"cpu", "cuda:0"}


def test_advice_is_the_same_before_and_after_the_table():
    within = {"device": "cpu", "parent": 1, "parent_thread": 1}
    made = profile_of(
        record("expression", 0, 0.001, device="cpu"), record("launch", 0, 5, id=2, **within)
    )
    made.rates = {"cpu": RATES, "cuda:0": RATES}
    first = made.advice()
    assert [each.cause for each in first] == ["device"]
    made.rows()
    assert first == made.advice() == pickle.loads(pickle.dumps(made)).advice()


def test_what_is_compiled_amid_launches_is_not_saved():
    line = Site("program.py", "f", 3)
    launches = [record("launch", i / 1e3, i / 1e3 + 1e-6, id=i + 1, site=line) for i in range(200)]
    compiling = record("compile", 0.0005, 0.1005, id=999, detail="codegen")
    made = profile_of(*launches, compiling)
    made.seconds = 0.2
    (told,) = made.advice()
    assert (told.cause, told.site) == ("launches", line)
    assert told.seconds == pytest.approx(0.199 - 0.1, rel=1e-3)


def test_a_scope_that_cannot_begin_leaves_the_next_one_alone(monkeypatch):
    begun = []

    def begin(name, _):
        begun.append(name)
        if len(begun) == 1:
            raise MemoryError
        return 0

    monkeypatch.setattr(_engine, "profile_begin", begin)
    monkeypatch.setattr(_engine, "profile_end", lambda _: None)
    call = scopes.scoped(lambda: 3, "call", "operator")
    with pytest.raises(MemoryError):
        call()
    assert call() == 3
    assert begun == ["call", "call"]


def test_a_device_that_is_lost_ends_no_profile(monkeypatch):
    def lost(*_):
        raise DeviceError("the context of cuda:0 is lost")

    monkeypatch.setattr(
        _engine, "devices", lambda: [SimpleNamespace(is_host=False, kind="cuda", ordinal=0)]
    )
    monkeypatch.setattr(_engine, "profile_active_blocks", lost)
    code = Executable(1, "scale", 0, 32, 0, 0)
    launch = record("launch", 1, 2, executable=code)
    summary.add_occupancy([launch])
    assert launch.resident_threads == 0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.99949, "999 ms"), (0.9996, "1 s"), (0.0123456, "12.3 ms"), (4321, "4,321 s"), (0, "0")],
)
def test_times_have_three_digits_of_their_unit(seconds, text):
    assert units.seconds_text(seconds) == text


def test_sizes_and_rates_have_no_powers():
    assert units.bytes_text(999_999) == "1 MB" and units.bytes_text(999) == "999 B"
    copy = record("to_host", 0, 1, device="cpu", bytes_read=2_655_000_000_000)
    assert "2,655" in str(profile_of(copy))


def test_rows_name_their_device_where_there_are_several():
    here, there = (record("to_host", i, i + 1, device=f"cuda:{i}") for i in range(2))
    assert "cuda:0" not in _copies_of(profile_of(here))[0]
    first, second = sorted(_copies_of(profile_of(here, there)))
    assert "cuda:0" in first and "cuda:1" in second
    assert "<th>on</th>" in profile_of(here, there)._repr_html_()


def _copies_of(profile):
    return [line for line in str(profile).splitlines() if "copies" in line]
