// The C++ library of <utility> under the name of cuda::std.
#pragma once
#include <utility>
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
