#include "phalanx/runtime/cuda/cuda_executable.h"

#include <cstdio>
#include <utility>

#include "phalanx/runtime/raise.h"

namespace phalanx::runtime::cuda {

CudaExecutable::CudaExecutable(
    std::shared_ptr<CudaModule> module, std::size_t entry, std::string name)
    : Executable(std::move(module), entry, std::move(name)),
      interned_name_(&context().intern(this->name())) {
  const auto scope = context().enter();
  CU_IN(
      context(), module_function(&function_, cuda_module().native(), this->entry().symbol.c_str()));
  const auto number = [this](FunctionAttribute attribute) {
    int value = 0;
    CU_IN(context(), function_get(&value, attribute, function_));
    return static_cast<std::uint32_t>(value);
  };
  attributes_.registers = number(function_registers);
  attributes_.local_bytes = number(function_local_bytes);
  attributes_.static_shared_bytes =
      number(function_static_shared_bytes) + this->entry().moved_shared_bytes;
  attributes_.constant_bytes = number(function_constant_bytes);
  attributes_.max_threads_per_block = number(function_max_threads);
  allowed_shared_ = number(function_max_dynamic_shared_bytes);
}

void CudaExecutable::raise_shared_limit(std::uint32_t dynamic_bytes) {
  const std::lock_guard lock(mutex_);
  if (dynamic_bytes <= allowed_shared_.load(std::memory_order_relaxed))
    return;
  CU_IN(
      context(),
      function_set(function_, function_max_dynamic_shared_bytes, static_cast<int>(dynamic_bytes)));
  allowed_shared_.store(dynamic_bytes, std::memory_order_relaxed);
}

void collect_reports(
    const std::vector<std::shared_ptr<CudaExecutable>>& kernels, CudaStream& stream) {
  const CudaExecutable* first = nullptr;
  ErrorLog first_log;
  for (const std::shared_ptr<CudaExecutable>& kernel : kernels) {
    if (kernel->binary().uses_print)
      std::fflush(stdout);  // the driver writes with C's streams
    if (!kernel->cuda_module().raises())
      continue;
    const ErrorLog log = kernel->cuda_module().take_errors(stream);
    if (log.count == 0 || first != nullptr)
      continue;
    first = kernel.get();
    first_log = log;
  }
  if (first != nullptr)
    throw_kernel_error(first->name(), first->binary().fault_sites, first_log);
}

}  // namespace phalanx::runtime::cuda
