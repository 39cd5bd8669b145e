// What nvcc includes before every source: C's names that the host's headers bring, too.
#pragma once
#include <limits.h>
#include <stdint.h>
typedef unsigned char u_char;
typedef unsigned short ushort;
typedef unsigned uint;
typedef unsigned long ulong;
