"""Textures and surfaces by objects: all that a sampler does, beside the guide's formulas."""

import gc
import itertools
import os

import numpy as np
import pytest
from phalanx.compat import cupy_runtime as rt
from phalanx.compat.cupy_raw_kernels import RawKernel, RawModule
from phalanx.compat.cupy_textures import (
    ChannelFormatDescriptor,
    CUDAarray,
    ResourceDescriptor,
    SurfaceObject,
    TextureDescriptor,
    TextureObject,
)
from phalanx.compat.pycuda.compiler import SourceModule
from texture_formula import BORDER, CLAMP, LINEAR, MIRROR, POINT, WRAP, fetched, values_of

import phalanx as px
from phalanx import _engine, cuda

pytestmark = [
    pytest.mark.usefixtures("device"),
    pytest.mark.of_phalanx("its own headers declare textures"),
]

EXTENTS = {1: (16,), 2: (16, 8), 3: (8, 8, 4)}  # width, height, depth: powers of 2, exact fractions
C_NAMES = {
    "i1": "char", "u1": "uchar", "i2": "short", "u2": "ushort", "i4": "int", "u4": "uint",
    "f2": "float", "f4": "float",
}  # fmt: skip
SCALARS = {"char": "signed char", "uchar": "unsigned char", "ushort": "unsigned short",
           "uint": "unsigned"}  # fmt: skip
FETCH = """
template <typename T>
__global__ void fetch(T* out, cudaTextureObject_t t, const float* x, const float* y,
                      const float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = %s;
}
"""
FETCHES = {
    1: FETCH % "tex1D<T>(t, x[i])",
    2: FETCH % "tex2D<T>(t, x[i], y[i])",
    3: FETCH % "tex3D<T>(t, x[i], y[i], z[i])",
}
BORDER_COLOUR = (0.25, -0.5, 0.75, 1.0)
MODULES = {}


def c_type(code, channels):
    name = C_NAMES[code]
    return SCALARS.get(name, name) if channels == 1 else f"{name}{channels}"


def channel_format(code, channels):
    dtype = np.dtype(code)
    bits = [8 * dtype.itemsize] * channels + [0] * (4 - channels)
    return ChannelFormatDescriptor(*bits, "iuf".index(dtype.kind))


def random_texels(code, extents, channels, seed=0):
    """Of the shape (depth, height, width, channels)."""
    shape = (*(1,) * (3 - len(extents)), *reversed(extents), channels)
    draw = np.random.default_rng(seed)
    if code[0] == "f":
        return draw.uniform(-1, 1, shape).astype(code)
    limits = np.iinfo(code)
    return draw.integers(limits.min, limits.max, shape, dtype=code, endpoint=True)


def rows_of(texels, dimensions):
    """As CUDAarray takes them: channels are in the last dimension."""
    depth, height, width, channels = texels.shape
    return texels.reshape((depth, height, width * channels)[3 - dimensions :])


def array_of(texels, dimensions, flags=0):
    code = texels.dtype.str[1:]
    extents = texels.shape[2::-1][:dimensions]
    made = CUDAarray(channel_format(code, texels.shape[3]), *extents, flags=flags)
    made.copy_from(rows_of(texels, dimensions))
    return made


def texture_of(array, *modes, **more):
    return TextureObject(
        ResourceDescriptor(rt.cudaResourceTypeArray, cuArr=array), TextureDescriptor(*modes, **more)
    )


def kernel_of(text, declared):
    key = text, declared
    if key not in MODULES:
        name = f"fetch<{declared}>"
        MODULES[key] = RawModule(code=text, name_expressions=(name,)).get_function(name)
    return MODULES[key]


def read(kernel, texture, points, dtype, channels):
    count = len(points[0])
    out = px.zeros(count * channels, dtype)
    given = [px.asarray(each) for each in [*points, *[points[0]] * (3 - len(points))]]
    kernel((-(-count // 64),), (64,), (out, texture, *given, np.int32(count)))
    return np.asarray(out).reshape(count, channels)


def points_in(extents, normalized, seed=1):
    """Places in and around a texture in steps of 1/64 element, none on an element's edge."""
    draw = np.random.default_rng(seed)
    made = []
    for extent in extents:
        places = draw.integers(-2 * extent * 64, 3 * extent * 64, 100)
        places[places % 64 == 0] += 1
        made.append((places / 64 / (extent if normalized else 1)).astype("f4"))
    return made


ADDRESSES = {WRAP: "wrap", CLAMP: "clamp", MIRROR: "mirror", BORDER: "border"}


def samplers(code):
    """What CUDA allows of such elements."""
    reads = (False,) if code in ("i4", "u4", "f2", "f4") else (False, True)
    for address, filtering, coordinates, normalized in itertools.product(
        ADDRESSES, (POINT, LINEAR), (False, True), reads
    ):
        if filtering == POINT or normalized or code[0] == "f":
            yield address, filtering, coordinates, normalized


@pytest.mark.parametrize("channels", [1, 2, 4])
@pytest.mark.parametrize("code", list(C_NAMES))
@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_a_texture_reads_what_the_guide_says(device, dimensions, code, channels):
    extents = EXTENTS[dimensions]
    texels = random_texels(code, extents, channels)
    array = array_of(texels, dimensions)
    for address, filtering, coordinates, normalized in samplers(code):
        gives_floats = normalized or code[0] == "f"
        border = BORDER_COLOUR if gives_floats else (0, 0, 0, 0)
        texture = texture_of(
            array, (address,) * 3, filtering, int(normalized),
            borderColors=border, normalizedCoords=coordinates,
        )  # fmt: skip
        points = points_in(extents, coordinates)
        declared = c_type("f4" if gives_floats else code, channels)
        kernel = kernel_of(FETCHES[dimensions], declared)
        found = read(kernel, texture, points, "f4" if gives_floats else code, channels)
        values = values_of(texels, normalized)
        expected = fetched(values, points, address, filtering, coordinates, border)
        what = f"{ADDRESSES[address]} filter {filtering} coordinates {coordinates} {normalized}"
        if not gives_floats:
            np.testing.assert_array_equal(found, expected.astype(code), what)
            continue
        # A GPU may round weights otherwise: by one step of each dimension's.
        steps = dimensions * 2 / 256 if filtering == LINEAR and device == "cuda" else 0
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6 + steps, err_msg=what)


SAMPLERS_OF_MEMORY = [(), ((WRAP,), LINEAR), ((MIRROR,), POINT, 0, None, (9,) * 4, True)]


@pytest.mark.parametrize("sampler", SAMPLERS_OF_MEMORY, ids=["plain", "filtered", "normalized"])
@pytest.mark.parametrize("channels", [1, 2, 4])
@pytest.mark.parametrize("code", list(C_NAMES))
def test_elements_of_memory_are_counted_and_outside_of_them_is_nothing(code, channels, sampler):
    texels = random_texels(code, (40,), channels)
    memory = px.asarray(texels.reshape(-1))
    texture = TextureObject(
        ResourceDescriptor(
            rt.cudaResourceTypeLinear, arr=memory, chDesc=channel_format(code, channels),
            sizeInBytes=32 * channels * memory.itemsize,
        ),
        TextureDescriptor(*sampler),
    )  # fmt: skip
    places = np.array([0, 31, 5, 7, -1, 32, -100, 1000], "f4")
    text = FETCH % "tex1Dfetch<T>(t, (int)x[i])"
    code = "f4" if code == "f2" else code
    found = read(kernel_of(text, c_type(code, channels)), texture, [places], code, channels)
    expected = np.zeros((8, channels), code)
    expected[:4] = texels[0, 0, [0, 31, 5, 7]]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("filtering", [POINT, LINEAR])
def test_rows_of_memory_with_a_pitch_are_a_texture_of_two_dimensions(device, filtering):
    texels = random_texels("f4", (64, 8), 1)
    memory = px.asarray(np.pad(texels[0, :, :, 0], ((0, 0), (0, 64))))
    texture = TextureObject(
        ResourceDescriptor(
            rt.cudaResourceTypePitch2D, arr=memory, chDesc=channel_format("f4", 1),
            width=64, height=8, pitchInBytes=512,
        ),
        TextureDescriptor((CLAMP, CLAMP), filtering),
    )  # fmt: skip
    points = points_in((64, 8), False)
    found = read(kernel_of(FETCHES[2], "float"), texture, points, "f4", 1)
    expected = fetched(values_of(texels, False), points, CLAMP, filtering, False)
    steps = 4 / 256 if filtering == LINEAR and device == "cuda" else 0
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6 + steps)


def test_a_texture_of_memory_sees_what_is_assigned_to_the_array():
    memory = px.zeros(64, "f4")
    texture = TextureObject(
        ResourceDescriptor(
            rt.cudaResourceTypeLinear, arr=memory, chDesc=channel_format("f4", 1), sizeInBytes=256
        ),
        TextureDescriptor(),
    )
    memory[:] = px.arange(64, dtype="f4") * 2
    memory[3:5] += 0.5
    kernel = kernel_of(FETCH % "tex1Dfetch<T>(t, (int)x[i])", "float")
    found = read(kernel, texture, [np.arange(8, dtype="f4")], "f4", 1)[:, 0]
    assert found.tolist() == [0, 2, 4, 6.5, 8.5, 10, 12, 14]


@pytest.mark.parametrize("shape", [(12,), (5, 12), (3, 5, 12)])
@pytest.mark.parametrize("of", ["host", "device"])
def test_arrays_are_copied_to_and_from_a_cuda_array(of, shape):
    made = np.random.default_rng(2).integers(0, 200, shape, dtype="u1")
    array = CUDAarray(channel_format("u1", 2), *reversed((*shape[:-1], shape[-1] // 2)))
    assert array.ndim == len(shape)
    make = px.asarray if of == "device" else np.asarray
    array.copy_from(make(np.repeat(made, 2, axis=-1))[..., ::2])
    back = make(np.zeros_like(made))
    array.copy_to(back)
    np.testing.assert_array_equal(np.asarray(back), made)


SURFACE = """
template <typename T>
__global__ void fetch(T* out, cudaSurfaceObject_t from, cudaSurfaceObject_t to, const int* x,
                      const int* y, const int* z, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  T value = %s;
  out[i] = value;
  %s;
}
"""


def surface_text(dimensions, mode):
    place = ", ".join(("x[i] * (int)sizeof(T)", "y[i]", "z[i]")[:dimensions])
    mode = f"cudaBoundaryMode{mode}"
    return SURFACE % (
        f"surf{dimensions}Dread<T>(from, {place}, {mode})",
        f"surf{dimensions}Dwrite(value, to, {place}, {mode})",
    )


def inside(places, extents):
    return np.all([(p >= 0) & (p < e) for p, e in zip(places, extents, strict=True)], axis=0)


@pytest.mark.parametrize("mode", ["Trap", "Clamp", "Zero"])
@pytest.mark.parametrize("code", ["i1", "u1", "i2", "u2", "i4", "u4", "f4"])
@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_surfaces_are_read_and_written(dimensions, code, mode):
    extents = EXTENTS[dimensions]
    draw = np.random.default_rng(3)
    low, high = (0, 0) if mode == "Trap" else (-3, 3)
    places = [draw.integers(low, e + high, 30).astype("i4") for e in extents]
    for channels in (1, 2, 4):
        texels = random_texels(code, extents, channels)
        source, target = (
            array_of(each, dimensions, rt.cudaArraySurfaceLoadStore)
            for each in (texels, np.zeros_like(texels))
        )
        from_surface, to_surface = (
            SurfaceObject(ResourceDescriptor(rt.cudaResourceTypeArray, cuArr=each))
            for each in (source, target)
        )
        out = px.zeros(30 * channels, code)
        given = [px.asarray(each) for each in [*places, *[places[0]] * (3 - dimensions)]]
        kernel = kernel_of(surface_text(dimensions, mode), c_type(code, channels))
        kernel((1,), (32,), (out, from_surface, to_surface, *given, np.int32(30)))
        clamped = [np.clip(p, 0, e - 1) for p, e in zip(places, extents, strict=True)]
        index = (*(0,) * (3 - dimensions), *reversed(clamped))
        is_there = inside(places, extents)
        expected = texels[index].reshape(30, channels)
        written = np.zeros_like(texels)
        if mode == "Zero":
            expected = np.where(is_there[:, None], expected, 0)
            index = tuple(i[is_there] if isinstance(i, np.ndarray) else i for i in index)
            written[index] = expected[is_there]
        else:
            written[index] = expected
        np.testing.assert_array_equal(np.asarray(out).reshape(30, channels), expected)
        found = np.empty_like(rows_of(texels, dimensions))
        target.copy_to(found)
        np.testing.assert_array_equal(found, rows_of(written, dimensions))


def test_words_of_64_bits_go_through_a_surface_of_pairs():
    array = CUDAarray(channel_format("u4", 4), 8, flags=rt.cudaArraySurfaceLoadStore)
    surface = SurfaceObject(ResourceDescriptor(rt.cudaResourceTypeArray, cuArr=array))
    text = """extern "C" __global__ void k(cudaSurfaceObject_t s, unsigned long long* out) {
      int i = threadIdx.x;
      ulonglong2 v = make_ulonglong2(1ull << (i + 30), 7ull << 40);
      surf1Dwrite(v, s, i * 16);
      ulonglong2 r;
      surf1Dread(&r, s, i * 16);
      out[i] = r.x + r.y;
    }"""
    out = px.zeros(8, "u8")
    RawKernel(text, "k")((1,), (8,), (surface, out))
    assert np.asarray(out).tolist() == [(1 << (i + 30)) + (7 << 40) for i in range(8)]


TRAP = """extern "C" __global__ void k(cudaSurfaceObject_t s, int n) {
  int i = threadIdx.x;
  if (i < n) surf1Dwrite(1.0f, s, i * 4);
}"""


def test_a_surface_traps_outside_of_it(device):
    if device == "cuda":
        pytest.skip("a trap loses the process's context; the CPU device says where it is")
    array = CUDAarray(channel_format("f4", 1), 5, flags=rt.cudaArraySurfaceLoadStore)
    surface = SurfaceObject(ResourceDescriptor(rt.cudaResourceTypeArray, cuArr=array))
    kernel = RawKernel(TRAP, "k")
    kernel((1,), (32,), (surface, 5))
    with pytest.raises(IndexError, match=r"(?s)outside of its extent.*line 3") as caught:
        kernel((1,), (32,), (surface, 7))
    assert "tid=[5, 0, 0]" in str(caught.value)
    back = np.zeros(5, "f4")
    array.copy_to(back)
    assert back.tolist() == [1] * 5


def test_lanes_that_branch_away_read_nothing():
    texels = random_texels("f4", (16, 8), 1)
    texture = texture_of(array_of(texels, 2), (CLAMP, CLAMP))
    text = """extern "C" __global__
    void k(cudaTextureObject_t t, cudaTextureObject_t none, float* y) {
      int i = threadIdx.x;
      y[i] = i % 3 == 0 ? tex2D<float>(t, i % 16, i / 16) : -1.0f;
      if (i > 1000) y[i] = tex2D<float>(none, 0.0f, 0.0f);
    }"""
    y = px.zeros(64, "f4")
    RawKernel(text, "k")((1,), (64,), (texture, 0, y))
    expected = texels[0, :4, :, 0].reshape(-1)
    np.testing.assert_array_equal(
        np.asarray(y), np.where(np.arange(64) % 3 == 0, expected, np.float32(-1))
    )


def test_a_loop_sees_what_it_writes_to_a_surface():
    array = CUDAarray(channel_format("i4", 1), 64, flags=rt.cudaArraySurfaceLoadStore)
    array.copy_from(np.zeros(64, "i4"))
    surface = SurfaceObject(ResourceDescriptor(rt.cudaResourceTypeArray, cuArr=array))
    text = """extern "C" __global__ void k(cudaSurfaceObject_t s, int n) {
      int x = threadIdx.x * 4;
      for (int i = 0; i < n; ++i) surf1Dwrite(surf1Dread<int>(s, x) + i, s, x);
    }"""
    RawKernel(text, "k")((1,), (64,), (surface, 10))
    back = np.zeros(64, "i4")
    array.copy_to(back)
    assert back.tolist() == [45] * 64


def test_threads_of_a_block_share_what_is_in_a_surface():
    array = CUDAarray(channel_format("i4", 1), 64, flags=rt.cudaArraySurfaceLoadStore)
    array.copy_from(np.arange(64, dtype="i4"))
    surface = SurfaceObject(ResourceDescriptor(rt.cudaResourceTypeArray, cuArr=array))
    text = """extern "C" __global__ void k(cudaSurfaceObject_t s, int* y) {
      __shared__ int all[64];
      int i = threadIdx.x;
      all[i] = surf1Dread<int>(s, i * 4);
      __syncthreads();
      surf1Dwrite(all[63 - i] * 2, s, i * 4);
      __syncthreads();
      y[i] = surf1Dread<int>(s, (63 - i) * 4);
    }"""
    y = px.zeros(64, "i4")
    RawKernel(text, "k")((1,), (64,), (surface, y))
    assert np.asarray(y).tolist() == [2 * i for i in range(64)]


def test_a_texture_keeps_its_array_and_its_kernels_run_to_their_end():
    kernel = kernel_of(FETCHES[1], "float")
    texels = random_texels("f4", (16,), 1)
    stream = cuda.stream(overlap=True)
    x = px.asarray(np.arange(16, dtype="f4") + 0.5)
    outs = []
    for _ in range(20):
        texture = texture_of(array_of(texels, 1), (CLAMP,))
        gc.collect()
        out = px.zeros(16, "f4")
        kernel((1,), (64,), (out, texture, x, x, x, np.int32(16)), stream=stream)
        del texture
        outs.append(out)
    stream.synchronize()
    for out in outs:
        np.testing.assert_array_equal(np.asarray(out), texels.reshape(-1))


def test_a_forked_child_drops_a_texture_of_its_parent():
    stream = cuda.stream(overlap=True)
    texture = texture_of(array_of(random_texels("f4", (16,), 1), 1))
    stream.synchronize()
    child = os.fork()
    if child == 0:
        del texture
        gc.collect()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    del texture


def test_other_interfaces_take_a_texture_by_its_handle():
    texture = texture_of(array_of(random_texels("f4", (16,), 1), 1))
    assert isinstance(texture.ptr, int)
    text = """extern "C" __global__ void k(cudaTextureObject_t t, float* y) {
      *y = tex1D<float>(t, 2.5f);
    }"""
    of_object, of_handle, of_pycuda = (px.zeros(1, "f4") for _ in range(3))
    RawKernel(text, "k")((1,), (1,), (texture, of_object))
    RawKernel(text, "k")((1,), (1,), (texture.ptr, of_handle))
    SourceModule(text, no_extern_c=True).get_function("k")(
        np.uint64(texture.ptr), of_pycuda, block=(1, 1, 1), grid=(1, 1)
    )
    assert float(of_object[0]) == float(of_handle[0]) == float(of_pycuda[0]) != 0


def described(**fields):
    return ResourceDescriptor(**{"restype": rt.cudaResourceTypeLinear, **fields})


F4 = ChannelFormatDescriptor(32, 0, 0, 0, rt.cudaChannelFormatKindFloat)
I4 = ChannelFormatDescriptor(32, 0, 0, 0, rt.cudaChannelFormatKindSigned)
U1 = ChannelFormatDescriptor(8, 0, 0, 0, rt.cudaChannelFormatKindUnsigned)
WRONG = {
    "three channels": (lambda: CUDAarray(ChannelFormatDescriptor(8, 8, 8, 0, 1), 4), "1, 2 or 4"),
    "other bits of a channel": (
        lambda: CUDAarray(ChannelFormatDescriptor(8, 16, 0, 0, 1), 4), "same bits"),
    "no bits": (lambda: CUDAarray(ChannelFormatDescriptor(0, 0, 0, 0, 1), 4), "same bits"),
    "bytes as floats": (lambda: CUDAarray(ChannelFormatDescriptor(8, 0, 0, 0, 2), 4), "16 or 32"),
    "64 bits": (lambda: CUDAarray(ChannelFormatDescriptor(64, 0, 0, 0, 0), 4), "8, 16 or 32"),
    "no kind": (lambda: CUDAarray(ChannelFormatDescriptor(8, 0, 0, 0, 3), 4), "KindSigned"),
    "no width": (lambda: CUDAarray(F4, 0), "width is 0"),
    "a depth only": (lambda: CUDAarray(F4, 4, 0, 4), "height"),
    "no array": (lambda: described(restype=rt.cudaResourceTypeArray), "cuArr"),
    "no type": (lambda: described(restype=9), "cudaResourceType"),
    "no memory": (lambda: described(chDesc=F4, sizeInBytes=4), "cupy.ndarray"),
    "too many bytes": (
        lambda: described(arr=px.zeros(4, "f4"), chDesc=F4, sizeInBytes=17), "sizeInBytes"),
    "no bytes": (
        lambda: TextureObject(described(arr=px.zeros(4, "f4"), chDesc=F4), TextureDescriptor()),
        "width is 0"),
    "gaps": (
        lambda: described(arr=px.asarray(np.zeros(8, "f4"))[::2], chDesc=F4, sizeInBytes=16),
        "gaps"),
    "no pitch": (
        lambda: described(restype=rt.cudaResourceTypePitch2D, arr=px.zeros((4, 4), "f4"), chDesc=F4,
                          width=4, height=4), "pitchInBytes"),
    "a short pitch": (
        lambda: TextureObject(
            described(restype=rt.cudaResourceTypePitch2D, arr=px.zeros((64, 4), "f4"), chDesc=F4,
                      width=64, height=4, pitchInBytes=128), TextureDescriptor()), "a row of 64"),
    "an address mode": (
        lambda: texture_of(CUDAarray(F4, 4), (7,)), "address mode is a number below 4"),
    "a filter mode": (lambda: texture_of(CUDAarray(F4, 4), (0,), 2), "filter mode"),
    "a read mode": (lambda: TextureDescriptor((0,), 0, 5), "cudaReadMode"),
    "five colours": (lambda: TextureDescriptor(borderColors=(0,) * 5), "at most 4"),
    "normalized words": (lambda: texture_of(CUDAarray(I4, 4), (0,), 0, 1), "8 or 16 bits"),
    "filtered integers": (lambda: texture_of(CUDAarray(U1, 4), (0,), 1), "NormalizedFloat"),
    "a plain surface": (
        lambda: SurfaceObject(ResourceDescriptor(0, cuArr=CUDAarray(F4, 4))), "SurfaceLoadStore"),
    "another shape": (lambda: CUDAarray(F4, 4).copy_from(np.zeros(5, "f4")), "shape mismatch"),
    "another dtype": (lambda: CUDAarray(F4, 4).copy_from(np.zeros(4, "i4")), "dtype mismatch"),
    "other bits": (lambda: CUDAarray(F4, 4).copy_from(np.zeros(4, "f2")), "dtype mismatch"),
    "a gap to write to": (
        lambda: CUDAarray(F4, 4).copy_to(np.zeros(8, "f4")[::2]), "C-contiguous"),
}  # fmt: skip


@pytest.mark.parametrize("what", list(WRONG))
def test_what_no_texture_has_is_refused_with_what_fits(what):
    make, text = WRONG[what]
    with pytest.raises(ValueError, match=text):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: ResourceDescriptor(rt.cudaResourceTypeMipmappedArray),
        lambda: CUDAarray(F4, 4, 4, flags=1),
    ],
)
def test_mipmaps_and_layers_are_not_there(make):
    with pytest.raises(NotImplementedError):
        make()


def test_descriptors_give_back_what_they_were_given():
    assert I4.get_channel_format() == {"x": 32, "y": 0, "z": 0, "w": 0, "f": 0}
    texture = TextureDescriptor(
        (1, 2), 1, 1, borderColors=(0.5,), normalizedCoords=1, maxAnisotropy=4
    )
    assert texture.get_texture_desc() == {
        "addressMode": (1, 2, 0), "filterMode": 1, "readMode": 1, "sRGB": 0,
        "borderColor": (0.5, 0.0, 0.0, 0.0), "normalizedCoords": 1, "maxAnisotropy": 4,
    }  # fmt: skip
    memory = px.zeros(4, "f4")
    resource = described(arr=memory, chDesc=F4, sizeInBytes=16)
    expected = {"devPtr": memory.data.ptr, "desc": F4.get_channel_format(), "sizeInBytes": 16}
    assert resource.get_resource_desc() == {"resType": 2, "linear": expected}
    array = CUDAarray(F4, 4)
    made = ResourceDescriptor(0, cuArr=array).get_resource_desc()
    assert made == {"resType": 0, "array": {"array": array.ptr}}


def test_another_thing_than_a_texture_is_refused():
    kernel = kernel_of(FETCHES[1], "float")
    x = px.zeros(4, "f4")
    with pytest.raises(TypeError):
        kernel((1,), (4,), (x, "texture", x, x, x, np.int32(4)))


def test_memory_of_arrays_is_given_back(device):
    if device == "cuda":
        pytest.skip("a GPU's arrays are the driver's: tests/cpp/runtime/cuda_textures_test.cpp")

    def used():
        gc.collect()
        return _engine.current_device().memory_info()["used_here"]

    array = CUDAarray(F4, 1 << 20)
    texture = texture_of(array)
    held = used()
    del array
    assert used() == held
    del texture
    assert used() == held - (4 << 20)
