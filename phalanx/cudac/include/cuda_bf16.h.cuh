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
