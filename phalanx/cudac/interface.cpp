// What the library exports: see base/cuda_c_interface.h.
#include "phalanx/base/cuda_c_interface.h"

#include <pthread.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "phalanx/base/build_id.h"
#include "phalanx/base/export.h"
#include "phalanx/cudac/compile.h"
#include "phalanx/ir/printer.h"

namespace {

std::vector<std::string> strings(const PhxTexts& texts) {
  return {texts.items, texts.items + texts.count};
}

// Expressions and statements within others are parsed and converted by functions that call
// themselves: a source of thousands needs more stack than threads have. It is memory only where it
// is used.
constexpr std::size_t stack_bytes = std::size_t{1} << 30U;

void* call(void* function) {
  (*static_cast<const std::function<void()>*>(function))();
  return nullptr;
}

// On a thread with such a stack; where there is none to be had, on this one.
void run_deep(const std::function<void()>& function) {
  pthread_attr_t attributes;
  pthread_t thread = {};
  bool is_started = false;
  if (::pthread_attr_init(&attributes) == 0) {
    // The thread only reads it.
    void* const argument = const_cast<std::function<void()>*>(&function);  // NOLINT
    is_started = ::pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
                 ::pthread_create(&thread, &attributes, &call, argument) == 0;
    ::pthread_attr_destroy(&attributes);
  }
  if (is_started)
    ::pthread_join(thread, nullptr);
  else
    function();
}

char* copied(const std::string& text) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr)
    std::abort();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

PhxCudaCResult compiled(const PhxCudaCSource& given) {
  PhxCudaCResult result = {nullptr, nullptr};
  try {
    const phalanx::cudac::Source source = {
        .name = given.name,
        .text = std::string(given.text, given.text_bytes),
        .folders = strings(given.folders),
        .macros = strings(given.macros),
        .kernels = strings(given.kernels),
        .standard = given.standard,
        .architecture = given.architecture,
        .keeps_assertions = given.keeps_assertions};
    const phalanx::cudac::Compiled compiled = phalanx::cudac::compile(source);
    if (compiled.module != nullptr)
      result.ir = copied(phalanx::ir::print(*compiled.module));
    result.log = copied(compiled.log);
  } catch (const std::exception& error) {
    std::free(result.ir);
    result = {nullptr, copied(std::string("internal error: ") + error.what() + "\n")};
  }
  return result;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) const char* phalanx_cudac_build() {
  static const std::string id(phalanx::build_id());
  return id.c_str();
}

__attribute__((visibility("default"))) PhxCudaCResult
phalanx_cudac_compile(const PhxCudaCSource* given) {
  PhxCudaCResult result = {nullptr, nullptr};
  run_deep([&] { result = compiled(*given); });
  return result;
}

__attribute__((visibility("default"))) void phalanx_cudac_release(PhxCudaCResult* result) {
  std::free(result->ir);
  std::free(result->log);
  *result = {nullptr, nullptr};
}

}  // extern "C"
