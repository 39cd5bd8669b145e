// PyCUDA's complex numbers: those of thrust/complex.h in a namespace of theirs.
#pragma once
#include <thrust/complex.h>

namespace pycuda {

using thrust::complex;
using thrust::conj;
using thrust::real;
using thrust::imag;
using thrust::arg;
using thrust::norm;
using thrust::abs;
using thrust::exp;
using thrust::log;
using thrust::log10;
using thrust::pow;
using thrust::sqrt;
using thrust::sin;
using thrust::cos;
using thrust::tan;
using thrust::sinh;
using thrust::cosh;
using thrust::tanh;
using thrust::asin;
using thrust::acos;
using thrust::atan;
using thrust::asinh;
using thrust::acosh;
using thrust::atanh;

}  // namespace pycuda
