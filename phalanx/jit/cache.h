// Machine code kept on disk between processes.
//
// Entries are written whole (a temporary file, then rename) and checked when read, so processes may
// share a directory without locks. Whatever is wrong with the directory costs one warning and time,
// never an error. It holds code that will be run: a directory that somebody else owns or can write
// to is not used. Behind it there may be layers: folders that are read and never written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "phalanx/base/binary.h"
#include "phalanx/base/export.h"
#include "phalanx/jit/cache_layers.h"
#include "phalanx/jit/file.h"
#include "phalanx/jit/hash.h"

namespace phalanx::jit {

struct PHX_API CacheOptions {
  bool enabled = true;
  std::string directory;                        // empty: none could be found, so nothing is kept
  std::uint64_t cap = std::uint64_t{1} << 30U;  // bytes; least recently used entries go
  std::vector<std::string> layers;  // folders that are read where `directory` lacks an entry
  std::string shipped;              // the folder of archives that came with the package
  std::string problem;              // with the settings; becomes a warning at the first use

  // PHALANX_CACHE=0; PHALANX_CACHE_DIR, else $XDG_CACHE_HOME/phalanx, else ~/.cache/phalanx;
  // PHALANX_CACHE_SIZE in bytes or with K, M, G; PHALANX_CACHE_LAYERS: folders between colons.
  static CacheOptions from_environment();
};

struct CacheInfo {
  std::string directory;
  bool usable = false;  // for reading
  std::string problem;  // why it is not usable, or not writable
  std::uint64_t bytes = 0;
  std::uint64_t files = 0;
  std::uint64_t cap = 0;
  std::vector<CacheLayerInfo> layers;
};

class PHX_API DiskCache {
 public:
  // `warn` is called at most once, and once for each layer.
  DiskCache(CacheOptions options, std::function<void(const std::string&)> warn);

  // Nothing when there is no such entry or it is damaged; a damaged one is removed, in a layer
  // passed over.
  std::optional<Binary> find(const Digest& key);
  void store(const Digest& key, const Binary& binary);

  CacheInfo info();
  std::size_t clear();  // removes every entry; how many there were
  void trim();          // removes the least recently used entries above the cap

 private:
  std::optional<Binary> find_own(const Digest& key);
  bool open_directory(bool create);
  void give_up(const std::string& problem);
  void note_problem(const std::string& problem);
  bool write_entry(const std::string& name, const std::vector<std::byte>& bytes);

  CacheOptions options_;
  std::function<void(const std::string&)> warn_;
  std::mutex mutex_;
  FileDescriptor directory_;
  bool usable_;
  bool writable_ = true;
  bool warned_ = false;
  std::string problem_;
  std::uint64_t written_since_trim_ = 0;
  std::uint64_t temporary_count_ = 0;
  CacheLayers layers_;
};

}  // namespace phalanx::jit
