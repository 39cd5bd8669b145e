#include "phalanx/runtime/launch.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/device.h"
#include "phalanx/runtime/executable.h"

namespace phalanx::runtime {

namespace {

std::string text_of(const Dim3& d) { return fmt::format("({}, {}, {})", d.x, d.y, d.z); }

[[noreturn]] void refuse(std::string_view kernel, const std::string& problem) {
  throw ValueError(fmt::format("launch of {}: {}", kernel, problem));
}

// The extents of `requested` that are over `limit`, or zero.
void check_extents(
    std::string_view kernel, std::string_view what, const Dim3& requested, const Dim3& limit) {
  if (requested.count() == 0)
    refuse(
        kernel,
        fmt::format("{} is {}, but every extent must be at least 1", what, text_of(requested)));
  if (requested.x > limit.x || requested.y > limit.y || requested.z > limit.z)
    refuse(
        kernel,
        fmt::format(
            "{} is {}, over the device's limit of {}", what, text_of(requested), text_of(limit)));
}

// What the limit leaves for arrays that the launch sizes.
std::uint64_t left_for_arrays(
    const LaunchConfig& config, const KernelNeeds& needs, const DeviceLimits& limits) {
  const std::uint64_t taken = needs.fixed_shared_bytes + config.dynamic_shared_bytes;
  return taken < limits.max_shared_bytes ? limits.max_shared_bytes - taken : 0;
}

[[noreturn]] void refuse_shared(
    const Executable& kernel,
    const LaunchConfig& config,
    const LaunchInput& input,
    const KernelNeeds& needs,
    const DeviceLimits& limits) {
  const auto problem =
      kernel.launch_memory().problem(input, left_for_arrays(config, needs, limits));
  const std::string others = fmt::format(
      "({} static, {} dynamic); the device's limit is {}",
      needs.fixed_shared_bytes,
      config.dynamic_shared_bytes,
      limits.max_shared_bytes);
  if (problem && problem->is_too_large)
    refuse(kernel.name(), fmt::format("{} of shared memory a block {}", problem->text, others));
  if (problem)
    refuse(kernel.name(), problem->text);
  refuse(
      kernel.name(),
      fmt::format(
          "{} bytes of shared memory a block were asked for {}",
          needs.fixed_shared_bytes + config.dynamic_shared_bytes,
          others));
}

// The extents or threads are what does not fit, or else nothing.
void check_shape(
    std::string_view kernel,
    const LaunchConfig& config,
    std::uint32_t max_threads,
    const DeviceLimits& limits) {
  check_extents(kernel, "the grid", config.grid, limits.max_grid);
  const std::uint64_t threads = config.block.count();
  if (threads > limits.max_threads_per_block)
    refuse(
        kernel,
        fmt::format(
            "a block of {} has {} threads; the device's limit is {}",
            text_of(config.block),
            threads,
            limits.max_threads_per_block));
  check_extents(kernel, "the block", config.block, limits.max_block);
  if (threads > max_threads)
    refuse(
        kernel,
        fmt::format(
            "a block of {} has {} threads, but this kernel can run with {} at most, because of the "
            "registers it uses or its launch bounds; use smaller blocks or set max_registers",
            text_of(config.block),
            threads,
            max_threads));
}

constexpr bool fits(const Dim3& requested, const Dim3& limit) {
  // Zero wraps to the largest number.
  return requested.x - 1 < limit.x && requested.y - 1 < limit.y && requested.z - 1 < limit.z;
}

}  // namespace

Dim3 make_dim3(std::string_view what, std::span<const std::int64_t> extents) {
  if (extents.empty() || extents.size() > 3)
    throw ValueError(fmt::format("{} must have 1 to 3 extents, not {}", what, extents.size()));
  std::array<std::uint32_t, 3> result = {1, 1, 1};
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::int64_t extent = extents[i];
    if (extent < 1)
      throw ValueError(
          fmt::format("{}: extent {} is {}, but it must be at least 1", what, "xyz"[i], extent));
    if (extent > std::numeric_limits<std::uint32_t>::max())
      throw ValueError(
          fmt::format("{}: extent {} is {}, which is too large", what, "xyz"[i], extent));
    result.at(i) = static_cast<std::uint32_t>(extent);
  }
  return {result[0], result[1], result[2]};
}

LaunchConfig make_launch_config(
    std::span<const std::int64_t> grid,
    std::span<const std::int64_t> block,
    std::int64_t shared_bytes) {
  if (shared_bytes < 0 || shared_bytes > std::numeric_limits<std::uint32_t>::max())
    throw ValueError(
        fmt::format("the dynamic shared memory of a launch cannot be {} bytes", shared_bytes));
  LaunchConfig config;
  config.grid = make_dim3("the grid", grid);
  config.block = make_dim3("the block", block);
  config.dynamic_shared_bytes = static_cast<std::uint32_t>(shared_bytes);
  return config;
}

[[gnu::hot]] LaunchConfig checked_launch(
    const Executable& kernel,
    const LaunchConfig& config,
    std::span<const std::byte> parameters,
    const KernelNeeds& needs,
    const DeviceLimits& limits) {
  const bool has_shape = fits(config.grid, limits.max_grid) &&
                         fits(config.block, limits.max_block) &&
                         config.block.count() <= limits.max_threads_per_block &&
                         config.block.count() <= needs.max_threads;
  if (!has_shape)
    check_shape(kernel.name(), config, needs.max_threads, limits);
  const LaunchInput input{
      .parameters = parameters,
      .block = {config.block.x, config.block.y, config.block.z},
      .grid = {config.grid.x, config.grid.y, config.grid.z}};
  const std::uint64_t sized =
      kernel.launch_memory().is_empty() ? 0 : kernel.launch_memory().bytes(input);
  // Bytes that the user asks for fit 32 bits, those of arrays 40 each: no sum wraps.
  if (sized == LaunchMemory::refused ||
      needs.fixed_shared_bytes + config.dynamic_shared_bytes + sized > limits.max_shared_bytes)
    refuse_shared(kernel, config, input, needs, limits);
  LaunchConfig result = config;
  result.dynamic_shared_bytes += static_cast<std::uint32_t>(sized);
  result.dynamic_shared_bytes += kernel.entry().moved_shared_bytes;
  return result;
}

}  // namespace phalanx::runtime
