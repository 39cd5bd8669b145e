"""What kernels do in ways that few use: text, sizes, names of arguments, what they tell."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx import cuda, errors

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")


@cuda.jit
def scale(a, factor=2, *, shift=0):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = a[i] * factor + shift


@pytest.mark.parametrize("dtype", ["S4", "U4"])
def test_text_is_compared_and_counted(device, dtype):
    words = np.array(["abc", "abe", "", "abcd"]).astype(dtype)

    @cuda.jit
    def kernel(words, lengths, same, literal):
        for i in range(words.size):
            lengths[i] = len(words[i])
            for j in range(words.size):
                same[i, j] = words[i] == words[j]
            literal[i] = words[i] != "abc"

    lengths = np.zeros(4, np.int64)
    same, literal = np.zeros((4, 4), bool), np.zeros(4, bool)
    kernel[1, 1](words, lengths, same, literal)
    np.testing.assert_array_equal(lengths, [3, 3, 0, 4])
    np.testing.assert_array_equal(same, words[:, None] == words)
    np.testing.assert_array_equal(literal, [False, True, True, True])


def test_text_of_other_lengths_bytes_and_letters_beyond_ascii(device):
    short, long = np.array([b"ab"], "S2"), np.array([b"ab"], "S9")
    umlauts = np.array(["größe"])

    @cuda.jit
    def kernel(short, long, umlauts, out):
        out[0] = short[0] == long[0]
        out[1] = long[0] == b"ab"
        out[2] = umlauts[0] == "größe"
        out[3] = umlauts[0] == "grösse"
        out[4] = len("größe") == 5

    out = np.zeros(5, bool)
    kernel[1, 1](short, long, umlauts, out)
    assert out.tolist() == [True, True, True, False, True]


@pytest.mark.parametrize("space", [cuda.shared, cuda.local], ids=["shared", "local"])
def test_arrays_of_blocks_and_threads_have_an_end(device, space):
    array, count = space.array, 2**30

    @cuda.jit
    def kernel(out):
        made = array(count, np.float32)
        made[cuda.threadIdx.x] = 1
        out[0] = made[int(out[1])]

    with pytest.raises(errors.TypingError, match="array of 2 GiB or more"):
        kernel[1, 1](np.zeros(2))


def test_many_large_arrays_do_not_wrap_around(device):
    @cuda.jit
    def kernel(out):
        a = cuda.shared.array(2**28, np.float32)
        b = cuda.shared.array(2**28, np.float32)
        c = cuda.shared.array(2**28, np.float32)
        d = cuda.shared.array(2**28, np.float32)
        i = int(out[0])
        a[i] = b[i] = c[i] = d[i] = 1
        cuda.syncthreads()
        out[1] = a[i + 1] + b[i + 1] + c[i + 1] + d[i + 1]

    with pytest.raises((errors.CompileError, errors.LaunchError, errors.DeviceError)):
        kernel[1, 1](np.zeros(2))


TABLE = np.arange(3, dtype=np.int32)


def test_arguments_have_numba_cudas_names(device):
    @cuda.jit
    def kernel(out):
        cuda.atomic.add(ary=out, idx=0, val=2)
        cuda.atomic.max(out, val=7, idx=(1,))
        cuda.atomic.cas(out, idx=2, old=0, val=5)
        out[3] = cuda.const.array_like(ndarray=TABLE)[2]

    out = np.zeros(4, np.int32)
    kernel[1, 1](out)
    assert out.tolist() == [2, 7, 5, 2]


def test_threads_have_three_dimensions(device):
    @cuda.jit
    def kernel(out):
        out[0] = cuda.threadIdx.w

    with pytest.raises(errors.TypingError, match=r"cuda\.threadIdx has no attribute w"):
        kernel[1, 1](np.zeros(1))


def test_read_only_arguments_are_named_as_such(device):
    frozen = np.zeros(3)
    frozen.flags.writeable = False
    with pytest.raises(errors.TypingError, match="read-only on the host"):
        scale[1, 32](frozen)


def test_kernels_tell_what_they_use(device):
    kernel = cuda.jit(scale.py_func)
    kernel[1, 32](np.zeros(3))
    (made,) = kernel.overloads.values()
    assert made.regs_per_thread == kernel.get_regs_per_thread(kernel.signatures[0])
    assert made.max_threads_per_block >= 32
    assert made.const_mem_size >= 0
    assert made.shared_mem_per_block == made.local_mem_per_thread == 0
    assert "define" in made.inspect_llvm()
    assert made.inspect_asm() == kernel.inspect_asm(kernel.signatures[0])


def test_numpy_reads_bfloat16_arrays(device):
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    assert np.asarray(cuda.to_device(np.ones(3, bfloat16))).dtype == bfloat16
