// Complex numbers of C: pairs of floats and of doubles.
#pragma once
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define PHX_COMPLEX(name, suffix, type, real, product)                                                \
  PHX_ANYWHERE real cuCreal##suffix(type z) { return z.x; }                                    \
  PHX_ANYWHERE real cuCimag##suffix(type z) { return z.y; }                                    \
  PHX_ANYWHERE type make_##name(real x, real y) { return type{x, y}; }                         \
  PHX_ANYWHERE type cuConj##suffix(type z) { return type{z.x, -z.y}; }                         \
  PHX_ANYWHERE type cuCadd##suffix(type a, type b) { return type{a.x + b.x, a.y + b.y}; }      \
  PHX_ANYWHERE type cuCsub##suffix(type a, type b) { return type{a.x - b.x, a.y - b.y}; }      \
  PHX_ANYWHERE type cuCmul##suffix(type a, type b) {                                           \
    return type{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                 \
  }                                                                                            \
  /* Products round by themselves, so that quotients are those of arrays and of NumPy. */        \
  PHX_DEVICE type cuCdiv##suffix(type a, type b) {                                             \
    const real scale = 1 / (abs(b.x) + abs(b.y));                                              \
    const real ax = product(a.x, scale), ay = product(a.y, scale);                             \
    const real bx = product(b.x, scale), by = product(b.y, scale);                             \
    const real norm = 1 / (product(bx, bx) + product(by, by));                                 \
    return type{product(product(ax, bx) + product(ay, by), norm),                              \
                product(product(ay, bx) - product(ax, by), norm)};                             \
  }                                                                                            \
  PHX_DEVICE real cuCabs##suffix(type z) { return hypot(z.x, z.y); }                           \
  PHX_ANYWHERE type cuCfma##suffix(type a, type b, type c) {                                   \
    return cuCadd##suffix(cuCmul##suffix(a, b), c);                                            \
  }
PHX_COMPLEX(cuFloatComplex, f, cuFloatComplex, float, __fmul_rn)
PHX_COMPLEX(cuDoubleComplex, , cuDoubleComplex, double, __dmul_rn)
#undef PHX_COMPLEX
PHX_ANYWHERE cuComplex make_cuComplex(float x, float y) { return cuComplex{x, y}; }
PHX_ANYWHERE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return cuDoubleComplex{z.x, z.y}; }
PHX_ANYWHERE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return cuFloatComplex{(float)z.x, (float)z.y};
}
