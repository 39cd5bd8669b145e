"""A few random programs of CUDA C beside g++; tests/fuzz/cuda_c.py runs as many as one likes."""

import pathlib
import random
import subprocess
import sys

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule
from phalanx.errors import CompileError

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "fuzz"))
import cuda_c_host as host
import cuda_c_judge as judges
import cuda_c_texts as texts
import cuda_c_types as types
from cuda_c_programs import HEAD, PRELUDE, program
from cuda_c_tree import shrink

FOLDER = str(pathlib.Path(host.__file__).parent)


def test_random_programs_store_what_the_hosts_compiler_says(device):
    assert list(judges.Judge(device).describe(range(8))) == []


def test_sources_with_mistakes_end_in_an_error_or_in_code():
    assert list(texts.Judge().describe(range(16))) == []


def test_what_has_no_mistake_compiles_and_what_has_one_does_not():
    kernel = 'extern "C" __global__ void f(int* x) { x[0] = 1; }'
    assert texts.compile_text(kernel)
    assert not texts.compile_text(kernel.replace("1;", "y;"))
    assert not texts.compile_text(kernel.replace("__global__", "__device__"))


# What sources with mistakes found: code behind a loop without an end, in kernels with barriers.
ENDLESS = (
    "__syncthreads(); for (;;) x[0] += 1;",
    "for (int j = 0; j < 3; !j) x[j] += 1; __syncthreads(); x[3] = 2;",
    "int v = x[threadIdx.x]; __syncthreads(); while (true) x[0] += v; __syncthreads(); x[v] = v;",
    "__syncthreads(); if (x[1]) { for (;;) x[0] += 1; x[2] = 3; } x[threadIdx.x] = 4;",
)


@pytest.mark.parametrize("body", ENDLESS)
def test_code_behind_a_loop_without_an_end_compiles(body):
    assert texts.compile_text(f'extern "C" __global__ void f(int* x) {{ {body} }}')


def test_a_difference_is_told(monkeypatch):
    """As if programs with a loop stored another number here than with the host's compiler."""

    def other(text, way):
        right = host.run([text])[0]
        return right._replace(out=right.out + 1) if "while" in text else right

    monkeypatch.setattr(judges, "ours", other)
    monkeypatch.setattr(judges, "MOST_TRIES", 0)
    told = dict(judges.Judge().describe(range(4)))
    assert set(told) == {number for number in range(4) if "while" in str(program(number))} != set()
    assert all("g++ has" in each for each in told.values())


def test_a_program_is_made_as_small_as_it_can_be():
    whole = next(each for each in map(program, range(50)) if "switch" in str(each))
    before = len(str(whole))
    shrink(whole, lambda: "switch" in str(whole))
    assert "switch" in str(whole)
    assert len(str(whole)) < min(before, 1500)


WRITES_OF_CONSTANTS = (
    *("c = 3;", "c++;", "t[1] = 2;", "t[n] += x[0];", "++t[n];", "s.a = 4;", "s = S{1, 2};"),
    *(
        "int* p = &c; *p = 4;",
        "g(&c);",
        "g(t + 1);",
        "atomicAdd(&c, 1);",
        "atomicCAS(&t[n], 1, 2);",
    ),
)


@pytest.mark.parametrize("body", WRITES_OF_CONSTANTS)
def test_a_kernel_that_writes_to_constant_memory_is_told_so(body):
    head = """
    struct S { int a, b; };
    __constant__ int c = 5, t[4];
    __constant__ S s;
    __device__ void g(int* p) { *p = 3; }
    extern "C" __global__ void f(int* x, int n) {"""
    with pytest.raises(
        CompileError, match=r"constant memory.*\n?.*[Dd]eclare the variable __device__"
    ):
        CudaCModule(f"{head} {body} }}").kernel("f").handle.ptx((9, 0))


UNDEFINED = {
    "signed integer overflow": "out[i] = a[i] * 100000 * 100000;",
    "shift exponent": "out[i] = n << (n + 30);",
    "is outside the range": "out[i] = (int)(y[i] * 1e20);",
    "insufficient space": "int h[4] = {}; out[i] = h[i & 7];",
}


@pytest.mark.parametrize("why", UNDEFINED)
def test_what_cpp_does_not_define_is_the_generators_mistake(why):
    bad = f"{PRELUDE}{HEAD}{UNDEFINED[why]}\n}}\n"
    good = f"{PRELUDE}{HEAD}out[i] = i;\n}}\n"
    first, second = host.run([good, bad])
    assert isinstance(first, host.Results)
    assert why in second


def test_fibers_meet_at_barriers_and_shuffles():
    body = """__shared__ int s[64];
s[threadIdx.x] = i * 3;
__syncthreads();
out[i * 10] = s[63 - threadIdx.x];
out[i * 10 + 1] = __shfl_down_sync(0xffffffffu, i, 4);
out[i * 10 + 2] = __ballot_sync(0xffffffffu, threadIdx.x % 32 == 5);
atomicAdd(&bins[1], 2u);
"""
    (found,) = host.run([f"{PRELUDE}{HEAD}{body}}}\n"])
    i = np.arange(128)
    assert np.array_equal(found.out[::10], (i // 64 * 64 + 63 - i % 64) * 3)
    assert np.array_equal(found.out[1::10], np.where(i % 32 < 28, i + 4, i))
    assert (found.out[2::10] == 1 << 5).all()
    assert found.bins[1] == 1000 + 256


def test_a_program_is_the_same_in_every_process():
    code = "import cuda_c_programs as p; print(hash(tuple(map(ord, str(p.program(7))))))"
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=FOLDER,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": FOLDER},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(said) == 1


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"])
def test_the_range_of_an_operation_has_all_its_results(op):
    choices = random.Random(op)
    for _ in range(500):
        a = sorted(choices.randint(-40, 40) for _ in "ab")
        b = sorted(choices.randint(-40, 40) for _ in "ab")
        if op in ("/", "%", "<<", ">>"):
            b = sorted(choices.randint(1, 8) for _ in "ab")
        if op == "<<":
            a = sorted(map(abs, a))
        low, high = types.result(op, tuple(a), tuple(b))
        x, y = choices.randint(*a), choices.randint(*b)
        quotient = abs(x) // abs(y) * (1 if x * y >= 0 else -1) if y else 0
        value = {"/": quotient, "%": x - quotient * y}.get(op)
        value = eval(f"{x} {op} {y}") if value is None else value
        assert low <= value <= high, (x, op, y)
