"""Kernels and modules of the driver: what parameters take, launches, sources and their errors."""

import subprocess
import sys

import numpy as np
import pytest
from phalanx.compat.pycuda import driver as drv
from phalanx.compat.pycuda import gpuarray
from phalanx.compat.pycuda.compiler import DynamicModule, SourceModule

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")

PLAIN = "__global__ void k(int *x) { x[0] = 7; }"
TWICE = "__global__ void twice(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }"


def kernel(text, name):
    return SourceModule(text).get_function(name)


@pytest.fixture
def twice():
    return kernel(TWICE, "twice")


def of_device(memory, shape, dtype=np.uint8):
    return drv.from_device(memory, shape, dtype)


# Arguments

PARAMETERS = {
    "char": "int8", "unsigned char": "uint8", "short": "int16", "unsigned short": "uint16",
    "int": "int32", "unsigned int": "uint32", "long": "int64", "unsigned long": "uint64",
    "long long": "int64", "size_t": "uint64", "float": "float32", "double": "float64",
    "bool": "bool",
}  # fmt: skip
NUMBERS = [np.dtype(each).type for each in (*"bBhHiIqQ", "f4", "f8", "f2", "?", "F")]


def passed_by_value(declared, value):
    source = f"__global__ void k({declared} v, double *out) {{ out[0] = (double)v; }}"
    found = np.full(1, -99.0)
    kernel(source, "k")(value, drv.InOut(found), block=(1, 1, 1))
    return found[0]


class Failing:
    """Memory that fails the first time that it is asked for, as an interrupt does."""

    def __init__(self):
        self.errors = [ZeroDivisionError("of the property")]
        self.memory = drv.mem_alloc(4)

    @property
    def gpudata(self):
        if self.errors:
            raise self.errors.pop()
        return self.memory


@pytest.mark.parametrize("is_prepared", [False, True])
def test_what_goes_wrong_in_an_argument_is_told(is_prepared):
    taken = kernel(PLAIN, "k")
    with pytest.raises(ZeroDivisionError, match="of the property"):
        if is_prepared:
            taken.prepare("P").prepared_call((1, 1), (1, 1, 1), Failing())
        else:
            taken(Failing(), block=(1, 1, 1))


@pytest.mark.parametrize("declared", PARAMETERS)
def test_numbers_of_numpy_have_the_parameters_size(declared):
    wanted = np.dtype(PARAMETERS[declared])
    for number in NUMBERS:
        given = number(1)
        if given.dtype.itemsize != wanted.itemsize:
            with pytest.raises(drv.LogicError, match=rf"parameter #0 .* is {wanted}, of"):
                passed_by_value(declared, given)
        elif given.dtype.kind == "c" or (given.dtype.kind == "f") > (wanted.kind == "f"):
            with pytest.raises(TypeError, match="parameter #0"):
                passed_by_value(declared, given)
        else:
            assert passed_by_value(declared, given) == 1


@pytest.mark.parametrize("declared", PARAMETERS)
def test_numbers_of_python_are_converted(declared):
    assert passed_by_value(declared, 1) == 1
    assert passed_by_value(declared, True) == 1
    if declared in ("float", "double"):
        assert passed_by_value(declared, 2.5) == 2.5
        return
    with pytest.raises(TypeError, match=r"the float 2\.5 .*int\(x\)"):
        passed_by_value(declared, 2.5)
    if declared != "bool":
        with pytest.raises(OverflowError, match="does not fit"):
            passed_by_value(declared, 1 << 64)


@pytest.mark.parametrize("value", [None, "x", b"x", 1j, [1], (1, 2), object()])
def test_no_numbers(value):
    with pytest.raises(TypeError, match=r"parameter #0 .* for int32"):
        passed_by_value("int", value)


def test_arrays_and_memory_for_numbers():
    assert passed_by_value("int", np.array([3], np.int32)) == 3
    with pytest.raises(TypeError, match=r"shape \(2,\) for int32"):
        passed_by_value("int", np.zeros(2, np.int32))
    with pytest.raises(TypeError, match="memory for int32"):
        passed_by_value("int", drv.mem_alloc(4))


FITTING = {
    "allocation": drv.to_device,
    "array": gpuarray.to_gpu,
    "gpudata": lambda a: gpuarray.to_gpu(a).gpudata,
    "phalanx": px.asarray,
    "pointer": lambda a: px.asarray(a).data,
    "in": drv.In,
    "inout": drv.InOut,
}


@pytest.mark.parametrize("case", FITTING)
def test_what_fits_a_pointer(twice, case):
    twice(FITTING[case](np.ones(4, np.float32)), 4, block=(4, 1, 1))


def test_addresses_fit_pointers(twice):
    memory = drv.to_device(np.ones(4, np.float32))
    for address in (int(memory), np.uintp(int(memory)), np.int64(int(memory))):
        twice(address, 4, block=(4, 1, 1))
    assert of_device(memory, 4, np.float32).tolist() == [8] * 4


def test_arrays_of_phalanx_are_written_in_place(twice):
    x = px.ones(4, "float32")
    later = x + 1
    twice(x, 4, block=(4, 1, 1))
    assert x.tolist() == [2] * 4 and later.tolist() == [2] * 4
    drv.memset_d32(x, 0, 2)
    assert x.tolist() == [0, 0, 2, 2]
    with pytest.raises(drv.LogicError, match="allocation of 16"):
        drv.memset_d32(x, 0, 5)


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (np.ones(4, np.float32), TypeError, "drv.InOut"),
        (1.5, TypeError, r"float for float32\*"),
        ("x", TypeError, "str for"),
        (b"abcd", TypeError, "bytes for"),
        ([1.0], TypeError, "list for"),
        (np.int32(4), drv.LogicError, "numpy.int32 has 4"),
        (True, TypeError, "bool for"),
        (drv.In([1, 2]), TypeError, "array length"),
    ],
)
def test_what_no_pointer_takes(twice, value, kind, text):
    with pytest.raises(kind, match=text):
        twice(value, 4, block=(4, 1, 1))


def test_in_out_and_both():
    text = """__global__ void copy(int *to, int *from, int *n) {
      to[threadIdx.x] = from[threadIdx.x];
      if (!threadIdx.x) ++*n;
    }"""
    copy = kernel(text, "copy")
    source, target, count = np.arange(4, dtype=np.int32), np.zeros(4, np.int32), np.int32([6])
    for stream in (None, drv.Stream()):
        copy(drv.Out(target), drv.In(source), drv.InOut(count), block=(4, 1, 1), stream=stream)
    assert target.tolist() == [0, 1, 2, 3] and count[0] == 8


STRUCT = """
struct P { int a; float b; };
__global__ void value(P p, float *out) { out[0] = p.a + p.b; }
__global__ void pointer(P *p, float *out) { out[0] = p->a + p->b; }
"""
RECORD = np.array((3, 1.5), [("a", "i4"), ("b", "f4")])


@pytest.mark.parametrize("given", [RECORD, RECORD[()], (3, 1.5)])
def test_structs_take_records(given):
    found = np.zeros(1, np.float32)
    kernel(STRUCT, "value")(given, drv.Out(found), block=(1, 1, 1))
    assert found[0] == 4.5


def test_pointers_to_structs_take_memory_of_records():
    found = np.zeros(1, np.float32)
    for given in (drv.to_device(RECORD), drv.In(RECORD)):
        kernel(STRUCT, "pointer")(given, drv.Out(found), block=(1, 1, 1))
        assert found[0] == 4.5


@pytest.mark.parametrize(
    ("given", "text"),
    [(3, "int for a struct"), (RECORD.tobytes(), "bytes"), (np.zeros((), [("a", "i4")]), "of 1")],
)
def test_what_structs_refuse(given, text):
    with pytest.raises(TypeError, match=text):
        kernel(STRUCT, "value")(given, drv.Out(np.zeros(1, np.float32)), block=(1, 1, 1))


# Launches

LAUNCHES = {
    "must specify block size": (ValueError, {}),
    "2048 threads": (drv.LogicError, {"block": (2048, 1, 1)}),
    "the block: extent x is 0": (drv.LogicError, {"block": (0, 1, 1)}),
    "the grid: extent y is 0": (drv.LogicError, {"block": (1, 1, 1), "grid": (1, 0)}),
    "over the device's limit": (drv.LogicError, {"block": (1, 1, 1), "grid": (1, 1, 70000)}),
    "divide with //": (TypeError, {"block": (1, 1, 1), "grid": (1.5, 1)}),
    "shared memory": (drv.LogicError, {"block": (1, 1, 1), "shared": 10**8}),
    "Stream or None": (TypeError, {"block": (1, 1, 1), "stream": 5}),
    "texture references": (drv.LogicError, {"block": (1, 1, 1), "texrefs": [1]}),
}


@pytest.mark.parametrize("text", LAUNCHES)
def test_what_launches_refuse(twice, text):
    kind, given = LAUNCHES[text]
    with pytest.raises(kind, match=text):
        twice(drv.mem_alloc(16), 4, **given)


def test_the_number_of_arguments(twice):
    with pytest.raises(TypeError, match="takes 2 arguments, 1 were given"):
        twice(drv.mem_alloc(16), block=(1, 1, 1))
    with pytest.raises(TypeError, match="takes 2 arguments, 3 were given"):
        twice.prepare("Pi").prepared_call((1, 1), (1, 1, 1), drv.mem_alloc(16), 4, 5)


def test_timed_launches(twice):
    memory = drv.mem_alloc(16)
    assert twice(memory, 4, block=(4, 1, 1), time_kernel=True) > 0
    with pytest.raises(ValueError, match="asynchronous"):
        twice(memory, 4, block=(4, 1, 1), time_kernel=True, stream=drv.Stream())
    twice.prepare("Pi")
    assert twice.prepared_timed_call((1, 1), (4, 1, 1), memory, 4)() >= 0


FORMATS = [
    "Pi", "PI", b"Pi", ["P", "i"], ["Pi"], ("P", np.uint32), [np.intp, np.int32],
    [np.uintp, np.dtype("i4")], [gpuarray.GPUArray, np.int32],
]  # fmt: skip


@pytest.mark.parametrize("types", FORMATS, ids=str)
def test_prepared_calls(twice, types):
    memory, stream = drv.to_device(np.ones(4, np.float32)), drv.Stream()
    assert twice.prepare(types) is twice
    twice.prepared_call((1, 1), (4, 1, 1), memory, 4)
    twice.prepared_call((1, 1), (4, 1, 1), int(memory), np.int32(4), shared_size=64)
    drv.Context.synchronize()
    twice.prepared_async_call((1, 1), (4, 1, 1), stream, memory, 2)
    stream.synchronize()
    assert of_device(memory, 4, np.float32).tolist() == [8, 8, 4, 4]


@pytest.mark.parametrize(
    ("types", "kind", "text"),
    [
        ("P", drv.LogicError, "told of 1"),
        ("", drv.LogicError, "told of 0"),
        ("P4i", drv.LogicError, "told of 5"),
        ("Pl", drv.LogicError, "is int32, of 4 bytes; .* 'l', of 8"),
        ("Pf", drv.LogicError, "is int32, of 4 bytes; .* 'f', of 4"),
        ("ii", drv.LogicError, r"is float32\*, of 8 bytes"),
        ([np.float32, np.int32], drv.LogicError, r"#0 .* is float32\*"),
        ([np.intp, int], drv.LogicError, "#1 .* 'int64', of 8"),
        ("Py", TypeError, "'y' names no type"),
        ("P i!", TypeError, "no letters"),
        ([None, "i"], TypeError, "None names no type"),
        (None, TypeError, "not iterable"),
    ],
)
def test_what_prepare_refuses(twice, types, kind, text):
    with pytest.raises(kind, match=text):
        twice.prepare(types)


def test_what_prepared_calls_refuse(twice):
    twice.prepare("Pi")
    memory = drv.mem_alloc(16)
    for given, kind, text in (
        ((memory, 4.5), TypeError, r"the float 4\.5"),
        ((1.5, 4), TypeError, "float for"),
        ((np.zeros(4), 4), TypeError, "drv.InOut"),
        ((drv.In(np.zeros(4)), 4), TypeError, "not prepared"),
        ((memory, memory), TypeError, "memory for int32"),
        ((memory, np.int64(4)), drv.LogicError, "numpy.int64 has 8"),
    ):
        with pytest.raises(kind, match=text):
            twice.prepared_call((1, 1), (4, 1, 1), *given)


def test_attributes_of_kernels(twice):
    assert twice.max_threads_per_block >= 32 and twice.num_regs >= 0
    assert twice.get_attribute(drv.function_attribute.SHARED_SIZE_BYTES) == 0
    assert repr(twice) == "<Function twice(float32*, int32)>"
    with pytest.raises(AttributeError, match="nothing"):
        _ = twice.nothing
    with pytest.raises(drv.LogicError, match="no attribute 77"):
        twice.get_attribute(77)


# Modules


def test_constant_and_device_variables():
    module = SourceModule("""
    __constant__ float c[4]; __device__ int n = 5;
    __global__ void k(float *o, int *p) { o[0] = c[2]; p[0] = n++; }""")
    address, size = module.get_global("c")
    drv.memcpy_htod(address, np.float32([0, 10, 20, 30]))
    out, number = np.zeros(1, np.float32), np.zeros(1, np.int32)
    module.get_function("k")(drv.Out(out), drv.Out(number), block=(1, 1, 1))
    assert size == 16 and out[0] == 20 and number[0] == 5
    assert of_device(module.get_global("n")[0], 1, np.int32)[0] == 6
    with pytest.raises(drv.LogicError, match="800 bytes of an allocation of 16"):
        drv.memcpy_htod(address, np.zeros(100))
    with pytest.raises(drv.LogicError, match="no global 'zz'; it has c, n"):
        module.get_global("zz")
    with pytest.raises(drv.LogicError, match="no kernel 'zz'; it has k"):
        module.get_function("zz")


BROKEN = {
    "kernel.cu:3:3: error": ("\n__global__ void k(int *x) {\n  nothing = 1;\n}", {}),
    "kernel.cu:3:4: error": (
        "\n__global__ void k(int *x) {\n   nothing = 1;\n}",
        {"no_extern_c": True},
    ),
    "kernel.cu:2:10: fatal error: 'nope.h'": ('\n#include "nope.h"\n' + PLAIN, {}),
    "'/dev/zero' file not found": ('#include "/dev/zero"\n' + PLAIN, {}),
    "null byte": (PLAIN + "\0", {}),
    "null": (PLAIN.encode() + b"\0", {}),
    "redefinition of 'k'": (PLAIN + "\n" + PLAIN, {}),
    "kernel.cu:1:2: error: hello": ("#error hello\n" + PLAIN, {}),
    "expected '}'": ("__global__ void k(int *x) {", {}),
    "invalid output constraint": ('__global__ void k(int *x) { asm("nop" : "=a"(x[0])); }', {}),
    "in __global__ function": ("__global__ void k(int *x) { k<<<1, 1>>>(x); }", {}),
    "no template named 'texture'": ("texture<float, 2> t;\n" + PLAIN, {}),
    "recursive template": (
        "template <int N> struct R { static const int v = R<N + 1>::v; };\n"
        "__global__ void k(int *x) { x[0] = R<0>::v; }",
        {"no_extern_c": True},
    ),
    "the option -foo is not known": (PLAIN, {"options": ["-foo"]}),
    "99 is not known": (PLAIN, {"options": ["-std=c++99"]}),
    "an option is a text": (PLAIN, {"options": [None]}),
}


@pytest.mark.parametrize("text", BROKEN)
def test_errors_of_compilation(text):
    source, given = BROKEN[text]
    with pytest.raises(drv.CompileError) as raised:
        SourceModule(source, **given)
    assert text in str(raised.value)


@pytest.mark.parametrize("begin", ["\n", ""])
def test_check_mode_names_lines_of_the_source(begin, monkeypatch):
    monkeypatch.setenv("PHALANX_CHECK", "1")
    text = (
        begin
        + """__global__ void k(int *x, int n) {
      x[0] = 5 / n;
    }"""
    )
    memory = drv.mem_alloc(4)
    with pytest.raises(px.KernelError, match=rf"kernel.cu:{2 + len(begin)}: \[division\]"):
        kernel(text, "k")(memory, 0, block=(1, 1, 1))
        drv.Context.synchronize()


def test_includes_without_end(tmp_path):
    (tmp_path / "own.h").write_text('#include "own.h"\n')
    with pytest.raises(drv.CompileError, match="nested too deep"):
        SourceModule('#include "own.h"\n' + PLAIN, include_dirs=[str(tmp_path)])


def test_long_sources():
    SourceModule(PLAIN + "\n//" + "x" * 10_000_000 + "\n" * 1_000_000)


def run(module):
    found = np.zeros(1, np.int32)
    module.get_function("k")(drv.Out(found), block=(1, 1, 1))
    return found[0]


@pytest.mark.parametrize(
    "given",
    [
        {"options": ["-DN=4"]},
        {"options": ["-D", "N=4"]},
        {"options": ["-DN=4", "-arch", "sm_70", "-Xptxas", "-v", "-O3", "--use_fast_math"]},
        {"options": ["-DN=4", "-gencode", "arch=compute_80,code=sm_80", "-ccbin", "gcc", "-w"]},
        {"options": ["-DN=4"], "nvcc": "none", "arch": "sm_70", "code": "x", "cache_dir": False},
        {"options": ["-DN=4", "-std=c++14", "-maxrregcount=32", "--ptxas-options=-v", "-lineinfo"]},
    ],
    ids=str,
)  # fmt: skip
def test_options(given):
    assert run(SourceModule("__global__ void k(int *x) { x[0] = N; }", **given)) == 4


def test_folders_of_headers(tmp_path):
    (tmp_path / "own.h").write_text("#define N 4\n")
    source = '#include "own.h"\n__global__ void k(int *x) { x[0] = N; }'
    for folders in ([str(tmp_path)], str(tmp_path)):
        assert run(SourceModule(source, include_dirs=folders)) == 4
    with pytest.raises(TypeError, match="not one text"):
        SourceModule(source, options=f"-I{tmp_path}")


def test_what_a_source_may_be():
    class Generated:
        def __str__(self):
            return PLAIN

    in_latin_1 = b"// \xe4\n" + PLAIN.encode()
    for source in (PLAIN, in_latin_1, Generated()):
        assert run(SourceModule(source)) == 7
    for source in (None, 5, [PLAIN], object()):
        with pytest.raises(TypeError, match="source is a text"):
            SourceModule(source)


def test_short_names_of_unsigned_types():
    source = "__global__ void k(uint *x) { ushort a = 3; ulong b = 4; x[0] = a + b; }"
    assert run(SourceModule(source)) == 7
    assert run(SourceModule("typedef unsigned int uint;\n" + source)) == 7


def test_sources_that_are_linked():
    module = DynamicModule().add_source(PLAIN).add_source("__device__ int n;")
    with pytest.raises(drv.LogicError, match=r"call link\(\)"):
        module.get_function("k")
    assert run(module.link()) == 7
    broken = DynamicModule().add_source(PLAIN).add_source("\nint f() { return zz; }")
    with pytest.raises(drv.CompileError, match="source 1:2:18: error"):
        broken.link()


@pytest.mark.parametrize("number", [2**32, -(2**31) - 1, 2**40, 10**30])
def test_prepared_calls_refuse_ints_that_do_not_fit(number):
    source = "__global__ void f(int* a, int n) { a[0] = n; }"
    function = SourceModule(source).get_function("f").prepare("Pi")
    memory = drv.mem_alloc(4)
    for fitting in (2**31 - 1, -(2**31)):
        function.prepared_call((1, 1), (1, 1, 1), memory, fitting)
        assert drv.from_device(memory, 1, np.int32)[0] == fitting
    with pytest.raises((TypeError, ValueError, OverflowError, drv.LogicError)):
        function.prepared_call((1, 1), (1, 1, 1), memory, number)


PRINTS = """
from phalanx.compat.pycuda.compiler import SourceModule
text = 'extern "C" __global__ void say() { printf("thread %d", threadIdx.x); }'
SourceModule(text, no_extern_c=True).get_function("say")(block=(1, 1, 1))
"""


def test_what_kernels_printed_is_shown_at_the_end_of_the_process():
    done = subprocess.run(
        [sys.executable, "-c", PRINTS], capture_output=True, text=True, check=True
    )
    assert "thread 0" in done.stdout
