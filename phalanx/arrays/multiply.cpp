#include "phalanx/arrays/multiply.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "phalanx/arrays/nest.h"
#include "phalanx/numpy/broadcast.h"

namespace phalanx::arrays {
namespace {

// A stack of matrices that BLAS takes, and the byte strides from one to the next.
struct Stack {
  libs::Matrix matrix;
  Extents strides;
};

// Nothing where it must be copied.
std::optional<Stack> as_stack(const views::DeviceArray& array, std::int64_t most_leading) {
  const std::size_t dimensions = array.shape.size();
  const auto matrix = libs::as_matrix(
      {.address = array.address,
       .rows = array.shape[dimensions - 2],
       .columns = array.shape[dimensions - 1],
       .row_stride = array.strides[dimensions - 2],
       .column_stride = array.strides[dimensions - 1]},
      array.item_bytes());
  if (!matrix || matrix->leading > most_leading)
    return std::nullopt;
  Extents strides(array.strides.begin(), array.strides.end() - 2);
  const auto item = static_cast<std::int64_t>(array.item_bytes());
  if (std::ranges::any_of(strides, [&](auto stride) { return stride < 0 || stride % item != 0; }))
    return std::nullopt;
  return Stack{*matrix, std::move(strides)};
}

views::DeviceArray new_array(
    jit::Engine& engine, runtime::Device& device, DType dtype, const Extents& shape) {
  return views::allocate_array(engine.types(), device, nullptr, {.element = dtype, .shape = shape});
}

// The loops over the stack, of a, b and c in bytes.
Nest loops_of(
    const Extents& shape,
    const std::vector<views::DeviceArray>& operands,
    const std::vector<Stack>& stacks) {
  const ExtentSpan all(shape.data(), shape.size() - 2);
  Nest nest;
  nest.extents = Strides(all.begin(), all.end());
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    const Extents& own = i < operands.size() ? operands[i].shape : shape;
    const Extents strides =
        numpy::stretched_strides(ExtentSpan(own.data(), own.size() - 2), stacks[i].strides, all);
    nest.strides.emplace_back(strides.begin(), strides.end());
  }
  return collapse(nest);
}

// The innermost loop is the library's; those around it go on here.
void run_loops(
    libs::Products& products, runtime::Device& device, libs::Product product, const Nest& nest) {
  libs::Matrix* const matrices[] = {&product.a, &product.b, &product.c};
  const std::size_t loops = nest.extents.size();
  const auto item = static_cast<std::int64_t>(size_of(product.dtype));
  if (loops > 0) {
    product.count = nest.extents[loops - 1];
    for (std::size_t i = 0; i < 3; ++i) matrices[i]->step = nest.strides[i][loops - 1] / item;
  }
  const std::size_t outer = loops > 0 ? loops - 1 : 0;
  Extents index(outer, 0);
  while (true) {
    products.multiply(device, product);
    std::size_t loop = outer;
    while (loop-- > 0) {
      const bool is_past = ++index[loop] == nest.extents[loop];
      const std::int64_t steps = is_past ? 1 - nest.extents[loop] : 1;
      for (std::size_t i = 0; i < 3; ++i)
        matrices[i]->address += static_cast<runtime::Address>(steps * nest.strides[i][loop]);
      if (!is_past)
        break;
      index[loop] = 0;
    }
    if (loop == static_cast<std::size_t>(-1))
      return;
  }
}

}  // namespace

views::DeviceArray multiply(
    jit::Engine& engine,
    libs::Products& products,
    const std::vector<views::DeviceArray>& operands,
    const Extents& shape) {
  runtime::Device& device = *operands.front().device;
  const std::int64_t most = products.most_extent(device);
  std::vector<views::DeviceArray> taken = operands;
  std::vector<Stack> stacks;
  for (views::DeviceArray& array : taken) {
    auto stack = as_stack(array, most);
    if (!stack) {
      views::DeviceArray copy = new_array(engine, device, array.element.dtype(), array.shape);
      engine.copier().copy(copy, array, *device.default_stream());
      array = std::move(copy);
      stack = as_stack(array, most);
    }
    stacks.push_back(std::move(*stack));
  }
  views::DeviceArray made = new_array(engine, device, operands.front().element.dtype(), shape);
  stacks.push_back(*as_stack(made, most));
  const libs::Product product = {
      .dtype = made.element.dtype(),
      .rows = shape[shape.size() - 2],
      .columns = shape.back(),
      .inner = taken[0].shape.back(),
      .a = stacks[0].matrix,
      .b = stacks[1].matrix,
      .c = stacks[2].matrix};
  run_loops(products, device, product, loops_of(shape, taken, stacks));
  return made;
}

}  // namespace phalanx::arrays
