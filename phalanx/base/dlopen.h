// A shared library that is opened while the program runs.
#pragma once

#include <string>

namespace phalanx {

class SharedLibrary {
 public:
  // Opens `file` by path or by name, as the loader searches. `is_open` tells the outcome.
  explicit SharedLibrary(const std::string& file);
  SharedLibrary(SharedLibrary&& other) noexcept;
  SharedLibrary& operator=(SharedLibrary&& other) noexcept;
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;
  ~SharedLibrary();

  bool is_open() const { return handle_ != nullptr; }
  const std::string& problem() const { return problem_; }  // the loader's words; empty when open
  void* find(const char* symbol) const;                    // null when there is no such symbol
  std::string path_of(const void* symbol) const;           // the file that defines it

  void keep() { handle_ = nullptr; }  // loaded for the life of the process

 private:
  void* handle_ = nullptr;
  std::string problem_;
};

}  // namespace phalanx
