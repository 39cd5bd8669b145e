#include "phalanx/arrays/elementwise_kernel.h"

#include <algorithm>
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
constexpr std::int64_t most_grid_rows = 65535;
// Elements of a thread on a GPU, whose memory answers late: so many loads are under way. Small
// arrays need all threads, and long programs of wide numbers all registers.
constexpr std::uint8_t strip_elements = 4;
constexpr std::uint8_t strip_elements_of_wide = 2;
constexpr std::int64_t least_strips = 1 << 20;
constexpr std::size_t most_strip_steps = 64;
constexpr std::size_t most_steps_of_wide = 24;
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

    KeyWriter key;
    form_.write_key(key);
    auto kernel = kernels.find(key.text(), [&] {
      return KernelSource{make_elementwise_module(form_), to_text(program_, false)};
    });
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

  void choose_way() {
    const bool is_gpu = has_gpu_kernels(stream_.device());
    form_.is_narrow = count_ <= std::numeric_limits<std::int32_t>::max();
    if (is_gpu && loops() > 1 && find_squares()) {
      form_.way = ElementwiseWay::squares;
    } else if (
        is_gpu && loops() == 1 && count_ >= least_strips &&
        program_.steps.size() <= most_strip_steps) {
      form_.way = ElementwiseWay::strips;
      form_.strip = is_wide() && program_.steps.size() > most_steps_of_wide ? strip_elements_of_wide
                                                                            : strip_elements;
    } else if (loops() > 1 && nest_.extents.back() < least_row) {
      form_.way = ElementwiseWay::items;
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

  runtime::LaunchConfig config() const {
    switch (form_.way) {
      case ElementwiseWay::items:
        return {.grid = {blocks_of(count_, block_threads)}, .block = {block_threads}};
      case ElementwiseWay::strips:
        return {.grid = {blocks_of(count_, form_.strip * block_threads)}, .block = {block_threads}};
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
    const std::int64_t inner = nest_.extents.back();
    const auto block = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>((inner + 31) / 32 * 32, 32, block_threads));
    const std::int64_t rows = std::min(count_ / inner, most_grid_rows);
    return {.grid = {blocks_of(inner, block), static_cast<std::uint32_t>(rows)}, .block = {block}};
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

}  // namespace phalanx::arrays
