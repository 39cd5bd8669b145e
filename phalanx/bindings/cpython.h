// What the classes that are written against CPython itself share.
#pragma once

#include <Python.h>
#include <cxxabi.h>

#include <cstddef>

#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"

namespace phalanx::bindings {

// In Python's stable interface from 3.12 on; the same numbers in 3.11.
inline constexpr unsigned long has_vectorcall = 1UL << 11;
inline constexpr std::size_t offset_flag = std::size_t{1} << (8 * sizeof(std::size_t) - 1);

// Runs `body` and turns what it throws into Python's exception.
template <typename Body>
PyObject* guarded(const Body& body) noexcept {
  try {
    return body();
  } catch (abi::__forced_unwind&) {
    sleep_for_ever();  // see gil.h
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

}  // namespace phalanx::bindings
