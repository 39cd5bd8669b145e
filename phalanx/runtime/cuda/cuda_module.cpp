#include "phalanx/runtime/cuda/cuda_module.h"

#include <fmt/format.h>

#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cuda/cuda_executable.h"

namespace phalanx::runtime::cuda {

namespace {

// The variable that generated code keeps its ErrorLog in.
constexpr const char* error_log_name = "phalanx_error";

}  // namespace

CudaModule::CudaModule(
    std::shared_ptr<Context> context, Binary binary, std::shared_ptr<Device> keep)
    : Module(DeviceKind::cuda, std::move(binary)),
      context_(std::move(context)),
      keep_(std::move(keep)) {
  PHX_ASSERT(this->binary().kind == BinaryKind::cubin);
  const auto scope = context_->enter();
  const Result outcome =
      context_->driver().module_load(&native_, this->binary().code.data(), 0, nullptr, nullptr);
  if (outcome == result::no_binary_for_gpu)
    throw DeviceError(
        fmt::format("kernel {}: the cubin was made for another GPU", this->binary().entry().symbol),
        outcome);
  context_->check(outcome, "module_load");
  try {
    find_error_log();
  } catch (...) {
    context_->driver().module_unload(native_);
    throw;
  }
}

CudaModule::~CudaModule() {
  detach();
  // Launches of its kernels may still be queued.
  context_->free_when_idle(
      [native = native_](const Driver& driver) { driver.module_unload(native); });
}

std::shared_ptr<Executable> CudaModule::kernel(std::size_t entry, std::string name) {
  auto self = std::static_pointer_cast<CudaModule>(shared_from_this());
  return std::make_shared<CudaExecutable>(std::move(self), entry, std::move(name));
}

void CudaModule::find_error_log() {
  if (binary().fault_sites.empty())
    return;
  std::size_t bytes = 0;
  CU_IN(*context_, module_global(&error_log_, &bytes, native_, error_log_name));
  if (bytes < sizeof(ErrorLog))
    throw DeviceError(
        fmt::format("kernel {}: {} is too small", binary().entry().symbol, error_log_name));
}

std::optional<GlobalMemory> CudaModule::global(const std::string& name) {
  const auto scope = context_->enter();
  DevicePointer address = 0;
  std::size_t bytes = 0;
  const Result outcome = context_->driver().module_global(&address, &bytes, native_, name.c_str());
  if (outcome == result::not_found)
    return std::nullopt;
  context_->check(outcome, "module_global");
  return GlobalMemory{.address = static_cast<Address>(address), .bytes = bytes};
}

ErrorLog CudaModule::take_errors(CudaStream& stream) {
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

}  // namespace phalanx::runtime::cuda
