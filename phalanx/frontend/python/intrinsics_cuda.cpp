// Threads, memory and barriers: the names of numba.cuda.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>

#include "phalanx/base/errors.h"
#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/idioms.h"
#include "phalanx/ir/typing.h"

namespace phalanx::frontend::python {
namespace {

template <ir::Op op, unsigned dimension>
Value query(Emitter& emitter) {
  return ir::thread_query(emitter.builder(), op, dimension);
}

// All three dimensions, as a named tuple.
template <ir::Op op>
Value whole_query(Emitter& emitter) {
  return TupleValue{
      .elements = std::make_shared<const std::vector<Value>>(
          std::vector<Value>{query<op, 0>(emitter), query<op, 1>(emitter), query<op, 2>(emitter)}),
      .name = "Dim3",
      .field_names = std::make_shared<const std::vector<std::string>>(
          std::vector<std::string>{"x", "y", "z"})};
}

Value grid_position(Emitter& emitter, unsigned dimension) {
  return ir::global_index(emitter.builder(), dimension);
}

Value grid_threads(Emitter& emitter, unsigned dimension) {
  return ir::grid_threads(emitter.builder(), dimension);
}

template <Value (*of_dimension)(Emitter&, unsigned)>
Value per_dimension(Emitter& emitter, const Arguments& arguments) {
  const std::int64_t count = emitter.required_integer(arguments[0], "the number of dimensions");
  if (count < 1 || count > 3)
    emitter.fail("a grid has 1, 2 or 3 dimensions, not " + std::to_string(count));
  std::vector<Value> values;
  for (unsigned dimension = 0; dimension < count; ++dimension)
    values.push_back(of_dimension(emitter, dimension));
  return count == 1 ? values[0] : tuple_value(std::move(values));
}

// One a dimension.
std::vector<Value> extents_of(Emitter& emitter, const Value& shape) {
  if (auto elements = emitter.elements_of(shape))
    return std::move(*elements);
  return {shape};
}

std::int64_t checked_extent(Emitter& emitter, std::int64_t extent) {
  if (extent < 0)
    emitter.fail("an array cannot have " + std::to_string(extent) + " elements");
  return extent;
}

// Extents that the launch knows first: an i64 each.
ir::Operation* sized_shared_array(
    Emitter& emitter, const ir::Type& element, const std::vector<Value>& parts) {
  ir::Builder::Values extents;
  for (const Value& part : parts) {
    if (const auto known = known_integer(part); known && *known < 1)
      emitter.fail("an array cannot have an extent of " + std::to_string(*known));
    if (!is_integer(emitter.scalar_dtype(part, "the extent of a shared array")))
      emitter.fail(
          "the extents of a shared array are integers, found " + describe(part),
          "Write int(...) on the host, or // in place of /.");
    extents.push_back(emitter.materialize(emitter.cast(part, DType::int64)));
  }
  return ir::sized_shared_array(emitter.builder(), element, std::move(extents));
}

// The shape, where all of it is known now.
std::optional<std::vector<std::int64_t>> known_shape(
    Emitter& emitter, const std::vector<Value>& parts) {
  std::vector<std::int64_t> shape;
  for (const Value& part : parts) {
    const auto extent = known_integer(part);
    if (!extent)
      return std::nullopt;
    shape.push_back(checked_extent(emitter, *extent));
  }
  return shape;
}

// Fails where the elements take more memory than any device has for them.
void check_size(
    Emitter& emitter,
    std::string_view kind,
    const ir::Type& element,
    const std::vector<std::int64_t>& shape) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (std::ranges::find(shape, 0) != shape.end())
    return;
  auto bytes = static_cast<std::int64_t>(ir::element_stride(element));
  for (const std::int64_t extent : shape) {
    if (extent > most / bytes)
      emitter.fail(
          "a " + std::string(kind) + " array of 2 GiB or more is larger than any device allows",
          "Pass an array in global memory.");
    bytes *= extent;
  }
}

// alignment=: bytes, 0 where none is given.
std::int64_t alignment_of(Emitter& emitter, const Value& value) {
  constexpr std::int64_t most = 1 << 16;
  if (value.is<Unbound>() || value.is_none())
    return 0;
  const auto bytes = known_integer(value);
  if (!bytes)
    emitter.fail(
        "RequireLiteralValue: alignment must be a constant integer, found " + describe(value));
  if (*bytes < 1 || !std::has_single_bit(static_cast<std::uint64_t>(*bytes)))
    throw ValueError(to_string(emitter.diagnostics().message(
        emitter.builder().location(),
        "Alignment must be a power of two, found " + std::to_string(*bytes))));
  if (*bytes > most)
    emitter.fail(
        "arrays are aligned to " + std::to_string(most) + " bytes at most, found " +
        std::to_string(*bytes));
  return *bytes;
}

Value shared_array(Emitter& emitter, const Arguments& arguments) {
  const std::int64_t alignment = alignment_of(emitter, arguments[2]);
  const ir::Type element = dtype_argument(emitter, arguments[1]);
  const std::vector<Value> parts = extents_of(emitter, arguments[0]);
  auto shape = known_shape(emitter, parts);
  ir::Operation* made = nullptr;
  if (!shape) {
    made = sized_shared_array(emitter, element, parts);
  } else if (*shape == std::vector<std::int64_t>{0}) {
    made = ir::dynamic_shared_array(emitter.builder(), element);
  } else {
    check_size(emitter, "shared", element, *shape);
    made = ir::shared_array(emitter.builder(), element, std::move(*shape));
  }
  made->index = alignment;
  return made;
}

Value local_array(Emitter& emitter, const Arguments& arguments) {
  const std::int64_t alignment = alignment_of(emitter, arguments[2]);
  const ir::Type element = dtype_argument(emitter, arguments[1]);
  const std::vector<Value> parts = extents_of(emitter, arguments[0]);
  auto shape = known_shape(emitter, parts);
  if (!shape) {
    const auto unknown =
        std::ranges::find_if(parts, [](const Value& part) { return !known_integer(part); });
    emitter.fail(
        "the shape of a local array must be known at compile time, found " + describe(*unknown),
        "Use literals, globals or closure variables.");
  }
  check_size(emitter, "local", element, *shape);
  ir::Operation* made = ir::local_array(emitter.builder(), element, std::move(*shape));
  made->index = alignment;
  return made;
}

Value constant_array(Emitter& emitter, const Arguments& arguments) {
  if (!arguments[0].is<ArrayEntity>())
    emitter.fail(
        "const.array_like takes a NumPy array among the globals or closure variables, found " +
        describe(arguments[0]));
  return arguments[0];
}

Value barrier(Emitter& emitter, const Arguments&) {
  ir::barrier(emitter.builder());
  return none_value();
}

// An i32 in shared memory that is 0 for all threads of the block that come here. Each of them
// clears it, as any one may have returned before; the first barrier waits for those that still read
// it, when the kernel comes here again.
ir::Operation* cleared_counter(Emitter& emitter) {
  ir::Builder& builder = emitter.builder();
  const Value counter = ir::shared_array(builder, DType::int32, {1});
  ir::Operation* pointer = emitter.element_pointer(counter, integer_literal(0));
  ir::barrier(builder);
  emitter.store(pointer, integer_literal(0));
  ir::barrier(builder);
  return pointer;
}

// The group of all threads of the grid: what it can do is known by its name.
Value this_grid(Emitter& emitter, const Arguments&) {
  ir::cooperative(emitter.builder());
  return IntrinsicEntity{"cuda.cg.GridGroup"};
}

// The first thread to count itself waits for the other blocks, the rest of the block for it.
Value grid_barrier(Emitter& emitter, const Arguments&) {
  ir::Builder& builder = emitter.builder();
  ir::Operation* counter = cleared_counter(emitter);
  const Value one = integer_literal(1, DType::int32);
  const Value before = ir::atomic(builder, ir::Atomic::add, counter, emitter.materialize(one));
  const Value is_first = emitter.compare(tree::Comparison::equal, before, integer_literal(0));
  const auto branches = builder.if_(emitter.materialize(is_first));
  {
    const auto scope = builder.enter(branches.then);
    ir::grid_barrier(builder);
  }
  ir::barrier(builder);
  return integer_literal(0);  // the peer's success
}

Value condition_of(Emitter& emitter, const Value& value) {
  const DType dtype = emitter.scalar_dtype(value, "the condition");
  if (!is_integer(dtype) && !is_boolean(dtype))
    emitter.fail("the condition of a barrier is an integer or a bool, found " + describe(value));
  return emitter.cast(value, DType::boolean);
}

template <ir::BlockVote kind>
Value block_vote(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* condition = emitter.materialize(condition_of(emitter, arguments[0]));
  return emitter.cast(ir::block_vote(emitter.builder(), kind, condition), DType::int32);
}

template <ir::FenceScope scope>
Value fence(Emitter& emitter, const Arguments&) {
  ir::fence(emitter.builder(), scope);
  return none_value();
}

// One more than the number of zero bits below the lowest set bit; 0 where none is set.
Value find_first_set(Emitter& emitter, const Arguments& arguments) {
  const auto zeros = emitter.scalar_function("cuda.ffs", {arguments[0]});
  if (!zeros)
    emitter.fail("cuda.ffs() does not take " + describe(arguments[0]));
  const DType dtype = type_of(*zeros)->dtype();
  const Value one = emitter.cast(integer_literal(1), dtype);
  const Value position = emitter.cast(emitter.binary(ir::Op::add, *zeros, one), dtype);
  const Value is_zero = emitter.compare(tree::Comparison::equal, arguments[0], integer_literal(0));
  return emitter.select(is_zero, emitter.cast(integer_literal(0), dtype), position);
}

constexpr std::array table = {
    Intrinsic{"cuda.grid", "ndim", per_dimension<grid_position>},
    Intrinsic{"cuda.gridsize", "ndim", per_dimension<grid_threads>},
    Intrinsic{"cuda.syncthreads", "", barrier},
    Intrinsic{"cuda.cg.this_grid", "", this_grid},
    Intrinsic{"cuda.cg.GridGroup.sync", "", grid_barrier},
    Intrinsic{"cuda.syncthreads_count", "predicate", block_vote<ir::BlockVote::count>},
    Intrinsic{"cuda.syncthreads_and", "predicate", block_vote<ir::BlockVote::all>},
    Intrinsic{"cuda.syncthreads_or", "predicate", block_vote<ir::BlockVote::any>},
    Intrinsic{"cuda.threadfence", "", fence<ir::FenceScope::device>},
    Intrinsic{"cuda.threadfence_block", "", fence<ir::FenceScope::block>},
    Intrinsic{"cuda.threadfence_system", "", fence<ir::FenceScope::system>},
    Intrinsic{"cuda.shared.array", "shape dtype alignment?", shared_array},
    Intrinsic{"cuda.local.array", "shape dtype alignment?", local_array},
    Intrinsic{"cuda.const.array_like", "ndarray", constant_array},
    Intrinsic{"cuda.ffs", "x", find_first_set},
};

constexpr std::array values = {
    IntrinsicValue{"cuda.threadIdx", whole_query<ir::Op::thread_index>},
    IntrinsicValue{"cuda.blockIdx", whole_query<ir::Op::block_index>},
    IntrinsicValue{"cuda.blockDim", whole_query<ir::Op::block_extent>},
    IntrinsicValue{"cuda.gridDim", whole_query<ir::Op::grid_extent>},
    IntrinsicValue{"cuda.threadIdx.x", query<ir::Op::thread_index, 0>},
    IntrinsicValue{"cuda.threadIdx.y", query<ir::Op::thread_index, 1>},
    IntrinsicValue{"cuda.threadIdx.z", query<ir::Op::thread_index, 2>},
    IntrinsicValue{"cuda.blockIdx.x", query<ir::Op::block_index, 0>},
    IntrinsicValue{"cuda.blockIdx.y", query<ir::Op::block_index, 1>},
    IntrinsicValue{"cuda.blockIdx.z", query<ir::Op::block_index, 2>},
    IntrinsicValue{"cuda.blockDim.x", query<ir::Op::block_extent, 0>},
    IntrinsicValue{"cuda.blockDim.y", query<ir::Op::block_extent, 1>},
    IntrinsicValue{"cuda.blockDim.z", query<ir::Op::block_extent, 2>},
    IntrinsicValue{"cuda.gridDim.x", query<ir::Op::grid_extent, 0>},
    IntrinsicValue{"cuda.gridDim.y", query<ir::Op::grid_extent, 1>},
    IntrinsicValue{"cuda.gridDim.z", query<ir::Op::grid_extent, 2>},
    IntrinsicValue{
        "cuda.laneid", [](Emitter& emitter) -> Value { return ir::lane_index(emitter.builder()); }},
    IntrinsicValue{
        "cuda.warpsize", [](Emitter&) -> Value { return integer_literal(32, DType::int32); }},
};

}  // namespace

std::span<const Intrinsic> cuda_intrinsics() { return table; }
std::span<const IntrinsicValue> intrinsic_values() { return values; }

}  // namespace phalanx::frontend::python
