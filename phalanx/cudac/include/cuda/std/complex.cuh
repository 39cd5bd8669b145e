// Complex numbers under the name of cuda::std.
#pragma once
#include <thrust/complex.h>
namespace cuda {
namespace std {
using namespace ::thrust;
}
}  // namespace cuda
