#include "phalanx/runtime/runtime.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <utility>

#include "phalanx/base/environment.h"
#include "phalanx/base/errors.h"
#include "phalanx/runtime/cpu/cpu_device.h"
#include "phalanx/runtime/cpu/interrupt.h"
#include "phalanx/runtime/cuda/cuda_device.h"
#include "phalanx/runtime/cuda/platform.h"

namespace phalanx::runtime {

namespace {

struct Choice {
  DeviceKind kind = DeviceKind::cpu;
  int ordinal = 0;
};

// "cpu", "cuda" or "cuda:N".
Choice parse_device(std::string_view text) {
  if (text == "cpu")
    return {DeviceKind::cpu, 0};
  if (text == "cuda")
    return {DeviceKind::cuda, 0};
  constexpr std::string_view prefix = "cuda:";
  if (text.starts_with(prefix)) {
    unsigned ordinal = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, ordinal);
    if (error == std::errc{} && stop == end && ordinal < 1024)
      return {DeviceKind::cuda, static_cast<int>(ordinal)};
  }
  throw ValueError(
      fmt::format("PHALANX_DEVICE must be cpu, cuda or cuda:N (N from 0), not '{}'", text));
}

}  // namespace

RuntimeOptions RuntimeOptions::from_environment() {
  RuntimeOptions options;
  options.device = environment("PHALANX_DEVICE").value_or("");
  if (!options.device.empty())
    static_cast<void>(parse_device(options.device));
  const std::optional<unsigned> threads = environment_number("PHALANX_NUM_THREADS");
  if (threads && (*threads == 0 || *threads > 4096))
    throw ValueError(fmt::format("PHALANX_NUM_THREADS must be 1 to 4096, not {}", *threads));
  options.threads = threads.value_or(0);
  return options;
}

Runtime::Runtime() : Runtime(RuntimeOptions::from_environment()) {}

Runtime::Runtime(RuntimeOptions options, const cuda::Driver* driver)
    : options_(std::move(options)),
      interrupt_(std::make_shared<cpu::Interrupt>()),
      platform_(std::make_shared<cuda::Platform>(driver)) {}

Runtime::~Runtime() = default;

Device& Runtime::cpu() {
  const std::lock_guard lock(mutex_);
  if (!cpu_)
    cpu_ = std::make_shared<cpu::CpuDevice>(options_.threads, interrupt_);
  return *cpu_;
}

Device& Runtime::cuda(int ordinal) { return *platform_->device(ordinal); }

Device& Runtime::default_device() {
  if (!options_.device.empty()) {
    const Choice choice = parse_device(options_.device);
    return device(choice.kind, choice.ordinal);
  }
  return cuda_device_count() > 0 ? cuda(0) : cpu();
}

Device& Runtime::device(DeviceKind kind, int ordinal) {
  if (kind == DeviceKind::cuda)
    return cuda(ordinal);
  if (ordinal != 0)
    throw ValueError(fmt::format("there is one CPU device, cpu:0; no cpu:{}", ordinal));
  return cpu();
}

int Runtime::cuda_device_count() { return platform_->info().device_count; }

DriverInfo Runtime::driver_info() { return platform_->info(); }

void Runtime::set_interrupt_check(std::function<bool()> check) {
  interrupt_->set(std::move(check));
}

}  // namespace phalanx::runtime
