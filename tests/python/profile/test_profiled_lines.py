"""The lines of the program that records are of, where they are hard to tell."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import phalanx as px
from phalanx import _engine

SCRIPT = """
import phalanx as px
with px.profile() as p:
    float(px.sqrt(px.ones(1000) * 2).sum())
row = next(row for row in p.rows() if row.group == "expression")
print(row.sites[0].line, ascii(row.sites[0].file))
str(p), p.save("trace.json"), p.html("page.html")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_names_of_files_need_not_be_utf8(tmp_path):
    path = tmp_path / os.fsdecode(b"tile\xe9.py")
    path.write_text(SCRIPT)
    done = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == b"4 'tile?.py'\n"


def test_a_thread_may_work_for_a_line_of_another():
    with px.profile() as p:
        origin = _engine.ProfileOrigin()

        def work():
            with origin.delegate():
                float(px.sqrt(px.asarray(np.ones(1000)) * 3).sum())

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    lines = {each.site.line for each in p.records if each.kind == "expression"}
    assert lines == {work.__code__.co_firstlineno - 2}


BEGUN_MEANWHILE = """
import threading, time
import numpy as np
import phalanx as px

x = px.asarray(np.ones(20_000))
is_over = threading.Event()

def work():
    while not is_over.is_set():
        float((x * 7).sum())

thread = threading.Thread(target=work)
thread.start()
try:
    for _ in range(20):
        with px.profile() as p:
            time.sleep(0.005)
finally:
    is_over.set()
    thread.join()
lines = {each.site.line for each in p.records if each.kind == "expression" and each.site}
print(lines)
"""


def test_a_profile_may_begin_while_a_thread_is_in_a_call():
    done = subprocess.run(
        [sys.executable, "-c", BEGUN_MEANWHILE], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "{11}\n"), done.stderr


def test_a_line_of_an_earlier_profile_is_none_of_a_later_one():
    with px.profile():
        origin = _engine.ProfileOrigin()
    with px.profile() as p:
        float(px.sqrt(px.asarray(np.ones(1000)) * 5).sum())
        with origin.delegate():
            float(px.sqrt(px.asarray(np.ones(1000)) * 3).sum())
    own, theirs = [each for each in p.records if each.kind == "expression"]
    assert own.site is not None and theirs.site is None and theirs.parent == 0


def test_what_a_thread_does_for_a_scope_of_another_is_part_of_it():
    def work(origin):
        with origin.delegate():
            px.DataFrame({"a": [3, 1, 2]}).sort_values("a")  # no operator by itself
            float(px.sqrt(px.asarray(np.ones(1000)) * 3).sum())

    with px.profile() as p:
        outer = _engine.profile_begin("outer", "operator")
        thread = threading.Thread(target=work, args=(_engine.ProfileOrigin(),))
        thread.start()
        thread.join()
        _engine.profile_end(outer)
    (row,) = [each for each in p.rows() if each.group == "operator"]
    inside = [each for each in p.records if each.kind == "launch"]
    assert len({each.thread for each in p.records}) > 1
    assert row.device_seconds >= sum(each.device_seconds for each in inside) > 0
    (scope,) = [each for each in p.records if each.kind == "scope"]
    assert {each.parent_key for each in p.records if each.kind == "expression"} == {scope.key}
