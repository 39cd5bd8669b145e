#include "phalanx/arrays/elementwise_kernel.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "phalanx/arrays/elementwise_code.h"
#include "phalanx/arrays/kernel_style.h"
#include "phalanx/arrays/program_text.h"
#include "phalanx/base/errors.h"
#include "phalanx/runtime/device.h"

namespace phalanx::arrays {
namespace {

constexpr std::uint32_t block_threads = 256;
constexpr std::uint32_t strip_threads = 128;
constexpr std::int64_t most_grid_rows = 65535;
// Elements of a thread on a GPU, whose memory answers late: so many loads are under way. Small
// arrays need all threads, and long programs of wide numbers all registers. What a thread loads and
// stores at once is 16 bytes at most.
constexpr std::uint8_t strip_elements = 4;
constexpr std::uint8_t strip_elements_of_wide = 2;
constexpr std::size_t pack_bytes = 16;
constexpr std::size_t most_pack = 8;
constexpr std::size_t most_pack_steps = 64;  // unrolled
constexpr std::int64_t least_strips = 1 << 20;
constexpr std::size_t most_strip_steps = 64;
constexpr std::size_t most_steps_of_wide = 24;
// On a GPU a thread does several rows that follow each other at once, and more such groups one
// after another, as long as there are blocks enough: what it works out of all operands' strides
// before the first one takes as long as a row.
constexpr std::uint8_t rows_at_once = 4;
constexpr std::uint8_t rows_at_once_of_wide = 2;
constexpr std::int64_t most_groups_of_thread = 4;
constexpr std::int64_t least_row_blocks = 128;  // of a multiprocessor
constexpr std::size_t most_row_steps = 32;      // unrolled
// Rows shorter than this would leave most lanes of a warp idle.
constexpr std::int64_t least_row = 16;

std::uint32_t blocks_of(std::int64_t threads, std::uint32_t block) {
  const std::int64_t blocks = (threads + block - 1) / block;
  if (blocks > std::numeric_limits<std::int32_t>::max())
    throw ValueError("an array of more than 2**39 elements is too large for one kernel");
  return static_cast<std::uint32_t>(blocks);
}

std::int64_t squares_along(std::int64_t extent) { return (extent + square_side - 1) / square_side; }

// The loop along which the elements follow each other, in either direction.
std::optional<std::size_t> contiguous_loop(const Strides& strides, DType dtype) {
  for (std::size_t i = strides.size(); i-- > 0;) {
    if (std::abs(strides[i]) == static_cast<std::int64_t>(size_of(dtype)))
      return i;
  }
  return std::nullopt;
}

void move_last(Nest& nest, std::size_t loop) {
  const auto move = [&](Strides& strides) {
    std::rotate(
        strides.begin() + static_cast<std::ptrdiff_t>(loop),
        strides.begin() + static_cast<std::ptrdiff_t>(loop) + 1,
        strides.end());
  };
  move(nest.extents);
  for (Strides& own : nest.strides) move(own);
}

std::shared_ptr<ProgramKernel> find_kernel(KernelTable& kernels, const ElementwiseForm& form) {
  KeyWriter key;
  form.write_key(key);
  return kernels.find(key.text(), [&] {
    return KernelSource{make_elementwise_module(form), to_text(*form.program.program, false)};
  });
}

// One launch: how its threads go over the space, and what its kernel gets.
class Launch {
 public:
  Launch(
      const Program& program,
      const std::vector<Output>& outputs,
      const Order& order,
      runtime::Stream& stream)
      : program_(program),
        outputs_(outputs),
        stream_(stream),
        nest_(whole_nest(program, outputs, order)),
        count_(nest_.count()) {}

  bool is_nothing() const { return count_ == 0; }

  std::shared_ptr<ProgramKernel> run(KernelTable& kernels) {
    choose_way();
    const std::span<const Strides> all(nest_.strides);
    const auto access_strides = all.subspan(outputs_.size(), program_.accesses.size());
    std::vector<OperandForm> operands;
    operands.reserve(outputs_.size() + program_.accesses.size());
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      operands.push_back({outputs_[i].dtype, inner_of(all[i], outputs_[i].dtype)});
    for (std::size_t i = 0; i < program_.accesses.size(); ++i)
      operands.push_back({dtype_of(i), inner_of(access_strides[i], dtype_of(i))});
    form_.outputs = std::span(operands).first(outputs_.size());
    form_.program = {&program_, std::span(operands).subspan(outputs_.size())};

    auto kernel = find_kernel(kernels, form_);
    ArgumentPacker packer;
    packer.add_integers(std::span(nest_.extents));
    if (form_.way == ElementwiseWay::squares)
      for (const std::size_t loop : {loops() - 2, loops() - 1})
        packer.add_integer(squares_along(nest_.extents[loop]));
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      pack_operand(packer, form_.outputs[i], outputs_[i].address, all[i]);
    pack_program(
        packer,
        form_.program,
        access_strides,
        all.subspan(outputs_.size() + program_.accesses.size()));
    kernels.launch(kernel, config(), packer.bytes(), stream_);
    return kernel;
  }

 private:
  std::size_t loops() const { return nest_.extents.size(); }
  DType dtype_of(std::size_t access) const {
    return program_.accesses[access].memory->element.dtype();
  }

  bool is_wide() const {
    return std::ranges::any_of(
        outputs_, [](const Output& output) { return size_of(output.dtype) > sizeof(float); });
  }

  // How many neighbours are loaded and stored at once: such as memory gives to a thread at most, of
  // the widest operand. One where operands are not contiguous, or do not begin where packs do.
  std::uint8_t pack() const {
    std::size_t widest = 1;
    const auto add = [&](std::size_t operand, DType dtype) {
      const std::size_t own = is_complex(dtype) ? pack_bytes : size_of(dtype);
      const Inner inner = inner_of(nest_.strides[operand], dtype);
      widest = std::max(widest, inner == Inner::strided ? pack_bytes : own);
    };
    runtime::Address all = 0;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      add(i, outputs_[i].dtype);
      all |= outputs_[i].address;
    }
    for (std::size_t i = 0; i < program_.accesses.size(); ++i) {
      const Access& access = program_.accesses[i];
      if (access.is_gathered)
        continue;
      add(outputs_.size() + i, dtype_of(i));
      if (inner_of(strides_of(i), dtype_of(i)) == Inner::contiguous)
        all |= access.memory->address + static_cast<runtime::Address>(access.offset);
    }
    const std::size_t fitting = std::bit_floor(most_pack_steps / program_.steps.size());
    const std::size_t most = std::clamp(fitting, most_pack / 2, most_pack);
    const std::size_t pack = std::min(pack_bytes / widest, most);
    return all % pack_bytes == 0 ? static_cast<std::uint8_t>(pack) : std::uint8_t{1};
  }

  void choose_way() {
    const bool is_gpu = has_gpu_kernels(stream_.device());
    form_.is_narrow = count_ <= std::numeric_limits<std::int32_t>::max();
    if (is_gpu && loops() > 1 && find_squares()) {
      form_.way = ElementwiseWay::squares;
    } else if (
        is_gpu && loops() == 1 && count_ >= least_strips &&
        program_.steps.size() <= most_strip_steps) {
      form_.way = ElementwiseWay::strips;
      form_.pack = pack();
      const std::uint8_t wanted = is_wide() && program_.steps.size() > most_steps_of_wide
                                      ? strip_elements_of_wide
                                      : strip_elements;
      form_.strip = std::max<std::uint8_t>(wanted / form_.pack, 1);
    } else if (loops() > 1 && nest_.extents.back() < least_row) {
      form_.way = ElementwiseWay::items;
    } else if (is_gpu && loops() > 1 && program_.steps.size() <= most_row_steps) {
      const std::uint8_t wanted = is_wide() ? rows_at_once_of_wide : rows_at_once;
      form_.strip = row_blocks() / wanted >= enough_row_blocks() ? wanted : std::uint8_t{1};
    }
    form_.loops = loops();
  }

  // Threads that are neighbours take neighbours of the first output. Where operands lie across, the
  // loop along which most of them are contiguous becomes the last but one.
  bool find_squares() {
    const auto along = contiguous_loop(nest_.strides.front(), outputs_.front().dtype);
    const std::size_t last = along.value_or(loops() - 1);
    std::vector<std::optional<std::size_t>> loop_of;
    std::vector<unsigned> votes(loops());
    for (std::size_t i = 0; i < program_.accesses.size(); ++i) {
      const auto loop = program_.accesses[i].is_gathered
                            ? std::nullopt
                            : contiguous_loop(strides_of(i), dtype_of(i));
      // It may be contiguous along several, where extents of others are stepped over.
      const bool is_across = loop && *loop != last && is_far(strides_of(i)[last], dtype_of(i));
      loop_of.push_back(is_across ? loop : std::nullopt);
      if (is_across)
        ++votes[*loop];
    }
    const auto most = std::ranges::max_element(votes);
    const auto across = static_cast<std::size_t>(most - votes.begin());
    if (*most == 0 || nest_.extents[across] < least_row || nest_.extents[last] < least_row)
      return false;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < loop_of.size(); ++i) {
      const std::size_t own = size_of(dtype_of(i));
      const bool is_crossed = loop_of[i] == across && bytes + own <= most_crossed_bytes;
      bytes += is_crossed ? own : 0;
      form_.is_crossed.push_back(is_crossed);
    }
    move_last(nest_, across);
    move_last(nest_, last > across ? last - 1 : last);
    return true;
  }
  const Strides& strides_of(std::size_t access) const {
    return nest_.strides[outputs_.size() + access];
  }
  // Neighbours do not share the 32 bytes that memory gives at once.
  static bool is_far(std::int64_t stride, DType dtype) {
    return std::abs(stride) >=
           std::max<std::int64_t>(32, 2 * static_cast<std::int64_t>(size_of(dtype)));
  }

  // How many blocks there are where a thread has one row.
  std::int64_t row_blocks() const {
    const std::int64_t inner = nest_.extents.back();
    return config_of_rows(inner, 1).grid.x * (count_ / inner);
  }
  std::int64_t enough_row_blocks() const {
    return least_row_blocks * parallel_units(stream_.device());
  }

  runtime::LaunchConfig config() const {
    switch (form_.way) {
      case ElementwiseWay::items:
        return {.grid = {blocks_of(count_, block_threads)}, .block = {block_threads}};
      case ElementwiseWay::strips:
        return {
            .grid = {blocks_of(count_, form_.strip * form_.pack * strip_threads)},
            .block = {strip_threads}};
      case ElementwiseWay::squares: {
        const std::int64_t rows = nest_.extents[loops() - 2];
        const std::int64_t columns = nest_.extents.back();
        const std::int64_t squares =
            count_ / (rows * columns) * squares_along(rows) * squares_along(columns);
        return {.grid = {blocks_of(squares, 1)}, .block = {square_side, square_rows}};
      }
      case ElementwiseWay::rows:
        break;
    }
    const std::int64_t rows = count_ / nest_.extents.back();
    const std::int64_t groups = (rows + form_.strip - 1) / form_.strip;
    runtime::LaunchConfig config = config_of_rows(nest_.extents.back(), groups);
    if (has_gpu_kernels(stream_.device())) {
      const std::int64_t of_thread = std::clamp<std::int64_t>(
          row_blocks() / form_.strip / enough_row_blocks(), 1, most_groups_of_thread);
      const std::int64_t starts = (groups + of_thread - 1) / of_thread;
      config.grid.y = static_cast<std::uint32_t>(std::min(starts, most_grid_rows));
    }
    return config;
  }

  const Program& program_;
  const std::vector<Output>& outputs_;
  runtime::Stream& stream_;
  Nest nest_;
  std::int64_t count_;
  ElementwiseForm form_;
};

}  // namespace

std::shared_ptr<ProgramKernel> launch_elementwise(
    KernelTable& kernels,
    const Program& program,
    const std::vector<Output>& outputs,
    const Order& order,
    runtime::Stream& stream) {
  Launch launch(program, outputs, order, stream);
  return launch.is_nothing() ? nullptr : launch.run(kernels);
}

std::shared_ptr<ProgramKernel> find_flat(KernelTable& kernels, const Program& program) {
  std::vector<OperandForm> operands;
  operands.reserve(program.accesses.size());
  for (const Access& access : program.accesses)
    operands.push_back({access.memory->element.dtype(), Inner::contiguous});
  const OperandForm output = {program.steps[program.results.front()].dtype, Inner::contiguous};
  return find_kernel(kernels, {.program = {&program, operands}, .outputs = {&output, 1}});
}

runtime::LaunchConfig config_of_rows(std::int64_t inner, std::int64_t rows) {
  const auto block = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>((inner + 31) / 32 * 32, 32, block_threads));
  return {
      .grid = {blocks_of(inner, block), static_cast<std::uint32_t>(std::min(rows, most_grid_rows))},
      .block = {block}};
}

}  // namespace phalanx::arrays
