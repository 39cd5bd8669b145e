// The types of what crosses the border of a module: kernels' arguments, functions that are linked.
#pragma once

#include <cstddef>
#include <optional>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Type.h>

#include "phalanx/cudac/function_converter.h"
#include "phalanx/ir/types.h"

namespace phalanx::cudac {

constexpr std::size_t most_kernel_members = 1024;  // of a struct by value

// What a kernel takes by value: a number, or a struct as a tuple of its members. Nothing for what
// cannot be passed: bit-fields, unions, structs that are too large.
std::optional<ir::Type> argument_type(const clang::ASTContext& context, clang::QualType type);

// The same between functions that are linked: a struct is a tuple that has its name and its
// members', a complex number is one, a pointer says what it leads to.
std::optional<ir::Type> linked_type(const clang::ASTContext& context, clang::QualType type);

// True where pointers to functions, or to objects with virtual methods, cross with this type: both
// are numbers that each module gives to its own functions.
bool has_numbers_of_module(const clang::ASTContext& context, clang::QualType type);

// Between such a value and the memory of what it is in C.
void store_parts(FunctionConverter& converter, Value value, const LValue& target);
Value load_parts(FunctionConverter& converter, const LValue& from, const ir::Type& type);

}  // namespace phalanx::cudac
