#include "phalanx/runtime/cuda/cuda_executable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/raise.h"

namespace phalanx::runtime::cuda {

namespace {

// The variable that generated code keeps its ErrorLog in.
constexpr const char* error_log_name = "phalanx_error";

}  // namespace

CudaExecutable::CudaExecutable(
    std::shared_ptr<Context> context, Binary binary, std::string name, std::shared_ptr<Device> keep)
    : Executable(DeviceKind::cuda, std::move(binary), std::move(name)),
      context_(std::move(context)),
      interned_name_(&context_->intern(this->name())),
      keep_(std::move(keep)) {
  PHX_ASSERT(this->binary().kind == BinaryKind::cubin);
  const auto scope = context_->enter();
  const Result outcome =
      context_->driver().module_load(&module_, this->binary().code.data(), 0, nullptr, nullptr);
  if (outcome == result::no_binary_for_gpu)
    throw DeviceError(
        fmt::format("kernel {}: the cubin was made for another GPU", this->name()), outcome);
  context_->check(outcome, "module_load");
  try {
    find_kernel();
    find_error_log();
  } catch (...) {
    context_->driver().module_unload(module_);
    throw;
  }
}

CudaExecutable::~CudaExecutable() {
  detach();
  const auto scope = context_->try_enter();
  if (!scope)
    return;
  context_->driver().context_synchronize();  // launches of the module may still be queued
  context_->driver().module_unload(module_);
}

void CudaExecutable::find_kernel() {
  CU_IN(*context_, module_function(&function_, module_, binary().entry.c_str()));
  const auto number = [this](FunctionAttribute attribute) {
    int value = 0;
    CU_IN(*context_, function_get(&value, attribute, function_));
    return static_cast<std::uint32_t>(value);
  };
  attributes_.registers = number(function_registers);
  attributes_.local_bytes = number(function_local_bytes);
  attributes_.static_shared_bytes =
      number(function_static_shared_bytes) + binary().moved_shared_bytes;
  attributes_.constant_bytes = number(function_constant_bytes);
  attributes_.max_threads_per_block = number(function_max_threads);
  allowed_shared_ = number(function_max_dynamic_shared_bytes);
}

void CudaExecutable::find_error_log() {
  if (binary().fault_sites.empty())
    return;
  std::size_t bytes = 0;
  CU_IN(*context_, module_global(&error_log_, &bytes, module_, error_log_name));
  if (bytes < sizeof(ErrorLog))
    throw DeviceError(fmt::format("kernel {}: {} is too small", name(), error_log_name));
}

std::optional<std::pair<std::uintptr_t, std::size_t>> CudaExecutable::global(
    const std::string& name) {
  const auto scope = context_->enter();
  DevicePointer address = 0;
  std::size_t bytes = 0;
  const Result outcome = context_->driver().module_global(&address, &bytes, module_, name.c_str());
  if (outcome == result::not_found)
    return std::nullopt;
  context_->check(outcome, "module_global");
  return std::pair(static_cast<std::uintptr_t>(address), bytes);
}

void CudaExecutable::raise_shared_limit(std::uint32_t dynamic_bytes) {
  const std::lock_guard lock(mutex_);
  if (dynamic_bytes <= allowed_shared_.load(std::memory_order_relaxed))
    return;
  CU_IN(
      *context_,
      function_set(function_, function_max_dynamic_shared_bytes, static_cast<int>(dynamic_bytes)));
  allowed_shared_.store(dynamic_bytes, std::memory_order_relaxed);
}

ErrorLog CudaExecutable::take_errors(CudaStream& stream) {
  const std::lock_guard lock(mutex_);
  ErrorLog log;
  CU_IN(*context_, copy_to_host(&log, error_log_, sizeof(log), stream.native()));
  CU_IN(*context_, stream_synchronize(stream.native()));
  if (log.count != 0) {
    CU_IN(*context_, fill_8(error_log_, 0, sizeof(log), stream.native()));
    CU_IN(*context_, stream_synchronize(stream.native()));
  }
  return log;
}

void collect_reports(
    const std::vector<std::shared_ptr<CudaExecutable>>& kernels, CudaStream& stream) {
  const CudaExecutable* first = nullptr;
  ErrorLog first_log;
  for (const std::shared_ptr<CudaExecutable>& kernel : kernels) {
    if (kernel->binary().uses_print)
      std::fflush(stdout);  // the driver writes with C's streams
    if (!kernel->raises())
      continue;
    const ErrorLog log = kernel->take_errors(stream);
    if (log.count == 0 || first != nullptr)
      continue;
    first = kernel.get();
    first_log = log;
  }
  if (first != nullptr)
    throw_kernel_error(first->name(), first->binary().fault_sites, first_log);
}

}  // namespace phalanx::runtime::cuda
