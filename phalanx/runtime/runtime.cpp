#include "phalanx/runtime/runtime.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <ranges>
#include <string_view>
#include <utility>

#include "phalanx/base/environment.h"
#include "phalanx/base/errors.h"
#include "phalanx/runtime/cpu/host_family.h"
#include "phalanx/runtime/cpu/interrupt.h"
#include "phalanx/runtime/cuda/platform.h"

namespace phalanx::runtime {

namespace {

struct Choice {
  DeviceKind kind{};
  int ordinal = 0;
};

// "cpu", "cuda" or "cuda:N", by the names of the table.
Choice parse_device(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  const auto* const row = std::ranges::find(device_table, name, &DeviceRow::name);
  if (row != device_table.end() && name == text)
    return {row->kind, 0};
  if (row != device_table.end()) {
    const std::string_view number = text.substr(name.size() + 1);
    unsigned ordinal = 0;
    const char* end = number.data() + number.size();
    const auto [stop, error] = std::from_chars(number.data(), end, ordinal);
    if (error == std::errc{} && stop == end && ordinal < 1024)
      return {row->kind, static_cast<int>(ordinal)};
  }
  throw ValueError(fmt::format(
      "PHALANX_DEVICE must be {} or auto, or one of several as cuda:N (N from 0), not '{}'",
      fmt::join(device_table | std::views::transform(&DeviceRow::name), " or "),
      text));
}

}  // namespace

RuntimeOptions RuntimeOptions::from_environment() {
  RuntimeOptions options;
  options.device = environment("PHALANX_DEVICE").value_or("");
  if (!options.device.empty() && !options.is_automatic())
    static_cast<void>(parse_device(options.device));
  const std::optional<unsigned> threads = environment_number("PHALANX_NUM_THREADS");
  if (threads && (*threads == 0 || *threads > 4096))
    throw ValueError(fmt::format("PHALANX_NUM_THREADS must be 1 to 4096, not {}", *threads));
  options.threads = threads.value_or(0);
  const std::optional<unsigned> devices = environment_number("PHALANX_CPU_DEVICES");
  if (devices && (*devices == 0 || *devices > 64))
    throw ValueError(fmt::format("PHALANX_CPU_DEVICES must be 1 to 64, not {}", *devices));
  options.cpu_devices = devices.value_or(1);
  return options;
}

Runtime::Runtime(RuntimeOptions options)
    : options_(std::move(options)),
      interrupt_(std::make_shared<cpu::Interrupt>()),
      platform_(std::make_shared<cuda::Platform>(options_.driver)),
      // In the order of base/devices.def.
      families_{
          std::make_shared<cpu::HostFamily>(options_.cpu_devices, options_.threads, interrupt_),
          platform_} {}

Runtime::~Runtime() = default;

Device& Runtime::device(DeviceKind kind, int ordinal) { return family(kind).device(ordinal); }

std::vector<Device*> Runtime::devices() {
  std::vector<Device*> found;
  for (const std::shared_ptr<DeviceFamily>& each : families_ | std::views::reverse) {
    for (int i = 0; i < each->count(); ++i) found.push_back(&each->device(i));
  }
  return found;
}

Device& Runtime::default_device() {
  if (!options_.device.empty() && !options_.is_automatic()) {
    const Choice choice = parse_device(options_.device);
    return device(choice.kind, choice.ordinal);
  }
  const auto used = std::ranges::find_if(
      families_ | std::views::reverse, [](const auto& each) { return each->count() > 0; });
  return (*used)->device(0);
}

DriverInfo Runtime::driver_info() { return platform_->info(); }

bool Runtime::is_interrupted() { return interrupt_->is_requested(); }

void Runtime::set_interrupt_check(std::function<bool()> check) {
  interrupt_->set(std::move(check));
}

}  // namespace phalanx::runtime
