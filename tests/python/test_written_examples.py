"""Every example of docs/site/examples shows what is printed, and that of another library."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = [str(ROOT / "tools"), str(ROOT / "tools/docs_site")]
sys.path[:0] = TOOLS
import fake_gpu  # noqa: E402
import public_names  # noqa: E402
import written  # noqa: E402

EXAMPLES = [each for each in written.all_examples() if each.oracle != "gpu"]
OF_GPUS = [each for each in written.all_examples() if each.oracle == "gpu"]
IDS = [f"{each.owner}.{each.names[0]}" for each in EXAMPLES]
WITH_ORACLE = [each for each in EXAMPLES if each.oracle]
# The versions whose texts these are.
LEAST = {"pandas": "3", "numpy": "2", "scipy": "1.15", "sklearn": "1.9"}

# What sessions that have a word need.
NEEDS = {
    "arrow": "pyarrow", "parquet": "pyarrow", "feather": "pyarrow", "orc(": "pyarrow",
    "Excel": "openpyxl", "excel": "openpyxl", "pandas": "pandas", "plot": "matplotlib",
    "boxplot": "matplotlib", "hist(": "matplotlib", "dask.array": "dask", "markdown": "tabulate",
    "px.special": "scipy", "phalanx.ml": "scipy", "phalanx.ml.tree": "sklearn",
    "sqlalchemy": "sqlalchemy", "distributed": "distributed",
}  # fmt: skip


def need_libraries(example):
    for word, library in NEEDS.items():
        if word in example.text:
            pytest.importorskip(library)


@pytest.fixture(autouse=True)
def no_figures():
    """Some draw into the current figure, which another test of the process may have left."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.mark.parametrize("example", EXAMPLES, ids=IDS)
def test_a_written_example_shows_what_is_printed(example, tmp_path, monkeypatch):
    need_libraries(example)
    monkeypatch.chdir(tmp_path)  # some write files
    assert not written.failures(example)


@pytest.mark.parametrize(
    "example", WITH_ORACLE, ids=[f"{each.owner}.{each.names[0]}" for each in WITH_ORACLE]
)
def test_another_library_prints_the_same(example, tmp_path, monkeypatch):
    pytest.importorskip(example.oracle, minversion=LEAST[example.oracle])
    need_libraries(example)
    monkeypatch.chdir(tmp_path)
    assert not written.failures(example, example.oracle)


@fake_gpu.needed
@pytest.mark.parametrize("example", OF_GPUS, ids=lambda each: each.paths[0])
def test_an_example_of_a_gpu_shows_what_is_printed(example, tmp_path):
    script = f"""
import sys
sys.path[:0] = {TOOLS!r}
import written
example = next(each for each in written.all_examples() if each.paths == {example.paths!r})
print(written.failures(example), end="")
"""
    done = fake_gpu.run(script, tmp_path)
    assert (done.stdout, done.returncode) == ("", 0), done.stderr


def test_written_examples_are_of_public_names_once_each():
    public = {each.path for each in public_names.all_names()}
    paths = [path for each in (*EXAMPLES, *OF_GPUS) for path in each.paths]
    assert [path for path in paths if path not in public] == []
    assert len(paths) == len(set(paths))


def test_an_example_that_prints_something_else_fails():
    text = "== phalanx\n>>> x = px.arange(2)\n-- sum\n>>> int(px.sum(x))\n2\n"
    (example,) = written.read(text)
    assert (example.paths, example.oracle) == (["phalanx.sum"], "")
    assert "Expected:" in written.failures(example)
    assert written.run_anew(example) == ">>> int(px.sum(x))\n1"
