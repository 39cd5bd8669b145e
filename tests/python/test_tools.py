"""The checks of CI find what they are there to find."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def tool(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(ROOT / "tools"))  # as where it is run
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


@pytest.fixture
def rooms(tmp_path):
    def write(layers, **files):
        (tmp_path / "LAYERS").write_text(layers)
        for room, text in files.items():
            (tmp_path / room).mkdir()
            (tmp_path / room / "file.cpp").write_text(text)
        return list(tool("check_layers").problems(tmp_path))

    return write


LAYERS = "base :\nir : base\ncodegen : base ir\n"


def test_an_include_downwards_is_allowed(rooms):
    assert rooms(LAYERS, ir='#include "phalanx/base/dtype.h"\n') == []


def test_an_include_upwards_is_found(rooms):
    (problem,) = rooms(LAYERS, base='\n#include "phalanx/ir/ir.h"\n')
    assert problem.endswith("file.cpp:2: base must not include ir")


def test_a_sub_folder_of_another_room_is_private(rooms):
    (problem,) = rooms(LAYERS, codegen='#include "phalanx/ir/detail/x.h"\n')
    assert "is private to ir" in problem


def test_llvm_is_for_the_code_generator_only(rooms):
    include = "#include <llvm/IR/IRBuilder.h>\n"
    (problem,) = rooms(LAYERS, ir=include, codegen=include)
    assert "ir must not see llvm/IR/IRBuilder.h" in problem


def test_an_unknown_room_is_found(rooms):
    (problem,) = rooms(LAYERS, attic="int x;\n")
    assert "attic is not in LAYERS" in problem


def test_rules_that_lead_upwards_are_found(rooms):
    (problem,) = rooms("base : ir\nir :\n")
    assert "base may include ir" in problem


@pytest.fixture
def package(tmp_path):
    def write(layers, **files):
        root = tmp_path / "house"
        root.mkdir()
        (root / "LAYERS").write_text(layers)
        for name, text in {"__init__": "", **files}.items():
            file = root.joinpath(*name.split(".")).with_suffix(".py")
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
        return [each.replace(f"{root}/", "") for each in tool("check_layers").problems(root)]

    return write


PACKAGES = "low :\nmiddle : low\nhouse : low middle\nhigh : low middle house\n"

# What a module of `middle` says, and what is wrong with it.
IMPORTS = [
    ("from ..low import a", []),
    ("from house.low.a import x", []),
    ("import json", []),
    ("from ..high import b", ["middle/m.py:1: middle must not import high"]),
    ("import house.high.b", ["middle/m.py:1: middle must not import high"]),
    ("def f():\n    from ..high.b import x", ["middle/m.py:2: middle must not import high"]),
    (
        "if x:\n    pass\nelse:\n    from .. import high",
        ["middle/m.py:4: middle must not import high"],
    ),
    ("if TYPE_CHECKING:\n    from ..high import b", []),
    ("if typing.TYPE_CHECKING:\n    from ..high import b", []),
    ("from .. import something", ["middle/m.py:1: middle must not import house"]),
    ("import house", ["middle/m.py:1: middle must not import house"]),
    ("from ..low.gone import x", ["middle/m.py:1: there is no module house.low.gone"]),
]


@pytest.mark.parametrize(("text", "wrong"), IMPORTS, ids=[text for text, _ in IMPORTS])
def test_imports_follow_the_layers(package, text, wrong):
    others = {"low.__init__": "", "low.a": "", "high.__init__": "", "high.b": ""}
    assert package(PACKAGES, **others, **{"middle.__init__": "", "middle.m": text}) == wrong


def test_a_package_that_is_not_in_layers_is_found(package):
    assert package(PACKAGES, attic="") == ["attic.py: attic is not in LAYERS"]


def test_modules_that_import_each_other_are_found(package):
    (problem,) = package(
        PACKAGES,
        **{
            "low.a": "def f():\n    from . import b",
            "low.b": "from .c import x",
            "low.c": "from . import a",
        },
        **{"middle.m": "from ..low import a", "low.__init__": "", "low.d": ""},
    )
    assert problem == "modules that import each other: house.low.a house.low.b house.low.c"


def test_cpp_functions_are_measured_around_strings_and_initialisers():
    text = """
namespace a {
struct alignas(64) Node : Base<int> {
  Node(int x) : a_{x}, b_(x) {
    if (x) { use("}}{"); }
  }
  bool operator==(const Node&) const = default;
  int a_{3};
};
constexpr int table[] = {1, 2};
int long_one(
    int a) {
  char c = '{';
  return R"x( }}} )x"[0];  // }
}
}
"""
    found = [tuple(f) for f in tool("check_sizes").cpp_functions(text)]
    assert found == [("Node", 4, 3), ("long_one", 11, 5)]


def test_a_docstring_does_not_make_a_function_long():
    text = 'def f():\n    """One.\n\n    Two.\n    """\n    return 1\n'
    (function,) = tool("check_sizes").python_functions(text)
    assert function.length == 2


def test_the_checks_hold_for_this_repository():
    for root in (ROOT / "phalanx", ROOT / "python" / "phalanx"):
        assert list(tool("check_layers").problems(root)) == []
