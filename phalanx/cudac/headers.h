// The headers that serve as those of the CUDA toolkit and of the C library.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

namespace phalanx::cudac {

inline constexpr const char* header_folder = "/phalanx/include";

// Puts them into the folder.
void add_headers(llvm::vfs::InMemoryFileSystem& files);

}  // namespace phalanx::cudac
