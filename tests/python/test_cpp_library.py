"""The engine for C++ programs: the component `cpp`, installed, and examples/cpp built with it.

All that programs get is in a prefix of its own: neither the sources nor the build folder are seen.
"""

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("PHALANX_BUILD", ROOT / "build" / "dev"))
# Where the folder is named, as `make test` does, it has to be there.
HAS_BUILD = "PHALANX_BUILD" in os.environ or (BUILD / "CMakeCache.txt").exists()

pytestmark = pytest.mark.skipif(
    not HAS_BUILD, reason=f"there is no CMake build in {BUILD} to install the C++ library from"
)

# A program over all headers: functions that are defined in them call only what is exported, and
# errors are caught as what they are.
PROGRAM = """
#include <cstdio>
{includes}

int main() try {{
  phalanx::ir::parse("no IR");
  return 1;
}} catch (const phalanx::ValueError& error) {{
  std::printf("%s: %s", phalanx::version().data(), error.what());
}}
"""


def output_of(*command, **settings):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **settings)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """Where the component was installed, and then moved to: nothing in it names the first place."""
    folder = tmp_path_factory.mktemp("cpp")
    output_of("cmake", "--build", BUILD, "--target", "phalanx")
    output_of("cmake", "--install", BUILD, "--component", "cpp", "--prefix", folder / "first")
    return (folder / "first").rename(folder / "prefix")


@pytest.fixture(scope="module")
def examples(prefix):
    """A folder with the examples, built from a copy of theirs."""
    sources, build = prefix.parent / "examples", prefix.parent / "build"
    shutil.copytree(ROOT / "examples" / "cpp", sources)
    options = ["-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_CXX_FLAGS=-Wall -Werror"]
    output_of("cmake", "-S", sources, "-B", build, *options)
    output_of("cmake", "--build", build, "-j2")
    return build


def headers_in(prefix):
    include = prefix / "include"
    return sorted(str(file.relative_to(include)) for file in include.rglob("*.h"))


def public_headers():
    """Those that programs include. Others come with them, as they are needed."""
    text = (ROOT / "cmake" / "Install.cmake").read_text()
    return [f"phalanx/{name}" for name in re.findall(r"^  (\w+/\w+\.h)$", text, re.MULTILINE)]


@pytest.mark.parametrize("driver", ["its own", "no GPU"])
def test_saxpy_is_right_on_each_device(examples, tmp_path, driver):
    settings = {"PHALANX_CACHE_DIR": str(tmp_path)}
    if driver == "no GPU":
        settings["CUDA_VISIBLE_DEVICES"] = ""
    lines = output_of(examples / "saxpy", env={**os.environ, **settings}).splitlines()
    assert len(lines) == 2
    assert re.fullmatch(r"saxpy of 1000000 numbers on .+: 0 wrong", lines[0])
    assert re.fullmatch(r"saxpy of 1000000 numbers on .+: 0 wrong|no GPU: .+", lines[1])
    if driver == "no GPU":
        assert lines[1].startswith("no GPU: ")


def test_block_sums_are_right_for_each_type(examples, tmp_path):
    out = output_of(examples / "block_sums", env={**os.environ, "PHALANX_CACHE_DIR": str(tmp_path)})
    lines = out.splitlines()
    assert len(lines) in (2, 4)
    for line, name in zip(lines, ["float", "int64"] * 2, strict=False):
        assert re.fullmatch(rf"sums of 391 blocks of {name} on .+: right", line)
    assert any(tmp_path.iterdir()), "the kernels are kept on disk"


def test_kernels_of_one_module_share_a_global(examples, tmp_path):
    out = output_of(examples / "histogram", env={**os.environ, "PHALANX_CACHE_DIR": str(tmp_path)})
    lines = out.splitlines()
    assert len(lines) == 3
    for line in lines[:2]:
        assert re.fullmatch(r"shares of 1000000 numbers on .+: right", line)
    assert re.fullmatch(r"shares of 1000000 numbers on .+: right|no GPU: .+", lines[2])


def test_functions_of_numpy_are_broadcast_and_reduced(examples, tmp_path):
    out = output_of(examples / "distances", env={**os.environ, "PHALANX_CACHE_DIR": str(tmp_path)})
    *lines, refused = out.splitlines()
    assert len(lines) in (1, 2)
    for line in lines:
        assert re.fullmatch(r"farthest of 1000 points from each of 500 on .+: right", line)
    assert refused == "operands could not be broadcast together with shapes (2,3) (4,) "


def test_cuda_c_runs_on_each_device(examples, prefix, tmp_path):
    if not (prefix / "lib" / "libphalanx_cudac.so").exists():
        pytest.skip("clang's libraries are not here")
    out = output_of(examples / "cuda_c", env={**os.environ, "PHALANX_CACHE_DIR": str(tmp_path)})
    *lines, refused = out.splitlines()
    assert len(lines) in (1, 2)
    for line in lines:
        assert re.fullmatch(r"1000000 numbers scaled on .+: 0 wrong, 1000000 counted", line)
    assert refused == "wrong.cu:2:8: error: use of undeclared identifier 'factr'"


def test_the_library_exports_what_is_marked_only(prefix):
    library = prefix / "lib" / "libphalanx.so"
    table = output_of("nm", "-D", "--defined-only", library)
    names = [line.split()[-1] for line in table.splitlines()]
    assert any(name.startswith("_ZN7phalanx2ir7Builder") for name in names)
    assert any(name.startswith("_ZN7phalanx5numpy14emit_reduction") for name in names)
    # Of `infer` the table of ufuncs, from which those of `numpy` are taken.
    ufuncs = "5infer(?!10find_ufunc|6ufuncs|8loops_of|9result_in)"
    api = re.compile(
        rf"_Z(NK?|T[ISV]N)7phalanx(?!{ufuncs}|6passes|7codegen"
        # Of the front ends the way to that for CUDA C.
        r"|8frontend(?!13CudaCCompiler|9module_of|11CudaCSource|11CudaCResult))"
    )
    assert not [name for name in names if not api.match(name)]
    needed = re.findall(r"NEEDED.*\[(.+?)\.so", output_of("readelf", "-d", library))
    assert set(needed) <= {"libstdc++", "libgcc_s", "libm", "libc", "ld-linux-x86-64"}
    assert {file.name for file in (prefix / "lib" / "_libs").iterdir()} == {
        "libdevice.10.bc",
        "libsleef.so.3",
    }


def test_all_headers_are_installed_and_say_what_they_need(prefix, tmp_path):
    headers = headers_in(prefix)
    assert {"phalanx/jit/kernel.h", "phalanx/ir/builder.h"} <= set(public_headers()) < set(headers)
    outside = set()
    for header in headers:
        outside |= set(re.findall(r"#include <(.+)>", (prefix / "include" / header).read_text()))
    assert not {name for name in outside if "/" in name}, "headers of dependencies"
    compiler = [os.environ.get("CXX", "c++"), "-std=c++20", "-I", prefix / "include", "-Wall"]
    compiler += ["-Wextra", "-Werror", "-Wno-missing-field-initializers", "-x", "c++"]

    def compile_alone(header):
        output_of(*compiler, "-fsyntax-only", "-include", header, os.devnull)

    def link_all():
        program = tmp_path / "program.cpp"
        includes = "\n".join(f'#include "{header}"' for header in reversed(headers))
        program.write_text(PROGRAM.format(includes=includes))
        library = prefix / "lib"
        output_of(
            *[*compiler, "-fkeep-inline-functions", program, "-o", tmp_path / "program"],
            *["-L", library, "-lphalanx", f"-Wl,-rpath,{library}"],
        )
        return output_of(tmp_path / "program")

    with ThreadPoolExecutor(2) as pool:
        linked = pool.submit(link_all)
        list(pool.map(compile_alone, public_headers()))
    version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert linked.result().startswith(f"{version[1]}: ")


def test_arrays_of_cpp_programs_are_fused(examples, tmp_path):
    env = {**os.environ, "PHALANX_CACHE_DIR": str(tmp_path)}
    lines = output_of(examples / "black_scholes", env=env).splitlines()
    assert len(lines) in (1, 2)
    for line in lines:
        assert re.fullmatch(r"prices of 1000000 options on .+: 0 wrong, 1 kernel", line)


def test_arrays_of_cpp_programs_share_elements(examples, tmp_path):
    env = {**os.environ, "PHALANX_CACHE_DIR": str(tmp_path)}
    *lines, refused = output_of(examples / "heat", env=env).splitlines()
    assert len(lines) in (1, 2)
    for line in lines:
        assert re.fullmatch(r"heat after 50 steps on .+: \d+\.\d{3}, right", line)
    assert refused == "operands could not be broadcast together with shapes (3,) (4,) "
