// The names of cuComplex.h on complex<T>: what translate_cucomplex=True includes in its place.
#pragma once
#include <cupy/complex.cuh>

#define cuFloatComplex complex<float>
#define cuComplex complex<float>
#define cuCrealf real
#define cuCimagf imag
#define make_cuFloatComplex(x, y) complex<float>(x, y)
#define make_cuComplex(x, y) complex<float>(x, y)
#define cuConjf conj
#define cuCaddf(a, b) ((a) + (b))
#define cuCsubf(a, b) ((a) - (b))
#define cuCmulf(a, b) ((a) * (b))
#define cuCdivf(a, b) ((a) / (b))
#define cuCabsf abs
#define cuCfmaf(a, b, c) ((a) * (b) + (c))
#define cuComplexDoubleToFloat complex<float>

#define cuDoubleComplex complex<double>
#define cuCreal real
#define cuCimag imag
#define make_cuDoubleComplex(x, y) complex<double>(x, y)
#define cuConj conj
#define cuCadd(a, b) ((a) + (b))
#define cuCsub(a, b) ((a) - (b))
#define cuCmul(a, b) ((a) * (b))
#define cuCdiv(a, b) ((a) / (b))
#define cuCabs abs
#define cuCfma(a, b, c) ((a) * (b) + (c))
#define cuComplexFloatToDouble complex<double>
