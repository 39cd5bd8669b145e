// Textures and surfaces by objects: CUDA C++ Programming Guide, "Texture and Surface Memory".
// compile.cpp includes it where a source has such a name (rare_headers).
enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero = 0,
  cudaBoundaryModeClamp = 1,
  cudaBoundaryModeTrap = 2
};

// What an element is made of, and the words that its channels are read as.
template <typename T> struct __phx_texel {
  static_assert(
      sizeof(T) == 0,
      "elements of textures and surfaces are float, int, unsigned, char and short types, and their "
      "vectors of 1, 2 and 4; of surfaces also long long");
};
#define PHX_TEXEL(type, one, two, word_, count)  \
  template <> struct __phx_texel<type> {         \
    typedef one channel;                         \
    typedef two bits;                            \
    typedef word_ word;                          \
    static constexpr int channels = count;       \
  };
#define PHX_TEXELS(name, type, bits, word) \
  PHX_TEXEL(type, type, bits, word, 1)     \
  PHX_TEXEL(name##1, type, bits, word, 1)  \
  PHX_TEXEL(name##2, type, bits, word, 2)  \
  PHX_TEXEL(name##4, type, bits, word, 4)
PHX_TEXEL(char, char, unsigned char, int, 1)
PHX_TEXELS(char, signed char, unsigned char, int)
PHX_TEXELS(uchar, unsigned char, unsigned char, unsigned)
PHX_TEXELS(short, short, unsigned short, int)
PHX_TEXELS(ushort, unsigned short, unsigned short, unsigned)
PHX_TEXELS(int, int, unsigned, int)
PHX_TEXELS(uint, unsigned, unsigned, unsigned)
PHX_TEXELS(float, float, unsigned, float)
PHX_TEXEL(long long, long long, unsigned long long, int, 1)
PHX_TEXEL(longlong1, long long, unsigned long long, int, 1)
PHX_TEXEL(longlong2, long long, unsigned long long, int, 2)
PHX_TEXEL(unsigned long long, unsigned long long, unsigned long long, unsigned, 1)
PHX_TEXEL(ulonglong1, unsigned long long, unsigned long long, unsigned, 1)
PHX_TEXEL(ulonglong2, unsigned long long, unsigned long long, unsigned, 2)
#undef PHX_TEXELS
#undef PHX_TEXEL

// intrinsics.cpp: four channels at an address.
template <typename... C>
__device__ void __phx_texture_float(float* four, cudaTextureObject_t texture, C... coordinates);
template <typename... C>
__device__ void __phx_texture_int(int* four, cudaTextureObject_t texture, C... coordinates);
template <typename... C>
__device__ void __phx_texture_unsigned(
    unsigned* four, cudaTextureObject_t texture, C... coordinates);
template <typename... C>
PHX_DEVICE void __phx_fetch(float* four, cudaTextureObject_t texture, C... coordinates) {
  __phx_texture_float(four, texture, coordinates...);
}
template <typename... C>
PHX_DEVICE void __phx_fetch(int* four, cudaTextureObject_t texture, C... coordinates) {
  __phx_texture_int(four, texture, coordinates...);
}
template <typename... C>
PHX_DEVICE void __phx_fetch(unsigned* four, cudaTextureObject_t texture, C... coordinates) {
  __phx_texture_unsigned(four, texture, coordinates...);
}

// `(parameters)` and `(arguments)`: the coordinates. There is one level of detail.
#define PHX_UNPACK(...) __VA_ARGS__
#define PHX_TEXTURE(name, parameters, arguments)                                          \
  template <typename T>                                                                   \
  PHX_DEVICE T name(cudaTextureObject_t texture, PHX_UNPACK parameters) {                 \
    typedef typename __phx_texel<T>::channel channel;                                     \
    static_assert(sizeof(channel) <= 4, "elements of textures have channels of 32 bits at most"); \
    typename __phx_texel<T>::word four[4];                                                \
    __phx_fetch(four, texture, PHX_UNPACK arguments);                                     \
    T result;                                                                             \
    channel* channels = (channel*)&result;                                                \
    channels[0] = (channel)four[0];                                                       \
    if constexpr (__phx_texel<T>::channels > 1) channels[1] = (channel)four[1];           \
    if constexpr (__phx_texel<T>::channels > 2) {                                         \
      channels[2] = (channel)four[2];                                                     \
      channels[3] = (channel)four[3];                                                     \
    }                                                                                     \
    return result;                                                                        \
  }                                                                                       \
  template <typename T>                                                                   \
  PHX_DEVICE void name(T* result, cudaTextureObject_t texture, PHX_UNPACK parameters) {   \
    *result = name<T>(texture, PHX_UNPACK arguments);                                     \
  }
PHX_TEXTURE(tex1Dfetch, (int x), (x))
PHX_TEXTURE(tex1D, (float x), (x))
PHX_TEXTURE(tex2D, (float x, float y), (x, y))
PHX_TEXTURE(tex3D, (float x, float y, float z), (x, y, z))
PHX_TEXTURE(tex1DLod, (float x, float), (x))
PHX_TEXTURE(tex2DLod, (float x, float y, float), (x, y))
PHX_TEXTURE(tex3DLod, (float x, float y, float z, float), (x, y, z))
#undef PHX_TEXTURE

// intrinsics.cpp: the position, and then a value for each channel (of a read: what it is like).
#define PHX_SURFACE(mode)                                                       \
  template <typename B, typename... P>                                          \
  __device__ void __phx_surface_load_##mode(B* channels, cudaSurfaceObject_t surface, P... rest); \
  template <typename... P>                                                      \
  __device__ void __phx_surface_store_##mode(cudaSurfaceObject_t surface, P... rest); \
  template <typename T, typename... P>                                          \
  PHX_DEVICE void __phx_surface_read_##mode(T* result, cudaSurfaceObject_t surface, P... at) { \
    typedef typename __phx_texel<T>::bits bits;                                 \
    constexpr bits like = 0;                                                    \
    bits* to = (bits*)result;                                                   \
    if constexpr (__phx_texel<T>::channels == 1)                                \
      __phx_surface_load_##mode(to, surface, at..., like);                      \
    else if constexpr (__phx_texel<T>::channels == 2)                           \
      __phx_surface_load_##mode(to, surface, at..., like, like);                \
    else                                                                        \
      __phx_surface_load_##mode(to, surface, at..., like, like, like, like);    \
  }                                                                             \
  template <typename T, typename... P>                                          \
  PHX_DEVICE void __phx_surface_write_##mode(T value, cudaSurfaceObject_t surface, P... at) { \
    typedef typename __phx_texel<T>::bits bits;                                 \
    const bits* from = (const bits*)&value;                                     \
    if constexpr (__phx_texel<T>::channels == 1)                                \
      __phx_surface_store_##mode(surface, at..., from[0]);                      \
    else if constexpr (__phx_texel<T>::channels == 2)                           \
      __phx_surface_store_##mode(surface, at..., from[0], from[1]);             \
    else                                                                        \
      __phx_surface_store_##mode(surface, at..., from[0], from[1], from[2], from[3]); \
  }
PHX_SURFACE(trap)
PHX_SURFACE(clamp)
PHX_SURFACE(zero)
#undef PHX_SURFACE

#define PHX_SURFACES(read, write, parameters, arguments)                                     \
  template <typename T>                                                                      \
  PHX_DEVICE void read(                                                                      \
      T* result, cudaSurfaceObject_t surface, PHX_UNPACK parameters,                         \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                 \
    if (mode == cudaBoundaryModeTrap)                                                        \
      __phx_surface_read_trap(result, surface, PHX_UNPACK arguments);                        \
    else if (mode == cudaBoundaryModeClamp)                                                  \
      __phx_surface_read_clamp(result, surface, PHX_UNPACK arguments);                       \
    else                                                                                     \
      __phx_surface_read_zero(result, surface, PHX_UNPACK arguments);                        \
  }                                                                                          \
  template <typename T>                                                                      \
  PHX_DEVICE T read(                                                                         \
      cudaSurfaceObject_t surface, PHX_UNPACK parameters,                                    \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                 \
    T result;                                                                                \
    read(&result, surface, PHX_UNPACK arguments, mode);                                      \
    return result;                                                                           \
  }                                                                                          \
  template <typename T>                                                                      \
  PHX_DEVICE void write(                                                                     \
      T value, cudaSurfaceObject_t surface, PHX_UNPACK parameters,                           \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                 \
    if (mode == cudaBoundaryModeTrap)                                                        \
      __phx_surface_write_trap(value, surface, PHX_UNPACK arguments);                        \
    else if (mode == cudaBoundaryModeClamp)                                                  \
      __phx_surface_write_clamp(value, surface, PHX_UNPACK arguments);                       \
    else                                                                                     \
      __phx_surface_write_zero(value, surface, PHX_UNPACK arguments);                        \
  }
PHX_SURFACES(surf1Dread, surf1Dwrite, (int x), (x))
PHX_SURFACES(surf2Dread, surf2Dwrite, (int x, int y), (x, y))
PHX_SURFACES(surf3Dread, surf3Dwrite, (int x, int y, int z), (x, y, z))
#undef PHX_SURFACES
#undef PHX_UNPACK
