"""Which headers are whose: phalanx's own, those of a folder, NVIDIA's toolkit's."""

from pathlib import Path

import numpy as np
import pytest
from phalanx._core.toolkit import include_folders
from phalanx._cuda_c import CudaCModule, SourceOptions

import phalanx
from phalanx import cuda

pytestmark = pytest.mark.usefixtures("device")

USES = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuComplex.h>
#include <math_constants.h>
#include <curand_kernel.h>
#include <cooperative_groups.h>
extern "C" __global__ void f(float* x) {
  x[0] = __half2float(__float2half(1.5f)) + CUDART_PI_F + cuCrealf(make_cuComplex(2.0f, 3.0f));
  x[1] = __bfloat162float(__float2bfloat16(0.5f));
  curandState s;
  curand_init(1, 2, 3, &s);
  x[2] = curand_uniform(&s) + cooperative_groups::this_thread_block().size();
}"""


def run(text, folders=()):
    x = cuda.to_device(np.zeros(3, np.float32))
    options = SourceOptions.parse([f"-I{each}" for each in folders])
    CudaCModule(text, options=options).kernel("f").launch(1, 1, [x])
    return x.copy_to_host().tolist()


@pytest.fixture
def toolkit(tmp_path):
    """A folder that looks as NVIDIA's, whose headers are not for this compiler."""
    folder = tmp_path / "include"
    folder.mkdir()
    for name in ("cuda_runtime_api.h", "cuda_fp16.h", "cuComplex.h", "curand_kernel.h"):
        (folder / name).write_text("#error of the toolkit\n")
    (folder / "only_there.h").write_text("#include <cuda_fp16.h>\n#define ONLY_THERE 42\n")
    return folder


@pytest.mark.of_phalanx("looks into the folders first")
def test_headers_that_phalanx_has_are_its_own(toolkit):
    assert run(USES, [toolkit]) == run(USES)
    text = '#include <only_there.h>\nextern "C" __global__ void f(float* x) { x[0] = ONLY_THERE; }'
    assert run(text, [toolkit])[0] == 42
    with pytest.raises(phalanx.errors.CompileError, match="only_there"):
        run(text)


def test_headers_of_a_users_folder_come_first(tmp_path):
    (tmp_path / "math_constants.h").write_text("#define CUDART_PI_F 3.0f\n")
    text = "#include <math_constants.h>\n"
    text += 'extern "C" __global__ void f(float* x) { x[0] = CUDART_PI_F; }'
    assert run(text, [tmp_path])[0] == 3
    assert run(text)[0] == pytest.approx(np.pi)


def test_the_toolkit_of_this_machine():
    folders = [each for each in include_folders() if (Path(each) / "cuda_fp16.h").exists()]
    if not folders:
        pytest.skip("no toolkit of NVIDIA's is here")
    assert run(USES, folders) == run(USES)
