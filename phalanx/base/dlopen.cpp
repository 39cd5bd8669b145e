#include "phalanx/base/dlopen.h"

#include <dlfcn.h>

#include <utility>

namespace phalanx {

namespace {

int flags_of(SharedLibrary::Mode mode) {
  switch (mode) {
    case SharedLibrary::Mode::now:
      return RTLD_NOW;
    case SharedLibrary::Mode::lazy:
      return RTLD_LAZY;
    case SharedLibrary::Mode::loaded:
      return RTLD_LAZY | RTLD_NOLOAD;
  }
  return RTLD_NOW;
}

}  // namespace

SharedLibrary::SharedLibrary(const std::string& file, Mode mode)
    : handle_(dlopen(file.c_str(), RTLD_LOCAL | flags_of(mode))) {
  if (handle_ == nullptr) {
    const char* text = dlerror();
    problem_ = text == nullptr ? "cannot open " + file : text;
  }
}

SharedLibrary::SharedLibrary(SharedLibrary&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)),
      is_kept_(other.is_kept_),
      problem_(std::move(other.problem_)) {}

SharedLibrary& SharedLibrary::operator=(SharedLibrary&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(is_kept_, other.is_kept_);
  std::swap(problem_, other.problem_);
  return *this;
}

SharedLibrary::~SharedLibrary() {
  if (handle_ != nullptr && !is_kept_)
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
