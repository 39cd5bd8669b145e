#include "phalanx/runtime/routines.h"

#include "phalanx/base/routines.h"
#include "phalanx/runtime/cpu/routine_table.h"

namespace phalanx::runtime {

void* find_routine(std::string_view symbol) {
  if (!symbol.starts_with(routine_prefix))
    return nullptr;
  symbol.remove_prefix(routine_prefix.size());
  const std::size_t dot = symbol.find('.');
  const std::string_view name = symbol.substr(0, dot);
  const std::string_view dtype = symbol.substr(dot + 1);
  for (const auto& table :
       {cpu::sort_routines(),
        cpu::counting_routines(),
        cpu::memory_routines(),
        cpu::texture_routines(),
        cpu::stack_routines(),
        cpu::lapack_system_routines(),
        cpu::lapack_spectrum_routines()}) {
    for (const cpu::Routine& routine : table) {
      if (routine.name == name && routine.dtype == dtype)
        return routine.address;
    }
  }
  return nullptr;
}

}  // namespace phalanx::runtime
