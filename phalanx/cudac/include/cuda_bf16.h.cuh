// bfloat16: the upper half of a float.
#pragma once
#define PHX_NUMBER __nv_bfloat16
#define PHX_PAIR __nv_bfloat162
#define PHX_STORED __bf16
#define PHX_WORD bfloat16
#include "phalanx_small_float.h"
#undef PHX_NUMBER
#undef PHX_PAIR
#undef PHX_STORED
#undef PHX_WORD
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
