"""A use of each function of bits and of warps, for their docstrings.

Rows are ``name | arguments | what the lanes have``: of the first four lanes of a warp.
"""

from __future__ import annotations

from .kernel_examples import rows

_TABLE = """
brev | 1 | 2147483648 2147483648 2147483648 2147483648
clz | 1 | 63 63 63 63
ffs | 12 | 3 3 3 3
popc | 7 | 3 3 3 3
selp | cuda.laneid < 2, 5, 6 | 5 5 6 6
all_sync | 0xFFFFFFFF, cuda.laneid < 16 | 0 0 0 0
any_sync | 0xFFFFFFFF, cuda.laneid < 16 | 1 1 1 1
ballot_sync | 0xFFFFFFFF, cuda.laneid < 4 | 15 15 15 15
eq_sync | 0xFFFFFFFF, cuda.laneid < 4 | 0 0 0 0
lanemask_eq |  | 1 2 4 8
lanemask_ge |  | 4294967295 4294967294 4294967292 4294967288
lanemask_gt |  | 4294967294 4294967292 4294967288 4294967280
lanemask_le |  | 1 3 7 15
lanemask_lt |  | 0 1 3 7
activemask |  | 4294967295 4294967295 4294967295 4294967295
match_any_sync | 0xFFFFFFFF, cuda.laneid // 2 | 3 3 12 12
shfl_sync | 0xFFFFFFFF, cuda.laneid, 5 | 5 5 5 5
shfl_up_sync | 0xFFFFFFFF, cuda.laneid, 1 | 0 0 1 2
shfl_xor_sync | 0xFFFFFFFF, cuda.laneid, 1 | 1 0 3 2
syncthreads_and | cuda.laneid < 4 | 0 0 0 0
syncthreads_or | cuda.laneid < 4 | 1 1 1 1
syncthreads_count | cuda.laneid < 4 | 4 4 4 4
"""

_ROWS = rows(_TABLE)


def documented(name: str, doc: str) -> str:
    """A doc line with an example, where the name has one."""
    if name not in _ROWS:
        return doc
    given, shown = _ROWS[name]
    return f"""\
{doc}

>>> @cuda.jit
... def kernel(out):
...     out[cuda.laneid] = cuda.{name}({given})
>>> out = np.zeros(32, 'int64')
>>> kernel[1, 32](out)
>>> print(*out[:4])
{shown}"""
