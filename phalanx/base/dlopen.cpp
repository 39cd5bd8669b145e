#include "phalanx/base/dlopen.h"

#include <dlfcn.h>

#include <utility>

namespace phalanx {

SharedLibrary::SharedLibrary(const std::string& file)
    : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) {
    const char* text = dlerror();
    problem_ = text == nullptr ? "cannot open " + file : text;
  }
}

SharedLibrary::SharedLibrary(SharedLibrary&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), problem_(std::move(other.problem_)) {}

SharedLibrary& SharedLibrary::operator=(SharedLibrary&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(problem_, other.problem_);
  return *this;
}

SharedLibrary::~SharedLibrary() {
  if (handle_ != nullptr)
    dlclose(handle_);
}

void* SharedLibrary::find(const char* symbol) const {
  return handle_ == nullptr ? nullptr : dlsym(handle_, symbol);
}

std::string SharedLibrary::path_of(const void* symbol) const {
  Dl_info found{};
  if (symbol == nullptr || dladdr(symbol, &found) == 0 || found.dli_fname == nullptr)
    return {};
  return found.dli_fname;
}

}  // namespace phalanx
