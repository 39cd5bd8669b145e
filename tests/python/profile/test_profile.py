"""What a profile records, and how it is shown."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import phalanx
import phalanx as px
from phalanx import _engine, cuda

KERNEL = """
import numpy as np
import phalanx as px
from phalanx import cuda

@cuda.jit
def scale(x, y, factor):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] * factor

x = cuda.to_device(np.arange(10_000, dtype=np.float32))
y = cuda.device_array_like(x)
for step in range(5):
    scale[40, 256](x, y, np.float32(step))
host = y.copy_to_host()
z = px.asarray(np.linspace(0, 1, 10_000))
total = float(px.sqrt(z * 2 + 1).sum())
"""


def rows_of(taken, group):
    return {row.name: row for row in taken.rows() if row.group == group}


def of_kind(taken, kind):
    return [each for each in taken.records if each.kind == kind]


def line_of(text, part):
    return next(i for i, line in enumerate(text.splitlines(), 1) if part in line)


@pytest.fixture
def taken(run_profiled):
    return run_profiled(KERNEL)[0]


def test_a_row_tells_calls_times_bytes_and_the_line(taken):
    row = rows_of(taken, "kernel")["scale"]
    assert row.calls == 5
    assert row.bytes == 5 * 2 * 40_000
    assert 0 < row.device_seconds < taken.seconds
    assert row.compile_seconds > 0
    assert (row.blocks, row.threads) == (40, 256)
    assert row.lanes > 1
    assert [site.line for site in row.sites] == [line_of(KERNEL, "scale[40, 256]")]


def test_an_expression_has_its_text_bytes_and_operations(taken):
    rows = rows_of(taken, "expression")
    name = next(name for name in rows if "sqrt" in name)
    assert rows[name].calls == 1
    assert rows[name].bytes >= 80_000
    assert rows[name].operations >= 30_000
    assert rows[name].sites[0].line == line_of(KERNEL, "total =")


def test_launches_of_an_expression_are_no_kernels_of_their_own(taken):
    assert set(rows_of(taken, "kernel")) == {"scale"}


def test_copies_have_their_bytes_and_lines(taken):
    to_host = of_kind(taken, "to_host")
    assert [each.bytes_read for each in to_host if each.site.line == line_of(KERNEL, "host =")] == [
        40_000
    ]


def test_nothing_is_recorded_outside(run_profiled):
    text = KERNEL.replace("total =", "import phalanx as _px\ntotal =")
    before, _ = run_profiled(text)
    scale = cuda.jit(lambda x: None)
    scale[1, 1](np.zeros(1))
    assert not _engine.profile_is_on()
    after, _ = run_profiled("pass")
    assert before.records
    assert not of_kind(after, "launch")


def test_the_peak_names_the_lines_that_made_the_largest_arrays(run_profiled):
    text = """
import numpy as np
from phalanx import cuda

small = cuda.device_array(1000)
large = cuda.device_array(1_000_000)
del large
again = cuda.device_array(10)
"""
    taken, _ = run_profiled(text)
    (peak,) = taken.peaks
    assert peak.device == "cpu"
    assert 8_008_000 <= peak.bytes <= 8_100_000
    assert peak.largest[0].site.line == line_of(text, "large =")
    assert peak.largest[0].bytes == 8_000_000


def test_frames_and_models_are_scopes_of_what_they_launch(run_profiled):
    text = """
import numpy as np
import phalanx as px
from phalanx.ml.linear_model import LinearRegression

frame = px.DataFrame({"a": np.arange(1000) % 7, "b": np.linspace(0, 1, 1000)})
means = frame.groupby("a").mean()
model = LinearRegression().fit(frame[["b"]].to_numpy(), np.arange(1000.0))
"""
    taken, _ = run_profiled(text)
    operators = rows_of(taken, "operator")
    assert operators["DataFrame.groupby"].sites[0].line == line_of(text, "means =")
    assert "DataFrameGroupBy.mean" in operators
    assert rows_of(taken, "fit")["LinearRegression.fit"].calls == 1


def test_methods_are_as_they_were_after_a_profile():
    from phalanx._frames.frame import DataFrame

    before = dict(vars(DataFrame))
    with phalanx.profile():
        assert dict(vars(DataFrame)) != before
    assert dict(vars(DataFrame)) == before


def test_a_cpu_function_is_a_row(run_profiled):
    text = """
import numpy as np
import phalanx

@phalanx.njit
def total(x):
    s = 0.0
    for i in range(x.size):
        s += x[i]
    return s

for i in range(3):
    total(np.ones(1000))
"""
    taken, _ = run_profiled(text)
    assert rows_of(taken, "function")["total"].calls == 3


def test_the_text_has_the_table_the_peak_and_advice(taken):
    text = repr(taken)
    for part in ("scale", "kernels", "expressions of arrays", "copies to the host", "peak memory"):
        assert part in text
    assert f"program.py:{line_of(KERNEL, 'scale[40')}" in text


def test_the_trace_is_what_perfetto_reads(taken, tmp_path):
    taken.save(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    launches = [each for each in events if each.get("cat") == "launch" and each["name"] == "scale"]
    assert len(launches) == 5
    assert all(each["ph"] == "X" and each["dur"] >= 0 and each["ts"] >= 0 for each in launches)
    names = {each["args"]["name"] for each in events if each["ph"] == "M"}
    assert any(name.startswith("thread") for name in names)
    counters = [each for each in events if each["ph"] == "C"]
    assert max(each["args"]["bytes"] for each in counters) == taken.peaks[0].bytes


def test_a_name_says_what_a_file_is(taken, tmp_path):
    for write, other, name in ((taken.save, "html", "x.html"), (taken.html, "save", "x.json")):
        with pytest.raises(ValueError, match=rf"{name}': {other}\(\) does"):
            write(tmp_path / name)
        assert not (tmp_path / name).exists()


def test_the_page_is_one_file_without_a_network(taken, tmp_path):
    taken.html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "http" not in page.replace("http://www.w3.org", "")
    assert "Roofline" in page
    assert "scale" in page
    data = page.partition("<script type='application/json'>")[2].partition("</script>")[0]
    timeline = json.loads(data)
    assert len(timeline["spans"]) >= 6
    assert all(len(span) == 7 for span in timeline["spans"])


def test_threads_have_records_of_their_own_with_their_lines():
    kernel = cuda.jit(_add_one)
    x = cuda.to_device(np.zeros(1000))
    kernel[4, 256](x)  # compiled

    def work():
        for _ in range(10):
            kernel[4, 256](x)

    with phalanx.profile() as taken:
        threads = [threading.Thread(target=work) for _ in range(3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    launches = of_kind(taken, "launch")
    assert len(launches) == 30
    assert len({each.thread for each in launches}) == 3
    assert {each.site.function for each in launches} == {"work"}


def _add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


def test_profiles_nest():
    x = px.asarray(np.ones(1000))
    with phalanx.profile() as outer:
        float(x.sum())
        with phalanx.profile() as inner:
            float((x * 2).sum())
        float((x * 3).sum())
    assert 0 < len(of_kind(inner, "expression")) < len(of_kind(outer, "expression"))


def test_what_fails_is_recorded_and_ends_the_profile():
    kernel = cuda.jit(lambda x: no_such_name(x))  # noqa: F821
    with pytest.raises(phalanx.CompileError), phalanx.profile() as taken:
        kernel[1, 1](np.zeros(1))
    assert not _engine.profile_is_on()
    assert any(each.failed for each in of_kind(taken, "compile"))


def test_profiles_are_pickled_and_merged(taken):
    copy = pickle.loads(pickle.dumps(taken))
    assert rows_of(copy, "kernel")["scale"].calls == 5
    copy.process = "elsewhere:1"
    for each in copy.records:
        each.process = copy.process
    both = taken.merge([copy])
    assert rows_of(both, "kernel")["scale"].calls == 10
    assert len(both.records) == 2 * len(taken.records)
    with pytest.raises(TypeError, match="profiles, not int"):
        taken.merge([1])


def test_a_profile_that_was_looked_at_before_has_all_rates():
    taken = phalanx.profile()
    assert taken.rates == {}
    with taken:
        assert taken.rates == {}
        float((px.ones(1000) * 2).sum())
    assert set(taken.rates) == set(taken.devices) != set()


def test_nothing_is_written_of_a_profile_that_is_taken(tmp_path):
    with phalanx.profile() as taken:
        for refused in (taken.save, taken.html):
            with pytest.raises(RuntimeError, match="do so after the `with` block"):
                refused(tmp_path / "file")
        with pytest.raises(RuntimeError, match="cannot be merged"):
            phalanx.profile().merge([taken])
    assert not list(tmp_path.iterdir())


def test_a_profile_that_is_taken_says_so():
    taken = phalanx.profile()
    with taken:
        assert repr(taken) == "<profile, being taken>"
        with pytest.raises(RuntimeError, match="being taken already"):
            taken.start()
        with pytest.raises(TypeError, match="stop\\(\\) it first"):
            pickle.dumps(taken)
    taken.stop()  # nothing more
    assert "nothing ran" in repr(taken)


def test_scopes_begin_and_end_on_free_memory():
    with phalanx.profile() as taken:
        outer = _engine.profile_begin("outer", "operator")
        _engine.profile_begin("left open", "operator")
        _engine.profile_end(outer)
    assert [each.name for each in of_kind(taken, "scope")] == ["outer", "left open"]


def test_a_forked_child_records_nothing():
    with phalanx.profile():
        child = os.fork()
        if child == 0:
            os._exit(int(_engine.profile_is_on()))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert _engine.profile_is_on()


def run(tmp_path, *arguments, text=KERNEL):
    (tmp_path / "program.py").write_text(text)
    return subprocess.run(
        [sys.executable, "-m", "phalanx", "run", "--device", "cpu", *arguments, "program.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_run_prints_a_profile_and_writes_it(tmp_path):
    done = run(tmp_path, "--profile=trace.json")
    assert done.returncode == 0, done.stderr
    assert "scale" in done.stderr
    assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"]


def test_run_prints_the_profile_of_a_program_that_fails(tmp_path):
    done = run(tmp_path, "--profile", text=KERNEL + "\nraise ValueError('no more')\n")
    assert done.returncode == 1
    assert "ValueError: no more" in done.stderr
    assert "scale" in done.stderr.partition("ValueError")[2]


# What is there when the program begins cannot be written when it ends.
NOT_WRITTEN = KERNEL + "\nimport os\nos.mkdir('trace.json')\n"


def test_a_profile_that_cannot_be_written_is_an_error(tmp_path):
    done = run(tmp_path, "--profile=trace.json", text=NOT_WRITTEN)
    assert done.returncode == 120
    assert "scale" in done.stderr
    message = f"phalanx run: cannot write the profile {tmp_path / 'trace.json'}: Is a directory\n"
    assert done.stderr.endswith(message)


@pytest.mark.parametrize(
    ("end", "status"),
    [("raise ValueError", 1), ("sys.exit(3)", 3), ("sys.exit('no')", 1), ("sys.exit(0)", 120)],
)
def test_the_programs_own_failure_comes_first(tmp_path, end, status):
    done = run(tmp_path, "--profile=trace.json", text=f"{NOT_WRITTEN}import sys\n{end}\n")
    assert done.returncode == status
    assert "cannot write the profile" in done.stderr


def test_what_else_runs_at_exit_does_so_where_the_profile_cannot_be_written(tmp_path):
    text = f"{NOT_WRITTEN}import atexit\natexit.register(print, 'told', flush=True)\n"
    done = run(tmp_path, "--profile=trace.json", text=text)
    assert (done.returncode, done.stdout) == (120, "told\n")


def test_the_file_is_written_where_the_command_was_given(tmp_path):
    (tmp_path / "other").mkdir()
    done = run(tmp_path, "--profile=page.html", text=KERNEL + "\nimport os\nos.chdir('other')\n")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "page.html").is_file() and not list((tmp_path / "other").iterdir())


def test_a_forked_child_writes_no_profile(tmp_path):
    text = KERNEL + "\nimport os, sys\nif os.fork() == 0:\n    sys.exit(5)\nos.wait()\n"
    done = run(tmp_path, "--profile=trace.json", text=text)
    assert done.returncode == 0, done.stderr
    assert "nothing ran" not in done.stderr and done.stderr.count(" in Phalanx") == 1


@pytest.mark.parametrize("end", ["sys.stderr.close()", "sys.stderr = None"])
def test_the_file_is_written_where_standard_error_is_gone(tmp_path, end):
    done = run(tmp_path, "--profile=trace.json", text=f"{KERNEL}\nimport sys\n{end}\n")
    assert (done.returncode, done.stdout) == (0, "")
    assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"]


def test_run_does_not_take_the_file_for_the_program(tmp_path):
    (tmp_path / "trace.json").write_text("{}")  # which is Python, too
    done = run(tmp_path, "--profile", "trace.json")
    assert done.returncode == 2
    assert "--profile=trace.json" in done.stderr


def test_run_refuses_files_of_other_kinds(tmp_path):
    done = run(tmp_path, "--profile=trace.txt")
    assert done.returncode == 2
    assert "--profile writes a trace, .json, or a page, .html" in done.stderr
