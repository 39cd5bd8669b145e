"""Arrays as Dask's chunks; and, without Dask, the moment at which they are registered."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
needs_dask = pytest.mark.skipif(find_spec("dask") is None, reason="Dask is not installed")
needs_distributed = pytest.mark.skipif(
    find_spec("distributed") is None, reason="distributed is not installed"
)
START = """
import numpy as np
import dask
import dask.array as da
import phalanx as px

def check(made, expected):
    made = made.compute() if isinstance(made, da.Array) else made
    assert isinstance(made, px.ndarray), type(made)
    assert made.dtype == expected.dtype and made.shape == expected.shape
    assert np.allclose(np.asarray(made), expected)

host = np.random.default_rng(1).random((6, 8))
theirs = da.from_array(host, chunks=(4, 3))
ours = da.from_array(px.asarray(host), chunks=(4, 3))
"""


@pytest.mark.parametrize("order", [("first", "second.part"), ("second.part", "first")])
def test_an_action_waits_for_the_last_of_its_modules(run_installed, tmp_path, order):
    folder = tmp_path / "modules"
    (folder / "second" / "part").mkdir(parents=True)
    (folder / "first.py").write_text("import third\nvalue = 1\n")
    (folder / "third.py").write_text("")
    (folder / "second" / "__init__.py").write_text("")
    (folder / "second" / "part" / "__init__.py").write_text("from . import inner\n")
    (folder / "second" / "part" / "inner.py").write_text("")
    said = run_installed(
        f"""
import importlib, sys
from phalanx._core.imports import when_loaded

before = list(sys.meta_path)
def act():
    print("acts", hasattr(sys.modules["first"], "value"), "second.part.inner" in sys.modules)
when_loaded(("first", "second.part"), act)
try:
    import second.nothing
except ImportError:
    print("none")
for name in {order}:
    print(name)
    importlib.import_module(name)
assert sys.meta_path == before
import first
assert type(first.__loader__) is type(first.__spec__.loader) is type(importlib.__loader__)
when_loaded(("first",), lambda: print("at once"))
""",
        folder,
    )
    assert said.split("\n")[:-1] == ["none", *order, "acts True True", "at once"]


def test_nothing_is_loaded_for_those_who_only_have_dask(run_installed):
    run_installed("""
import sys
from importlib.metadata import entry_points

class Registry:
    lazy = {}
    def register_lazy(self, name, function):
        self.lazy[name] = function

for entry in entry_points(group="dask.sizeof"):
    if entry.value.startswith("phalanx."):
        entry.load()(Registry())
assert list(Registry.lazy) == ["phalanx"]
assert "numpy" not in sys.modules and "dask" not in sys.modules
assert "phalanx._engine" not in sys.modules and "phalanx._arrays" not in sys.modules
""")


def test_a_module_that_fails_is_waited_for_again(run_installed, tmp_path):
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "late.py").write_text("import sys\nassert hasattr(sys, 'ready'), 'not yet'\n")
    said = run_installed(
        """
import sys
from phalanx._core.imports import when_loaded
when_loaded(("late",), lambda: print("acts"))
try:
    import late
except AssertionError as error:
    print(error)
sys.ready = True
import late
""",
        folder,
    )
    assert said.split("\n")[:-1] == ["not yet", "acts"]


def test_a_dask_without_what_is_needed_works_on(run_installed, tmp_path):
    folder = tmp_path / "modules"
    (folder / "dask" / "array").mkdir(parents=True)
    for name in ("dask", "dask/array"):
        (folder / name / "__init__.py").write_text("")
    run_installed(
        """
import warnings
import phalanx as px
from phalanx._dask import attach

class Registry:
    def register_lazy(self, name, function):
        pass

attach(Registry())
assert float(px.ones(2).sum()) == 2
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import dask.array
(warning,) = caught
assert "cannot be chunks of this version of Dask" in str(warning.message)
""",
        folder,
    )


@needs_dask
@pytest.mark.parametrize("first", ["dask", "dask.array", "phalanx"])
def test_chunks_are_registered_whoever_is_imported_first(run_installed, first):
    run_installed(
        f"import {first}\n"
        + ("phalanx.ndarray\n" if first == "phalanx" else "")
        + START
        + """
check(ours + px.ones(8), host + 1)
check(px.ones(8) - ours, 1 - host)
check(np.concatenate([ours, px.asarray(host)]), np.concatenate([host, host]))
assert type(ours._meta) is px.ndarray and type(ours.to_backend("numpy").compute()) is np.ndarray
"""
    )


@needs_dask
def test_what_dask_computes_of_our_chunks(run_installed):
    run_installed(
        START
        + """
for call in (
    lambda x: da.sin(x) ** 2 + x.T.T,
    lambda x: x[2:, ::-1][:, [0, 3]],
    lambda x: x[x[:, 0] > 0.5].compute(),
    lambda x: x.mean(axis=0),
    lambda x: x.std(),
    lambda x: da.nanmean(da.where(x > 0.5, x, np.nan), axis=1, keepdims=True),
    lambda x: da.nanmean(da.where(x > 0.5, x, np.nan)),
    lambda x: x.argmax(axis=1),
    lambda x: x @ x.T,
    lambda x: da.tensordot(x, x, axes=[(0,), (0,)]),
    lambda x: da.einsum("ij,kj->ik", x, x),
    lambda x: x.rechunk((5, 5)).cumsum(axis=1),
    lambda x: da.linalg.svd(x.rechunk((3, 8)))[1],
    lambda x: da.linalg.norm(x),
    lambda x: da.map_overlap(lambda c: c * 2, x, depth=1, boundary="reflect"),
    lambda x: da.unique(da.floor(x * 4)),
    lambda x: x.topk(2, axis=1),
    lambda x: da.take(x, [2, 0], axis=1),
    lambda x: da.percentile(x.ravel().rechunk(48), [0, 50, 100]),
):
    expected = call(theirs)
    check(call(ours), np.asarray(expected))
with dask.config.set(scheduler="threads"):
    check((ours + 1).persist().sum(axis=0), (host + 1).sum(axis=0))
"""
    )


@needs_dask
def test_counts_of_elements(run_installed):
    run_installed(
        START
        + """
from dask.array.dispatch import nannumel_lookup, numel_lookup
x = np.where(host > 0.5, host, np.nan)
for lookup, counted in ((numel_lookup, np.ones_like(x)), (nannumel_lookup, ~np.isnan(x))):
    for axis in (None, 0, -1, (0, 1), [1]):
        for keepdims in (False, True):
            options = {"keepdims": keepdims, "dtype": "float64"}
            expected = counted.sum(tuple(axis) if isinstance(axis, list) else axis, **options)
            check(lookup(px.asarray(x), axis=axis, **options), np.asarray(expected))
check(numel_lookup(px.asarray(np.float32(2))), np.asarray(1.0))
"""
    )


@needs_dask
def test_the_back_end(run_installed):
    run_installed(
        START
        + """
with dask.config.set({"array.backend": "phalanx"}):
    check(da.ones((3, 2), chunks=2), np.ones((3, 2)))
    check(da.zeros(3, dtype="int8"), np.zeros(3, "int8"))
    check(da.full((2,), 7.0), np.full(2, 7.0))
    check(da.arange(1, 10, 2, chunks=3), np.arange(1, 10, 2))
    assert isinstance(da.empty(3)._meta, px.ndarray)
    drawn = da.random.default_rng(5).normal(size=(4, 4), chunks=2)
    again = da.random.default_rng(5).normal(size=(4, 4), chunks=2)
    check(drawn, np.asarray(again.compute()))
    legacy = da.random.RandomState(3).uniform(size=4, chunks=2).compute()
    assert isinstance(legacy, px.ndarray)
    assert da.ones(3, meta=np.ones(0)).compute().__class__ is np.ndarray
moved = theirs.to_backend("phalanx")
check(moved, host)
assert moved.to_backend("phalanx") is moved
masked = theirs.map_blocks(np.ma.masked_less, 0.5)
try:
    masked.to_backend("phalanx")
except TypeError as error:
    assert "masked" in str(error)
else:
    raise AssertionError("the mask was lost")
"""
    )


@needs_dask
def test_dask_draws_by_generators_of_ours(run_installed):
    run_installed(
        START
        + """
def drawn():
    return da.random.default_rng(px.random.default_rng(5)).random(10, chunks=4).compute()

first = drawn()
assert isinstance(first, px.ndarray)
assert len(set(first.tolist())) == 10
assert np.array_equal(first, drawn())
"""
    )


def test_tokens_and_sizes(run_installed):
    run_installed(
        START
        + """
from dask.base import tokenize
from dask.sizeof import sizeof
x = px.asarray(host)
assert tokenize(x) == tokenize(px.asarray(host.copy())) == tokenize(x.copy().T.T)
assert len({tokenize(each) for each in (x, x + 1, x.T, px.astype(x, "float32"), host)}) == 5
assert sizeof(x) == host.nbytes and sizeof(x[::2] + 1) == host[::2].nbytes
"""
    )


@needs_dask
@pytest.mark.parametrize("scheduler", ["sync", "threads"])
def test_the_memory_of_chunks_is_let_go(run_installed, scheduler):
    said = run_installed(
        START
        + f"""
import weakref
alive, most = 0, 0
def gone():
    global alive
    alive -= 1
def chunk(block):
    global alive, most
    memory = np.ones(1000)
    weakref.finalize(memory, gone)
    alive, most = alive + 1, max(most, alive + 1)
    return px.asarray(memory)
made = da.zeros(40_000, chunks=1000).map_blocks(chunk, meta=px.empty(0))
with dask.config.set(scheduler={scheduler!r}, num_workers=2):
    firsts = (made + 1)[::1000].compute()  # recorded, each would need its whole chunk
assert np.asarray(firsts).tolist() == [2] * 40
print(most)
"""
    )
    assert 1 <= int(said) <= 8


@needs_distributed
def test_chunks_travel(run_installed):
    run_installed(
        START
        + """
from distributed.protocol import deserialize, serialize
from distributed.protocol.cuda import cuda_serialize
for x in (host, host.T, host[::2, ::-1], host[:0], np.array(3), np.float32(host) > 0.5):
    header, frames = serialize(px.asarray(x))
    assert header["serializer"] == "dask"
    check(deserialize(header, frames), x)
try:
    cuda_serialize(px.asarray(host))
except NotImplementedError:
    pass
else:
    raise AssertionError("an array on the host went the way of a GPU's")
"""
    )


@needs_distributed
def test_frames_travel_with_what_pickle_refuses(run_installed):
    run_installed(
        """
import phalanx as px
from distributed.protocol.pickle import dumps, loads
from pyarrow.fs import LocalFileSystem

frame = px.DataFrame({"x": [1.5, None], "s": ["a", None]})
made, file = loads(dumps([frame, LocalFileSystem().get_file_info(".")]))
px.testing.assert_frame_equal(made, frame)
assert file.path == "."
"""
    )


@needs_distributed
def test_workers(run_installed):
    run_installed(
        START
        + """
if __name__ == "__main__":
    from distributed import Client
    with Client(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None):
        check((ours @ ours.T).sum(axis=0), (host @ host.T).sum(axis=0))
"""
    )


@needs_distributed
def test_the_program_of_the_guide_with_a_cluster(run_installed):
    page = (ROOT / "docs" / "guide" / "dask.md").read_text()
    *_, program = re.findall(r"^```py\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    run_installed(
        program
        + """
    assert isinstance(labels, px.ndarray) and set(labels.tolist()) == {0, 1, 2}
    assert np.allclose(line.coef_, [2, 0, 0, 0]) and np.isclose(line.intercept_, 1)
"""
    )


@needs_dask
def test_the_program_of_the_guide(run_installed):
    page = (ROOT / "docs" / "guide" / "dask.md").read_text()
    program, of_frames, _ = re.findall(r"^```py\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    run_installed(
        program
        + """
expected = (np.sin(host) ** 2 + host).mean(axis=0)
assert np.allclose(np.asarray(y.compute()), expected)
for made, kind in ((y, px.ndarray), (z, px.ndarray), (back, np.ndarray), (ones, px.ndarray)):
    assert type(made.compute()) is type(made._meta) is kind
assert isinstance(drawn.compute(), px.ndarray)
"""
    )
    run_installed(
        of_frames
        + """
assert isinstance(totals, px.Series) and totals.to_dict() == {1: 3.0, 2: 5.0}
assert isinstance(made.compute(), px.DataFrame)
assert type(theirs.compute()).__module__.startswith("pandas")
"""
    )
