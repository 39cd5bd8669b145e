// Builds reads of textures, and reads and writes of surfaces.
#pragma once

#include <cstdint>
#include <utility>

#include "phalanx/ir/builder.h"

namespace phalanx::ir {

inline constexpr unsigned texture_channels = 4;

// What becomes of an access outside of a surface: the index of surface_load and surface_store.
enum class SurfaceBoundary : std::uint8_t { trap, clamp, zero };

// As vec<dtype, 4>; `dtype` is float32, int32 or uint32.
inline Builder::Value texture_fetch(
    Builder& builder, DType dtype, Builder::Value texture, const Builder::Values& coordinates) {
  Builder::Values operands = {texture};
  operands.insert(operands.end(), coordinates.begin(), coordinates.end());
  return &builder.append(
      Op::texture_fetch, Type::vector(dtype, texture_channels), std::move(operands));
}

// `position`: x in bytes, y, z.
inline Builder::Value surface_load(
    Builder& builder,
    SurfaceBoundary boundary,
    const Type& type,
    Builder::Value surface,
    const Builder::Values& position) {
  Builder::Values operands = {surface};
  operands.insert(operands.end(), position.begin(), position.end());
  Operation& operation = builder.append(Op::surface_load, type, std::move(operands));
  operation.index = static_cast<std::int64_t>(boundary);
  return &operation;
}
inline void surface_store(
    Builder& builder,
    SurfaceBoundary boundary,
    Builder::Value surface,
    const Builder::Values& position,
    Builder::Value value) {
  Builder::Values operands = {surface};
  operands.insert(operands.end(), position.begin(), position.end());
  operands.push_back(value);
  builder.append(Op::surface_store, {}, std::move(operands)).index =
      static_cast<std::int64_t>(boundary);
}

}  // namespace phalanx::ir
