// The C++ library of <cstddef> under the name of cuda::std.
#pragma once
#include <cstddef>
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
