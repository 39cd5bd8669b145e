// What the library phalanx_cudac, which compiles CUDA C, and the engine, which loads it, agree on:
// plain data, as each has its own copy of everything else. The IR goes as text.
#pragma once

#include <cstddef>

extern "C" {

struct PhxTexts {
  const char* const* items;
  std::size_t count;
};

struct PhxCudaCSource {
  const char* name;  // of the source, for messages
  const char* text;
  std::size_t text_bytes;
  PhxTexts folders;  // where includes are looked for, and nothing else is read
  PhxTexts macros;   // NAME or NAME=VALUE
  PhxTexts kernels;  // name expressions
  unsigned standard;
  unsigned architecture;
  bool keeps_assertions;
  bool is_linked;  // with other modules: see cudac/compile.h
};

struct PhxCudaCResult {
  char* ir;   // null where the source has errors
  char* log;  // never null
};

// The first tells of the build: both sides must be of one.
using PhxCudaCBuild = const char* (*)();
using PhxCudaCCompile = PhxCudaCResult (*)(const PhxCudaCSource* source);
using PhxCudaCRelease = void (*)(PhxCudaCResult* result);

}  // extern "C"

namespace phalanx {
inline constexpr const char* cuda_c_build_symbol = "phalanx_cudac_build";
inline constexpr const char* cuda_c_compile_symbol = "phalanx_cudac_compile";
inline constexpr const char* cuda_c_release_symbol = "phalanx_cudac_release";
}  // namespace phalanx
