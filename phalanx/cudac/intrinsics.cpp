// Functions that CUDA C has and that no header defines: operations of the IR, and libdevice's.
#include <algorithm>
#include <array>
#include <functional>
#include <span>

#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"
#include "phalanx/cudac/library_names.h"
#include "phalanx/ir/build_calls.h"
#include "phalanx/ir/build_textures.h"
#include "phalanx/ir/build_threads.h"

namespace phalanx::cudac {

namespace {

using ir::Builder;

Value as_mask(Builder& builder, Value mask) { return builder.cast(mask, DType::int32); }
Value as_truth(Builder& builder, Value value) { return builder.cast(value, DType::boolean); }

template <ir::Vote kind>
Value vote(Builder& builder, const Values& x) {
  Value result = ir::vote(builder, kind, as_mask(builder, x[0]), as_truth(builder, x[1]));
  return builder.cast(result, kind == ir::Vote::ballot ? DType::uint32 : DType::int32);
}

template <ir::BlockVote kind>
Value block_vote(Builder& builder, const Values& x) {
  return builder.cast(ir::block_vote(builder, kind, as_truth(builder, x[0])), DType::int32);
}

template <ir::FenceScope scope>
Value fence(Builder& builder, const Values& /*x*/) {
  ir::fence(builder, scope);
  return nullptr;
}

template <ir::Match kind>
Value match(Builder& builder, const Values& x) {
  return builder.cast(ir::match(builder, kind, as_mask(builder, x[0]), x[1]), DType::uint32);
}

Value barrier(Builder& builder, const Values& /*x*/) {
  ir::barrier(builder);
  return nullptr;
}

Value warp_barrier(Builder& builder, const Values& x) {
  ir::warp_barrier(builder, as_mask(builder, x[0]));
  return nullptr;
}

Value grid_barrier(Builder& builder, const Values& /*x*/) {
  ir::cooperative(builder);
  ir::grid_barrier(builder);
  return nullptr;
}

template <ir::Shuffle kind>
Value shuffle(Builder& builder, const Values& x) {
  const DType dtype = x[1]->type.dtype();
  if (size_of(dtype) >= 4)
    return ir::shuffle(builder, kind, as_mask(builder, x[0]), x[1], x[2]);
  // bool, char and short move as int does.
  Value moved =
      ir::shuffle(builder, kind, as_mask(builder, x[0]), builder.cast(x[1], DType::int32), x[2]);
  return builder.cast(moved, dtype);
}

Value active_mask(Builder& builder, const Values& /*x*/) {
  return builder.cast(ir::active_mask(builder), DType::uint32);
}

Value lane(Builder& builder, const Values& /*x*/) {
  return builder.cast(ir::lane_index(builder), DType::uint32);
}

Value sleep(Builder& builder, const Values& x) {
  ir::sleep(builder, x[0]);
  return nullptr;
}

Value fma(Builder& builder, const Values& x) {
  return builder.elementwise(ir::Op::fma, {x[0], x[1], x[2]});
}

template <ir::Clock kind>
Value clock(Builder& builder, const Values& /*x*/) {
  return ir::read_clock(builder, kind);
}

Value trap(Builder& builder, const Values& /*x*/) {
  builder.raise({"RuntimeError", "__trap()"});
  return nullptr;
}

Value pointer_for(Builder& builder, Value pointer, const ir::Type& element) {
  return builder.pointer_offset(
      pointer, builder.integer(0), ir::Type::pointer(element, ir::Space::generic));
}

template <ir::Atomic kind>
Value atomic(Builder& builder, const Values& x) {
  return ir::atomic(builder, kind, pointer_for(builder, x[0], x[1]->type), x[1]);
}

Value atomic_cas(Builder& builder, const Values& x) {
  return ir::atomic_cas(builder, pointer_for(builder, x[0], x[1]->type), x[1], x[2]);
}

Value channel_pointer(Builder& builder, Value pointer, std::size_t channel, DType dtype) {
  return builder.pointer_offset(
      pointer,
      builder.integer(static_cast<std::int64_t>(channel * size_of(dtype))),
      ir::Type::pointer(dtype, ir::Space::generic));
}

// (address of four words, texture, coordinates...)
template <DType dtype>
Value texture(Builder& builder, const Values& x) {
  Value four = ir::texture_fetch(builder, dtype, x[1], Values(x.begin() + 2, x.end()));
  for (std::size_t i = 0; i < ir::texture_channels; ++i)
    builder.store(channel_pointer(builder, x[0], i, dtype), builder.vector_get(four, i));
  return nullptr;
}

// The header gives signed positions and unsigned channels.
struct SurfaceAccess {
  Values position;
  Values channels;

  explicit SurfaceAccess(std::span<const Value> operands) {
    for (Value operand : operands)
      (operand->type == ir::Type(DType::int32) ? position : channels).push_back(operand);
  }
  DType dtype() const { return channels[0]->type.dtype(); }
  ir::Type type() const {
    return channels.size() == 1 ? ir::Type(dtype())
                                : ir::Type::vector(dtype(), static_cast<unsigned>(channels.size()));
  }
};

// (address of the channels, surface, position..., a number of the channels' type for each)
template <ir::SurfaceBoundary boundary>
Value surface_load(Builder& builder, const Values& x) {
  const SurfaceAccess access{std::span(x).subspan(2)};
  Value read = ir::surface_load(builder, boundary, access.type(), x[1], access.position);
  for (std::size_t i = 0; i < access.channels.size(); ++i)
    builder.store(
        channel_pointer(builder, x[0], i, access.dtype()),
        read->type.is_vector() ? builder.vector_get(read, i) : read);
  return nullptr;
}

// (surface, position..., channels...)
template <ir::SurfaceBoundary boundary>
Value surface_store(Builder& builder, const Values& x) {
  const SurfaceAccess access{std::span(x).subspan(1)};
  Value value = access.channels.size() == 1 ? access.channels[0]
                                            : builder.vector_make(access.type(), access.channels);
  ir::surface_store(builder, boundary, x[0], access.position, value);
  return nullptr;
}

struct Intrinsic {
  std::string_view name;
  Value (*emit)(Builder& builder, const Values& arguments);
};

constexpr std::array intrinsics = {
    Intrinsic{"__syncthreads", barrier},
    Intrinsic{"__syncthreads_count", block_vote<ir::BlockVote::count>},
    Intrinsic{"__syncthreads_and", block_vote<ir::BlockVote::all>},
    Intrinsic{"__syncthreads_or", block_vote<ir::BlockVote::any>},
    Intrinsic{"__syncwarp", warp_barrier},
    Intrinsic{"__threadfence", fence<ir::FenceScope::device>},
    Intrinsic{"__threadfence_block", fence<ir::FenceScope::block>},
    Intrinsic{"__threadfence_system", fence<ir::FenceScope::system>},
    Intrinsic{"__activemask", active_mask},
    Intrinsic{"__ballot_sync", vote<ir::Vote::ballot>},
    Intrinsic{"__all_sync", vote<ir::Vote::all>},
    Intrinsic{"__any_sync", vote<ir::Vote::any>},
    Intrinsic{"__phx_equal_sync", vote<ir::Vote::equal>},
    Intrinsic{"__phx_lane", lane},
    Intrinsic{"__phx_shuffle_index", shuffle<ir::Shuffle::index>},
    Intrinsic{"__phx_shuffle_up", shuffle<ir::Shuffle::up>},
    Intrinsic{"__phx_shuffle_down", shuffle<ir::Shuffle::down>},
    Intrinsic{"__phx_shuffle_xor", shuffle<ir::Shuffle::bitwise_xor>},
    Intrinsic{"__phx_match_any", match<ir::Match::any>},
    Intrinsic{"__phx_match_all", match<ir::Match::all>},
    Intrinsic{"__phx_grid_barrier", grid_barrier},
    Intrinsic{"__nanosleep", sleep},
    Intrinsic{"__phx_fma", fma},
    Intrinsic{"clock64", clock<ir::Clock::cycles>},
    Intrinsic{"__phx_nanoseconds", clock<ir::Clock::nanoseconds>},
    Intrinsic{"__trap", trap},
    Intrinsic{"__phx_atomic_add", atomic<ir::Atomic::add>},
    Intrinsic{"__phx_atomic_sub", atomic<ir::Atomic::sub>},
    Intrinsic{"__phx_atomic_exchange", atomic<ir::Atomic::exchange>},
    Intrinsic{"__phx_atomic_min", atomic<ir::Atomic::min>},
    Intrinsic{"__phx_atomic_max", atomic<ir::Atomic::max>},
    Intrinsic{"__phx_atomic_and", atomic<ir::Atomic::bitwise_and>},
    Intrinsic{"__phx_atomic_or", atomic<ir::Atomic::bitwise_or>},
    Intrinsic{"__phx_atomic_xor", atomic<ir::Atomic::bitwise_xor>},
    Intrinsic{"__phx_atomic_inc", atomic<ir::Atomic::inc>},
    Intrinsic{"__phx_atomic_dec", atomic<ir::Atomic::dec>},
    Intrinsic{"__phx_atomic_cas", atomic_cas},
    Intrinsic{"__phx_texture_float", texture<DType::float32>},
    Intrinsic{"__phx_texture_int", texture<DType::int32>},
    Intrinsic{"__phx_texture_unsigned", texture<DType::uint32>},
    Intrinsic{"__phx_surface_load_trap", surface_load<ir::SurfaceBoundary::trap>},
    Intrinsic{"__phx_surface_load_clamp", surface_load<ir::SurfaceBoundary::clamp>},
    Intrinsic{"__phx_surface_load_zero", surface_load<ir::SurfaceBoundary::zero>},
    Intrinsic{"__phx_surface_store_trap", surface_store<ir::SurfaceBoundary::trap>},
    Intrinsic{"__phx_surface_store_clamp", surface_store<ir::SurfaceBoundary::clamp>},
    Intrinsic{"__phx_surface_store_zero", surface_store<ir::SurfaceBoundary::zero>},
};

// Of libdevice, or the operation that computes the same.
Value library_value(
    FunctionConverter& converter, const ir::LibraryFunction& function, const Values& given) {
  Builder& builder = converter.builder();
  const auto types = function.parameters();
  Values operands;
  for (std::size_t i = 0; i < types.size(); ++i)
    operands.push_back(builder.cast(given[i], types[i]));
  const auto results = function.results();
  const bool returns = function.returns_value();
  if (const auto op = function.operation(); op && results.size() == 1) {
    const bool is_bits = ir::info(*op).rule == ir::Rule::bits;
    Value value = builder.elementwise(*op, operands);
    return is_bits ? builder.cast(value, results[0]) : value;
  }
  Value all = ir::library(builder, function.name, function.result(), operands);
  if (results.size() == 1 && returns)
    return all;
  for (std::size_t i = returns ? 1 : 0; i < results.size(); ++i) {
    Value part = results.size() == 1 ? all : builder.tuple_get(all, i);
    Value target = given[types.size() + i - (returns ? 1 : 0)];
    builder.store(pointer_for(builder, target, part->type), part);
  }
  return returns ? builder.tuple_get(all, 0) : nullptr;
}

// Of gcc's functions those that libdevice has by this or another name: __builtin_fabsf, and bits.
const ir::LibraryFunction* builtin_function(std::string_view name) {
  constexpr std::string_view prefix = "__builtin_";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> renamed = {{
      {"popcount", "popc"},
      {"popcountl", "popcll"},
      {"popcountll", "popcll"},
      {"clzl", "clzll"},
      {"ffsl", "ffsll"},
  }};
  if (!name.starts_with(prefix))
    return nullptr;
  name.remove_prefix(prefix.size());
  const auto* const found =
      std::ranges::find(renamed, name, &std::pair<std::string_view, std::string_view>::first);
  return ir::find_library_function(found == renamed.end() ? name : found->second);
}

// clang's own, which headers use.
std::optional<Value> builtin(
    FunctionConverter& c, std::string_view name, clang::QualType type, const Values& given) {
  if (name == "__builtin_expect" || name == "__builtin_assume_aligned")
    return given[0];
  if (name == "__builtin_assume" || name == "__builtin_unreachable")
    return nullptr;
  if (name == "__builtin_addressof")
    return given[0];
  if (name == "__builtin_constant_p")
    return c.zero(type);
  return std::nullopt;
}

}  // namespace

std::optional<Value> intrinsic(
    FunctionConverter& c,
    const clang::CallExpr* call,
    const clang::FunctionDecl& callee,
    const Values& given) {
  if (callee.getIdentifier() == nullptr)
    return std::nullopt;
  const std::string_view name(callee.getName());
  const clang::QualType type = call->getType();
  const auto* const found = std::ranges::find(intrinsics, name, &Intrinsic::name);
  Value value = nullptr;
  if (found != intrinsics.end())
    value = found->emit(c.builder(), given);
  else if (const ir::LibraryFunction* function = library_function(name))
    value = library_value(c, *function, given);
  else if (const ir::LibraryFunction* known = builtin_function(name))
    value = library_value(c, *known, given);
  else
    return builtin(c, name, type, given);
  if (value != nullptr && value->type.is_scalar() && !type->isVoidType()) {
    if (const auto dtype = number_type(c.context(), type))
      value = c.builder().cast(value, *dtype);
  }
  return value;
}

}  // namespace phalanx::cudac
