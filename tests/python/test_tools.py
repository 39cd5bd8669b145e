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
    spec.loader.exec_module(module)
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
    assert list(tool("check_layers").problems(ROOT / "phalanx")) == []
