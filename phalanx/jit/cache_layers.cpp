#include "phalanx/jit/cache_layers.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "phalanx/jit/cache_folder.h"

namespace phalanx::jit {

CacheLayers::CacheLayers(
    std::vector<std::string> directories, std::function<void(const std::string&)> warn)
    : warn_(std::move(warn)) {
  for (std::string& path : directories) layers_.push_back({.path = std::move(path)});
}

// All access goes through the descriptor: what was checked is what is used.
bool CacheLayers::open(Layer& layer) {
  if (std::exchange(layer.is_looked_at, true))
    return layer.folder.is_open();
  FileDescriptor opened(::open(layer.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  layer.problem = opened.is_open() ? distrust(opened, TrustedOwner::user_or_root)
                                   : std::string("it cannot be opened: ") + std::strerror(errno);
  if (layer.problem.empty())
    layer.folder = std::move(opened);
  else if (warn_)
    warn_(
        "the read-only cache of compiled kernels in '" + layer.path +
        "' is not used: " + layer.problem);
  return layer.folder.is_open();
}

std::optional<Binary> CacheLayers::find(const Digest& key) {
  for (Layer& layer : layers_) {
    if (!open(layer))
      continue;
    const OpenedEntry entry = open_entry(layer.folder, key);
    if (!entry.file.is_open() || !distrust(entry.file, TrustedOwner::user_or_root).empty())
      continue;
    if (auto binary = read_entry(entry, key))
      return binary;
  }
  return std::nullopt;
}

std::vector<CacheLayerInfo> CacheLayers::info() {
  std::vector<CacheLayerInfo> rows;
  for (Layer& layer : layers_) {
    const bool is_open = open(layer);
    CacheLayerInfo& row = rows.emplace_back();
    row.directory = layer.path;
    row.problem = layer.problem;
    if (!is_open)
      continue;
    for (const CacheEntry& entry : list_entries(layer.folder)) {
      row.bytes += entry.bytes;
      ++row.files;
    }
  }
  return rows;
}

}  // namespace phalanx::jit
