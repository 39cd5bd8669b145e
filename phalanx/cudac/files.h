// The files that a compilation may read: the source, our headers, and the given folders.
#pragma once

#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "phalanx/cudac/compile.h"

namespace phalanx::cudac {

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_for(
    const Source& source, const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>& memory);

}  // namespace phalanx::cudac
