#include "phalanx/runtime/libdevice_functions.h"

#include "phalanx/runtime/cpu/libdevice_table.h"

namespace phalanx::runtime {

void* find_libdevice_function(std::string_view name) {
  constexpr std::string_view prefix = "__nv_";
  if (!name.starts_with(prefix))
    return nullptr;
  name.remove_prefix(prefix.size());
  for (const auto& table :
       {cpu::libdevice_math(), cpu::libdevice_rounding(), cpu::libdevice_integers()}) {
    for (const cpu::LibdeviceFunction& function : table) {
      if (function.name == name)
        return function.address;
    }
  }
  return nullptr;
}

}  // namespace phalanx::runtime
