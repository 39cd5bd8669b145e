// Members of some bits: parts of a number in memory.
#include <clang/AST/RecordLayout.h>

#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"

namespace phalanx::cudac {

namespace {

ir::Type pointer_to(const ir::Type& element) {
  return ir::Type::pointer(element, ir::Space::generic);
}

DType type_of_bits(const clang::ASTContext& context, clang::QualType type) {
  return type->isBooleanType() ? DType::uint8 : number_type(context, type).value_or(DType::int32);
}

}  // namespace

// Of a bit-field: the number of its type that it is in, moved up so that it ends at the top, and
// back, which extends the sign.
Value load_bits(FunctionConverter& c, const LValue& from) {
  const DType dtype = type_of_bits(c.context(), from.type);
  const auto bits = static_cast<unsigned>(8 * size_of(dtype));
  Value value = c.builder().load(
      c.builder().pointer_offset(from.value, c.builder().integer(0), pointer_to(dtype)));
  const auto shifted = [&](ir::Op op, Value number, unsigned by) {
    return c.builder().elementwise(op, {number, c.builder().integer(by, dtype)});
  };
  value = shifted(ir::Op::left_shift, value, bits - from.first_bit - from.bit_count);
  value = shifted(ir::Op::right_shift, value, bits - from.bit_count);
  return from.type->isBooleanType() ? c.builder().cast(value, DType::boolean) : value;
}

void store_bits(FunctionConverter& c, const LValue& target, Value value) {
  const DType dtype = type_of_bits(c.context(), target.type);
  const auto bits = static_cast<unsigned>(8 * size_of(dtype));
  Value pointer =
      c.builder().pointer_offset(target.value, c.builder().integer(0), pointer_to(dtype));
  const std::uint64_t ones = ~std::uint64_t{0} >> (64U - target.bit_count) << target.first_bit;
  const auto mask = [&](std::uint64_t number) {
    return c.builder().constant(
        dtype, static_cast<std::int64_t>(bits == 64 ? number : number & ((1ULL << bits) - 1)));
  };
  Value kept =
      c.builder().elementwise(ir::Op::bitwise_and, {c.builder().load(pointer), mask(~ones)});
  Value placed = c.builder().elementwise(
      ir::Op::left_shift,
      {c.builder().cast(value, dtype), c.builder().integer(target.first_bit, dtype)});
  placed = c.builder().elementwise(ir::Op::bitwise_and, {placed, mask(ones)});
  c.builder().store(pointer, c.builder().elementwise(ir::Op::bitwise_or, {kept, placed}));
}

// A bit-field lies in a number of its type, which is where such numbers are.
LValue bit_field(
    FunctionConverter& c, const LValue& whole, const clang::FieldDecl& member, std::uint64_t bit) {
  const std::uint64_t unit = c.context().getTypeSize(member.getType());
  const unsigned count = member.getBitWidthValue(c.context());
  const std::uint64_t start = bit / unit * unit;
  const std::uint64_t size = c.context().getTypeSize(c.context().getRecordType(member.getParent()));
  if (bit + count > start + unit || start + unit > size)
    c.refuse(
        member.getLocation(),
        "bit-fields of packed structs and wider than their type are not supported in device code");
  LValue found = c.offset(whole, static_cast<std::int64_t>(start / 8), member.getType());
  found.kind = LValue::Kind::bits;
  found.first_bit = static_cast<unsigned>(bit - start);
  found.bit_count = count;
  return found;
}

}  // namespace phalanx::cudac
