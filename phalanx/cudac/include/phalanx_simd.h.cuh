// CUDA's SIMD intrinsics: two halves or four bytes of a word at once, as its Math API names them.
// compile.cpp includes it where a source has such a name (rare_headers).
template <int bits, bool is_signed>
PHX_DEVICE int __phx_part(unsigned word, int shift) {
  const unsigned part = word >> shift & ((1u << bits) - 1);
  return is_signed ? (int)(part << (32 - bits)) >> (32 - bits) : (int)part;
}

#define PHX_PARTS(name, bits, is_signed, parameters, other, joined)                    \
  PHX_DEVICE unsigned name parameters {                                                \
    constexpr int most = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;          \
    constexpr int least = is_signed ? -most - 1 : 0;                                   \
    unsigned all = 0;                                                                  \
    for (int shift = 0; shift < 32; shift += bits) {                                   \
      const int x = __phx_part<bits, is_signed>(a, shift);                             \
      const int y = __phx_part<bits, is_signed>(other, shift);                         \
      all |= ((unsigned)(joined) & ((1u << bits) - 1)) << shift;                       \
    }                                                                                  \
    return all;                                                                        \
  }
#define PHX_SIMD(name, is_signed, joined)                                              \
  PHX_PARTS(name##2, 16, is_signed, (unsigned a, unsigned b), b, joined)               \
  PHX_PARTS(name##4, 8, is_signed, (unsigned a, unsigned b), b, joined)
#define PHX_SIMD_UNARY(name, joined)                                                   \
  PHX_PARTS(name##2, 16, true, (unsigned a), 0, joined)                                \
  PHX_PARTS(name##4, 8, true, (unsigned a), 0, joined)
#define PHX_SIMD_COMPARE(name, is_signed, comparison)                                  \
  PHX_SIMD(__vcmp##name, is_signed, x comparison y ? -1 : 0)                           \
  PHX_SIMD(__vset##name, is_signed, x comparison y ? 1 : 0)
#define PHX_SIMD_SUM(name, bits, is_signed)                                            \
  PHX_DEVICE unsigned name(unsigned a, unsigned b) {                                   \
    unsigned sum = 0;                                                                  \
    for (int shift = 0; shift < 32; shift += bits)                                     \
      sum += abs(__phx_part<bits, is_signed>(a, shift) - __phx_part<bits, is_signed>(b, shift)); \
    return sum;                                                                        \
  }

PHX_SIMD(__vadd, false, x + y)
PHX_SIMD(__vaddss, true, min(max(x + y, least), most))
PHX_SIMD(__vaddus, false, min(x + y, most))
PHX_SIMD(__vsub, false, x - y)
PHX_SIMD(__vsubss, true, min(max(x - y, least), most))
PHX_SIMD(__vsubus, false, max(x - y, 0))
PHX_SIMD(__vavgs, true, (x + y + (x + y >= 0)) >> 1)
PHX_SIMD(__vavgu, false, (x + y + 1) >> 1)
PHX_SIMD(__vhaddu, false, (x + y) >> 1)
PHX_SIMD(__vmaxs, true, max(x, y))
PHX_SIMD(__vmaxu, false, max(x, y))
PHX_SIMD(__vmins, true, min(x, y))
PHX_SIMD(__vminu, false, min(x, y))
PHX_SIMD(__vabsdiffs, true, abs(x - y))
PHX_SIMD(__vabsdiffu, false, abs(x - y))
PHX_SIMD_UNARY(__vabs, abs(x))
PHX_SIMD_UNARY(__vabsss, min(abs(x), most))
PHX_SIMD_UNARY(__vneg, -x)
PHX_SIMD_UNARY(__vnegss, min(-x, most))
PHX_SIMD_COMPARE(eq, false, ==)
PHX_SIMD_COMPARE(ne, false, !=)
PHX_SIMD_COMPARE(ges, true, >=)
PHX_SIMD_COMPARE(gts, true, >)
PHX_SIMD_COMPARE(les, true, <=)
PHX_SIMD_COMPARE(lts, true, <)
PHX_SIMD_COMPARE(geu, false, >=)
PHX_SIMD_COMPARE(gtu, false, >)
PHX_SIMD_COMPARE(leu, false, <=)
PHX_SIMD_COMPARE(ltu, false, <)
PHX_SIMD_SUM(__vsads2, 16, true)
PHX_SIMD_SUM(__vsads4, 8, true)
PHX_SIMD_SUM(__vsadu2, 16, false)
PHX_SIMD_SUM(__vsadu4, 8, false)

#undef PHX_PARTS
#undef PHX_SIMD
#undef PHX_SIMD_UNARY
#undef PHX_SIMD_COMPARE
#undef PHX_SIMD_SUM
