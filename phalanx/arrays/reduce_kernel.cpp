#include "phalanx/arrays/reduce_kernel.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include "phalanx/arrays/join_code.h"
#include "phalanx/arrays/kernel_code.h"
#include "phalanx/arrays/kernel_style.h"
#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/program_text.h"
#include "phalanx/arrays/reduce_code.h"
#include "phalanx/base/errors.h"
#include "phalanx/runtime/device.h"

namespace phalanx::arrays {
namespace {

constexpr std::int64_t most_grid_rows = 65535;
constexpr std::uint32_t column_threads = 256;
// A square of fewer kept indices, and one that folds less, is not worth its shared memory.
constexpr std::int64_t least_side = 32;
constexpr std::int64_t least_crossed = 8;
// A thread that folds less than this costs more than it saves.
constexpr std::int64_t least_of_thread = 16;
constexpr std::int64_t most_of_thread = 256;
// Loads of a thread that are under way together on a GPU, where memory answers late; not of long
// programs, which need the registers.
constexpr std::uint8_t loads_at_once = 4;
constexpr std::size_t most_at_once_steps = 16;
// Kept indices of a thread whose block folds columns, where they and their elements are many.
constexpr std::uint8_t wide_columns = 4;
constexpr std::int64_t least_wide = 256;
constexpr std::size_t most_wide_steps = 8;
// As many waves of blocks, as long as a thread has so much in each.
constexpr std::int64_t most_waves = 4;
constexpr std::int64_t least_of_waves = 64;
// Blocks for each core or multiprocessor, so that none waits for the last one.
constexpr std::int64_t blocks_of_multiprocessor = 8;

// The kept and the reduced loops of each operand of a program.
struct Loops {
  Nest kept;
  Nest reduced;
};

Loops loops_of(const Folding& folding) {
  const Program& program = *folding.program;
  const std::vector<const Strides*> strides = strides_of(program);
  Order kept;
  Order reduced;
  for (std::size_t i = 0; i < program.space.size(); ++i)
    (folding.is_reduced[i] ? reduced : kept).push_back(i);
  Loops loops = {
      collapse(nest_of(program.space, strides, kept)),
      collapse(nest_of(program.space, strides, reduced))};
  require_loop(loops.reduced);
  return loops;
}

// The strides in the order of the kernel's loops.
std::vector<Strides> joined_strides(const Loops& loops, bool has_columns) {
  std::vector<Strides> all;
  for (std::size_t i = 0; i < loops.kept.strides.size(); ++i) {
    const Strides& kept = loops.kept.strides[i];
    const Strides& reduced = loops.reduced.strides[i];
    Strides& own = all.emplace_back(kept);
    if (has_columns)  // the innermost kept loop comes last
      own.pop_back();
    own.append(reduced.data(), reduced.size());
    if (has_columns)
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
  const std::int64_t least = !has_gpu_kernels(device) ? 32 : loops.kept.count() >= 16384 ? 256 : 64;
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

// As many chunks as fill the device, but none of less than `least` iterations; and so many that a
// thread, of which `threads` share a chunk, adds no more than `most_of_thread` numbers one by one:
// the rounding errors of float32 would show. Blocks run in waves: the last one is full, too, and of
// several that take little each none waits long for the slowest block.
Split split_of(
    std::int64_t iterations,
    std::int64_t blocks,
    std::int64_t least,
    std::int64_t threads,
    runtime::Device& device) {
  const std::int64_t wave = blocks_of_multiprocessor * parallel_units(device);
  const std::int64_t exact = iterations / (threads * most_of_thread) * blocks;
  // With columns, more chunks leave more states to write and read.
  const std::int64_t fine =
      !has_gpu_kernels(device) || threads == 1
          ? 1
          : std::min(most_waves, iterations * blocks / (threads * least_of_waves * wave));
  const auto waves = std::max({(exact + wave - 1) / wave, fine, std::int64_t{1}});
  const std::int64_t most = std::clamp<std::int64_t>(iterations / least, 1, most_grid_rows);
  const std::int64_t chunks = std::clamp<std::int64_t>(waves * wave / blocks, 1, most);
  const std::int64_t size = std::max<std::int64_t>((iterations + chunks - 1) / chunks, 1);
  return {std::max<std::int64_t>((iterations + size - 1) / size, 1), size};
}

std::uint32_t checked_blocks(std::int64_t blocks) {
  if (blocks > std::numeric_limits<std::int32_t>::max())
    throw ValueError("a reduction to more than 2**31 elements is too large for one kernel");
  return static_cast<std::uint32_t>(blocks);
}

// One reduction: what its kernels are, and what they get.
class Launch {
 public:
  Launch(KernelTable& kernels, const Folding& folding, runtime::Stream& stream)
      : kernels_(kernels), folding_(folding), stream_(stream), loops_(loops_of(folding)) {
    kept_ = loops_.kept.count();
    iterations_ = loops_.reduced.count();
  }

  bool is_nothing() const { return kept_ == 0; }

  // Gives the kernel that folds.
  std::shared_ptr<ProgramKernel> run(
      std::span<const runtime::Address> outputs,
      const std::function<runtime::Address(std::size_t bytes)>& allocate) {
    choose();
    form_.gives_states = form_.is_split || outputs.size() > 1;
    if (!form_.is_split)
      return fold(outputs);
    const std::vector<DType> numbers = folding_.reduction->state();
    std::vector<runtime::Address> states;
    states.reserve(numbers.size());
    for (const DType dtype : numbers)
      states.push_back(allocate(static_cast<std::size_t>(kept_ * split_.chunks) * size_of(dtype)));
    auto kernel = fold(states);
    launch_join(
        kernels_,
        {.name = folding_.name, .reduction = folding_.reduction},
        {.count = split_.chunks, .results = kept_, .addresses = states},
        outputs,
        stream_);
    return kernel;
  }

 private:
  bool is_columns() const { return form_.has_columns(); }
  bool is_squares() const { return form_.way == ReduceWay::squares; }
  std::int64_t inner() const { return is_columns() ? loops_.kept.extents.back() : 1; }
  std::int64_t blocks_along_inner() const {
    const std::int64_t of_block = std::int64_t{form_.threads} * form_.wide;
    return (inner() + of_block - 1) / of_block;
  }

  // The way, the block and the chunks.
  void choose() {
    runtime::Device& device = stream_.device();
    constexpr std::int64_t narrow = std::numeric_limits<std::int32_t>::max();
    form_.name = folding_.name;
    form_.reduction = folding_.reduction;
    form_.way = way_of(loops_, folding_.program->accesses.size(), device);
    if (find_crossed())
      form_.way = ReduceWay::squares;
    else
      form_.is_crossed.clear();
    form_.is_empty = iterations_ == 0;
    form_.is_narrow = kept_ <= narrow && iterations_ <= narrow;
    if (is_columns())
      require_loop(loops_.kept);
    form_.kept_loops = loops_.kept.extents.size();
    form_.reduced_loops = loops_.reduced.extents.size();
    form_.threads = is_columns()               ? (inner() < 32 ? 32 : column_threads)
                    : !has_gpu_kernels(device) ? 32
                                               : 256;
    form_.whole_blocks_first = form_.way == ReduceWay::rows && !has_gpu_kernels(device);
    choose_loads(device);
    const std::int64_t blocks = kept_ / inner() * blocks_along_inner();
    const std::int64_t least = is_columns() ? 64 : least_of_thread * form_.threads;
    split_ = split_of(iterations_, blocks, least, is_columns() ? 1 : form_.threads, device);
    form_.is_split = split_.chunks > 1;
  }

  // How many loads of a thread are under way together.
  void choose_loads(const runtime::Device& device) {
    const std::size_t steps = folding_.program->steps.size();
    if (!has_gpu_kernels(device) || steps > most_at_once_steps)
      return;
    form_.at_once = loads_at_once;
    // Rows of memory that a block reads far apart should be long.
    if (form_.way == ReduceWay::columns && inner() >= std::int64_t{wide_columns} * column_threads &&
        iterations_ >= least_wide && steps <= most_wide_steps) {
      form_.wide = wide_columns;
      form_.at_once = loads_at_once / 2;
    }
  }

  static std::int64_t squares_along(std::int64_t extent) {
    return (extent + fold_side - 1) / fold_side;
  }

  // Operands that lie across: the elements that a kept index folds follow each other, and those of
  // its neighbour are elsewhere. It pays to share them where all rows of kept indices read the
  // same.
  bool find_crossed() {
    const Nest& kept = loops_.kept;
    const auto& accesses = folding_.program->accesses;
    if (kept.extents.size() < 2 || kept.extents.back() < least_side ||
        kept_ / kept.extents.back() < least_side || iterations_ < least_crossed ||
        squares_along(kept_ / kept.extents.back()) > most_grid_rows)
      return false;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      const auto own = static_cast<std::int64_t>(accesses[i].memory->item_bytes());
      const Strides& strides = kept.strides[i];
      const bool is_across = !accesses[i].is_gathered && std::abs(strides.back()) > own &&
                             std::abs(loops_.reduced.strides[i].back()) <= own;
      const bool is_of_column =
          std::all_of(strides.begin(), strides.end() - 1, [](auto stride) { return stride == 0; });
      bytes += is_across ? static_cast<std::size_t>(own) : 0;
      if (is_across && (!is_of_column || bytes > most_crossed_fold_bytes))
        return false;
      form_.is_crossed.push_back(is_across);
    }
    return bytes != 0;
  }

  // The kernel that folds the elements of each chunk.
  std::shared_ptr<ProgramKernel> fold(std::span<const runtime::Address> outputs) {
    const Program& program = *folding_.program;
    const std::vector<Strides> strides = joined_strides(loops_, form_.has_columns());
    std::vector<OperandForm> operands;
    for (std::size_t i = 0; i < program.accesses.size(); ++i) {
      const DType dtype = program.accesses[i].memory->element.dtype();
      operands.push_back({dtype, inner_of(strides[i], dtype)});
    }
    form_.program = {&program, operands};
    KeyWriter key;
    form_.write_key(key);
    auto kernel = kernels_.find(key.text(), [&] {
      return KernelSource{make_reduce_module(form_), to_text(folding_, false)};
    });

    ArgumentPacker packer;
    packer.add_integer(kept_ / inner());
    packer.add_integer(iterations_);
    packer.add_integer(split_.size);
    packer.add_integers(std::span(loops_.kept.extents));
    packer.add_integers(std::span(loops_.reduced.extents));
    for (const runtime::Address address : outputs) packer.add_address(address);
    const std::span<const Strides> all(strides);
    const std::size_t accesses = program.accesses.size();
    pack_program(packer, form_.program, all.first(accesses), all.subspan(accesses));
    kernels_.launch(kernel, config(), packer.bytes(), stream_);
    return kernel;
  }

  runtime::LaunchConfig config() const {
    const auto chunks = static_cast<std::uint32_t>(split_.chunks);
    if (!is_columns())
      return {.grid = {checked_blocks(kept_), chunks}, .block = {form_.threads}};
    if (is_squares())
      return {
          .grid =
              {checked_blocks(squares_along(inner())),
               checked_blocks(squares_along(kept_ / inner())),
               chunks},
          .block = {fold_side, fold_rows}};
    const std::int64_t rows = std::min(kept_ / inner(), most_grid_rows);
    return {
        .grid = {checked_blocks(blocks_along_inner()), static_cast<std::uint32_t>(rows), chunks},
        .block = {form_.threads}};
  }

  KernelTable& kernels_;
  const Folding& folding_;
  runtime::Stream& stream_;
  Loops loops_;
  std::int64_t kept_ = 0;
  std::int64_t iterations_ = 0;
  ReduceForm form_;
  Split split_;
};

// Many states of few indices are joined by a block each. Of many indices neighbours are read
// together; on a GPU several threads share the chunks of each, as none waits for one load after
// the other then.
JoinForm join_form(const PartStates& parts, const runtime::Device& device) {
  const bool is_host = !has_gpu_kernels(device);
  const auto count = static_cast<std::uint32_t>(parts.count);
  if (parts.results < 32 && count >= 32)
    return {.indices = 1, .groups = std::min(is_host ? 32U : 256U, std::bit_floor(count))};
  return {.indices = 32, .groups = is_host ? 1U : std::min(8U, std::bit_floor(count))};
}

}  // namespace

void launch_join(
    KernelTable& kernels,
    const NamedReduction& named,
    const PartStates& parts,
    std::span<const runtime::Address> outputs,
    runtime::Stream& stream) {
  JoinForm form = join_form(parts, stream.device());
  form.gives_states = outputs.size() > 1;
  KeyWriter key;
  key.add('j').add(form.indices).add(form.groups).add(form.gives_states).add_name(named.name);
  for (const DType dtype : named.reduction->state()) key.add(dtype);
  const auto kernel = kernels.find(key.text(), [&] {
    return KernelSource{make_join_module(named.name, *named.reduction, form), named.name};
  });
  ArgumentPacker packer;
  packer.add_integer(parts.results);
  packer.add_integer(parts.count);
  for (const runtime::Address state : parts.addresses) packer.add_address(state);
  for (const runtime::Address output : outputs) packer.add_address(output);
  const std::int64_t blocks = (parts.results + form.indices - 1) / form.indices;
  const runtime::Dim3 block =
      form.indices == 1 ? runtime::Dim3{form.groups} : runtime::Dim3{form.indices, form.groups};
  kernels.launch(
      kernel, {.grid = {checked_blocks(blocks)}, .block = block}, packer.bytes(), stream);
}

std::shared_ptr<ProgramKernel> launch_reduce(
    KernelTable& kernels,
    const Folding& folding,
    std::span<const runtime::Address> outputs,
    const std::function<runtime::Address(std::size_t bytes)>& allocate,
    runtime::Stream& stream) {
  Launch launch(kernels, folding, stream);
  return launch.is_nothing() ? nullptr : launch.run(outputs, allocate);
}

}  // namespace phalanx::arrays
