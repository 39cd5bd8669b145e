// How the files of routines hand them to the lookup.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <string_view>

namespace phalanx::runtime::cpu {

struct Routine {
  std::string_view name;   // "sort"
  std::string_view dtype;  // "float64"
  void* address;
};

template <typename Function>
void* address_of_routine(Function* function) {
  return reinterpret_cast<void*>(function);
}

// What a routine returns where there is no memory for it.
inline constexpr int out_of_memory = -1;

// Memory of a routine, not initialised; null when there is none left.
template <typename T>
std::unique_ptr<T[]> try_allocate(std::size_t count) {
  return std::unique_ptr<T[]>(new (std::nothrow) T[count]);
}

std::span<const Routine> sort_routines();
std::span<const Routine> counting_routines();
std::span<const Routine> memory_routines();
std::span<const Routine> texture_routines();
std::span<const Routine> stack_routines();
std::span<const Routine> lapack_system_routines();
std::span<const Routine> lapack_spectrum_routines();

}  // namespace phalanx::runtime::cpu
