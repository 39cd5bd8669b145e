// The C++ library of <limits> under the name of cuda::std.
#pragma once
#include <limits>
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
