// The C++ library of <cmath> under the name of cuda::std.
#pragma once
#include <cmath>
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
