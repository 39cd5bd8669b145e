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
