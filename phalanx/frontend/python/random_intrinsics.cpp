// The state of the random numbers, as arrays: what is made of it is written in Python
// (python/phalanx/_library/mersenne.py). The layout is RandomState's of base/cpu_kernel.h.
#include <array>
#include <cstddef>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/frontend/python/intrinsics.h"

namespace phalanx::frontend::python {
namespace {

// The state of the generator with that number: NumPy's, or Python's.
ir::Operation* state(Emitter& emitter, const Value& generator) {
  if (!emitter.session().options().is_function)
    emitter.fail(
        "a generator of random numbers exists in CPU functions only",
        "Use the generators of cuda.random in kernels.");
  ir::Builder& builder = emitter.builder();
  const ir::Type type = ir::Type::pointer(DType::uint8, ir::Space::global);
  const std::int64_t number = emitter.required_integer(generator, "the number of a generator");
  const auto bytes = static_cast<std::int64_t>(sizeof(RandomState));
  ir::Operation* first = &builder.append(ir::Op::random_state, type);
  return number == 0 ? first : builder.pointer_offset(first, builder.integer(number * bytes), type);
}

Value view(
    Emitter& emitter, ir::Operation* state, DType dtype, std::size_t offset, std::size_t count) {
  ir::Builder& builder = emitter.builder();
  ir::Operation* data = builder.pointer_offset(
      state,
      builder.integer(static_cast<std::int64_t>(offset)),
      ir::Type::pointer(dtype, ir::Space::global));
  return builder.array_make(
      ir::Type::array(dtype, 1, ir::Layout::c, ir::Space::global),
      data,
      {builder.integer(static_cast<std::int64_t>(count))});
}

// The words of the generator, the index of the next, and the flags after it.
Value words(Emitter& emitter, const Arguments& arguments) {
  static_assert(offsetof(RandomState, next) == 4 * 624);
  static_assert(offsetof(RandomState, has_normal) == 4 * 625);
  static_assert(offsetof(RandomState, is_seeded) == 4 * 628);
  return view(emitter, state(emitter, arguments[0]), DType::uint32, 0, 629);
}

Value normal(Emitter& emitter, const Arguments& arguments) {
  return view(
      emitter, state(emitter, arguments[0]), DType::float64, offsetof(RandomState, normal), 1);
}

Value refill(Emitter& emitter, const Arguments& arguments) {
  emitter.builder().append(ir::Op::random_refill, {}, {state(emitter, arguments[0])});
  return none_value();
}

constexpr std::array table = {
    Intrinsic{"phalanx.random_words", "generator", words},
    Intrinsic{"phalanx.random_normal", "generator", normal},
    Intrinsic{"phalanx.random_refill", "generator", refill},
};

}  // namespace

std::span<const Intrinsic> random_intrinsics() { return table; }

}  // namespace phalanx::frontend::python
