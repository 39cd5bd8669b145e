// Warnings of phalanx.errors, and which of them are given.
#pragma once

#include <nanobind/nanobind.h>

#include "phalanx/base/source.h"
#include "phalanx/base/warning.h"

namespace phalanx::bindings {

// Which advice is given. PHALANX_ADVICE=0 gives none, whatever a program sets.
struct Advice {
  bool low_occupancy = true;
  bool implicit_copies = true;
  bool float64 = true;
  bool strides = true;
  bool parallel = true;
};
Advice advice();

// At the caller's line; `category` is a class of phalanx.errors, `text` one sentence. Throws where
// the user made warnings errors, as flush_warnings does.
void warn(const char* category, const char* text);

// (file, line), or None if they are not known.
nanobind::object to_python(const SourceLine& line);

// Emits the warnings that the engine collected.
void flush_warnings();

}  // namespace phalanx::bindings
