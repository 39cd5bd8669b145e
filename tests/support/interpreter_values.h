// How the interpreter holds values: as words of 64 bits; private to the interpreter.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "phalanx/ir/ir.h"

namespace phalanx::test {

// An integer or bool is one word, extended; a float one, as a double; a complex number two of
// these; a pointer one; a view its pointer, extents and byte strides; a tuple or vector its
// elements; a record its bytes.
using Words = std::vector<std::uint64_t>;

std::size_t words_of(const ir::Type& type);
// The first word of an element in the words of its tuple.
std::size_t first_word(const ir::Type& tuple, std::size_t element);

Words load(const ir::Type& type, const std::byte* from);
void store(const ir::Type& type, const Words& value, std::byte* to);

Words constant(const ir::Constant& value);
Words array_view(const ir::Type& type, std::byte* data, const std::vector<std::int64_t>& shape);

// Extents, then strides of a layout without stored strides, in bytes.
void append_strides(const ir::Type& type, Words& view);

inline double as_double(std::uint64_t word) { return std::bit_cast<double>(word); }
inline std::uint64_t as_word(double value) { return std::bit_cast<std::uint64_t>(value); }
inline std::byte* as_pointer(std::uint64_t word) { return reinterpret_cast<std::byte*>(word); }
inline std::uint64_t as_word(const std::byte* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

// Elementwise operations and casts, on the words of scalars.
Words elementwise(const ir::Operation& operation, const std::vector<const Words*>& operands);
Words cast(DType from, DType to, const Words& value);

// What an atomic stores, from what was there.
std::uint64_t atomic_result(ir::Atomic kind, DType dtype, std::uint64_t old, std::uint64_t value);

std::string to_text(DType dtype, const Words& value);

}  // namespace phalanx::test
