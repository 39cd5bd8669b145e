"""The stubs are current, and static tools see every public name and every option."""

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from phalanx._functions import options as function_options
from phalanx._kernels import options as kernel_options
from phalanx._ufunc import decorators as ufunc_decorators

import phalanx as px
from phalanx import cuda, sparse

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGE = REPOSITORY / "python" / "phalanx"

pytestmark = pytest.mark.skipif(not PACKAGE.is_dir(), reason="needs the sources")


def test_the_stubs_are_current():
    done = subprocess.run(
        [sys.executable, "tools/make_stubs.py", "--check"],
        cwd=REPOSITORY, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def modules_of_the_package():
    """Those without an underscore, but for the ones that serve other libraries' names."""
    for source in PACKAGE.rglob("*.py"):
        parts = source.relative_to(PACKAGE.parent).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        if "compat" not in parts and not any(part.startswith("_") for part in parts):
            yield ".".join(parts)


def test_the_table_of_public_modules_has_all(monkeypatch):
    monkeypatch.syspath_prepend(REPOSITORY / "tools")
    from public_names import ALL_MODULES

    assert sorted(ALL_MODULES) == sorted(modules_of_the_package())


def bound(nodes):
    """The names that statements bind, those in conditions too."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {each.asname or each.name for each in node.names}
        elif isinstance(node, ast.If):
            found |= bound(node.body)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {
                each.id for one in targets for each in ast.walk(one) if isinstance(each, ast.Name)
            }
    return found


# Modules, and the names that they import for themselves and that `dir` shows all the same.
MODULES = {
    "": set(),
    "cuda": {"Any", "NAMES", "annotations", "os"},
    "cuda.bf16": {"Any", "Callable", "annotations", "jit", "libdevice", "math", "types"}
    | {"float32", "float64", "int32", "int64"},
    "cuda.libdevice": {"Any", "NAMES", "annotations"},
    "dask": set(),
    "fft": set(),
    "linalg": set(),
    "ml": set(),
    "ml.cluster": set(),
    "ml.dask": set(),
    "ml.dask.cluster": set(),
    "ml.metrics": set(),
    "ml.pipeline": set(),
    "random": set(),
    "sparse": {"Any", "annotations", "importlib"},
    "special": set(),
    "types": set(),
}


@pytest.mark.parametrize("name", MODULES)
def test_static_tools_see_what_dir_shows(name):
    module = importlib.import_module(f"phalanx.{name}".rstrip("."))
    path = PACKAGE.joinpath(*name.split("."))
    stub = path / "__init__.pyi" if path.is_dir() else path.with_suffix(".pyi")
    source = stub if stub.exists() else path.with_suffix(".py")
    # pytest puts names of its own, "@py_builtins", into modules whose assertions it rewrites.
    public = {each for each in dir(module) if each.isidentifier() and not each.startswith("_")}
    assert public - bound(ast.parse(source.read_text()).body) - MODULES[name] == set()
    assert public


def members_shown(kind):
    found = set()
    for each in kind.__mro__:
        if each.__module__.startswith("phalanx._engine") or each is object:
            found |= set(vars(each))
            continue
        for node in ast.walk(ast.parse(source_of(each))):
            if isinstance(node, ast.ClassDef) and node.name == each.__name__:
                found |= bound(node.body) | attributes_of(node)
    return found


def source_of(kind):
    """The text of the module that defines a class, which may say that it is another's."""
    functions = (getattr(each, "fget", each) for each in vars(kind).values())
    written = map(inspect.unwrap, filter(inspect.isfunction, functions))
    files = map(inspect.getsourcefile, written)
    own = inspect.getsourcefile(sys.modules[kind.__module__])
    return Path(own if kind.__module__ != "phalanx" else next(files)).read_text()


def attributes_of(node):
    """What methods of a class set on `self`."""
    return {
        each.attr
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute)
        and isinstance(each.ctx, ast.Store)
        and isinstance(each.value, ast.Name)
        and each.value.id == "self"
    }


@pytest.mark.parametrize(
    "kind",
    [px.ndarray, px.DataFrame, px.Series, px.Index, px.MultiIndex, px.DatetimeIndex,
     cuda.DeviceNDArray, cuda.Dispatcher, cuda.Stream, cuda.Event, sparse.csr_matrix],
    ids=lambda kind: kind.__name__,
)  # fmt: skip
def test_static_tools_see_the_members_of_a_class(kind):
    public = {each for each in dir(kind) if not each.startswith("_")}
    assert public - members_shown(kind) == set()


@pytest.mark.parametrize(
    ("options", "known"),
    [
        (
            "KernelOptions",
            {*kernel_options._DEFAULTS, *kernel_options._WITHOUT_EFFECT, "boundscheck",
             "launch_bounds"} - {"max_threads", "min_blocks"},
        ),
        (
            "FunctionOptions",
            {*function_options.Options.__dataclass_fields__, *function_options._WITHOUT_EFFECT},
        ),
        (
            "UfuncOptions",
            {*ufunc_decorators._OPTIONS, *ufunc_decorators._WITHOUT_EFFECT, "nopython"},
        ),
    ],
    ids=["cuda.jit", "jit", "vectorize"],
)  # fmt: skip
def test_type_checkers_know_the_options(options, known):
    tree = ast.parse((PACKAGE / "_core" / "typed.py").read_text())
    kind = next(
        node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == options
    )
    assert bound(kind.body) == known
