"""The package from outside: import, command line, import names, beside Numba."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


def test_importing_loads_no_numpy_and_leaves_no_trace(run_python, tmp_path):
    done = run_python(
        """
import os, sys, threading
before = set(os.listdir('.'))
import phalanx
from phalanx import cuda
print('numpy' in sys.modules, threading.active_count(), len(os.listdir('/proc/self/task')),
      set(os.listdir('.')) == before, os.path.exists(os.environ['PHALANX_CACHE_DIR']))
"""
    )
    assert done.stdout.split() == ["False", "1", "1", "True", "False"]


SCRIPT = """
import sys
import numba
from numba import cuda, float32, types
import numpy as np
@cuda.jit
def add(a, out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = a[i] + 1
a = np.arange(10, dtype=np.float32)
out = np.zeros_like(a)
add[1, 32](a, out)
print(sys.argv[1:], cuda.is_available(), out.sum(), cuda.__name__)
"""


def phalanx(*arguments, **environment):
    import os

    return subprocess.run(
        [sys.executable, "-m", "phalanx", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PHALANX_DEVICE": "cpu", **environment},
    )


def test_run_takes_scripts_modules_and_code(tmp_path):
    script = tmp_path / "my_script.py"
    script.write_text(SCRIPT)
    expected = "['x', '-y'] True 55.0 phalanx.compat.numba_cuda"
    for arguments in ((str(script), "x", "-y"), ("-c", SCRIPT, "x", "-y")):
        done = phalanx("run", *arguments)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == expected
    done = subprocess.run(
        [sys.executable, "-m", "phalanx", "run", "--device", "cpu", "-m", "my_script", "x", "-y"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.stdout.strip() == expected, done.stderr


@pytest.mark.parametrize("kind", ["script", "module", "code"])
def test_run_keeps_the_path_where_python_puts_no_folder_first(tmp_path, kind):
    code = "import sys; print(sys.path)"
    (tmp_path / "my_script.py").write_text(code)
    program = {"script": ["my_script.py"], "module": ["-m", "my_script"], "code": ["-c", code]}
    path = ["first", str(tmp_path), *map(os.path.abspath, sys.path)]
    safe = {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(path)}
    printed = [
        subprocess.run(
            [sys.executable, *prefix, *program[kind]],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=safe,
        ).stdout
        for prefix in ((), ("-m", "phalanx", "run"))
    ]
    assert printed[0] and printed[0] == printed[1]


def test_run_passes_on_how_the_program_ends(tmp_path):
    assert phalanx("run", "-c", "import sys; sys.exit(7)").returncode == 7
    failed = phalanx("run", "-c", "raise KeyError('gone')")
    assert failed.returncode == 1
    assert "KeyError: 'gone'" in failed.stderr


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("run",), "usage"),
        (("run", "missing.py"), "no such file"),
        (("run", "--profile=", "missing.py"), "nothing follows --profile=: a file, .json or .html"),
        (("run", "--check=", "missing.py"), "nothing follows --check="),
        (("run", "--nonsense", "x.py"), "unknown option"),
        (("run", "-m"), "needs a module"),
        (("run", "--check=bonds", "-c", "1"), "no category 'bonds'; it takes bounds"),
        (("run", "--device", "gpu", "-c", "1"), "--device takes cpu, cuda, cuda:N or auto, not"),
        (("run", "--device=cuda:x", "-c", "1"), "--device takes cpu, cuda, cuda:N or auto, not"),
        (("run", "--profile=nosuch/p.json", "-c", "1"), "make the folder 'nosuch' first"),
    ],
)
def test_run_explains_wrong_use(arguments, text):
    done = phalanx(*arguments)
    assert done.returncode == 2
    assert text in done.stderr


@pytest.mark.parametrize("program", ["-", "/dev/stdin"])
def test_run_reads_a_program_from_a_pipe(program):
    done = subprocess.run(
        [sys.executable, "-m", "phalanx", "run", program, "--two"],
        input=SCRIPT + "\nimport sys\nprint(sys.argv)",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert f"[{program!r}, '--two']" in done.stdout


def test_a_program_may_choose_the_device_before_it_uses_one():
    choose = "import os\nos.environ['PHALANX_DEVICE'] = 'cpu'\n"
    done = phalanx("run", "-c", choose + SCRIPT, PHALANX_DEVICE="tpu")
    assert done.returncode == 0, done.stderr


def test_an_unknown_device_is_explained():
    done = phalanx("run", "-c", SCRIPT, PHALANX_DEVICE="tpu")
    assert done.returncode == 1
    assert "cpu" in done.stderr
    assert "cuda" in done.stderr


def test_info_prints_devices_driver_cache_and_what_is_missing():
    done = phalanx("info")
    assert done.returncode == 0, done.stderr
    for word in ("Devices", "GPU driver", "Libraries", "Cache", "CPU features", "cpu"):
        assert word in done.stdout
    import json

    assert "Devices" in json.loads(phalanx("info", "--json").stdout)


def test_phalanx_and_numba_live_in_one_process(run_python):
    pytest.importorskip("numba", reason="Numba is not installed: nothing to live beside")
    code = """
{first}
{second}
import numpy as np
@numba.njit
def theirs(x):
    return x * 2 + 1
@cuda.jit
def ours(x, out):
    i = cuda.grid(1)
    if i < x.shape[0]:
        out[i] = x[i] * 2 + 1
x = np.arange(100.0); out = np.zeros(100)
ours[1, 128](x, out)
assert (theirs(x) == out).all()
print("both")
"""
    numba, cuda = "import numba, llvmlite.binding", "from phalanx import cuda"
    for first, second in ((numba, cuda), (cuda, numba)):
        done = run_python(code.format(first=first, second=second), PHALANX_DEVICE="cpu")
        assert done.stdout.strip() == "both"


EXAMPLES = sorted(
    path.stem for path in (REPOSITORY / "examples").glob("[a-z]*.py") if path.stem != "run_all"
)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_check_themselves(name, device):
    # Warnings, too, are failures: the examples are as kernels ought to be.
    done = phalanx(
        "run",
        str(REPOSITORY / "examples" / f"{name}.py"),
        PHALANX_DEVICE=device,
        PYTHONWARNINGS="error",
    )
    assert done.returncode == 0, done.stderr
    assert {"trips": "trips", "customers": "customers"}.get(name, "kernel") in done.stdout


CPU_SCRIPT = """
import numba
from numba import jit, njit, prange
import numpy as np
@njit(parallel=True)
def total(a):
    s = 0.0
    for i in prange(len(a)):
        s += a[i]
    return s
@jit(nopython=True)
def shifted(a):
    return a + numba.float64(1)
print(total(np.ones(1000)), shifted(np.ones(2)).sum(), type(total).__module__.split('.')[0])
"""


def test_run_serves_numbas_cpu_functions(tmp_path):
    script = tmp_path / "functions.py"
    script.write_text(CPU_SCRIPT)
    done = phalanx("run", str(script))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1000.0", "4.0", "phalanx"]


def test_a_first_kernel_imports_little(run_python):
    """What CPU functions need takes milliseconds to import: kernels do without."""
    done = run_python(
        """
import sys
import numpy as np
from phalanx import cuda
@cuda.jit
def kernel(out):
    out[cuda.grid(1)] = np.sqrt(4.0)
out = np.zeros(32)
kernel[1, 32](out)
assert (out == 2).all()
print('numpy.random' in sys.modules, 'phalanx._library.random' in sys.modules)
"""
    )
    assert done.stdout.split() == ["False", "False"]


def test_the_settings_are_found_under_each_name(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from numba import cuda\n"
        "from numba.cuda import config\n"
        "import numba.cuda.config as same\n"
        "from numba.core import config as another\n"
        "another.OPT = 1\n"
        "print(config is same is cuda.config, config.ENABLE_CUDASIM, int(config.OPT))\n"
        "config.OPT = 2\n"
        "print(another.OPT)\n"
    )
    assert phalanx("run", str(script)).stdout.split() == ["True", "0", "1", "2"]


def test_info_names_the_driver_that_reads_our_ptx():
    from phalanx._tools import info

    from phalanx import cuda, types

    text, _ = cuda.compile_ptx(lambda a: None, (types.float32[::1],), cc=(9, 0))
    assert f".version {info.PTX_VERSION}\n" in text


def test_info_lists_libraries_that_are_loaded():
    from phalanx._tools import info

    files = [*REPOSITORY.glob("python/phalanx/**/*.py"), *REPOSITORY.glob("phalanx/**/*.cpp")]
    text = "".join(path.read_text() for path in files)
    for stem, _, _ in info._LIBRARIES:
        assert f'find_library("{stem}")' in text or f'"lib{stem}.so' in text, stem
