// What kernels use of the C++ library's utilities.
#pragma once
#include "type_traits"
namespace std {
template <typename T> __host__ __device__ constexpr remove_reference_t<T>&& move(T&& value) noexcept {
  return static_cast<remove_reference_t<T>&&>(value);
}
template <typename T> __host__ __device__ constexpr T&& forward(remove_reference_t<T>& value) noexcept {
  return static_cast<T&&>(value);
}
template <typename T> __host__ __device__ constexpr void swap(T& a, T& b) {
  T kept = a;
  a = b;
  b = kept;
}
template <typename A, typename B> struct pair {
  A first;
  B second;
};
template <typename A, typename B> __host__ __device__ constexpr pair<A, B> make_pair(A a, B b) {
  return pair<A, B>{a, b};
}
template <typename T, T... values> struct integer_sequence {
  static constexpr size_t size() { return sizeof...(values); }
};
template <size_t... values> using index_sequence = integer_sequence<size_t, values...>;
template <size_t count> using make_index_sequence = __make_integer_seq<integer_sequence, size_t, count>;
}  // namespace std
