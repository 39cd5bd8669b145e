// PyCUDA's complex numbers: those of thrust/complex.h and their functions, in a namespace of theirs.
#pragma once
#include <thrust/complex.h>

namespace pycuda {
using namespace thrust;
}
