"""Votes whose result nobody reads: the lanes wait for each other, and go on together.

ptxas drops such a vote for sm_90 and above, with half of what it makes of one (decision 0027).
"""

import re
import shutil
import subprocess

import numpy as np
import pytest
from phalanx._core.toolkit import find_tool

from phalanx import cuda, types

WHOLE_WARP = 0xFFFFFFFF

# name: the vote, and its name in the machine code
VOTES = {
    "all": (cuda.all_sync, "VOTE"),
    "any": (cuda.any_sync, "VOTE"),
    "eq": (cuda.eq_sync, "VOTE"),
    "ballot": (cuda.ballot_sync, "VOTE"),
    "match_any": (cuda.match_any_sync, "MATCH"),
    "match_all": (cuda.match_all_sync, "MATCH"),
}


def kernel_with(vote):
    """Even and odd lanes vote in one instruction, each for themselves, then all shuffle."""

    def kernel(out):
        lane = cuda.threadIdx.x
        mask = 0xAAAAAAAA if lane & 1 else 0x55555555
        vote(mask, out[lane] & 1)
        out[lane] = cuda.shfl_sync(WHOLE_WARP, 100 + lane, 2 * lane % 32)

    return kernel


@pytest.mark.parametrize("name", VOTES)
def test_lanes_meet_again_after_a_vote_that_nobody_reads(name, device):
    out = np.zeros(32, np.int32)
    cuda.jit(kernel_with(VOTES[name][0]))[1, 32](out)
    assert (out == 100 + 2 * np.arange(32) % 32).all()


@pytest.mark.parametrize("name", VOTES)
def test_ptxas_keeps_a_vote_that_nobody_reads(name, tmp_path):
    ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
    if ptxas is None or find_tool("nvdisasm") is None:
        pytest.skip("needs ptxas and nvdisasm")
    vote, instruction = VOTES[name]
    ptx, _ = cuda.compile_ptx(kernel_with(vote), types.void(types.int32[::1]), cc=(9, 0))
    file, cubin = tmp_path / "kernel.ptx", tmp_path / "kernel.cubin"
    file.write_text(ptx)
    subprocess.run([ptxas, "-arch=sm_90", "-O3", str(file), "-o", str(cubin)], check=True)
    done = subprocess.run(
        [str(find_tool("nvdisasm")), "-c", str(cubin)], capture_output=True, text=True, check=True
    )
    code = re.findall(
        r"/\*[0-9a-f]+\*/ +(?:@\S+ )?(BSSY|BSYNC|WARPSYNC\.EX|VOTE|MATCH)", done.stdout
    )
    assert code[:4] == ["BSSY", "WARPSYNC.EX", instruction, "BSYNC"]
