#include "phalanx/jit/launch.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/jit/graph.h"
#include "phalanx/runtime/device_label.h"
#include "phalanx/runtime/profiler.h"
#include "phalanx/views/device_array.h"

namespace phalanx::jit {

namespace {

// Parameter blocks up to these sizes are packed on the stack; most are of the first.
constexpr std::size_t usual_bytes = 256;
constexpr std::size_t stack_bytes = 4096;
constexpr std::size_t widest_alignment = 16;

[[noreturn]] void refuse_array(const Plan& plan, const LaunchSite& site, const Argument& argument) {
  throw TypeError(
      "launch of " + plan.kernel().name() + " on " + label_of(*site.device) +
      ": an array argument lies on " + label_of(*argument.device) +
      "; copy it to the launch's device first");
}

bool is_in_host_memory(const Argument& argument) {
  return argument.device == nullptr || argument.device->is_host();
}

// Host memory that one or more arguments lie in, and its copy on the device.
struct Region {
  std::byte* low;
  std::byte* high;
  bool is_written;
  std::size_t shift;  // of the copy, so that elements are aligned there
  runtime::Buffer buffer;

  std::size_t bytes() const { return static_cast<std::size_t>(high - low); }
  runtime::Address address() const { return buffer.address() + shift; }
};

// A record is passed by its address, as an array without dimensions is.
unsigned dimensions_of(const ir::Type& type) { return type.is_array() ? type.ndim() : 0; }

ir::Type type_of(const Plan& plan, const Argument& argument) {
  const ir::TypeTable& types = plan.kernel().engine().types();
  return types.decode(std::span(&argument.key, 1)).front();
}

// A GPU stops with an error that no kernel survives.
[[noreturn]] void refuse_unaligned(const Plan& plan, const ir::Type& type) {
  throw TypeError(
      "launch of " + plan.kernel().name() + ": the elements of an array argument of type " +
      ir::to_string(type) + " are not aligned; pass a copy");
}

void check_strides(const Plan& plan, const ir::Type& type, const Argument& argument) {
  const auto alignment = static_cast<std::int64_t>(ir::alignment_of(type.element()));
  for (unsigned i = 0; i < dimensions_of(type); ++i) {
    if (argument.array.strides[i] % alignment != 0)
      refuse_unaligned(plan, type);
  }
}

// The copy of an array whose elements are not aligned on the host is shifted until they are.
void align(Region& region, const Plan& plan, std::span<const Argument> arguments) {
  ir::Type type = ir::Type::none();  // of the array that does not fit
  const auto fits = [&](std::size_t shift) {
    for (const std::uint32_t row : plan.arrays()) {
      const auto* data = static_cast<const std::byte*>(arguments[row].array.data);
      if (!is_in_host_memory(arguments[row]) || data < region.low || data >= region.high)
        continue;
      type = type_of(plan, arguments[row]);
      const auto offset = static_cast<std::size_t>(data - region.low);
      if ((shift + offset) % ir::alignment_of(type.element()) != 0)
        return false;
    }
    return true;
  };
  region.shift = reinterpret_cast<std::uintptr_t>(region.low) % widest_alignment;
  for (std::size_t tried = 0; !fits(region.shift); ++tried) {
    if (tried == widest_alignment)
      refuse_unaligned(plan, type);  // arrays that overlap want different shifts
    region.shift = tried;
  }
}

std::vector<Region> host_regions(const Plan& plan, std::span<const Argument> arguments) {
  std::vector<Region> regions;
  for (const std::uint32_t row : plan.arrays()) {
    const Argument& argument = arguments[row];
    if (!is_in_host_memory(argument))
      continue;
    const ir::Type type = type_of(plan, argument);
    check_strides(plan, type, argument);
    const unsigned ndim = dimensions_of(type);
    const ExtentSpan shape(argument.array.shape, ndim);
    const ExtentSpan strides(argument.array.strides, ndim);
    const ByteRange range = byte_range(shape, strides, ir::size_of(type.element()));
    auto* data = static_cast<std::byte*>(argument.array.data);
    regions.push_back({data + range.low, data + range.high, plan.is_written(row), 0, {}});
  }
  std::ranges::sort(regions, {}, &Region::low);
  // Arguments that overlap on the host must overlap on the device.
  std::vector<Region> merged;
  for (Region& region : regions) {
    if (!merged.empty() && region.low < merged.back().high) {
      merged.back().high = std::max(merged.back().high, region.high);
      merged.back().is_written |= region.is_written;
    } else {
      merged.push_back(std::move(region));
    }
  }
  for (Region& region : merged) align(region, plan, arguments);
  return merged;
}

void point_into_regions(
    const Plan& plan, std::span<Argument> arguments, const std::vector<Region>& regions) {
  for (const std::uint32_t row : plan.arrays()) {
    Argument& argument = arguments[row];
    if (!is_in_host_memory(argument))
      continue;
    const auto* data = static_cast<const std::byte*>(argument.array.data);
    for (const Region& region : regions) {
      if (data >= region.low && data < region.high)
        argument.array.data =
            // NOLINTNEXTLINE: an address on the device
            reinterpret_cast<void*>(region.address() + (data - region.low));
    }
  }
}

void pack_and_launch(
    const Plan& plan,
    runtime::Executable& executable,
    const LaunchSite& site,
    std::span<const Argument> arguments,
    std::span<std::byte> parameters) {
  plan.pack(arguments, parameters.data(), *site.device);
  site.device->launch(executable, site.config, parameters, *site.stream);
}

// Not inlined: each has a frame of its own size.
template <std::size_t most>
[[gnu::hot]] [[gnu::noinline]] void pack_on_stack(
    const Plan& plan,
    runtime::Executable& executable,
    const LaunchSite& site,
    std::span<const Argument> arguments) {
  alignas(16) std::array<std::byte, most> parameters;
  const auto used = std::span(parameters).first(plan.parameter_bytes());
  pack_and_launch(plan, executable, site, arguments, used);
}

void pack_and_launch(
    const Plan& plan,
    runtime::Executable& executable,
    const LaunchSite& site,
    std::span<const Argument> arguments) {
  const std::size_t bytes = plan.parameter_bytes();
  if (bytes <= usual_bytes)
    return pack_on_stack<usual_bytes>(plan, executable, site, arguments);
  if (bytes <= stack_bytes)
    return pack_on_stack<stack_bytes>(plan, executable, site, arguments);
  std::vector<std::byte> parameters(bytes);
  pack_and_launch(plan, executable, site, arguments, parameters);
}

void note_uses(const Plan& plan, const LaunchSite& site, std::span<const Argument> arguments) {
  for (const std::uint32_t row : plan.arrays()) {
    if (const views::DeviceArray* array = arguments[row].device_array) {
      if (site.graph != nullptr)
        site.graph->uses(array->memory);
      else
        array->memory->buffer.used_on(site.stream);
    }
  }
}

// The bytes that lie between the first and the last element: those of an array without gaps, and
// the lines of a cache that one with gaps reads. An array without dimensions is small.
std::uint64_t bytes_of(const Argument& argument) {
  const unsigned ndim = ir::key::ndim(argument.key);
  std::int64_t bytes = 0;
  for (unsigned i = 0; i < ndim; ++i) {
    if (argument.array.shape[i] == 0)
      return 0;
    bytes = std::max(bytes, argument.array.shape[i] * std::abs(argument.array.strides[i]));
  }
  return static_cast<std::uint64_t>(bytes);
}

// What a kernel writes to an array it may read, too: that is not known.
runtime::ProfileWork work_of(const Plan& plan, std::span<const Argument> arguments) {
  std::uint64_t read = 0;
  std::uint64_t written = 0;
  for (const std::uint32_t row : plan.arrays())
    (plan.is_written(row) ? written : read) += bytes_of(arguments[row]);
  return {read, written};
}

// A program may change and drop its own arrays when the launch returns; those of the device are
// kept until the stream is done with them.
bool must_wait(const Plan& plan, const LaunchSite& site, std::span<const Argument> arguments) {
  return site.stream->kind() == runtime::StreamKind::queued && site.device->is_host() &&
         std::any_of(plan.arrays().begin(), plan.arrays().end(), [&](std::uint32_t row) {
           return arguments[row].device_array == nullptr;
         });
}

}  // namespace

[[gnu::hot]] bool needs_copies(
    const Plan& plan, const LaunchSite& site, std::span<const Argument> arguments) {
  for (const std::uint32_t row : plan.arrays()) {
    if (arguments[row].device != site.device && is_in_host_memory(arguments[row]))
      return !site.device->is_host();
  }
  return false;
}

[[gnu::hot]] void launch(
    const Plan& plan,
    runtime::Executable& executable,
    const LaunchSite& site,
    std::span<const Argument> arguments) {
  for (const std::uint32_t row : plan.arrays()) {
    const Argument& argument = arguments[row];
    // What the host reaches is in place for the CPU device, and was copied for a GPU.
    const bool is_reached =
        argument.device == site.device || is_in_host_memory(argument) ||
        (argument.device_array != nullptr && argument.device_array->host != nullptr);
    if (!is_reached)
      refuse_array(plan, site, argument);
  }
  note_uses(plan, site, arguments);
  if (runtime::is_profiling()) [[unlikely]] {
    const runtime::ProfileWork work = work_of(plan, arguments);
    pack_and_launch(plan, executable, site, arguments);
  } else {
    pack_and_launch(plan, executable, site, arguments);
  }
  if (must_wait(plan, site, arguments))
    site.stream->synchronize();
}

void launch_with_copies(
    const Plan& plan,
    runtime::Executable& executable,
    const LaunchSite& site,
    std::span<Argument> arguments) {
  std::vector<Region> regions = host_regions(plan, arguments);
  for (Region& region : regions) {
    region.buffer = site.device->allocate(
        region.bytes() + region.shift, runtime::MemoryKind::device, site.stream);
    if (region.bytes() != 0)
      site.device->copy_to_device(region.address(), region.low, region.bytes(), *site.stream);
  }
  point_into_regions(plan, arguments, regions);
  launch(plan, executable, site, arguments);
  // What a kernel wrote before it raised comes back all the same, as on the CPU device.
  std::exception_ptr raised;
  if (plan.kernel().options().reports()) {
    try {
      site.stream->synchronize();
    } catch (const KernelError&) {
      raised = std::current_exception();
    }
  }
  for (const Region& region : regions) {
    if (region.is_written && region.bytes() != 0)
      site.device->copy_to_host(region.low, region.address(), region.bytes(), *site.stream);
  }
  site.stream->synchronize();
  if (raised)
    std::rethrow_exception(raised);
}

}  // namespace phalanx::jit
