// The C++ library of <type_traits> under the name of cuda::std.
#pragma once
#include <type_traits>
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
