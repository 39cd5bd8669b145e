// The state of the random numbers, as arrays: what is made of it is written in Python
// (python/phalanx/_functions/_random.py). The layout is RandomState's of base/cpu_kernel.h.
#include <array>
#include <cstddef>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/frontend/python/intrinsics.h"

namespace phalanx::frontend::python {
namespace {

ir::Operation* state(Emitter& emitter, std::string_view name) {
  if (!emitter.session().options().is_function)
    emitter.fail(
        std::string(name) + " exists in CPU functions only",
        "Use the generators of cuda.random in kernels.");
  return &emitter.builder().append(
      ir::Op::random_state, ir::Type::pointer(DType::uint8, ir::Space::global));
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

// The words of the generator, the index of the next, and the flags behind it.
Value words(Emitter& emitter, const Arguments&) {
  static_assert(offsetof(RandomState, next) == 4 * 624);
  static_assert(offsetof(RandomState, has_normal) == 4 * 625);
  static_assert(offsetof(RandomState, is_seeded) == 4 * 628);
  return view(emitter, state(emitter, "numpy.random"), DType::uint32, 0, 629);
}

Value normal(Emitter& emitter, const Arguments&) {
  return view(
      emitter, state(emitter, "numpy.random"), DType::float64, offsetof(RandomState, normal), 1);
}

Value refill(Emitter& emitter, const Arguments&) {
  emitter.builder().append(ir::Op::random_refill, {}, {state(emitter, "numpy.random")});
  return none_value();
}

constexpr std::array table = {
    Intrinsic{"phalanx.random_words", "", words},
    Intrinsic{"phalanx.random_normal", "", normal},
    Intrinsic{"phalanx.random_refill", "", refill},
};

}  // namespace

std::span<const Intrinsic> random_intrinsics() { return table; }

}  // namespace phalanx::frontend::python
