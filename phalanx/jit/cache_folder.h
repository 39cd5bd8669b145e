// A folder of cache entries: what lies in it, whose it may be, and how an entry is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/base/binary.h"
#include "phalanx/jit/file.h"
#include "phalanx/jit/hash.h"

namespace phalanx::jit {

inline constexpr std::string_view temporary_mark = ".tmp.";

// Entries are named <64 hexadecimal digits>.phx, and while they are written, with .tmp.<process>.
// <count> after that. Whatever has another name is not ours.
std::string entry_name(const Digest& key);

struct CacheEntry {
  std::string name;
  std::uint64_t bytes;
  timespec used;
  bool is_temporary;
};

// What lies in the folder: our entries and temporary files, nothing else.
std::vector<CacheEntry> list_entries(const FileDescriptor& folder);

// Whose folders hold machine code that may be run: what a user writes himself, or what is installed
// for him too.
enum class TrustedOwner : std::uint8_t { user, user_or_root };

// Why machine code from this folder or file cannot be trusted; empty when it can.
std::string distrust(const FileDescriptor& file, TrustedOwner owner);

struct OpenedEntry {
  FileDescriptor file;  // not open: there is no such entry
  std::size_t bytes = 0;
  std::time_t used = 0;
};

// Only a regular file is opened.
OpenedEntry open_entry(const FileDescriptor& folder, const Digest& key);

// Nothing when the entry is damaged.
std::optional<Binary> read_entry(const OpenedEntry& entry, const Digest& key);

}  // namespace phalanx::jit
