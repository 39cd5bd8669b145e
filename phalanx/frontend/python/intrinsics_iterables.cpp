// What loops go over: range, enumerate, zip, and NumPy's indices.
#include <array>

#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/infer/conversion.h"

namespace phalanx::frontend::python {
namespace {

// Numba has ranges of int32, int64 and uint64: the one that the bounds convert to at least cost.
DType range_dtype(Emitter& emitter, const Arguments& arguments) {
  DType best = DType::int32;
  std::array<int, 3> least = {};
  for (const DType candidate : {DType::int32, DType::int64, DType::uint64}) {
    std::array<int, 3> cost = {};  // unsafe conversions, safe ones, promotions
    for (const Value& argument : arguments) {
      if (argument.is<Unbound>())
        continue;
      const DType dtype = emitter.scalar_dtype(argument, "a bound of range");
      if (!is_integer(dtype) && !is_boolean(dtype))
        emitter.fail(
            "the bounds of range must be integers, found " + describe(argument),
            "Write int(...) around it.");
      const infer::Conversion conversion = infer::conversion(dtype, candidate);
      cost[0] += conversion == infer::Conversion::unsafe ? 1 : 0;
      cost[1] += conversion == infer::Conversion::safe ? 1 : 0;
      cost[2] += conversion == infer::Conversion::promote ? 1 : 0;
    }
    if (candidate == DType::int32 || cost < least) {
      best = candidate;
      least = cost;
    }
  }
  return best;
}

Value range(Emitter& emitter, const Arguments& arguments) {
  const DType dtype = range_dtype(emitter, arguments);
  const bool has_start = !arguments[1].is<Unbound>();
  const bool has_step = !arguments[2].is<Unbound>();
  std::vector<Value> parts = {
      has_start ? arguments[0] : integer_literal(0),
      has_start ? arguments[1] : arguments[0],
      has_step ? arguments[2] : integer_literal(1)};
  for (Value& part : parts) part = emitter.cast(part, dtype);
  return Iterable{
      .kind = Iterable::Kind::range,
      .parts = std::make_shared<const std::vector<Value>>(std::move(parts)),
      .type = dtype};
}

Value parallel_range(Emitter& emitter, const Arguments& arguments) {
  const Value plain = range(emitter, arguments);
  Iterable iterable = *plain.as<Iterable>();
  iterable.is_parallel = emitter.session().options().is_parallel;
  return iterable;
}

// Those of a chunk of a parallel loop.
Value iterations(Emitter&, const Arguments& arguments) {
  return Iterable{
      .kind = Iterable::Kind::iterations,
      .parts = std::make_shared<const std::vector<Value>>(arguments),
      .type = *type_of(arguments[2])};
}

Value enumerate(Emitter&, const Arguments& arguments) {
  const bool has_start = !arguments[1].is<Unbound>();
  std::vector<Value> parts = {arguments[0], has_start ? arguments[1] : integer_literal(0)};
  return Iterable{
      .kind = Iterable::Kind::enumerate,
      .parts = std::make_shared<const std::vector<Value>>(std::move(parts))};
}

Value zip(Emitter& emitter, const Arguments& arguments) {
  if (arguments.empty())
    emitter.fail("zip() needs an argument");
  return Iterable{
      .kind = Iterable::Kind::zip, .parts = std::make_shared<const std::vector<Value>>(arguments)};
}

// numpy.ndindex(*shape): the extents, or one tuple of them.
Value ndindex(Emitter& emitter, const Arguments& arguments) {
  std::vector<Value> extents = arguments;
  if (extents.size() == 1) {
    if (auto elements = emitter.elements_of(extents[0]))
      extents = std::move(*elements);
  }
  for (Value& extent : extents)
    extent = Value(emitter.convert(extent, DType::int64, "an extent of ndindex"));
  return Iterable{
      .kind = Iterable::Kind::indices,
      .parts = std::make_shared<const std::vector<Value>>(std::move(extents))};
}

constexpr std::array table = {
    Intrinsic{"builtins.range", "start stop? step?", range},
    Intrinsic{"builtins.enumerate", "iterable start?", enumerate},
    Intrinsic{"builtins.zip", "*", zip},
    Intrinsic{"numba.prange", "start stop? step?", parallel_range},
    Intrinsic{"phalanx.iterations", "first last start step", iterations},
    Intrinsic{"numpy.ndindex", "*", ndindex},
};

}  // namespace

std::span<const Intrinsic> iterable_intrinsics() { return table; }

}  // namespace phalanx::frontend::python
