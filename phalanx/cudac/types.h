// C's types as the IR has them.
#pragma once

#include <cstdint>
#include <optional>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Type.h>
#include <llvm/ADT/APSInt.h>

#include "phalanx/ir/types.h"

namespace phalanx::cudac {

// All pointers of C: to bytes, anywhere. Accesses say what they point to.
inline const ir::Type& any_pointer() {
  static const ir::Type type = ir::Type::pointer(DType::uint8, ir::Space::generic);
  return type;
}

// Numbers, enumerations and bool.
std::optional<DType> number_type(const clang::ASTContext& context, clang::QualType type);
// True for what one value of the IR holds: a number, or a pointer, or what a reference refers to.
bool is_scalar(const clang::ASTContext& context, clang::QualType type);
// The type that the IR has for a scalar.
ir::Type value_type(const clang::ASTContext& context, clang::QualType type);

std::int64_t bytes_of(const clang::ASTContext& context, clang::QualType type);
// An integer of at most 64 bits; those of uint64 beyond int64 wrap.
inline std::int64_t bits_of(const llvm::APSInt& number) {
  return static_cast<std::int64_t>(number.extOrTrunc(64).getRawData()[0]);
}
std::int64_t alignment_of(const clang::ASTContext& context, clang::QualType type);

}  // namespace phalanx::cudac
