#include "phalanx/views/copy_kernels.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/ir/builder.h"
#include "phalanx/ir/idioms.h"
#include "phalanx/runtime/device.h"

namespace phalanx::views {

namespace {

using ir::Builder;
using ir::Op;
using Value = Builder::Value;

constexpr std::size_t widest_unit = 8;
constexpr std::uint32_t block_threads = 256;
constexpr std::uint64_t most_blocks_of_multiprocessor = 32;

DType unit_type(std::size_t bytes) {
  constexpr DType types[] = {DType::uint8, DType::uint16, DType::uint32, DType::uint64};
  return types[bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3];
}

std::string name_of(const CopyKernelKind& kind) {
  return "phalanx_copy_" + std::to_string(kind.unit) + "_" + std::to_string(kind.loops) +
         (kind.is_wide ? "_wide" : "");
}

std::vector<ir::Type> parameter_types(const CopyKernelKind& kind) {
  const ir::Type pointer = ir::Type::pointer(unit_type(kind.unit), ir::Space::global);
  std::vector<ir::Type> types = {pointer, pointer, DType::int64};
  types.insert(types.end(), 3 * kind.loops, DType::int64);
  return types;
}

// Where the parameters of a loop begin.
std::size_t first_parameter(std::size_t loop) { return 3 + 3 * loop; }

// Copies the unit of that number. The innermost loop's index is what remains after division by its
// extent, and so on outwards.
void copy_unit(Builder& builder, const CopyKernelKind& kind, Value number) {
  Value to = builder.integer(0);
  Value from = builder.integer(0);
  for (std::size_t loop = kind.loops; loop-- > 0;) {
    const std::size_t first = first_parameter(loop);
    Value index = number;
    if (loop != 0) {
      const Value extent = builder.cast(builder.parameter(first), number->type.dtype());
      const Value next = builder.elementwise(Op::floor_divide, {number, extent});
      const Value before = builder.elementwise(Op::multiply, {next, extent});
      index = builder.elementwise(Op::subtract, {number, before});
      number = next;
    }
    index = builder.cast(index, DType::int64);
    const auto moved = [&](Value offset, std::size_t stride) {
      return builder.elementwise(
          Op::add, {offset, builder.elementwise(Op::multiply, {index, builder.parameter(stride)})});
    };
    to = moved(to, first + 1);
    from = moved(from, first + 2);
  }
  const ir::Type pointer = builder.parameter(0)->type;
  const Value source = builder.pointer_offset(builder.parameter(1), from, pointer);
  builder.store(builder.pointer_offset(builder.parameter(0), to, pointer), builder.load(source));
}

// for (n = first thread's; n < count; n += threads of the grid) copy unit n
std::shared_ptr<ir::Module> make_module(const CopyKernelKind& kind) {
  auto module = std::make_shared<ir::Module>();
  std::vector<ir::Parameter> parameters;
  for (ir::Type& type : parameter_types(kind))
    parameters.push_back({"p" + std::to_string(parameters.size()), std::move(type)});
  Builder builder(
      ir::add_function(*module, name_of(kind), ir::FunctionKind::kernel, std::move(parameters)));
  const DType counter = kind.is_wide ? DType::uint64 : DType::uint32;
  const Value first = ir::global_index(builder, 0, counter);
  const Value step = ir::grid_threads(builder, 0, counter);
  const Value count = builder.cast(builder.parameter(2), counter);
  const ir::CountedLoop loop = ir::begin_counted_loop(builder, "n", first, count);
  {
    const auto inside = builder.enter(*loop.body);
    copy_unit(builder, kind, loop.index);
  }
  ir::step_counted_loop(builder, loop, step);
  builder.return_();
  return module;
}

}  // namespace

KernelSource copy_kernel(const CopyKernelKind& kind) {
  return {name_of(kind), parameter_types(kind), [kind] { return make_module(kind); }};
}

FindKernel CopyKernels::find(const CopyKernelKind& kind) {
  const std::lock_guard lock(mutex_);
  FindKernel& found = found_[kind];
  if (!found)
    found = prepare_(copy_kernel(kind));
  return found;
}

void CopyKernels::launch(const CopyPlan& plan, runtime::Stream& stream) {
  const std::size_t unit = plan.unit(widest_unit);
  std::vector<CopyLoop> loops = plan.loops;
  if (unit != plan.run) {
    const auto bytes = static_cast<std::int64_t>(unit);
    loops.push_back({static_cast<std::int64_t>(plan.run) / bytes, bytes, bytes});
  }
  const auto count = static_cast<std::uint64_t>(plan.runs()) * (plan.run / unit);
  std::vector<std::uint64_t> parameters = {plan.to, plan.from, count};
  for (const CopyLoop& loop : loops) {
    for (const std::int64_t number : {loop.extent, loop.to, loop.from})
      parameters.push_back(static_cast<std::uint64_t>(number));
  }
  runtime::Device& device = stream.device();
  // Half of the range: the last step of a thread goes beyond the count.
  const bool is_wide = count > std::numeric_limits<std::int32_t>::max();
  const auto kernel =
      find({.unit = unit, .loops = loops.size(), .is_wide = is_wide})(device, {block_threads});
  const std::uint64_t blocks = std::min(
      (count + block_threads - 1) / block_threads,
      device.limits().multiprocessors * most_blocks_of_multiprocessor);
  device.launch(
      *kernel,
      {.grid = {static_cast<std::uint32_t>(blocks)}, .block = {block_threads}},
      std::as_bytes(std::span(parameters)),
      stream);
}

}  // namespace phalanx::views
