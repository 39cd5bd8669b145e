"""A call of each of libdevice's functions with its result, for their docstrings.

The row of a name serves the function of float32 with an ``f`` behind that name too.
"""

from __future__ import annotations

from .kernel_examples import ROUNDING, rows, session

DTYPES = {"h": "int16", "i": "int32", "l": "int64", "f": "float32", "d": "float64"}
# Results that five decimals would hide.
_EXACT = ("nextafter", "nextafterf", "frsqrt_rn")

_TABLE = """
abs | -3 | 3
acos | 0.5 | 1.0472
acosh | 2.0 | 1.31696
asin | 0.5 | 0.5236
asinh | 0.5 | 0.48121
atan | 0.5 | 0.46365
atan2 | 1.0, -1.0 | 2.35619
atanh | 0.5 | 0.54931
brev | 1 | -2147483648
brevll | 1 | -9223372036854775808
byte_perm | 0x33221100, 0x77665544, 0x5140 | 1427194880
cbrt | 27.0 | 3.0
ceil | 1.2 | 2.0
clz | 1 | 31
clzll | 1 | 63
copysign | 2.0, -1.0 | -2.0
cos | 0.5 | 0.87758
cosh | 0.5 | 1.12763
cospi | 0.25 | 0.70711
cyl_bessel_i0 | 1.0 | 1.26607
cyl_bessel_i1 | 1.0 | 0.56516
dadd_ | 1.0, 1e-20 | 1.0 1.0 1.0000000000000002 1.0
ddiv_ | 1.0, 3.0 | 0.3333333333333333 0.3333333333333333 0.33333333333333337 0.3333333333333333
dmul_ | 1.1, 1.1 | 1.2100000000000002 1.2100000000000002 1.2100000000000004 1.2100000000000002
double2float_ | 0.1 | 0.099999994 0.1 0.1 0.099999994
double2hiint | 1.0 | 1072693248
double2int_ | -2.7 | -3 -3 -2 -2
double2ll_ | -2.7 | -3 -3 -2 -2
double2loint | 0.1 | -1717986918
double2uint_ | 2.7 | 2 3 3 2
double2ull_ | 2.7 | 2 3 3 2
double_as_longlong | 1.0 | 4607182418800017408
drcp_ | 3.0 | 0.3333333333333333 0.3333333333333333 0.33333333333333337 0.3333333333333333
dsqrt_ | 2.0 | 1.414213562373095 1.4142135623730951 1.4142135623730951 1.414213562373095
dsub_ | 1.0, 1e-20 | 0.9999999999999999 1.0 1.0 0.9999999999999999
erf | 0.5 | 0.5205
erfc | 0.5 | 0.4795
erfcinv | 0.5 | 0.47694
erfcx | 0.5 | 0.61569
erfinv | 0.5 | 0.47694
exp | 0.5 | 1.64872
exp10 | 2.0 | 100.0
exp2 | 3.0 | 8.0
expm1 | 0.5 | 0.64872
fabs | -2.5 | 2.5
fadd_ | 1.0, 1e-20 | 1.0 1.0 1.0000001 1.0
fast_cosf | 0.5 | 0.878
fast_exp10f | 2.0 | 100.0
fast_expf | 0.5 | 1.649
fast_fdividef | 1.0, 4.0 | 0.25
fast_log10f | 100.0 | 2.0
fast_log2f | 8.0 | 3.0
fast_logf | 0.5 | -0.693
fast_powf | 2.0, 3.0 | 8.0
fast_sincosf | 0.5 | 0.479 0.878
fast_sinf | 0.5 | 0.479
fast_tanf | 0.5 | 0.546
fast_tanhf | 0.5 | 0.462
fdim | 3.0, 1.0 | 2.0
fdiv_ | 1.0, 3.0 | 0.3333333 0.33333334 0.33333334 0.3333333
ffs | 12 | 3
ffsll | 12 | 3
finitef | 1.5 | 1
float2half_rn | 1.5 | 15872
float2int_ | -2.7 | -3 -3 -2 -2
float2ll_ | -2.7 | -3 -3 -2 -2
float2uint_ | 2.7 | 2 3 3 2
float2ull_ | 2.7 | 2 3 3 2
float_as_int | 1.0 | 1065353216
float_as_uint | 1.0 | 1065353216
floor | -1.2 | -2.0
fma | 2.0, 3.0, 4.0 | 10.0
fma_ | 0.1, 0.1, 1.0 | 1.0099999999999998 1.01 1.01 1.0099999999999998
fmaf_ | 0.1, 0.1, 1.0 | 1.01 1.01 1.0100001 1.01
fmaf_ieee_ | 0.1, 0.1, 1.0 | 1.01 1.01 1.0100001 1.01
fmax | 2.0, 3.0 | 3.0
fmin | 2.0, 3.0 | 2.0
fmod | 7.5, 2.0 | 1.5
fmul_ | 1.1, 1.1 | 1.21 1.21 1.2100002 1.21
frcp_ | 3.0 | 0.3333333 0.33333334 0.33333334 0.3333333
frexp | 10.0 | 0.625 4.0
frsqrt_rn | 3.0 | 0.57735026
fsqrt_ | 2.0 | 1.4142135 1.4142135 1.4142137 1.4142135
fsub_ | 1.0, 1e-20 | 0.99999994 1.0 1.0 0.99999994
hadd | 3, 6 | 4
half2float | 15872 | 1.5
hiloint2double | 1072693248, 0 | 1.0
hypot | 3.0, 4.0 | 5.0
ilogb | 10.0 | 3
int2double_rn | 7 | 7.0
int2float_ | 16777217 | 1.6777216e+07 1.6777216e+07 1.6777218e+07 1.6777216e+07
int_as_float | 1065353216 | 1.0
isfinited | 1.5 | 1
isinfd | 1.5 | 0
isinff | 1.5 | 0
isnand | 1.5 | 0
isnanf | 1.5 | 0
j0 | 1.0 | 0.7652
j1 | 1.0 | 0.44005
jn | 2, 1.0 | 0.1149
ldexp | 1.5, 3 | 12.0
lgamma | 4.0 | 1.79176
ll2double_ | 2**53 + 1 | 9007199254740992.0 9007199254740992.0 9007199254740994.0 9007199254740992.0
ll2float_ | 16777217 | 1.6777216e+07 1.6777216e+07 1.6777218e+07 1.6777216e+07
llabs | -3 | 3
llmax | -2, 5 | 5
llmin | -2, 5 | -2
llrint | 2.5 | 2
llround | 2.5 | 3
log | 2.0 | 0.69315
log10 | 100.0 | 2.0
log1p | 0.5 | 0.40547
log2 | 8.0 | 3.0
logb | 10.0 | 3.0
longlong_as_double | 4607182418800017408 | 1.0
max | -2, 5 | 5
min | -2, 5 | -2
modf | 3.25 | 0.25 3.0
mul24 | 6, 7 | 42
mul64hi | 4611686018427387904, 8 | 2
mulhi | 1073741824, 8 | 2
nearbyint | 2.5 | 2.0
nextafter | 1.0, 2.0 | 1.0000000000000002
nextafterf | 1.0, 2.0 | 1.0000001
norm3d | 2.0, 3.0, 6.0 | 7.0
norm4d | 1.0, 3.0, 3.0, 9.0 | 10.0
normcdf | 1.0 | 0.84134
normcdfinv | 0.975 | 1.95996
popc | 7 | 3
popcll | 7 | 3
pow | 2.0, 0.5 | 1.41421
powi | 2.0, 10 | 1024.0
rcbrt | 8.0 | 0.5
rcp64h | 4.0 | 0.25
remainder | 7.5, 2.0 | -0.5
remquo | 7.5, 2.0 | -0.5 4.0
rhadd | 3, 6 | 5
rhypot | 3.0, 4.0 | 0.2
rint | 2.5 | 2.0
rnorm3d | 2.0, 3.0, 6.0 | 0.14286
rnorm4d | 1.0, 3.0, 3.0, 9.0 | 0.1
round | 2.5 | 3.0
rsqrt | 4.0 | 0.5
sad | 3, 8, 10 | 15
saturatef | 1.5 | 1.0
scalbn | 1.5, 3 | 12.0
signbitd | -1.5 | 1
signbitf | -1.5 | 1
sin | 0.5 | 0.47943
sincos | 0.5 | 0.47943 0.87758
sincospi | 0.25 | 0.70711 0.70711
sinh | 0.5 | 0.5211
sinpi | 0.25 | 0.70711
sqrt | 2.0 | 1.41421
tan | 0.5 | 0.5463
tanh | 0.5 | 0.46212
tgamma | 5.0 | 24.0
trunc | -1.7 | -1.0
uhadd | 3, 6 | 4
uint2double_rn | 7 | 7.0
uint2float_ | 16777217 | 1.6777216e+07 1.6777216e+07 1.6777218e+07 1.6777216e+07
uint_as_float | 1065353216 | 1.0
ull2double_ | 2**53+1 | 9007199254740992.0 9007199254740992.0 9007199254740994.0 9007199254740992.0
ull2float_ | 16777217 | 1.6777216e+07 1.6777216e+07 1.6777218e+07 1.6777216e+07
ullmax | 2, 5 | 5
ullmin | 2, 5 | 2
umax | 2, 5 | 5
umin | 2, 5 | 2
umul24 | 6, 7 | 42
umul64hi | 4611686018427387904, 8 | 2
umulhi | 1073741824, 8 | 2
urhadd | 3, 6 | 5
usad | 3, 8, 10 | 15
y0 | 1.0 | 0.08826
y1 | 1.0 | -0.78121
yn | 2, 1.0 | -1.65068
"""


_ROWS = rows(_TABLE)


def example(name: str, results: str) -> str:
    """The session that calls a function; `results` are the letters of what it gives."""
    given, shown = _ROWS.get(name) or _ROWS[name.removesuffix("f")]
    is_exact = name in _EXACT or name.endswith(tuple(f"_{mode}" for mode in ROUNDING))
    # An array holds both parts of a result: a whole number beside a fraction is exact in it.
    letter = next((each for each in results if each in "df"), results[0])
    taken = [f"out[{place}]" for place in range(len(results))]
    # The fast ones are rough on a GPU, and as exact as the others on the CPU.
    digits = 3 if name.startswith("fast_") else 5
    rounded = f".round({digits})" if letter in "df" and not is_exact else ""
    call = f"cuda.libdevice.{name}({given})"
    return session(call, taken, DTYPES[letter], f"print(*out{rounded})", shown)
