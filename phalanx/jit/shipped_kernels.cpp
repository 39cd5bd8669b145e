#include "phalanx/jit/shipped_kernels.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace phalanx::jit {

ShippedKernels::ShippedKernels(std::string folder, TargetsFor targets_for)
    : folder_(std::move(folder)), targets_for_(std::move(targets_for)) {}

// A copy, which nobody has to wait for: archives are never changed.
std::vector<ShippedKernels::Archive> ShippedKernels::archives_for(const Target& host) {
  const std::lock_guard lock(mutex_);
  return known_for(host);
}

// Under the lock.
std::vector<ShippedKernels::Archive>& ShippedKernels::known_for(const Target& host) {
  const auto known = std::ranges::find(known_, host, &Known::host);
  if (known != known_.end())
    return known->archives;
  Known& made = known_.emplace_back(Known{host, {}});
  if (folder_.empty() || !targets_for_)
    return made.archives;
  for (Target& target : targets_for_(host)) {
    if (auto file = KernelArchive::open(archive_path(folder_, target)))
      made.archives.push_back({std::move(target), std::move(file)});
  }
  return made.archives;
}

std::optional<Binary> ShippedKernels::find(const Target& host, const Look& look) {
  for (const Archive& archive : archives_for(host)) {
    if (auto found = look(archive.target, *archive.file))
      return found;
  }
  return std::nullopt;
}

void ShippedKernels::refuse(const Target& host) {
  const std::lock_guard lock(mutex_);
  known_for(host).clear();
}

std::vector<ShippedKernelsInfo> ShippedKernels::info(const Target& host) {
  std::vector<ShippedKernelsInfo> rows;
  for (const Archive& archive : archives_for(host))
    rows.push_back({archive.target.cpu, archive.file->kernels(), archive.file->bytes()});
  return rows;
}

std::string archive_path(const std::string& folder, const Target& target) {
  return folder + "/" + target.cpu + ".kernels";
}

std::string folder_of_shipped_kernels() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&folder_of_shipped_kernels), &self) == 0 ||
      self.dli_fname == nullptr)
    return {};
  return (std::filesystem::path(self.dli_fname).parent_path() / "_shipped").string();
}

}  // namespace phalanx::jit
