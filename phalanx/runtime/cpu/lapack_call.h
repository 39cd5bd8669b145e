// How the files of LAPACK's routines call it.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>

#include "phalanx/runtime/cpu/routine_table.h"
#include "phalanx/runtime/lapack_library.h"

namespace phalanx::runtime::cpu::lapack {

using i64 = std::int64_t;

namespace failure {
inline constexpr i64 no_library = -2;
inline constexpr i64 wrong_argument = -3;  // NaN, for some
}  // namespace failure

template <typename T>
struct Real {
  using type = T;
};
template <typename T>
struct Real<std::complex<T>> {
  using type = T;
};
template <typename T>
using real_of = typename Real<T>::type;
template <typename T>
constexpr bool is_complex = !std::is_same_v<T, real_of<T>>;

// The letter that begins the names of a type's routines.
template <typename T>
constexpr char letter = is_complex<T> ? (sizeof(T) == 8 ? 'c' : 'z') : (sizeof(T) == 4 ? 's' : 'd');

// A Fortran subroutine: arguments by address, lengths of texts at the end.
template <typename... Arguments>
void call(void* routine, Arguments... arguments) {
  reinterpret_cast<void (*)(Arguments...)>(routine)(arguments...);
}

template <typename T>
void* find(const char* name) {
  return lapack_library().find(letter<T> + std::string(name));
}

inline constexpr std::size_t one_letter = 1;

// What `body` returns, called with a 0 of the library's integers.
template <typename Body>
i64 with_integers(const Body& body) {
  if (!lapack_library().is_there())
    return failure::no_library;
  const i64 info = lapack_library().has_wide_integers() ? body(i64{0}) : body(std::int32_t{0});
  return info < 0 && info != out_of_memory ? failure::wrong_argument : info;
}

template <typename T, typename Int>
Int length_of(const T& optimal) {
  return std::max<Int>(1, static_cast<Int>(std::real(optimal)));
}

// Calls run(work, length), first to learn which length is best.
template <typename T, typename Int, typename Run>
bool run_with_work(const Run& run) {
  T optimal = {};
  run(&optimal, Int{-1});
  const Int length = length_of<T, Int>(optimal);
  const auto work = try_allocate<T>(static_cast<std::size_t>(length));
  if (work == nullptr)
    return false;
  run(work.get(), length);
  return true;
}

}  // namespace phalanx::runtime::cpu::lapack
