"""The checks of CI find what they are there to find."""

import importlib.util
import os
import shutil
import subprocess
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


def test_a_compiled_module_has_no_source(package):
    layers = "_native :\nhouse :\nlow : _native\nhigh :\n"
    imports = "from .. import _native\nfrom .._native import x"
    wrong = [
        "high/m.py:1: high must not import _native",
        "high/m.py:2: high must not import _native",
    ]
    sources = {"low.__init__": "", "low.m": imports, "high.__init__": "", "high.m": imports}
    assert package(layers, **sources) == wrong


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


INNER = "base :\nlow : base\nhigh : low\n"

# What a module of `low` says, and what is wrong with it by LAYERS of the sub-package.
INNER_IMPORTS = [
    ("from ..base import x", []),
    ("from .n import x", []),
    ("from ...middle import x", []),
    ("from ..high import x", ["low/m.py:1: low must not import high"]),
    ("def f():\n    import json", []),
    (
        "def f():\n    from ..base import x",
        ["low/m.py:2: import house.base at the head"],
    ),
    (
        "def f():\n    from .n import x",
        ["low/m.py:2: import house.low.n at the head"],
    ),
    ("from ..attic import x", ["low/m.py:1: low must not import attic"]),
]


@pytest.mark.parametrize(("text", "wrong"), INNER_IMPORTS, ids=[text for text, _ in INNER_IMPORTS])
def test_a_package_may_have_layers_of_its_own(tmp_path, text, wrong):
    root = tmp_path / "house"
    sources = {"low/__init__": "", "low/m": text, "low/n": "", "base": "", "high": "", "attic": ""}
    for name, source in sources.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / f"{name}.py").write_text(source)
    (root / "LAYERS").write_text(f"{INNER}attic :\n")
    found = tool("check_layers").inner_problems(root / "LAYERS")
    assert [each.replace(f"{root}/", "") for each in found] == wrong


def sizes_of(file):
    check = tool("check_sizes")
    if file.suffix == ".py":
        found = check.python_sizes(file, file.read_text())
    else:
        found = check.cpp_sizes(file, check.cpp_tags([file])[file])
    return [(each.kind, each.name, each.size) for each in found]


@pytest.mark.skipif(not shutil.which("ctags"), reason="Universal Ctags measures; it is not here")
def test_cpp_functions_and_classes_are_measured_around_strings_and_initialisers(tmp_path):
    file = tmp_path / "a.cpp"
    file.write_text("""
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
    const std::map<int, int>& a, int (*call)(int, int) = nullptr, int b = f(1, 2)) {
  char c = '{';
  return R"x( }}} )x"[0];  // }
}
void nothing(void);
}
""")
    found = sizes_of(file)
    assert ("function", "Node", 3) in found
    assert ("members", "Node", 3) in found
    assert ("function", "long_one", 5) in found
    assert ("parameters", "long_one", 3) in found
    assert ("parameters", "nothing", 0) in found


def test_a_docstring_does_not_make_a_function_long(tmp_path):
    file = tmp_path / "a.py"
    file.write_text('def f(a, *, b):\n    """One.\n\n    Two.\n    """\n    return 1\n')
    assert sizes_of(file) == [("function", "f", 2), ("parameters", "f", 2)]


def test_members_of_a_python_class_are_its_names_and_those_set_on_self(tmp_path):
    file = tmp_path / "a.py"
    file.write_text(
        "class A:\n    x: int\n    y = 1\n    def f(self):\n        self.x = self.z = 1\n"
    )
    assert ("members", "A", 4) in sizes_of(file)


def test_known_sizes_may_only_shrink():
    check = tool("check_sizes")
    over = {("file", name): check.Size("file", Path(name), 1, "", 700) for name in ("a", "b", "c")}
    known = {("file", "a"): 700, ("file", "b"): 699, ("file", "gone"): 700}
    found = list(check.problems(over, known))
    assert [problem.partition(":")[0] for problem in found] == ["b", "c", "tools/known_sizes.txt"]


def test_signatures_that_others_fixed_may_be_long_and_are_listed_only_then(tmp_path, monkeypatch):
    check = tool("check_sizes")
    fixed = tmp_path / "fixed.txt"
    fixed.write_text("# what\nTheir interface.\n  a.py: long\n  a.py: short\n")
    monkeypatch.setattr(check, "FIXED", fixed)
    found = [
        check.Size("parameters", Path("a.py"), 1, name, size)
        for name, size in [("long", 9), ("short", 6), ("ours", 7)]
    ]
    assert list(check.worst_of(found)) == [("parameters", "a.py: ours")]
    assert [problem.split()[1:2] for problem in check.needless(found)] == [["a.py:"]]
    assert "short" in next(check.needless(found))


def test_a_row_of_the_house_fails_over_its_target_or_over_what_is_open(monkeypatch):
    house = tool("house")
    monkeypatch.setattr(house, "OPEN", {"open": 5, "come to its target": 5})
    states = [
        house.Row(what, figure, 2).state
        for what, figure in [
            ("a", 2),
            ("a", 3),
            ("open", 5),
            ("open", 6),
            ("come to its target", 2),
        ]
    ]
    assert states == ["ok", "FAILED", "open", "FAILED", "ok, take it off OPEN"]


def test_the_house_finds_the_files_that_name_an_example(monkeypatch, tmp_path):
    house = tool("house")
    monkeypatch.chdir(tmp_path)
    for name, text in [
        ("phalanx/ir/a.cpp", "case Op::vote:\n"),
        ("phalanx/ir/b.cpp", "// as Op::vote\ncase Op::voted:\n"),
        ("phalanx/runtime/cuda/c.cpp", "DeviceKind::cuda\n"),
        ("phalanx/runtime/d.h", "DeviceKind kind = DeviceKind::cuda;\n"),
        ("phalanx/runtime/f.h", "DeviceKind kind;\n"),
        ("python/phalanx/e.py", 'if device.kind == "cuda":\n'),
    ]:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    assert house.files_with(house.STRUCTURE_OP) == ("phalanx/ir/a.cpp",)
    found = house.files_with(house.DEVICE, *house.DEVICE_FOLDERS)
    assert found == ("phalanx/runtime/d.h", "python/phalanx/e.py")


def test_a_pass_without_a_golden_text_of_its_own_is_found(tmp_path):
    table, texts = tmp_path / "passes.def", tmp_path / "passes"
    table.write_text(
        "//  PASS  void name(ir::Module&)\n"
        "PASS( by_its_name,  always )\nPASS( by_its_name,  always )\n"
        "PASS_WITH_CHECKS( named,  checks )\nPASS( other_runs,  always )\nPASS( none,  always )\n"
    )
    texts.mkdir()
    (texts / "by_its_name.txt").write_text("# A case.\nkernel @k() {\n}\n----\n")
    (texts / "named.txt").write_text("#! passes other\n----\n\n====\n#! passes a named=nan\n----\n")
    (texts / "other_runs.txt").write_text("#! passes named\n----\n")
    assert list(tool("check_docs").pass_problems(table, texts)) == [
        f"{texts / 'other_runs.txt'}: no case runs other_runs",
        f"{table}: none has no {texts / 'none.txt'}",
    ]


def test_the_checks_hold_for_this_repository():
    for root in (ROOT / "phalanx", ROOT / "python" / "phalanx"):
        assert list(tool("check_layers").problems(root)) == []


@pytest.fixture
def tidied(tmp_path):
    """Return what tools/tidy.sh --changed looks at, in a repository of our own."""
    repository, bin_folder = tmp_path / "repository", tmp_path / "bin"
    (repository / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "tools" / "tidy.sh", repository / "tools")
    (repository / "build").mkdir()
    (repository / "build" / "compile_commands.json").write_text("[]")
    bin_folder.mkdir()
    stand_in = bin_folder / "clang-tidy-19"
    stand_in.write_text('#!/bin/sh\necho "$4" >>"$SEEN"\ncase "$4" in *bad*) exit 1 ;; esac\n')
    stand_in.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}:{os.environ['PATH']}",
        "TIDY_BUILD": "build",
        "PHALANX_JOBS": "1",
        "SEEN": str(tmp_path / "seen"),
    }

    def git(*arguments):
        who = ["-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *who, *arguments], cwd=repository, check=True, capture_output=True)

    def commit(**files):
        for name, text in files.items():
            stem, _, suffix = name.rpartition("_")
            room, _, file = stem.partition("_")
            path = repository / "phalanx" / room / f"{file}.{suffix}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        git("add", ".")
        git("commit", "-qm", "change", "--allow-empty")

    def merge(**files):
        git("checkout", "-qb", "branch")
        commit(**files)
        git("checkout", "-q", "main")
        git("merge", "-q", "--no-ff", "--no-edit", "branch")
        git("branch", "-qd", "branch")

    def run():
        done = subprocess.run(
            ["tools/tidy.sh", "--changed"], cwd=repository, env=environment, check=False
        )
        return done.returncode, (tmp_path / "seen").read_text().split()

    git("init", "-q")
    commit(ir_old_cpp="", base_old_cpp="", passes_old_cpp="", ir_x_h="", runtime_old_cpp="")
    return commit, merge, run


def test_tidy_looks_at_what_the_newest_merge_changed(tidied):
    commit, merge, run = tidied
    merge(ir_first_cpp="")
    merge(ir_second_cpp="", runtime_other_cpp="")
    commit(passes_third_cpp="")
    assert run() == (0, ["phalanx/ir/second.cpp", "phalanx/passes/third.cpp"])


def test_tidy_looks_at_a_header_where_it_is_included(tidied):
    commit, merge, run = tidied
    commit(passes_user_cpp='#include "phalanx/ir/x.h"\n')
    merge(ir_x_h="int changed;\n")
    assert run() == (0, ["phalanx/passes/user.cpp"])


def test_tidy_looks_at_the_bottom_where_no_room_of_its_own_changed(tidied):
    _, merge, run = tidied
    merge(runtime_other_cpp="")
    assert run() == (0, ["phalanx/base/old.cpp", "phalanx/ir/old.cpp"])


def test_a_finding_of_tidy_is_an_error(tidied):
    _, merge, run = tidied
    merge(ir_bad_cpp="")
    assert run() == (123, ["phalanx/ir/bad.cpp"])


def test_the_house_finds_the_rooms_that_tidy_leaves_out(monkeypatch, tmp_path):
    house = tool("house")
    monkeypatch.chdir(tmp_path)
    Path("phalanx").mkdir()
    Path("phalanx/LAYERS").write_text(LAYERS)
    Path("tools").mkdir()
    Path("tools/tidy.sh").write_text("set -e\nclean='base ir' # rooms\n")
    assert house.untidy_rooms() == ("codegen",)


@pytest.fixture
def tidy(tmp_path):
    """Runs a copy of tools/tidy.sh in a repository of its own, with a clang-tidy that says OK."""
    for folder in ("tools", "bin", "build/tidy", "phalanx/ir"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / "tools/tidy.sh", tmp_path / "tools")
    (tmp_path / "build/tidy/compile_commands.json").write_text("[]")
    (tmp_path / "phalanx/ir/a.cpp").write_text("")
    fake = tmp_path / "bin/clang-tidy-19"
    fake.write_text("#!/bin/sh\necho OK\n")
    fake.chmod(0o755)

    def run(*arguments, **environment):
        path = f"{tmp_path / 'bin'}:/usr/bin:/bin"
        return subprocess.run(
            ["/bin/bash", "tools/tidy.sh", *arguments], capture_output=True, text=True, check=False,
            cwd=tmp_path, env={"PATH": path, "PHALANX_JOBS": "1", **environment},
        )  # fmt: skip

    return run


def test_tidy_looks_at_rooms(tidy):
    done = tidy(TIDY_ROOMS="ir")
    assert done.returncode == 0 and "1 files" in done.stdout and "OK" in done.stdout
    wrong = tidy(TIDY_ROOMS="irr")
    assert wrong.returncode == 2 and "there is no room irr" in wrong.stderr


def test_tidy_says_that_it_has_nothing_to_look_at(tidy, tmp_path):
    (tmp_path / "phalanx/ir/a.cpp").unlink()
    done = tidy(TIDY_ROOMS="ir")
    assert done.returncode == 2 and "no sources" in done.stderr


def test_tidy_says_that_clang_tidy_is_missing(tidy, tmp_path):
    (tmp_path / "bin/clang-tidy-19").unlink()
    for command in ("dirname", "find", "sort"):
        (tmp_path / "bin" / command).symlink_to(shutil.which(command))
    done = tidy(TIDY_ROOMS="ir", PATH=str(tmp_path / "bin"))
    assert done.returncode == 2 and "no clang-tidy-19" in done.stderr


def test_tidy_names_changed_headers_that_nothing_includes(tidy, tmp_path):
    def git(*arguments):
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)

    for room in ("base", "infer", "numpy", "passes", "views", "jit"):
        (tmp_path / "phalanx" / room).mkdir()
    git("init", "-b", "main")
    git("add", ".")
    git("commit", "-m", "first")
    git("checkout", "-b", "more")
    (tmp_path / "phalanx/ir/lonely.h").write_text("")
    (tmp_path / "phalanx/ir/used.h").write_text("")
    (tmp_path / "phalanx/ir/b.cpp").write_text('#include "phalanx/ir/used.h"\n')
    git("add", ".")
    git("commit", "-m", "second")
    git("checkout", "main")
    git("merge", "--no-ff", "more")
    done = tidy("--changed")
    assert done.returncode == 0 and "1 files" in done.stdout
    assert "includes it: phalanx/ir/lonely.h" in done.stderr and "used.h" not in done.stderr
