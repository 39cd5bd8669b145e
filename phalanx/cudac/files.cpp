#include "phalanx/cudac/files.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <llvm/Support/Path.h>

namespace phalanx::cudac {

namespace {

// The disk, but what lies outside of some folders is not there: source that comes from elsewhere
// must not read a user's files through an include.
class GivenFolders : public llvm::vfs::ProxyFileSystem {
 public:
  explicit GivenFolders(const std::vector<std::string>& folders)
      : ProxyFileSystem(llvm::vfs::createPhysicalFileSystem()) {
    for (const std::string& folder : folders) {
      llvm::SmallString<128> real;
      if (!getUnderlyingFS().getRealPath(folder, real))
        folders_.emplace_back(real.str());
    }
    // Where the process is does not matter: the source is no file there.
    getUnderlyingFS().setCurrentWorkingDirectory("/");  // NOLINT(bugprone-unused-return-value)
  }

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    if (!is_given(path))
      return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::status(path);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(
      const llvm::Twine& path) override {
    if (!is_given(path))
      return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::openFileForRead(path);
  }

 private:
  // Links are followed first.
  bool is_given(const llvm::Twine& path) const {
    llvm::SmallString<128> real;
    if (getUnderlyingFS().getRealPath(path, real))
      return false;
    return std::ranges::any_of(folders_, [&](const std::string& folder) {
      return real == folder ||
             (real.starts_with(folder) && llvm::sys::path::is_separator(real[folder.size()]));
    });
  }

  std::vector<std::string> folders_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_for(
    const Source& source, const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>& memory) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk = new GivenFolders(source.folders);
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> all =
      new llvm::vfs::OverlayFileSystem(std::move(disk));
  all->pushOverlay(memory);
  return all;
}

}  // namespace phalanx::cudac
