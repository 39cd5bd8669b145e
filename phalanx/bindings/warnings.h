// Warnings of phalanx.errors, and which of them are given.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "phalanx/base/source.h"

namespace phalanx::bindings {

// At the caller's line; `category` is a class of phalanx.errors, `text` one sentence. Throws where
// the user made warnings errors, as flush_warnings does.
void warn(const char* category, const std::string& text);

// (file, line), or None if they are not known.
nanobind::object to_python(const SourceLine& line);

// Emits the warnings that the engine collected.
void flush_warnings();
// The same for who asks often, as there are none.
void give_warnings();

}  // namespace phalanx::bindings
