// A shared library that is opened while the program runs.
#pragma once

#include <cstdint>
#include <string>

#include "phalanx/base/export.h"

namespace phalanx {

class PHX_API SharedLibrary {
 public:
  enum class Mode : std::uint8_t {
    now,     // all symbols are resolved at once
    lazy,    // when they are first called
    loaded,  // as lazy, but only where the process has the library already
  };

  SharedLibrary() = default;  // none
  // Opens `file` by path or by name, as the loader searches. `is_open` tells the outcome.
  explicit SharedLibrary(const std::string& file, Mode mode = Mode::now);
  SharedLibrary(SharedLibrary&& other) noexcept;
  SharedLibrary& operator=(SharedLibrary&& other) noexcept;
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;
  ~SharedLibrary();

  bool is_open() const { return handle_ != nullptr; }
  const std::string& problem() const { return problem_; }  // the loader's words; empty when open
  void* find(const char* symbol) const;                    // null when there is no such symbol
  std::string path_of(const void* symbol) const;           // the file that defines it

  void keep() { is_kept_ = true; }  // loaded for the life of the process

 private:
  void* handle_ = nullptr;
  bool is_kept_ = false;
  std::string problem_;
};

}  // namespace phalanx
