// The rules of textures and surfaces.
#include "phalanx/ir/rules.h"

namespace phalanx::ir {

namespace {

constexpr std::size_t most_dimensions = 3;
constexpr std::size_t most_surface_bytes = 16;  // of one access

}  // namespace

// What one access of a surface moves.
void Rules::check_channels(const Type& value) const {
  require(
      (value.is_scalar() || (value.is_vector() && (value.lanes() == 2 || value.lanes() == 4))) &&
          kind_of(value.dtype()) == DTypeKind::unsigned_integer,
      "its value is an unsigned integer, or a vec of 2 or 4 of them");
  require(size_of(value) <= most_surface_bytes, "its value has 16 bytes at most");
}

void Rules::check_texture() const {
  const bool is_fetch = operation_.op == Op::texture_fetch;
  const bool is_store = operation_.op == Op::surface_store;
  const std::size_t end = is_store ? count() - 1 : count();
  require(
      count() >= 2 && end >= 2 && end <= 1 + most_dimensions && type(0) == Type(DType::uint64),
      "it takes a u64 and one to three coordinates");
  require(is_fetch || index_below(3), "its index is 0, 1 or 2");
  const Type coordinate =
      is_fetch && type(1) == Type(DType::float32) ? DType::float32 : DType::int32;
  for (std::size_t i = 1; i < end; ++i)
    require(type(i) == coordinate, "its coordinates are of one type");
  if (is_store) {
    require(type().is_none(), "it yields nothing");
    check_channels(type(end));
    return;
  }
  if (!is_fetch) {
    check_channels(type());
    return;
  }
  require(coordinate == Type(DType::float32) || end == 2, "elements are counted in one dimension");
  require(
      type() == Type::vector(DType::float32, 4) || type() == Type::vector(DType::int32, 4) ||
          type() == Type::vector(DType::uint32, 4),
      "it yields vec<f32, 4>, vec<i32, 4> or vec<u32, 4>");
}

}  // namespace phalanx::ir
