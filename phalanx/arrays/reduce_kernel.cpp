#include "phalanx/arrays/reduce_kernel.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include "phalanx/arrays/kernel_code.h"
#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/reduce_code.h"
#include "phalanx/base/errors.h"
#include "phalanx/runtime/device.h"

namespace phalanx::arrays {
namespace {

constexpr std::int64_t most_grid_rows = 65535;
constexpr std::uint32_t column_threads = 256;
// A thread that folds less than this costs more than it saves.
constexpr std::int64_t least_of_thread = 16;
// Blocks for each core or multiprocessor, so that none waits for the last one.
constexpr std::int64_t blocks_of_multiprocessor = 8;

// The kept and the reduced loops of each operand of a program.
struct Loops {
  Nest kept;
  Nest reduced;
};

Loops loops_of(const Folding& folding) {
  const Program& program = *folding.program;
  std::vector<const Strides*> strides;
  for (const Access& access : program.accesses) strides.push_back(&access.strides);
  for (const PositionsUse& positions : program.positions) strides.push_back(&positions.steps);
  Order kept;
  Order reduced;
  for (std::size_t i = 0; i < program.space.size(); ++i)
    (folding.is_reduced[i] ? reduced : kept).push_back(i);
  Loops loops = {
      collapse(nest_of(program.space, strides, kept)),
      collapse(nest_of(program.space, strides, reduced))};
  if (loops.reduced.extents.empty()) {
    loops.reduced.extents.push_back(1);
    for (Strides& own : loops.reduced.strides) own.push_back(0);
  }
  return loops;
}

void add_unit_loop(Nest& nest) {
  nest.extents.push_back(1);
  for (Strides& own : nest.strides) own.push_back(0);
}

// The strides in the order of the kernel's loops.
std::vector<Strides> joined_strides(const Loops& loops, ReduceWay way) {
  std::vector<Strides> all;
  for (std::size_t i = 0; i < loops.kept.strides.size(); ++i) {
    const Strides& kept = loops.kept.strides[i];
    const Strides& reduced = loops.reduced.strides[i];
    Strides& own = all.emplace_back(kept);
    if (way == ReduceWay::columns)  // the innermost kept loop comes last
      own.pop_back();
    own.append(reduced.data(), reduced.size());
    if (way == ReduceWay::columns)
      own.push_back(kept.back());
  }
  return all;
}

// A block for each kept index, unless there are few elements to fold, or neighbours in memory are
// neighbours among the kept indices.
ReduceWay way_of(const Loops& loops, std::size_t accesses, const runtime::Device& device) {
  const std::int64_t reduced = loops.reduced.count();
  // Threads that join their states after a few elements each cost more than they save, where there
  // are enough kept indices for all of them.
  const std::int64_t least = device.is_host() ? 32 : loops.kept.count() >= 16384 ? 256 : 64;
  if (reduced < least)
    return ReduceWay::columns;
  if (loops.kept.extents.empty() || loops.kept.extents.back() < 16)
    return ReduceWay::rows;
  std::int64_t votes = 0;
  for (std::size_t i = 0; i < accesses; ++i) {
    const std::int64_t along_kept = std::abs(loops.kept.strides[i].back());
    const std::int64_t along_reduced = std::abs(loops.reduced.strides[i].back());
    if (along_kept != 0 && (along_reduced == 0 || along_kept < along_reduced))
      ++votes;
    else if (along_reduced != 0)
      --votes;
  }
  return votes > 0 ? ReduceWay::columns : ReduceWay::rows;
}

struct Split {
  std::int64_t chunks = 1;
  std::int64_t size = 1;  // iterations of a chunk
};

Split split_of(std::int64_t iterations, std::int64_t blocks, std::int64_t least, runtime::Device& device) {
  const std::int64_t wanted = blocks_of_multiprocessor * device.limits().multiprocessors;
  const std::int64_t most = std::min(iterations / std::max<std::int64_t>(least, 1), most_grid_rows);
  const std::int64_t chunks = std::clamp<std::int64_t>(wanted / std::max<std::int64_t>(blocks, 1), 1, std::max<std::int64_t>(most, 1));
  const std::int64_t size = std::max<std::int64_t>((iterations + chunks - 1) / chunks, 1);
  return {std::max<std::int64_t>((iterations + size - 1) / size, 1), size};
}

std::uint32_t checked_blocks(std::int64_t blocks) {
  if (blocks > std::numeric_limits<std::int32_t>::max())
    throw ValueError("a reduction to more than 2**31 elements is too large for one kernel");
  return static_cast<std::uint32_t>(blocks);
}

void launch_join(
    KernelTable& kernels,
    const Folding& folding,
    const std::vector<runtime::Address>& states,
    std::int64_t kept,
    std::int64_t chunks,
    runtime::Address output,
    runtime::Stream& stream) {
  KeyWriter key;
  key.add('j');
  for (const char letter : folding.name) key.add(letter);
  for (const DType dtype : folding.reduction->state()) key.add(dtype);
  const auto kernel = kernels.find(key.text(), [&] {
    return make_join_module(folding.name, *folding.reduction);
  });
  ArgumentPacker packer;
  packer.add_integer(kept);
  packer.add_integer(chunks);
  for (const runtime::Address state : states) packer.add_address(state);
  packer.add_address(output);
  const std::uint32_t threads = kept < 32 ? 32 : column_threads;
  const runtime::LaunchConfig config = {
      .grid = {checked_blocks((kept + threads - 1) / threads)}, .block = {threads}};
  kernel->launch(config, packer.bytes(), stream);
}

}  // namespace

void launch_reduce(
    KernelTable& kernels,
    const Folding& folding,
    runtime::Address output,
    const std::function<runtime::Address(std::size_t bytes)>& allocate,
    runtime::Stream& stream) {
  const Program& program = *folding.program;
  runtime::Device& device = stream.device();
  Loops loops = loops_of(folding);
  const std::int64_t kept = loops.kept.count();
  const std::int64_t iterations = loops.reduced.count();
  if (kept == 0)
    return;

  ReduceForm form;
  form.name = folding.name;
  form.reduction = folding.reduction;
  form.way = way_of(loops, program.accesses.size(), device);
  form.is_empty = iterations == 0;
  form.is_narrow = kept <= std::numeric_limits<std::int32_t>::max() &&
                   iterations <= std::numeric_limits<std::int32_t>::max();
  if (form.way == ReduceWay::columns && loops.kept.extents.empty())
    add_unit_loop(loops.kept);
  form.kept_loops = loops.kept.extents.size();
  form.reduced_loops = loops.reduced.extents.size();
  const bool is_columns = form.way == ReduceWay::columns;
  const std::int64_t inner = is_columns ? loops.kept.extents.back() : 1;
  const std::int64_t rows = kept / inner;
  form.threads = is_columns ? (inner < 32 ? 32 : column_threads) : device.is_host() ? 32 : 256;

  const std::int64_t blocks = is_columns ? rows * ((inner + form.threads - 1) / form.threads) : kept;
  const std::int64_t least = is_columns ? 64 : least_of_thread * form.threads;
  const Split split = split_of(iterations, blocks, least, device);
  form.is_split = split.chunks > 1;

  const std::vector<Strides> strides = joined_strides(loops, form.way);
  std::vector<OperandForm> operands;
  for (std::size_t i = 0; i < program.accesses.size(); ++i) {
    const DType dtype = program.accesses[i].memory->element.dtype();
    operands.push_back({dtype, inner_of(strides[i], dtype)});
  }
  form.program = {&program, operands};

  std::vector<runtime::Address> outputs = {output};
  if (form.is_split) {
    outputs.clear();
    for (const DType dtype : folding.reduction->state())
      outputs.push_back(allocate(static_cast<std::size_t>(kept * split.chunks) * size_of(dtype)));
  }
  KeyWriter key;
  form.write_key(key);
  const auto kernel = kernels.find(key.text(), [&] { return make_reduce_module(form); });
  ArgumentPacker packer;
  packer.add_integer(rows);
  packer.add_integer(iterations);
  packer.add_integer(split.size);
  packer.add_integers(std::span(loops.kept.extents));
  packer.add_integers(std::span(loops.reduced.extents));
  for (const runtime::Address address : outputs) packer.add_address(address);
  const std::span<const Strides> all(strides);
  pack_program(
      packer,
      form.program,
      all.first(program.accesses.size()),
      all.subspan(program.accesses.size()));
  const auto chunks = static_cast<std::uint32_t>(split.chunks);
  runtime::LaunchConfig config{.grid = {checked_blocks(kept), chunks}, .block = {form.threads}};
  if (is_columns)
    config.grid = {
        checked_blocks((inner + form.threads - 1) / form.threads),
        static_cast<std::uint32_t>(std::min(rows, most_grid_rows)),
        chunks};
  kernel->launch(config, packer.bytes(), stream);
  if (form.is_split)
    launch_join(kernels, folding, outputs, kept, split.chunks, output, stream);
}

}  // namespace phalanx::arrays
