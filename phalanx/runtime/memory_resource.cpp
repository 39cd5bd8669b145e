#include "phalanx/runtime/memory_resource.h"

#include <fmt/format.h>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/device.h"
#include "phalanx/runtime/fork.h"

namespace phalanx::runtime {

namespace {

void* native(const Stream& stream) { return reinterpret_cast<void*>(stream.handle()); }

class FunctionResource final : public MemoryResource {
 public:
  explicit FunctionResource(const AllocatorFunctions& functions) : functions_(functions) {}

  Address allocate(std::size_t bytes, Stream& stream) override {
    const int ordinal = stream.device().ordinal();
    void* const memory =
        functions_.allocate(static_cast<std::ptrdiff_t>(bytes), ordinal, native(stream));
    if (memory == nullptr)
      throw OutOfMemoryError(fmt::format(
          "out of memory: the allocator that was set for device {} gave none of {} bytes; free "
          "arrays, or set another allocator",
          ordinal,
          bytes));
    return reinterpret_cast<Address>(memory);
  }

  void deallocate(Address memory, std::size_t bytes, Stream& stream) noexcept override {
    if (generation_ != fork_generation())
      return;  // the memory is the parent process's
    functions_.deallocate(
        reinterpret_cast<void*>(memory),
        static_cast<std::ptrdiff_t>(bytes),
        stream.device().ordinal(),
        native(stream));
  }

 private:
  AllocatorFunctions functions_;
  std::uint64_t generation_ = fork_generation();
};

}  // namespace

std::shared_ptr<MemoryResource> make_memory_resource(const AllocatorFunctions& functions) {
  if (functions.allocate == nullptr || functions.deallocate == nullptr)
    throw ValueError("an allocator is two functions, to allocate and to deallocate; one is null");
  return std::make_shared<FunctionResource>(functions);
}

}  // namespace phalanx::runtime
