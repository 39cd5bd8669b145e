"""docs/adding-an-op.md is true: rows added to a copy of the sources are found wherever it says.

The copies are of the rows of `hypot` (a library's function) and `fma` (an intrinsic), under other
names. What reads the changed columns is compiled and asked; the IR's text goes round.
"""

import importlib.util
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("op_table", ROOT / "tools" / "op_table.py")
op_table = importlib.util.module_from_spec(spec)
spec.loader.exec_module(op_table)

COMPILER = os.environ.get("CXX") or shutil.which("c++") or ""
SOURCES = [
    *("phalanx/infer/functions.cpp", "phalanx/infer/ufuncs.cpp"),
    *("phalanx/infer/overloads.cpp", "phalanx/infer/conversion.cpp"),
    *("phalanx/ir/types.cpp", "phalanx/ir/constants.cpp"),
    *("phalanx/base/errors.cpp", "phalanx/ir/text.cpp"),
    *("tests/support/interpreter_floats.cpp", "tests/support/interpreter_arithmetic.cpp"),
    *("tests/support/interpreter_values.cpp", "tests/support/interpreter_integers.cpp"),
]
PROGRAM = r"""
#include <array>
#include <bit>
#include <cstdio>

#include "phalanx/infer/ufuncs.h"
#include "tests/support/interpreter_arithmetic.h"

using namespace phalanx;

double computed(std::string_view name, double a, double b, double c) {
  const ir::Op op = ir::op_from_name(name).value();
  return std::bit_cast<double>(test::floating(op, DType::float64, a, b, c));
}

int main() {
  const std::array pair = {DType::float32, DType::float32};
  const auto function = infer::resolve("math.hypotenuse", pair);
  const auto ufunc = infer::resolve(*infer::find_ufunc("hypotenuse"), pair);
  std::printf("%d %d\n", function->result == DType::float32, ufunc->result == DType::float32);
  const std::array three = {DType::float64, DType::int32, DType::float32};
  const auto fused = infer::resolve("cuda.fused", three);
  std::printf("%d\n", fused->result == DType::float64);
  std::printf("%g %g\n", computed("hypotenuse", 3, 4, 0), computed("fused", 3, 4, 5));
  std::printf("%s\n", ir::info(ir::op_from_name("fused").value()).llvm.data());
}
"""


BARE = {"name", "arity", "rule", "typing"}  # columns that are no strings


def written(row):
    cells = (cell if column in BARE else f'"{cell}"' for column, cell in row.items())
    return f"OP( {', '.join(cells)} )\n"


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the sources, whose table has one row more of each sort."""
    folder = tmp_path_factory.mktemp("sources")
    for part in ("phalanx", "tests/support", "tools"):
        shutil.copytree(ROOT / part, folder / part)
    (folder / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "accuracy.md", folder / "docs")
    table = folder / "phalanx" / "ir" / "ops.def"
    rows = {row["name"]: row for row in op_table.rows(table.read_text())}
    # Libraries have no such functions: their columns stay.
    library = rows["hypot"] | {"name": "hypotenuse", "python": "", "numpy": "hypotenuse"}
    intrinsic = rows["fma"] | {"name": "fused", "python": ""}
    with table.open("a") as file:
        file.write(written(library) + written(intrinsic))
    return folder


def test_what_is_made_of_the_table_has_the_new_operations(copy):
    if not COMPILER:
        pytest.skip("there is no C++ compiler")
    (copy / "main.cpp").write_text(PROGRAM)

    def compiled(source):
        target = copy / f"{Path(source).stem}.o"
        options = ["-std=c++20", "-O0", "-ffunction-sections", "-I.", "-c", source, "-o", target]
        subprocess.run([COMPILER, *options], cwd=copy, check=True)
        return target

    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(compiled, [*SOURCES, "main.cpp"]))
    # The sources' other functions need more of the engine: they are left out.
    linked = [*objects, "-Wl,--gc-sections", "-lfmt", "-o", "main"]
    subprocess.run([COMPILER, *linked], cwd=copy, check=True)
    answer = subprocess.run([copy / "main"], capture_output=True, text=True, check=True).stdout
    assert answer.splitlines() == ["1 1", "1", "5 17", "llvm.fma"]


def test_the_pages_ask_for_the_new_operations(copy, monkeypatch):
    monkeypatch.chdir(copy)
    before, bound = op_table.problems()
    assert "docs/operations.md is not what" in before
    assert "no bound for hypotenuse" in bound
    page = op_table.page(op_table.rows(op_table.TABLE.read_text()))
    assert "| `hypotenuse` | float | `math.hypotenuse` | `hypotenuse` |" in page
    assert "| `fused` | float | `cuda.fused` |" in page
    op_table.PAGE.write_text(page)
    assert list(op_table.problems()) == [bound]


def test_a_row_that_lacks_a_column_is_refused(copy):
    head, row, *_ = (copy / "phalanx/ir/ops.def").read_text().partition("OP( hypotenuse,")
    with pytest.raises(ValueError, match="a row has 3 cells"):
        op_table.rows(head + row + ' 2, "f" )\n')
