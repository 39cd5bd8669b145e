"""A call of each function of bfloat16 with its result, for their docstrings.

Rows are as those of libdevice's functions. Conversions of whole numbers of any width have one row.
"""

from __future__ import annotations

import re

from .kernel_examples import rows, session

_TABLE = """
habs | -1.5 | 1.5
hneg | 1.5 | -1.5
hceil | 1.25 | 2.0
hfloor | 1.25 | 1.0
hrint | 2.5 | 2.0
htrunc | -1.75 | -1.0
hcos | 1.0 | 0.5390625
hsin | 1.0 | 0.83984375
hexp | 1.0 | 2.71875
hexp2 | 3.0 | 8.0
hexp10 | 2.0 | 100.0
hlog | 2.0 | 0.69140625
hlog2 | 8.0 | 3.0
hlog10 | 100.0 | 2.0
hsqrt | 2.0 | 1.4140625
hrsqrt | 4.0 | 0.5
hrcp | 4.0 | 0.25
htanh | 0.5 | 0.46289062
htanh_approx | 0.5 | 0.46289062
hadd | 1.5, 2.0 | 3.5
hsub | 1.5, 2.0 | -0.5
hmul | 1.5, 2.0 | 3.0
hdiv | 3.0, 2.0 | 1.5
hadd_rn | 1.5, 2.0 | 3.5
hsub_rn | 1.5, 2.0 | -0.5
hmul_rn | 1.5, 2.0 | 3.0
hadd_sat | 0.75, 0.5 | 1.0
hsub_sat | 0.25, 0.5 | 0.0
hmul_sat | 1.5, 2.0 | 1.0
hmax | 1.5, np.nan | 1.5
hmin | 1.5, np.nan | 1.5
hmax_nan | 1.5, np.nan | nan
hmin_nan | 1.5, np.nan | nan
hfma | 1.5, 2.0, 0.25 | 3.25
hfma_sat | 1.5, 2.0, 0.25 | 1.0
hfma_relu | 1.5, -2.0, 0.25 | 0.0
hisnan | 1.5 | False
hisinf | 1.5 | 0
bfloat16_to_float32 | 1.5 | 1.5
float32_to_bfloat16 | 1.00390625 | 1.0
float64_to_bfloat16 | 3.141592653589793 | 3.140625
bfloat16_to_int8_rz | -2.75 | -2
bfloat16_to_uint8_rz | 2.75 | 2
bfloat16_as_int16 | 1.0 | 16256
bfloat16_as_uint16 | 1.0 | 16256
int16_as_bfloat16 | 16256 | 1.0
uint16_as_bfloat16 | 16256 | 1.0
heq | 1.5, 2.0 | False
hequ | 1.5, np.nan | True
hne | 1.5, 2.0 | True
hneu | 1.5, np.nan | True
hlt | 1.5, 2.0 | True
hltu | 1.5, np.nan | True
hle | 1.5, 2.0 | True
hleu | 1.5, np.nan | True
hgt | 1.5, 2.0 | False
hgtu | 1.5, np.nan | True
hge | 1.5, 2.0 | False
hgeu | 1.5, np.nan | True
float32_to_bfloat16_ | 3.1415927 | 3.140625 3.140625 3.15625 3.140625
int_to_bfloat16_ | -1001 | -1004.0 -1000.0 -1000.0 -1000.0
uint_to_bfloat16_ | 1001 | 1000.0 1000.0 1004.0 1000.0
bfloat16_to_int_ | -2.75 | -3 -3 -2 -2
bfloat16_to_uint_ | 2.75 | 2 3 3 2
"""

_ROWS = rows(_TABLE)
_WIDTH = re.compile(r"(?<=int)(16|32|64)(?=_)")


def example(name: str, result: str) -> str:
    """The session that calls a function, which gives a `result`."""
    given, shown = _ROWS.get(name) or _ROWS[_WIDTH.sub("", name)]
    # NumPy has no bfloat16: float32 holds each.
    dtype = "float32" if result == "bfloat16" else result
    return session(f"cuda.bf16.{name}({given})", ["out[0]"], dtype, "print(*out)", shown)
