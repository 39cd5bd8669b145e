// What <stddef.h> has, in C++'s namespace.
#pragma once
#include "stddef.h"
namespace std {
using ::ptrdiff_t;
using ::size_t;
typedef decltype(nullptr) nullptr_t;
}  // namespace std
