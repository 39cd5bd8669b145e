// What the threads of a warp tell each other, and accesses with cache operators.
#include <array>
#include <functional>

#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"

namespace phalanx::frontend::python {
namespace {

// A thread that is not in its own mask waits for nobody and reads anything on a GPU; debug builds
// raise at it.
ir::Operation* mask_of(Emitter& emitter, const Value& value) {
  if (!emitter.is_scalar(value) || !is_integer(type_of(value)->dtype()))
    emitter.fail(
        "Mask type must be an integer. Got " + describe(value),
        "Each bit is a lane: 0xffffffff is the whole warp.");
  const Value mask = emitter.cast(value, DType::int32);
  ir::Builder& builder = emitter.builder();
  if (emitter.session().options().debug) {
    const auto op = [&](ir::Op which, const Value& a, const Value& b) {
      return emitter.same_type(which, DType::int32, {a, b});
    };
    const Value lane = ir::lane_index(builder);
    const Value bit = op(
        ir::Op::bitwise_and, op(ir::Op::right_shift, mask, lane), integer_literal(1, DType::int32));
    const Value is_out =
        emitter.compare(tree::Comparison::equal, bit, integer_literal(0, DType::int32));
    const auto branches = builder.if_(emitter.materialize(is_out));
    const auto inside = builder.enter(branches.then);
    builder.raise(
        {"ValueError", "the mask of a warp operation must hold the thread that calls it"});
  }
  return emitter.materialize(mask);
}

ir::Operation* integer_of(Emitter& emitter, const Value& value, std::string_view what) {
  const DType dtype = emitter.scalar_dtype(value, what);
  if (!is_integer(dtype))
    emitter.fail(std::string(what) + " must be an integer, found " + describe(value));
  return emitter.materialize(emitter.cast(value, DType::int32));
}

ir::Operation* predicate_of(Emitter& emitter, const Value& value) {
  const bool fits = emitter.is_scalar(value) &&
                    (is_integer(type_of(value)->dtype()) || is_boolean(type_of(value)->dtype()));
  if (!fits)
    emitter.fail("Predicate must be an integer or boolean. Got " + describe(value));
  return emitter.materialize(emitter.cast(value, DType::boolean));
}

template <ir::Vote kind>
Value vote(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* mask = mask_of(emitter, arguments[0]);
  return ir::vote(emitter.builder(), kind, mask, predicate_of(emitter, arguments[1]));
}

using Mover = std::function<ir::Operation*(ir::Operation*)>;

// A value of any number type by way of words of 32 or 64 bits, which is what lanes hand over.
Value as_words(Emitter& emitter, const Value& value, const Mover& move) {
  ir::Builder& builder = emitter.builder();
  const DType dtype = emitter.scalar_dtype(value, "the value of a warp operation");
  ir::Operation* known = emitter.materialize(value);
  if (is_complex(dtype))
    return builder.complex_make(
        move(builder.complex_real(known)), move(builder.complex_imag(known)));
  if (bits_of(dtype) >= 32)
    return move(known);
  if (is_floating(dtype)) {
    ir::Operation* word = builder.cast(builder.bitcast(known, DType::int16), DType::int32);
    return builder.bitcast(builder.cast(move(word), DType::int16), dtype);
  }
  return builder.cast(move(builder.cast(known, DType::int32)), dtype);
}

template <ir::Shuffle mode>
Value shuffle(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* mask = mask_of(emitter, arguments[0]);
  ir::Operation* lane = integer_of(emitter, arguments[2], "the lane of a shuffle");
  return as_words(emitter, arguments[1], [&](ir::Operation* word) {
    return ir::shuffle(emitter.builder(), mode, mask, word, lane);
  });
}

// The bits that lanes compare: floats by their bits, as the hardware does.
ir::Operation* comparable(Emitter& emitter, const Value& value) {
  ir::Operation* word = nullptr;
  const DType dtype = emitter.scalar_dtype(value, "the value of a match");
  if (is_complex(dtype))
    emitter.fail("a match takes an integer, a float or a bool, found " + describe(value));
  as_words(emitter, value, [&](ir::Operation* given) { return word = given; });
  return word;
}

Value match_any(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* mask = mask_of(emitter, arguments[0]);
  return ir::match(emitter.builder(), ir::Match::any, mask, comparable(emitter, arguments[1]));
}

Value match_all(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* mask = mask_of(emitter, arguments[0]);
  const Value found =
      ir::match(emitter.builder(), ir::Match::all, mask, comparable(emitter, arguments[1]));
  const Value is_all =
      emitter.compare(tree::Comparison::not_equal, found, integer_literal(0, DType::int32));
  return tuple_value({found, is_all});
}

Value active_mask(Emitter& emitter, const Arguments&) {
  return emitter.cast(ir::active_mask(emitter.builder()), DType::uint32);
}

Value warp_barrier(Emitter& emitter, const Arguments& arguments) {
  const Value whole = integer_literal(-1, DType::int32);
  ir::warp_barrier(
      emitter.builder(), mask_of(emitter, arguments[0].is<Unbound>() ? whole : arguments[0]));
  return none_value();
}

// Bits of the lanes that have that relation to this thread's.
template <bool below, bool own, bool above>
Value lane_mask(Emitter& emitter, const Arguments&) {
  const auto op = [&](ir::Op which, const Value& a, const Value& b) {
    return emitter.same_type(which, DType::uint32, {a, b});
  };
  const Value one = integer_literal(1, DType::uint32);
  const Value lane = emitter.cast(ir::lane_index(emitter.builder()), DType::uint32);
  const Value self = op(ir::Op::left_shift, one, lane);
  const Value lower = op(ir::Op::subtract, self, one);
  const Value none = integer_literal(0, DType::uint32);
  const Value upper =
      emitter.same_type(ir::Op::invert, DType::uint32, {op(ir::Op::bitwise_or, lower, self)});
  Value mask = own ? self : none;
  if (below)
    mask = own ? op(ir::Op::bitwise_or, mask, lower) : lower;
  if (above)
    mask = own ? op(ir::Op::bitwise_or, mask, upper) : upper;
  return mask;
}

Value rest(Emitter& emitter, const Arguments& arguments) {
  const DType dtype = emitter.scalar_dtype(arguments[0], "the nanoseconds");
  if (!is_integer(dtype))
    emitter.fail("nanosleep takes an integer, found " + describe(arguments[0]));
  ir::sleep(emitter.builder(), emitter.materialize(emitter.cast(arguments[0], DType::uint32)));
  return none_value();
}

// The element that an access with a cache operator goes to.
ir::Operation* hinted_pointer(
    Emitter& emitter, std::string_view name, const Value& array, const Value& subscript) {
  const auto type = type_of(array);
  if (!type || !type->is_array())
    emitter.fail(
        std::string(name) + " operates on arrays or pointers. Got type " + describe(array));
  const ir::Type& element = type->element();
  if (!element.is_scalar() || is_complex(element.dtype()) || is_boolean(element.dtype()))
    emitter.fail(
        std::string(name) + " requires array of integer or float type, got " + describe(element));
  std::size_t count = 1;
  std::vector<Value> parts = {subscript};
  if (const auto elements = emitter.elements_of(subscript)) {
    parts = *elements;
    count = parts.size();
    if (count != type->ndim())
      emitter.fail(
          "Expected " + std::to_string(type->ndim()) + " indices, got " + std::to_string(count));
  } else if (type->ndim() != 1 && emitter.is_scalar(subscript)) {
    emitter.fail("Expected " + std::to_string(type->ndim()) + " indices, got a scalar");
  }
  for (const Value& part : parts) {
    if (!emitter.is_scalar(part) || !is_integer(type_of(part)->dtype()))
      emitter.fail(describe(part) + " is not a valid index");
  }
  return emitter.element_pointer(array, subscript);
}

using Cache = ir::CacheOperator;

template <Cache cache>
Value hinted_load(Emitter& emitter, const Arguments& arguments) {
  const std::string name = "ld" + std::string(ir::name_of_kind(cache));
  return ir::hinted_load(
      emitter.builder(), cache, hinted_pointer(emitter, name, arguments[0], arguments[1]));
}

template <Cache cache>
Value hinted_store(Emitter& emitter, const Arguments& arguments) {
  const std::string name = "st" + std::string(ir::name_of_kind(cache));
  ir::Operation* pointer = hinted_pointer(emitter, name, arguments[0], arguments[1]);
  if (!type_of(arguments[0])->is_mutable())
    emitter.fail("cannot write to " + describe(arguments[0]), std::string(read_only_advice));
  ir::Operation* value = emitter.convert(arguments[2], pointer->type.element(), "the value");
  ir::hinted_store(emitter.builder(), cache, pointer, value);
  return none_value();
}

constexpr std::array table = {
    Intrinsic{"cuda.all_sync", "mask predicate", vote<ir::Vote::all>},
    Intrinsic{"cuda.any_sync", "mask predicate", vote<ir::Vote::any>},
    Intrinsic{"cuda.eq_sync", "mask predicate", vote<ir::Vote::equal>},
    Intrinsic{"cuda.ballot_sync", "mask predicate", vote<ir::Vote::ballot>},
    Intrinsic{"cuda.shfl_sync", "mask value src_lane", shuffle<ir::Shuffle::index>},
    Intrinsic{"cuda.shfl_up_sync", "mask value delta", shuffle<ir::Shuffle::up>},
    Intrinsic{"cuda.shfl_down_sync", "mask value delta", shuffle<ir::Shuffle::down>},
    Intrinsic{"cuda.shfl_xor_sync", "mask value lane_mask", shuffle<ir::Shuffle::bitwise_xor>},
    Intrinsic{"cuda.match_any_sync", "mask value", match_any},
    Intrinsic{"cuda.match_all_sync", "mask value", match_all},
    Intrinsic{"cuda.activemask", "", active_mask},
    Intrinsic{"cuda.lanemask_lt", "", lane_mask<true, false, false>},
    Intrinsic{"cuda.lanemask_le", "", lane_mask<true, true, false>},
    Intrinsic{"cuda.lanemask_eq", "", lane_mask<false, true, false>},
    Intrinsic{"cuda.lanemask_ge", "", lane_mask<false, true, true>},
    Intrinsic{"cuda.lanemask_gt", "", lane_mask<false, false, true>},
    Intrinsic{"cuda.syncwarp", "mask?", warp_barrier},
    Intrinsic{"cuda.nanosleep", "ns", rest},
    Intrinsic{"cuda.ldca", "array i", hinted_load<Cache::ca>},
    Intrinsic{"cuda.ldcg", "array i", hinted_load<Cache::cg>},
    Intrinsic{"cuda.ldcs", "array i", hinted_load<Cache::cs>},
    Intrinsic{"cuda.ldlu", "array i", hinted_load<Cache::lu>},
    Intrinsic{"cuda.ldcv", "array i", hinted_load<Cache::cv>},
    Intrinsic{"cuda.stcg", "array i value", hinted_store<Cache::cg>},
    Intrinsic{"cuda.stcs", "array i value", hinted_store<Cache::cs>},
    Intrinsic{"cuda.stwb", "array i value", hinted_store<Cache::wb>},
    Intrinsic{"cuda.stwt", "array i value", hinted_store<Cache::wt>},
};

}  // namespace

std::span<const Intrinsic> warp_intrinsics() { return table; }

}  // namespace phalanx::frontend::python
