// size_t and ptrdiff_t are there without an include.
#pragma once
#define offsetof(type, member) __builtin_offsetof(type, member)
typedef long double max_align_t;
