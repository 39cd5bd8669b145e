// The first content of variables of a module.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <clang/AST/Decl.h>

namespace phalanx::cudac {

// As they lie in memory; nothing where the initializer is no constant. No bytes where there is no
// initializer: zeros.
std::optional<std::vector<std::byte>> initial_bytes(const clang::VarDecl& variable);

}  // namespace phalanx::cudac
