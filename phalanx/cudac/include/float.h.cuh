// The extremes of C's floating-point numbers.
#pragma once
#define FLT_MIN 1.17549435e-38F
#define FLT_MAX 3.402823466e+38F
#define FLT_EPSILON 1.1920928955078125e-7F
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623158e+308
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_DIG 15
#define DBL_MANT_DIG 53
