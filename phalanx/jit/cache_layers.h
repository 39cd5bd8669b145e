// Folders of machine code that came with installed packages: they are read and never written.
//
// See docs/decisions/0043-read-only-cache-layers.md for which are trusted.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "phalanx/base/binary.h"
#include "phalanx/base/export.h"
#include "phalanx/jit/file.h"
#include "phalanx/jit/hash.h"

namespace phalanx::jit {

struct CacheLayerInfo {
  std::string directory;
  std::string problem;  // why it is not used; empty when it is
  std::uint64_t bytes = 0;
  std::uint64_t files = 0;
};

class PHX_API CacheLayers {  // not thread-safe
 public:
  // `warn` is called at most once a folder, when that is first looked at.
  CacheLayers(std::vector<std::string> directories, std::function<void(const std::string&)> warn);

  // The first layer's entry that is whole and trusted.
  std::optional<Binary> find(const Digest& key);

  std::vector<CacheLayerInfo> info();

 private:
  struct Layer {
    std::string path;
    FileDescriptor folder = {};
    std::string problem = {};
    bool is_looked_at = false;
  };

  bool open(Layer& layer);

  std::vector<Layer> layers_;
  std::function<void(const std::string&)> warn_;
};

}  // namespace phalanx::jit
