#include "phalanx/runtime/cuda/launcher.h"

#include <fmt/format.h>

#include <array>

#include "phalanx/base/errors.h"

namespace phalanx::runtime::cuda {

namespace {

Result start_cooperative(
    const Driver& driver,
    FunctionHandle function,
    const LaunchConfig& config,
    StreamHandle stream,
    void** extra) {
  LaunchAttribute attribute;
  attribute.id = launch_cooperative;
  attribute.cooperative = 1;
  LaunchSettings settings;
  settings.grid[0] = config.grid.x;
  settings.grid[1] = config.grid.y;
  settings.grid[2] = config.grid.z;
  settings.block[0] = config.block.x;
  settings.block[1] = config.block.y;
  settings.block[2] = config.block.z;
  settings.shared_bytes = config.dynamic_shared_bytes;
  settings.stream = stream;
  settings.attributes = &attribute;
  settings.attribute_count = 1;
  return driver.launch_with(&settings, function, nullptr, extra);
}

bool is_cooperative(const CudaExecutable& kernel, const LaunchConfig& config) {
  return config.cooperative || kernel.entry().is_cooperative;
}

[[noreturn]] void refuse(CudaExecutable& kernel, const LaunchConfig& config, Result outcome) {
  if (outcome == result::cooperative_too_large)
    throw ValueError(fmt::format(
        "launch of {}: {} blocks are more than can run on the GPU at once, which a cooperative "
        "launch needs",
        kernel.name(),
        config.grid.count()));
  if (outcome == result::launch_out_of_resources)
    throw DeviceError(
        fmt::format(
            "launch of {}: the GPU lacks the resources for a block of {} threads with {} registers "
            "each; use smaller blocks or set max_registers",
            kernel.name(),
            config.block.count(),
            kernel.known_attributes().registers),
        outcome);
  kernel.context().fail(outcome, is_cooperative(kernel, config) ? "launch_with" : "launch");
}

}  // namespace

[[gnu::hot]] void start_kernel(
    CudaExecutable& kernel,
    const LaunchConfig& config,
    std::span<const std::byte> parameters,
    CudaStream& stream) {
  const Driver& driver = kernel.context().driver();
  std::size_t bytes = parameters.size();
  // The driver only reads it, whatever its signature says.
  std::array<void*, 5> list = {
      launch_buffer(),
      const_cast<std::byte*>(parameters.data()),
      launch_buffer_bytes(),
      &bytes,
      launch_end()};
  void** extra = bytes == 0 ? nullptr : list.data();
  const Result outcome =
      is_cooperative(kernel, config)
          ? start_cooperative(driver, kernel.function(), config, stream.native(), extra)
          : driver.launch(
                kernel.function(),
                config.grid.x,
                config.grid.y,
                config.grid.z,
                config.block.x,
                config.block.y,
                config.block.z,
                config.dynamic_shared_bytes,
                stream.native(),
                nullptr,
                extra);
  if (outcome != result::success)
    refuse(kernel, config, outcome);
}

}  // namespace phalanx::runtime::cuda
