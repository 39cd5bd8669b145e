// The functions of a library that is opened while the program runs, as a table that a .def lists.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phalanx/base/dlopen.h"
#include "phalanx/base/errors.h"

namespace phalanx::runtime {

// What is looked for, in words for the user.
struct LibraryChoice {
  std::string title;               // "NVRTC"
  std::vector<std::string> files;  // paths, or names that the system's loader finds; tried in order
  std::string remedy;              // where there is none: "pip install nvidia-cuda-nvrtc"
};

// A library that cannot be opened, or lacks a function. The text names it, the files that were
// tried with the loader's words for each, and the remedy.
class LibraryError : public DeviceError {
 public:
  LibraryError(const std::string& message, LibraryChoice choice, std::string missing = {})
      : DeviceError(message), choice_(std::move(choice)), missing_(std::move(missing)) {}
  const std::string& library() const { return choice_.title; }
  const std::vector<std::string>& files() const { return choice_.files; }
  const std::string& missing() const { return missing_; }  // the function; empty: the whole library

 private:
  LibraryChoice choice_;
  std::string missing_;
};

// Opens the first file that can be opened. Throws LibraryError.
SharedLibrary open_library(const LibraryChoice& choice);

// A row of a .def: the name of the pointer in the table, and the library's name of the function.
struct LibraryEntry {
  std::string_view name;
  const char* symbol;
};

// The library of a table. It stays open for the life of the process, as others have its pointers.
class OpenedLibrary {
 public:
  // Fills `functions`, one pointer for each entry. Throws LibraryError when there is no library;
  // when it lacks functions, their pointers are null and `missing` is the first of them.
  OpenedLibrary(
      const LibraryChoice& choice,
      std::span<const LibraryEntry> entries,
      std::span<std::byte> functions);

  const std::string& path() const { return path_; }
  const std::string& missing() const { return missing_; }
  // Throws LibraryError when a function is missing.
  void require_all() const;

 private:
  LibraryChoice choice_;
  std::string path_;
  std::string missing_;
};

// `Functions` holds a pointer for each row of its .def, and nothing else.
template <typename Functions>
class LibraryTable {
 public:
  template <std::size_t count>
  LibraryTable(const LibraryChoice& choice, const LibraryEntry (&entries)[count])
      : library_(choice, entries, std::as_writable_bytes(std::span(&functions_, 1))) {
    static_assert(sizeof(Functions) == count * sizeof(void*));
  }

  const Functions& functions() const { return functions_; }
  const OpenedLibrary& library() const { return library_; }

 private:
  Functions functions_;
  OpenedLibrary library_;  // after what it fills
};

}  // namespace phalanx::runtime
