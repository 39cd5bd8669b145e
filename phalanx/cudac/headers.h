// The headers that serve as those of the CUDA toolkit and of the C library.
#pragma once

#include <string_view>

#include <llvm/Support/VirtualFileSystem.h>

namespace phalanx::cudac {

inline constexpr const char* header_folder = "/phalanx/include";

// Puts them into the folder. What the source does not name is left out of the prelude, which has
// declarations by the thousand.
void add_headers(llvm::vfs::InMemoryFileSystem& files, std::string_view source);

}  // namespace phalanx::cudac
