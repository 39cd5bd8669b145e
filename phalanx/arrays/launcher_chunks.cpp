// How the launcher runs programs that read more than the device's memory holds.
#include <algorithm>
#include <utility>

#include "phalanx/arrays/launcher.h"
#include "phalanx/base/errors.h"

namespace phalanx::arrays {
namespace {

// What a lane of a stream takes: large enough that launches and waits do not count beside copies.
constexpr std::uint64_t most_chunk_bytes = std::uint64_t{64} << 20;
constexpr std::uint64_t least_chunk_bytes = std::uint64_t{64} << 10;
// What is read must leave this part of the memory for what is computed of it.
constexpr std::uint64_t rest_for_results = 8;
// Lanes take a part of the memory that leaves room for results and for operands that stay.
constexpr std::uint64_t lanes_per_memory = 8;

std::uint64_t capacity_of(runtime::Device& device) {
  const runtime::MemoryInfo info = device.memory_info();
  const std::uint64_t all = info.free + info.used_here + info.cached_here;
  return std::min(all, device.memory_use().limit.value_or(all));
}

// The output's elements at the chunk's indices, of which `strides` are along the whole space.
views::DeviceArray part_of(
    const views::DeviceArray& output, const Strides& strides, const Chunk& chunk) {
  views::DeviceArray part = output;
  std::int64_t offset = 0;
  part.strides.assign(strides.begin(), strides.end());
  for (std::size_t i = 0; i < strides.size(); ++i) offset += chunk.first[i] * strides[i];
  part.shape.assign(chunk.extents.begin(), chunk.extents.end());
  part.address += static_cast<runtime::Address>(offset);
  return part;
}

// Where the results of chunks of a fold go: (count, results) numbers in C order.
struct PartsOfFold {
  PartsOfFold(const Folding& folding, const Chunking& chunking)
      : of_number(folding.is_reduced.size()), of_first(folding.is_reduced.size()) {
    for (std::size_t i = of_number.size(); i-- > 0;) {
      if (folding.is_reduced[i]) {
        of_number[i] = count;
        count *= chunking.counts()[i];
      } else {
        of_first[i] = results;
        results *= folding.program->space[i];
      }
    }
  }
  std::int64_t place_of(const Chunk& chunk) const {
    std::int64_t part = 0;
    std::int64_t result = 0;
    for (std::size_t i = 0; i < of_number.size(); ++i) {
      part += of_number[i] * chunk.number[i];
      result += of_first[i] * chunk.first[i];
    }
    return part * results + result;
  }

  std::int64_t count = 1;
  std::int64_t results = 1;
  Strides of_number;  // what a chunk's number along a dimension counts
  Strides of_first;   // what its first index counts
};

void add(ChunkCounts& counts, const ChunkStream& stream) {
  counts.chunks += stream.chunking().count();
  counts.copied_bytes += stream.copied_bytes();
}

}  // namespace

bool Launcher::can_hold(runtime::Device& device, std::uint64_t bytes) {
  const std::uint64_t capacity = capacity_of(device);
  return bytes <= capacity - capacity / rest_for_results;
}

// With all that it reads in memory. Throws OutOfMemoryError.
Program Launcher::restored(Program program) {
  for (Access& access : program.accesses) {
    if (!access.spilled)
      continue;
    const SpilledPtr spilled = access.spilled;
    views::DeviceArray array = spilled->array;
    if (array.memory->buffer.empty())  // else another access has brought it
      residency_->restore(*spilled);
    array.address = array.memory->buffer.address();
    array.host = array.memory->buffer.host();
    access.memory = std::make_shared<const views::DeviceArray>(std::move(array));
    access.spilled = nullptr;
  }
  return program;
}

// In chunks as large as there is room for; nothing where the program cannot be cut.
std::optional<ChunkStream> Launcher::stream_of(
    const Program& program, runtime::Device& device, ChunkLimits limits) {
  jit::refuse_while_recording("read arrays for which the device has no room");
  limits.most_bytes =
      std::clamp(capacity_of(device) / lanes_per_memory, least_chunk_bytes, most_chunk_bytes);
  for (;;) {
    auto chunking = Chunking::find(program, limits);
    if (!chunking)
      return std::nullopt;
    try {
      return ChunkStream(engine().runtime(), device, program, *std::move(chunking));
    } catch (const OutOfMemoryError&) {
      if (limits.most_bytes <= least_chunk_bytes)
        throw;
      limits.most_bytes /= 2;
    }
  }
}

std::shared_ptr<ProgramKernel> Launcher::elementwise_in_chunks(
    const Program& program, const Order& order, std::span<const views::DeviceArray> outputs) {
  const ChunkLimits limits = {
      .order = order.empty() ? order_of(program.space, program.accesses) : order,
      .is_whole = program.is_row};
  auto stream = stream_of(program, *outputs.front().device, limits);
  if (!stream)
    return launch_one(restored(program), order, outputs);
  std::shared_ptr<ProgramKernel> kernel;
  stream->run([&](const Program& part, const Chunk& chunk, runtime::Address /*results*/) {
    std::vector<views::DeviceArray> parts;
    for (const views::DeviceArray& output : outputs)
      parts.push_back(part_of(output, strides_in(program, output), chunk));
    kernel = launch_one(part, order, parts);
  });
  add(chunks_, *stream);
  return kernel;
}

void Launcher::elementwise_to_host(
    const Program& program, const Order& order, const HostTarget& target, Reason why) {
  hold(program, *target.device);
  views::DeviceArray output;
  output.memory = target.memory;
  output.device = target.device;
  output.element = target.dtype;
  output.shape.assign(program.space.begin(), program.space.end());
  const auto launch = [&] { return to_host_in_chunks(program, order, target); };
  if (!step_to_host(program, order, target, why))
    run(launch, {.program = program, .device = *target.device}, {&output, 1}, why);
}

std::shared_ptr<ProgramKernel> Launcher::to_host_in_chunks(
    const Program& program, const Order& order, const HostTarget& target) {
  runtime::Device& device = *target.device;
  const std::size_t item = size_of(target.dtype);
  auto stream =
      stream_of(program, device, {.order = order, .is_whole = program.is_row, .item_bytes = item});
  if (!stream) {
    const Program whole = restored(program);
    return to_host_at_once(whole, order, target, [&](const views::DeviceArray& results) {
      return launch_one(whole, order, {&results, 1});
    });
  }
  views::DeviceArray results{.device = &device, .element = target.dtype};
  std::shared_ptr<ProgramKernel> kernel;
  const auto launch = [&](const Program& part, const Chunk& chunk, runtime::Address address) {
    const Strides strides = strides_in_order(chunk.extents, order, item);
    results.address = address;
    results.shape.assign(chunk.extents.begin(), chunk.extents.end());
    results.strides.assign(strides.begin(), strides.end());
    kernel = launch_one(part, order, {&results, 1});
  };
  stream->run(launch, target.host);
  add(chunks_, *stream);
  return kernel;
}

std::shared_ptr<ProgramKernel> Launcher::to_host_at_once(
    const Program& program,
    const Order& order,
    const HostTarget& target,
    const std::function<std::shared_ptr<ProgramKernel>(const views::DeviceArray&)>& launch) {
  runtime::Device& device = *target.device;
  views::DeviceArray results =
      allocate(device, target.dtype, {program.space.begin(), program.space.end()});
  const Strides strides = strides_in_order(program.space, order, results.item_bytes());
  results.strides.assign(strides.begin(), strides.end());
  auto kernel = launch(results);
  runtime::Stream& stream = *device.default_stream();
  device.copy_to_host(target.host, results.address, results.bytes(), stream);
  stream.synchronize();
  return kernel;
}

// Nothing where what chunks give cannot be joined.
std::optional<ChunkStream> Launcher::stream_of(const Folding& folding, runtime::Device& device) {
  const Program& program = *folding.program;
  if (folding.reduction->is_of_positions())
    return std::nullopt;
  for (const Order& order :
       {order_of(program.space, program.accesses), in_c_order(program.space.size())}) {
    if (auto stream = stream_of(program, device, {.order = order, .is_folded = folding.is_reduced}))
      return stream;
  }
  return std::nullopt;
}

std::shared_ptr<ProgramKernel> Launcher::reduce_in_chunks(
    const Folding& folding, const views::DeviceArray& output) {
  auto stream = stream_of(folding, *output.device);
  if (stream)
    return reduce_stream(*stream, folding, output);
  const Program program = restored(*folding.program);
  Folding whole = folding;
  whole.program = &program;
  return reduce_one(whole, {&output.address, 1}, *output.device);
}

// Chunks that fold different indices of the same results leave states, which are joined at last.
std::shared_ptr<ProgramKernel> Launcher::reduce_stream(
    ChunkStream& stream, const Folding& folding, const views::DeviceArray& output) {
  runtime::Device& device = *output.device;
  const PartsOfFold parts(folding, stream.chunking());
  std::vector<views::DeviceArray> made;
  if (parts.count == 1)
    made.push_back(output);
  else
    for (const DType dtype : folding.reduction->state())
      made.push_back(allocate(device, dtype, {parts.count, parts.results}));
  std::shared_ptr<ProgramKernel> kernel;
  const auto launch = [&](const Program& part, const Chunk& chunk, runtime::Address /*results*/) {
    Folding own = folding;
    own.program = &part;
    const auto place = static_cast<std::size_t>(parts.place_of(chunk));
    std::vector<runtime::Address> outputs;
    outputs.reserve(made.size());
    for (const views::DeviceArray& array : made)
      outputs.push_back(array.address + place * array.item_bytes());
    kernel = reduce_one(own, outputs, device);
  };
  stream.run(launch);
  add(chunks_, stream);
  if (parts.count == 1)
    return kernel;
  std::vector<runtime::Address> states;
  states.reserve(made.size());
  for (const views::DeviceArray& array : made) states.push_back(array.address);
  launch_join(
      kernels_,
      {.name = folding.name, .reduction = folding.reduction},
      {.count = parts.count, .results = parts.results, .addresses = states},
      {&output.address, 1},
      *device.default_stream());
  return kernel;
}

}  // namespace phalanx::arrays
