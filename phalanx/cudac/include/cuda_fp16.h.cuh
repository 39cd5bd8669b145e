// Half precision.
#pragma once
#define PHX_NUMBER __half
#define PHX_PAIR __half2
#define PHX_STORED _Float16
#define PHX_WORD half
#include "phalanx_small_float.h"
#undef PHX_NUMBER
#undef PHX_PAIR
#undef PHX_STORED
#undef PHX_WORD
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
