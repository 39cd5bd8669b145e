#include "phalanx/jit/memory_use.h"

#include <utility>

namespace phalanx::jit {

MemoryUse memory_use(const ir::Module& module) {
  MemoryUse use;
  for (const ir::ConstantArray& array : module.constants) use.constant_bytes += array.bytes.size();
  for (const auto& function : module.functions) {
    ir::for_each(std::as_const(function->body), [&](const ir::Operation& operation) {
      if (operation.op != ir::Op::local_array)
        return;
      std::uint64_t bytes = ir::size_of(operation.type.element());
      for (const std::int64_t extent : operation.shape) bytes *= static_cast<std::uint64_t>(extent);
      use.local_bytes += bytes;
    });
  }
  return use;
}

}  // namespace phalanx::jit
