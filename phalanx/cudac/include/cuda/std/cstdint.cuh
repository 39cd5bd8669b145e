// The C++ library of <cstdint> under the name of cuda::std.
#pragma once
#include <cstdint>
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
