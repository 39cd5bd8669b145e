#include "phalanx/arrays/products.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "phalanx/arrays/multiply.h"
#include "phalanx/arrays/other_shapes.h"
#include "phalanx/arrays/placement.h"
#include "phalanx/base/errors.h"
#include "phalanx/jit/context.h"
#include "phalanx/numpy/broadcast.h"
#include "phalanx/numpy/promotion.h"

namespace phalanx::arrays {
namespace {

constexpr std::int32_t new_dimension = -1;

// A view with the dimensions that `from` names for each of its own, and new ones of extent 1.
NodePtr rearranged(Graph& graph, const NodePtr& node, const std::vector<std::int32_t>& from) {
  Extents shape;
  std::vector<Axis> axes(node->shape->size());
  for (const std::int32_t dimension : from) {
    if (dimension == new_dimension) {
      shape.push_back(1);
      continue;
    }
    axes.at(static_cast<std::size_t>(dimension)) = {
        .dimension = static_cast<std::int32_t>(shape.size()), .start = 0, .step = 1};
    shape.push_back(node->shape->at(static_cast<std::size_t>(dimension)));
  }
  return graph.view(node, std::move(shape), std::move(axes));
}

// With a dimension of extent 1 before `position`.
NodePtr expanded(Graph& graph, const NodePtr& node, std::size_t position) {
  std::vector<std::int32_t> from;
  for (std::size_t i = 0; i < node->shape->size(); ++i) {
    if (i == position)
      from.push_back(new_dimension);
    from.push_back(static_cast<std::int32_t>(i));
  }
  if (position == node->shape->size())
    from.push_back(new_dimension);
  return rearranged(graph, node, from);
}

// Without that dimension of extent 1.
NodePtr squeezed(Graph& graph, const NodePtr& node, std::size_t position) {
  Extents shape = *node->shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(position));
  std::vector<Axis> axes(node->shape->size());
  std::int32_t next = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (i != position)
      axes[i] = {.dimension = next++, .start = 0, .step = 1};
  }
  return graph.view(node, std::move(shape), std::move(axes));
}

ir::Constant zero_of(DType dtype) {
  if (is_boolean(dtype))
    return false;
  if (is_complex(dtype))
    return std::complex<double>(0);
  return is_floating(dtype) ? ir::Constant(0.0) : ir::Constant(std::int64_t{0});
}

DType common_type(const NodePtr& a, const NodePtr& b) {
  const numpy::Operand types[] = {{a->dtype}, {b->dtype}};
  return numpy::result_type(types);
}

runtime::Device* given_device(const NodePtr& a, const NodePtr& b) {
  return one_device(a->device, b->device);
}

runtime::Device& device_of(Graph& graph, const NodePtr& a, const NodePtr& b) {
  runtime::Device* const device = given_device(a, b);
  return device != nullptr ? *device : jit::current_device(graph.engine());
}

// True if a library multiplies such matrices, on a device that they may be on.
bool is_taken(Graph& graph, const NodePtr& a, const NodePtr& b, DType dtype, std::int64_t extent) {
  libs::Products& products = graph.products();
  if (given_device(a, b) != nullptr || !is_automatic(graph.engine()))
    return products.takes(device_of(graph, a, b), dtype, extent);
  return std::ranges::any_of(sides_of(graph.engine()), [&](runtime::Device* device) {
    return device != nullptr && products.takes(*device, dtype, extent);
  });
}

NodePtr zeros(Graph& graph, DType dtype, const Extents& shape, runtime::Device* device) {
  return graph.copied(graph.number(dtype, zero_of(dtype)), shape, device);
}

bool is_along_rows(jit::Engine& engine, const Node& node) {
  if (const views::DeviceArray* memory = node.layout())
    return memory->strides.back() == static_cast<std::int64_t>(memory->item_bytes());
  const auto* view = std::get_if<View>(&node.made_by);
  if (view == nullptr || view->base->layout() == nullptr)
    return false;
  const views::DeviceArray array = view_of(engine, *view->base->layout(), *node.shape, view->axes);
  return array.strides.back() == static_cast<std::int64_t>(array.item_bytes());
}

// The same elements with those along the last dimension next to each other in memory.
NodePtr along_rows(Graph& graph, const NodePtr& node) {
  const auto lock = graph.locked();
  if (node->shape->back() == 1 || is_along_rows(graph.engine(), *node))
    return node;
  Routine routine;
  routine.operands = {node};
  routine.name = "copy(a)";
  routine.run = [&graph](const std::vector<views::DeviceArray>& operands) {
    return graph.copy(operands.front());
  };
  return graph.routine(std::move(routine), node->dtype, node->shape);
}

NodePtr transposed(Graph& graph, const NodePtr& node) {
  std::vector<std::int32_t> from(node->shape->size());
  std::iota(from.begin(), from.end(), 0);
  std::swap(from.end()[-1], from.end()[-2]);
  return rearranged(graph, node, from);
}

// The sum of the products along one dimension of operands that broadcast. Small floats are summed
// in float32, as NumPy does it.
NodePtr folded(
    Graph& graph, const NodePtr& a, const NodePtr& b, DType dtype, std::size_t dimension) {
  const bool is_small = dtype == DType::float16 || dtype == DType::bfloat16;
  const DType computed = is_small ? DType::float32 : dtype;
  const numpy::Operand types[] = {{computed}, {computed}};
  const Function* const multiply = find_function(*infer::find_ufunc("multiply"), types);
  const NodePtr operands[] = {graph.cast(a, computed), graph.cast(b, computed)};
  const NodePtr product = graph.call(*multiply, operands);
  std::vector<bool> is_reduced(product->shape->size(), false);
  is_reduced.at(dimension) = true;
  const char* const name = is_boolean(dtype) ? "any" : "sum";
  return graph.cast(graph.reduce(product, name, computed, std::move(is_reduced)), dtype);
}

// Each element of a row is met once for each column of the result, and on a CPU fastest where a sum
// runs through memory: 3 to 8 times as fast at 500 rows and columns (decision 0051). That many pay
// for the copy. Threads
// of a GPU that are next to each other have elements of one row.
NodePtr folded_matrices(
    Graph& graph, const NodePtr& a, const NodePtr& b, DType dtype, bool is_on_host) {
  constexpr std::int64_t least_uses = 8;
  const std::int64_t rows = a->shape->end()[-2];
  const std::int64_t columns = b->shape->back();
  NodePtr left = a;
  NodePtr right = transposed(graph, b);
  if (is_on_host && columns >= least_uses)
    left = along_rows(graph, left);
  if (is_on_host && rows >= least_uses)
    right = along_rows(graph, right);
  left = expanded(graph, left, left->shape->size() - 1);
  right = expanded(graph, right, right->shape->size() - 2);
  const std::size_t dimensions = std::max(left->shape->size(), right->shape->size());
  return folded(graph, left, right, dtype, dimensions - 1);
}

// NumPy's words for what does not fit.
[[noreturn]] void refuse_dimensions(std::size_t operand) {
  throw ValueError(
      "matmul: Input operand " + std::to_string(operand) +
      " does not have enough dimensions (has 0, gufunc core with signature (n?,k),(k,m?)->(n?,m?) "
      "requires 1)");
}

// `signature` has the name, too.
void check_inner(const char* signature, std::int64_t left, std::int64_t right) {
  if (left == right)
    return;
  const std::string text(signature);
  const std::size_t end = text.find(':');
  throw ShapeError(
      text.substr(0, end) +
      ": Input operand 1 has a mismatch in its core dimension 0, with gufunc "
      "signature " +
      text.substr(end + 2) + " (size " + std::to_string(right) + " is different from " +
      std::to_string(left) + ")");
}

Extents stack_of(const Extents& shape) { return {shape.begin(), shape.end() - 2}; }

// Of operands with at least two dimensions, which fit.
NodePtr product_of_stacks(Graph& graph, const NodePtr& a, const NodePtr& b) {
  const DType dtype = common_type(a, b);
  const Extents stacks[] = {stack_of(*a->shape), stack_of(*b->shape)};
  Extents shape = numpy::broadcast(stacks);
  const std::int64_t rows = a->shape->end()[-2];
  const std::int64_t inner = a->shape->back();
  const std::int64_t columns = b->shape->back();
  shape.push_back(rows);
  shape.push_back(columns);
  if (inner == 0 || element_count(shape) == 0)
    return zeros(graph, dtype, shape, given_device(a, b));
  const std::int64_t extent = std::max({rows, inner, columns});
  if (!is_taken(graph, a, b, dtype, extent))
    return folded_matrices(graph, a, b, dtype, device_of(graph, a, b).is_host());
  Routine routine;
  routine.operands = {graph.cast(a, dtype), graph.cast(b, dtype)};
  routine.name = "matmul(a, b)";
  routine.operations = 2 * inner * element_count(shape);
  routine.run = [&graph, shape](const std::vector<views::DeviceArray>& operands) {
    return multiply(graph.engine(), graph.products(), operands, shape);
  };
  routine.runs_on = [&graph, dtype, extent](runtime::Device& device) {
    return graph.products().takes(device, dtype, extent);
  };
  return graph.routine(std::move(routine), dtype, std::make_shared<const Extents>(shape));
}

// The sum of the products along the last dimension. It is no routine but for two vectors on the
// CPU: a fused kernel is as fast, and takes any operands.
NodePtr inner_product(Graph& graph, const NodePtr& a, const NodePtr& b) {
  const DType dtype = common_type(a, b);
  const bool is_of_vectors = a->shape->size() == 1 && b->shape->size() == 1;
  if (is_of_vectors && a->size() > 0 && device_of(graph, a, b).is_host() &&
      is_taken(graph, a, b, dtype, a->size())) {
    const NodePtr made = product_of_stacks(graph, expanded(graph, a, 0), expanded(graph, b, 1));
    return graph.view(made, {}, std::vector<Axis>(2));
  }
  const std::size_t dimensions = std::max(a->shape->size(), b->shape->size());
  return folded(graph, a, b, dtype, dimensions - 1);
}

NodePtr conjugated(Graph& graph, const NodePtr& node) {
  if (!is_complex(node->dtype))
    return node;
  const numpy::Operand type[] = {{node->dtype}};
  const NodePtr operand[] = {node};
  return graph.call(*find_function(*infer::find_ufunc("conjugate"), type), operand);
}

void check_dimensions(const NodePtr& node, std::size_t least, const char* product) {
  if (node->shape->size() < least)
    throw ValueError(
        std::string(product) + ": an operand has " + std::to_string(node->shape->size()) +
        " dimensions and needs " + std::to_string(least));
}

}  // namespace

NodePtr matmul(Graph& graph, const NodePtr& a, const NodePtr& b) {
  if (a->shape->empty())
    refuse_dimensions(0);
  if (b->shape->empty())
    refuse_dimensions(1);
  const bool is_row = a->shape->size() == 1;
  const bool is_column = b->shape->size() == 1;
  check_inner(
      "matmul: (n?,k),(k,m?)->(n?,m?)",
      a->shape->back(),
      is_column ? b->shape->back() : b->shape->end()[-2]);
  if (is_row && is_column)
    return inner_product(graph, a, b);
  NodePtr made = product_of_stacks(
      graph, is_row ? expanded(graph, a, 0) : a, is_column ? expanded(graph, b, 1) : b);
  if (is_row)
    made = squeezed(graph, made, made->shape->size() - 2);
  if (is_column)
    made = squeezed(graph, made, made->shape->size() - 1);
  return made;
}

NodePtr matvec(Graph& graph, const NodePtr& matrix, const NodePtr& vector) {
  check_dimensions(matrix, 2, "matvec");
  check_dimensions(vector, 1, "matvec");
  check_inner("matvec: (m,n),(n)->(m)", matrix->shape->back(), vector->shape->back());
  const NodePtr made =
      product_of_stacks(graph, matrix, expanded(graph, vector, vector->shape->size()));
  return squeezed(graph, made, made->shape->size() - 1);
}

NodePtr vecmat(Graph& graph, const NodePtr& vector, const NodePtr& matrix) {
  check_dimensions(vector, 1, "vecmat");
  check_dimensions(matrix, 2, "vecmat");
  check_inner("vecmat: (n),(n,m)->(m)", vector->shape->back(), matrix->shape->end()[-2]);
  const NodePtr row = expanded(graph, conjugated(graph, vector), vector->shape->size() - 1);
  const NodePtr made = product_of_stacks(graph, row, matrix);
  return squeezed(graph, made, made->shape->size() - 2);
}

NodePtr vecdot(Graph& graph, const NodePtr& a, const NodePtr& b) {
  check_dimensions(a, 1, "vecdot");
  check_dimensions(b, 1, "vecdot");
  check_inner("vecdot: (n),(n)->()", a->shape->back(), b->shape->back());
  return inner_product(graph, conjugated(graph, a), b);
}

}  // namespace phalanx::arrays
