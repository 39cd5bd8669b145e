"""Tables of tests that take minutes, of which usual runs take a part: always the same cases.

`make tables` runs all of them. What a case is called decides, so that a failure comes again; a test
that is named on the command line runs in any case.
"""

from __future__ import annotations

import os
import zlib

# File below this folder: the share of its parametrized cases that is run.
SHARES = {
    "arrays/test_random_draws.py": 0.4,
    "arrays/test_scatter.py": 0.5,
    "cuda_c/test_textures.py": 0.4,
    "frames/test_cut.py": 0.4,
    "frames/test_groupby_reductions.py": 0.5,
    "frames/test_groups.py": 0.5,
    "frames/test_groups_by_kernels.py": 0.4,
    "frames/test_joins.py": 0.5,
    "frames/test_joins_by_kernels.py": 0.4,
    "frames/test_offsets.py": 0.4,
    "frames/test_operations.py": 0.4,
    "frames/test_strings.py": 0.5,
    "frames/test_texts_by_kernels.py": 0.5,
    "pycuda/test_gpuarray.py": 0.5,
    "sparse_matrices/test_sparse_operations.py": 0.4,
}


def left_out(config, items):
    """Take the cases that are not of the share out of `items`, in place."""
    if os.environ.get("PHALANX_WHOLE_TABLES") or any("::" in each for each in config.args):
        return
    kept, others = [], []
    for item in items:
        (kept if _is_run(item) else others).append(item)
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = kept


def _is_run(item):
    path = item.nodeid.partition("::")[0].rpartition("tests/python/")[2]
    share = SHARES.get(path, 1)
    if share == 1 or not hasattr(item, "callspec"):
        return True
    return zlib.crc32(item.nodeid.rpartition("tests/python/")[2].encode()) % 100 < 100 * share
