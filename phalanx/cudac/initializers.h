// The first content of variables of a module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <clang/AST/Decl.h>

namespace phalanx::cudac {

// What a pointer to a function is.
using FunctionNumber = std::function<std::int64_t(const clang::FunctionDecl& function)>;

// As they lie in memory; nothing where the initializer is no constant. No bytes where there is no
// initializer: zeros.
std::optional<std::vector<std::byte>> initial_bytes(
    const clang::VarDecl& variable, const FunctionNumber& number);

// What there are no such bytes for, and what to write instead.
std::string why_no_initial_bytes(const clang::VarDecl& variable);

}  // namespace phalanx::cudac
