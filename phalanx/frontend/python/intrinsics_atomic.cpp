// Atomics on elements of arrays.
#include <array>
#include <string_view>

#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/ir/build_threads.h"

namespace phalanx::frontend::python {
namespace {

// Which element types an atomic takes.
enum class Takes : std::uint8_t { numbers, integers, naturals };

bool takes(Takes which, const ir::Type& type) {
  if (!type.is_scalar())
    return false;
  const DType dtype = type.dtype();
  if (is_floating(dtype))
    return which == Takes::numbers;
  const bool is_word = bits_of(dtype) == 32 || bits_of(dtype) == 64;
  return is_word && (is_unsigned(dtype) || (which != Takes::naturals && is_integer(dtype)));
}

std::string_view list_of(Takes which) {
  constexpr std::array lists = {
      "int32, int64, uint32, uint64, float16, bfloat16, float32, float64",
      "int32, int64, uint32, uint64",
      "uint32, uint64"};
  return lists.at(static_cast<std::size_t>(which));
}

ir::Operation* target(
    Emitter& emitter, const Value& array, const Value& index, std::string_view name, Takes which) {
  const auto type = type_of(array);
  if (!type || !type->is_array())
    emitter.fail("cuda.atomic." + std::string(name) + " takes an array, found " + describe(array));
  if (!takes(which, type->element()))
    emitter.fail(
        "cuda.atomic." + std::string(name) + " does not take elements of type " +
            describe(type->element()),
        "It takes " + std::string(list_of(which)) + ".");
  if (!type->is_mutable())
    emitter.fail("cannot write to " + describe(array), std::string(read_only_advice));
  return emitter.element_pointer(array, index);
}

using ir::Atomic;

template <Atomic kind, Takes which>
Value update(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* pointer =
      target(emitter, arguments[0], arguments[1], ir::name_of_kind(kind), which);
  ir::Operation* value =
      emitter.convert(arguments[2], pointer->type.element(), "the value of the atomic");
  return ir::atomic(emitter.builder(), kind, pointer, value);
}

Value compare_exchange(
    Emitter& emitter, ir::Operation* pointer, const Value& expected, const Value& desired) {
  const ir::Type& type = pointer->type.element();
  ir::Operation* before = emitter.convert(expected, type, "the value expected");
  ir::Operation* after = emitter.convert(desired, type, "the new value");
  return ir::atomic_cas(emitter.builder(), pointer, before, after);
}

Value cas(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* pointer = target(emitter, arguments[0], arguments[1], "cas", Takes::integers);
  return compare_exchange(emitter, pointer, arguments[2], arguments[3]);
}

Value compare_and_swap(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* pointer =
      target(emitter, arguments[0], integer_literal(0), "compare_and_swap", Takes::integers);
  return compare_exchange(emitter, pointer, arguments[1], arguments[2]);
}

constexpr std::array table = {
    Intrinsic{"cuda.atomic.add", "ary idx val", update<Atomic::add, Takes::numbers>},
    Intrinsic{"cuda.atomic.sub", "ary idx val", update<Atomic::sub, Takes::numbers>},
    Intrinsic{"cuda.atomic.max", "ary idx val", update<Atomic::max, Takes::numbers>},
    Intrinsic{"cuda.atomic.min", "ary idx val", update<Atomic::min, Takes::numbers>},
    Intrinsic{"cuda.atomic.nanmax", "ary idx val", update<Atomic::nanmax, Takes::numbers>},
    Intrinsic{"cuda.atomic.nanmin", "ary idx val", update<Atomic::nanmin, Takes::numbers>},
    Intrinsic{"cuda.atomic.and_", "ary idx val", update<Atomic::bitwise_and, Takes::integers>},
    Intrinsic{"cuda.atomic.or_", "ary idx val", update<Atomic::bitwise_or, Takes::integers>},
    Intrinsic{"cuda.atomic.xor", "ary idx val", update<Atomic::bitwise_xor, Takes::integers>},
    Intrinsic{"cuda.atomic.exch", "ary idx val", update<Atomic::exchange, Takes::numbers>},
    Intrinsic{"cuda.atomic.inc", "ary idx val", update<Atomic::inc, Takes::naturals>},
    Intrinsic{"cuda.atomic.dec", "ary idx val", update<Atomic::dec, Takes::naturals>},
    Intrinsic{"cuda.atomic.cas", "ary idx old val", cas},
    Intrinsic{"cuda.atomic.compare_and_swap", "ary old val", compare_and_swap},
};

}  // namespace

std::span<const Intrinsic> atomic_intrinsics() { return table; }

}  // namespace phalanx::frontend::python
