#include "phalanx/arrays/scan_kernel.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "phalanx/arrays/kernel_style.h"
#include "phalanx/arrays/program_text.h"
#include "phalanx/arrays/reduce_kernel.h"
#include "phalanx/arrays/scan_code.h"
#include "phalanx/base/errors.h"
#include "phalanx/runtime/device.h"

namespace phalanx::arrays {
namespace {

constexpr std::int64_t most_grid_rows = 65535;
constexpr std::uint32_t column_threads = 256;
// Rows that are shorter leave most threads of a block idle.
constexpr std::int64_t least_row = 64;
// So few neighbours along a kept loop are not worth a thread each.
constexpr std::int64_t least_columns = 16;
// What a chunk has at least: it is read twice, and costs two more launches.
constexpr std::int64_t least_host_chunk = 32768;
constexpr std::int64_t least_column_chunk = 64;
constexpr std::int64_t least_row_chunk = 2 * scan_tile;
constexpr std::int64_t most_chunks = 4096;
constexpr std::int64_t blocks_of_multiprocessor = 8;
constexpr std::int64_t threads_of_multiprocessor = 1024;
// Blocks of a CPU's core, which go through several rows each.
constexpr std::int64_t blocks_of_core = 16;

std::uint32_t checked_blocks(std::int64_t blocks) {
  if (blocks > std::numeric_limits<std::int32_t>::max())
    throw ValueError("a scan of more than 2**31 rows is too large for one kernel");
  return static_cast<std::uint32_t>(blocks);
}

// The dimensions but for the scanned one, in the order of the kernels' loops.
Order kept_order(const Scanning& scanning) {
  Order kept;
  for (const std::size_t i : order_of(scanning.program->space, scanning.program->accesses)) {
    if (i != scanning.axis)
      kept.push_back(i);
  }
  return kept;
}

class Launch {
 public:
  Launch(
      KernelTable& kernels,
      const Scanning& scanning,
      const views::DeviceArray& output,
      runtime::Stream& stream)
      : kernels_(kernels), scanning_(scanning), output_(output), stream_(stream) {
    order_ = kept_order(scanning);
    const Program& program = *scanning.program;
    const Strides of_output(output.strides.begin(), output.strides.end());
    std::vector<const Strides*> strides = strides_of(program);
    strides.push_back(&of_output);
    nest_ = collapse(nest_of(program.space, strides, order_));
    for (const Strides* own : strides) steps_.push_back((*own)[scanning.axis]);
    kept_ = nest_.count();
    extent_ = program.space[scanning.axis];
  }

  bool is_nothing() const { return kept_ == 0 || extent_ == 0; }

  std::shared_ptr<ProgramKernel> run(const ScanMemory& allocate) {
    choose_way();
    choose_chunks();
    if (chunks_ == 1)
      return scan(0);
    form_.has_offsets = true;
    const views::DeviceArray offsets = scanned_totals(allocate);
    return scan(offsets.address);
  }

 private:
  bool is_columns() const { return form_.way == ScanWay::columns; }
  bool is_host() const { return !has_gpu_kernels(stream_.device()); }
  std::int64_t inner() const { return is_columns() ? nest_.extents.back() : 1; }
  std::int64_t rows() const { return kept_ / inner(); }
  std::uint32_t threads() const {
    return is_columns()                 ? (inner() < 32 ? 32 : column_threads)
           : form_.way == ScanWay::rows ? scan_threads
                                        : 1;
  }
  std::int64_t blocks_along_inner() const { return (inner() + threads() - 1) / threads(); }

  void choose_way() {
    constexpr std::int64_t narrow = std::numeric_limits<std::int32_t>::max();
    form_.name = scanning_.name;
    form_.fold = scanning_.fold;
    form_.is_narrow = kept_ <= narrow && extent_ <= narrow;
    const ScanWay by_row = is_host() ? ScanWay::sequential : ScanWay::rows;
    const bool is_short = !is_host() && extent_ < least_row;
    form_.way = is_short || has_near_columns() ? ScanWay::columns : by_row;
    if (is_columns() && nest_.extents.empty()) {
      nest_.extents.push_back(1);
      for (Strides& own : nest_.strides) own.push_back(0);
    }
    form_.kept_loops = nest_.extents.size();
  }

  // Neighbours in memory are neighbours among the kept indices.
  bool has_near_columns() const {
    if (nest_.extents.empty() || nest_.extents.back() < least_columns)
      return false;
    std::int64_t votes = 0;
    for (std::size_t i = 0; i < scanning_.program->accesses.size(); ++i) {
      const std::int64_t along_kept = std::abs(nest_.strides[i].back());
      const std::int64_t along_row = std::abs(steps_[i]);
      if (along_kept != 0 && (along_row == 0 || along_kept < along_row))
        ++votes;
      else if (along_row != 0)
        --votes;
    }
    return votes > 0;
  }

  // Of a chunk of a product a zero or an infinity may be all that is left, where NumPy's product
  // from the first element on is another: CPUs, which gain least, do not split it.
  bool may_split() const {
    const DType dtype = scanning_.fold->state().front();
    return !is_host() || scanning_.name != "prod" || is_integer(dtype) || is_boolean(dtype);
  }

  // One for each kept index, where these keep the device busy.
  void choose_chunks() {
    const std::int64_t units = parallel_units(stream_.device());
    std::int64_t wanted = 1;
    std::int64_t least = 1;
    if (is_host()) {
      const std::int64_t blocks = is_columns() ? rows() * blocks_along_inner() : kept_;
      least = std::max<std::int64_t>(least_host_chunk / inner(), 1);
      wanted = units > 1 && blocks < 2 * units ? 4 * units / blocks : 1;
    } else if (is_columns()) {
      least = least_column_chunk;
      const std::int64_t threads = threads_of_multiprocessor * units;
      wanted = 2 * kept_ < threads ? threads / kept_ : 1;
    } else {
      least = least_row_chunk;
      wanted = kept_ < 2 * units ? blocks_of_multiprocessor * units / kept_ : 1;
    }
    const std::int64_t most = std::clamp<std::int64_t>(extent_ / least, 1, most_chunks);
    const std::int64_t chunks = may_split() ? std::clamp<std::int64_t>(wanted, 1, most) : 1;
    size_ = (extent_ + chunks - 1) / chunks;
    if (form_.way == ScanWay::rows)  // chunks but for the last are of whole tiles
      size_ = (size_ + scan_tile - 1) / scan_tile * scan_tile;
    chunks_ = (extent_ + size_ - 1) / size_;
  }

  // What the elements up to the end of each chunk but the last come to, [kept index][chunk].
  views::DeviceArray scanned_totals(const ScanMemory& allocate) {
    const std::int64_t parts = chunks_ - 1;
    const DType dtype = scanning_.fold->state().front();
    views::DeviceArray totals = allocate(dtype, {kept_, parts});
    const Program program = of_chunks(parts);
    const Folding folding = {
        .program = &program,
        .name = scanning_.name,
        .reduction = scanning_.fold,
        .is_reduced = is_last(program.space.size())};
    const auto scratch = [&](std::size_t bytes) {
      return allocate(DType::uint8, {static_cast<std::int64_t>(bytes)}).address;
    };
    launch_reduce(kernels_, folding, {&totals.address, 1}, scratch, stream_);
    views::DeviceArray offsets = allocate(dtype, {kept_, parts});
    const Program read = reading(std::move(totals));
    const Scanning scanning = {
        .program = &read, .name = scanning_.name, .fold = scanning_.fold, .axis = 1};
    launch_scan(kernels_, scanning, offsets, allocate, stream_);
    return offsets;
  }

  static std::vector<bool> is_last(std::size_t dimensions) {
    std::vector<bool> made(dimensions, false);
    made.back() = true;
    return made;
  }

  // The program with the kept dimensions first, and the scanned one as two: chunks, but for the
  // last one, which may be shorter, and the elements of each.
  Program of_chunks(std::int64_t parts) const {
    const auto split = [&](const Strides& own) {
      Strides made;
      for (const std::size_t i : order_) made.push_back(own[i]);
      made.push_back(own[scanning_.axis] * size_);
      made.push_back(own[scanning_.axis]);
      return made;
    };
    Program program = *scanning_.program;
    for (Access& access : program.accesses) access.strides = split(access.strides);
    for (PositionsUse& positions : program.positions) positions.steps = split(positions.steps);
    program.space = split(program.space);
    program.space[program.space.size() - 2] = parts;
    program.space[program.space.size() - 1] = size_;
    return program;
  }

  static Program reading(views::DeviceArray array) {
    Program program;
    program.space = Strides(array.shape.begin(), array.shape.end());
    program.steps.push_back({.kind = StepKind::load, .dtype = array.element.dtype()});
    const Strides strides(array.strides.begin(), array.strides.end());
    program.accesses.push_back(
        {.memory = std::make_shared<const views::DeviceArray>(std::move(array)),
         .strides = strides});
    program.results = {0};
    return program;
  }

  // The strides in the order of the kernel's loops.
  std::vector<Strides> joined_strides() const {
    std::vector<Strides> all;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      Strides& own = all.emplace_back(nest_.strides[i]);
      if (is_columns()) {
        own.push_back(own.back());
        own[own.size() - 2] = steps_[i];
      } else {
        own.push_back(steps_[i]);
      }
    }
    return all;
  }

  std::shared_ptr<ProgramKernel> scan(runtime::Address offsets) {
    const Program& program = *scanning_.program;
    const std::vector<Strides> strides = joined_strides();
    std::vector<OperandForm> operands;
    for (std::size_t i = 0; i < program.accesses.size(); ++i) {
      const DType dtype = program.accesses[i].memory->element.dtype();
      operands.push_back({dtype, inner_of(strides[i], dtype)});
    }
    const DType result = output_.element.dtype();
    form_.program = {&program, operands};
    form_.output = {result, inner_of(strides.back(), result)};
    KeyWriter key;
    form_.write_key(key);
    auto kernel = kernels_.find(key.text(), [&] {
      return KernelSource{make_scan_module(form_), to_text(scanning_, false)};
    });
    ArgumentPacker packer;
    for (const std::int64_t number : {rows(), extent_, size_, chunks_ - 1})
      packer.add_integer(number);
    packer.add_integers(std::span(nest_.extents));
    pack_operand(packer, form_.output, output_.address, strides.back());
    if (form_.has_offsets)
      packer.add_address(offsets);
    const std::span<const Strides> all(strides);
    const std::size_t accesses = program.accesses.size();
    pack_program(
        packer,
        form_.program,
        all.first(accesses),
        all.subspan(accesses, program.positions.size()));
    kernels_.launch(kernel, config(), packer.bytes(), stream_);
    return kernel;
  }

  runtime::LaunchConfig config() const {
    const auto chunks = static_cast<std::uint32_t>(chunks_);
    if (is_columns()) {
      const std::int64_t along = std::min(rows(), most_grid_rows);
      return {
          .grid = {checked_blocks(blocks_along_inner()), static_cast<std::uint32_t>(along), chunks},
          .block = {threads()}};
    }
    const std::int64_t most = blocks_of_core * parallel_units(stream_.device());
    const std::int64_t blocks = is_host() ? std::min(kept_, most) : kept_;
    return {.grid = {checked_blocks(blocks), chunks}, .block = {threads()}};
  }

  KernelTable& kernels_;
  const Scanning& scanning_;
  const views::DeviceArray& output_;
  runtime::Stream& stream_;
  Order order_;
  Nest nest_;                        // of the kept indices: accesses, positions, the output
  std::vector<std::int64_t> steps_;  // the strides of the same along the scanned dimension
  std::int64_t kept_ = 0;
  std::int64_t extent_ = 0;
  ScanForm form_;
  std::int64_t chunks_ = 1;
  std::int64_t size_ = 1;  // elements of a chunk
};

DType wider(DType dtype) {
  if (is_complex(dtype))
    return DType::complex128;
  if (!is_floating(dtype))
    return dtype;
  return size_of(dtype) == 2 ? DType::float32 : DType::float64;
}

}  // namespace

std::optional<numpy::Reduction> fold_of_scan(std::string_view name, DType element) {
  const auto fold = numpy::Reduction::find(name, element, wider(element));
  return fold && fold->state().size() == 1 ? fold : std::nullopt;
}

std::shared_ptr<ProgramKernel> launch_scan(
    KernelTable& kernels,
    const Scanning& scanning,
    const views::DeviceArray& output,
    const ScanMemory& allocate,
    runtime::Stream& stream) {
  Launch launch(kernels, scanning, output, stream);
  return launch.is_nothing() ? nullptr : launch.run(allocate);
}

}  // namespace phalanx::arrays
