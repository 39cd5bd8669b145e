// What the library exports: see base/cuda_c_interface.h.
#include "phalanx/base/cuda_c_interface.h"

#include <cstdlib>
#include <cstring>
#include <exception>
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

char* copied(const std::string& text) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr)
    std::abort();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
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
  try {
    const phalanx::cudac::Source source = {
        .name = given->name,
        .text = std::string(given->text, given->text_bytes),
        .folders = strings(given->folders),
        .macros = strings(given->macros),
        .kernels = strings(given->kernels),
        .standard = given->standard,
        .architecture = given->architecture,
        .keeps_assertions = given->keeps_assertions};
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

__attribute__((visibility("default"))) void phalanx_cudac_release(PhxCudaCResult* result) {
  std::free(result->ir);
  std::free(result->log);
  *result = {nullptr, nullptr};
}

}  // extern "C"
