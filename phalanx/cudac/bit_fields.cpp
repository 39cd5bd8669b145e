// Members of some bits: parts of a number in memory.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

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

// Some bytes of the number that a bit-field is in.
struct Piece {
  unsigned first_byte = 0;
  unsigned bytes = 0;

  DType type() const {
    constexpr std::array known = {DType::uint8, DType::uint16, DType::uint32, DType::uint64};
    return known.at(static_cast<std::size_t>(std::countr_zero(bytes)));
  }
};

// The bytes that hold the field, and no others: those beside it in the number of its type may be
// another member's, which other threads write.
std::vector<Piece> pieces_of(const LValue& field) {
  std::vector<Piece> pieces;
  const unsigned end = (field.first_bit + field.bit_count + 7) / 8;
  for (unsigned byte = field.first_bit / 8; byte < end; byte += pieces.back().bytes) {
    unsigned bytes = 8;
    while (byte % bytes != 0 || byte + bytes > end) bytes /= 2;
    pieces.push_back({.first_byte = byte, .bytes = bytes});
  }
  return pieces;
}

Value place_of(FunctionConverter& c, const LValue& field, const Piece& piece) {
  return c.builder().pointer_offset(
      field.value, c.builder().integer(piece.first_byte), pointer_to(piece.type()));
}

// The bits of the field that are in the piece; `value` is the field's.
void store_piece(FunctionConverter& c, const LValue& field, Value value, const Piece& piece) {
  const DType dtype = piece.type();
  const unsigned start = 8 * piece.first_byte;
  const unsigned first = std::max(field.first_bit, start);
  const unsigned end = std::min(field.first_bit + field.bit_count, start + 8 * piece.bytes);
  const auto combined = [&](ir::Op op, Value number, std::uint64_t by) {
    const DType type = number->type.dtype();
    return c.builder().elementwise(
        op, {number, c.builder().constant(type, static_cast<std::int64_t>(by))});
  };
  if (first > field.first_bit)
    value = combined(ir::Op::right_shift, value, first - field.first_bit);
  value = c.builder().cast(value, dtype);
  if (first > start)
    value = combined(ir::Op::left_shift, value, first - start);
  Value pointer = place_of(c, field, piece);
  if (end - first < 8 * piece.bytes) {
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - 8 * piece.bytes);
    const std::uint64_t ones = ~std::uint64_t{0} >> (64 - (end - first)) << (first - start);
    Value kept = combined(ir::Op::bitwise_and, c.builder().load(pointer), all & ~ones);
    value = c.builder().elementwise(
        ir::Op::bitwise_or, {kept, combined(ir::Op::bitwise_and, value, ones)});
  }
  c.builder().store(pointer, value);
}

}  // namespace

// Of a bit-field: its bytes as a number of its type, moved up so that it ends at the top, and back,
// which extends the sign.
Value load_bits(FunctionConverter& c, const LValue& from) {
  const DType dtype = type_of_bits(c.context(), from.type);
  const auto bits = static_cast<unsigned>(8 * size_of(dtype));
  const auto shifted = [&](ir::Op op, Value number, unsigned by) {
    return by == 0 ? number : c.builder().elementwise(op, {number, c.builder().integer(by, dtype)});
  };
  const unsigned start = from.first_bit / 8;
  Value value = nullptr;
  for (const Piece& piece : pieces_of(from)) {
    Value part = c.builder().load(place_of(c, from, piece));
    part =
        shifted(ir::Op::left_shift, c.builder().cast(part, dtype), 8 * (piece.first_byte - start));
    value = value == nullptr ? part : c.builder().elementwise(ir::Op::bitwise_or, {value, part});
  }
  value = shifted(ir::Op::left_shift, value, bits - (from.first_bit - 8 * start) - from.bit_count);
  value = shifted(ir::Op::right_shift, value, bits - from.bit_count);
  return from.type->isBooleanType() ? c.builder().cast(value, DType::boolean) : value;
}

void store_bits(FunctionConverter& c, const LValue& target, Value value) {
  value = c.builder().cast(value, type_of_bits(c.context(), target.type));
  for (const Piece& piece : pieces_of(target)) store_piece(c, target, value, piece);
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
