// Small x86 objects to load in tests, compiled from LLVM's text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace phalanx::jit {

std::vector<std::byte> compile_text(const std::string& llvm_text);

// A kernel of that name that does nothing.
std::vector<std::byte> sample_object(const std::string& entry);

}  // namespace phalanx::jit
