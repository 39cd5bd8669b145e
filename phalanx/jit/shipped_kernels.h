// Machine code of common kernels that came with the package, so that nobody waits for a compiler.
//
// It lies in one archive for each of the targets that code is shipped for: a level of x86-64, an
// architecture of GPUs. See docs/decisions/0055-kernels-in-the-package.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/base/target.h"
#include "phalanx/jit/kernel_archive.h"

namespace phalanx::jit {

struct ShippedKernelsInfo {
  std::string target;  // "x86-64-v4"
  std::uint64_t kernels = 0;
  std::uint64_t bytes = 0;
};

class PHX_API ShippedKernels {  // thread-safe
 public:
  // What archives there may be for a target, the best first.
  using TargetsFor = std::function<std::vector<Target>(const Target& host)>;
  using Look = std::function<std::optional<Binary>(const Target&, const KernelArchive&)>;

  // No folder: nothing was shipped.
  ShippedKernels(std::string folder, TargetsFor targets_for);

  // What `look` finds first in the archives whose code the host runs.
  std::optional<Binary> find(const Target& host, const Look& look);
  // From now on nothing is found for that host: its driver does not take the code.
  void refuse(const Target& host);

  std::vector<ShippedKernelsInfo> info(const Target& host);

 private:
  struct Archive {
    Target target;
    std::optional<KernelArchive> file;
  };
  struct Known {
    Target host;
    std::vector<Archive> archives;
  };

  std::vector<Archive> archives_for(const Target& host);
  std::vector<Archive>& known_for(const Target& host);

  std::string folder_;
  TargetsFor targets_for_;
  std::mutex mutex_;
  std::vector<Known> known_;
};

// Where the archive of a target is in the folder.
std::string archive_path(const std::string& folder, const Target& target);

// "PACKAGE/_shipped" beside the engine's own file; empty where that is not known.
std::string folder_of_shipped_kernels();

}  // namespace phalanx::jit
