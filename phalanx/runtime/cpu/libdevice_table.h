// How the files of libdevice's functions hand them to the lookup.
#pragma once

#include <span>
#include <string_view>

namespace phalanx::runtime::cpu {

struct LibdeviceFunction {
  std::string_view name;  // without __nv_
  void* address;
};

// A function without captures as the C function that it is.
template <typename Function>
void* address_of(Function function) {
  return reinterpret_cast<void*>(+function);
}

std::span<const LibdeviceFunction> libdevice_math();
std::span<const LibdeviceFunction> libdevice_rounding();
std::span<const LibdeviceFunction> libdevice_integers();

}  // namespace phalanx::runtime::cpu
