// Machine code of many kernels in one file, which is mapped and never written to.
//
// Kernels resemble each other: they are compressed in blocks of some 64 KiB, which makes the file a
// fifth or a tenth of its content. What is looked for has its block decompressed, some 0.1 ms.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "phalanx/base/binary.h"
#include "phalanx/base/export.h"
#include "phalanx/jit/hash.h"

namespace phalanx::jit {

class PHX_API KernelArchive {  // thread-safe
 public:
  // Nothing where there is no such file, or it is none of ours, or not whole.
  static std::optional<KernelArchive> open(const std::string& path);
  // Throws ValueError with the system's reason.
  static void write(const std::string& path, const std::map<Digest, Binary>& kernels);

  // Nothing when there is no such entry, or it is damaged.
  std::optional<Binary> find(const Digest& key) const;

  std::size_t kernels() const;
  std::size_t bytes() const { return bytes_.size(); }

 private:
  KernelArchive(std::shared_ptr<const void> mapped, std::span<const std::byte> bytes)
      : mapped_(std::move(mapped)), bytes_(bytes) {}

  std::shared_ptr<const void> mapped_;
  std::span<const std::byte> bytes_;
};

}  // namespace phalanx::jit
