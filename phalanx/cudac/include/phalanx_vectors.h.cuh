// The vector types, with the alignment that CUDA gives them.
#define PHX_VECTORS(name, type, two, four)                                                        \
  struct name##1 {                                                                                \
    type x;                                                                                       \
  };                                                                                              \
  struct __align__(two) name##2 {                                                                 \
    type x, y;                                                                                    \
  };                                                                                              \
  struct name##3 {                                                                                \
    type x, y, z;                                                                                 \
  };                                                                                              \
  struct __align__(four) name##4 {                                                                \
    type x, y, z, w;                                                                              \
  };                                                                                              \
  PHX_ANYWHERE name##1 make_##name##1(type x) { return name##1{x}; }                              \
  PHX_ANYWHERE name##2 make_##name##2(type x, type y) { return name##2{x, y}; }                   \
  PHX_ANYWHERE name##3 make_##name##3(type x, type y, type z) { return name##3{x, y, z}; }        \
  PHX_ANYWHERE name##4 make_##name##4(type x, type y, type z, type w) {                           \
    return name##4{x, y, z, w};                                                                   \
  }
PHX_VECTORS(char, signed char, 2, 4)
PHX_VECTORS(uchar, unsigned char, 2, 4)
PHX_VECTORS(short, short, 4, 8)
PHX_VECTORS(ushort, unsigned short, 4, 8)
PHX_VECTORS(int, int, 8, 16)
PHX_VECTORS(uint, unsigned, 8, 16)
PHX_VECTORS(long, long, 16, 16)
PHX_VECTORS(ulong, unsigned long, 16, 16)
PHX_VECTORS(longlong, long long, 16, 16)
PHX_VECTORS(ulonglong, unsigned long long, 16, 16)
PHX_VECTORS(float, float, 8, 16)
PHX_VECTORS(double, double, 16, 16)
#undef PHX_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
  constexpr __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr __host__ __device__ operator uint3() const { return uint3{x, y, z}; }
};
