// What Python holds of a kernel.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <memory>

#include "phalanx/jit/kernel.h"

namespace phalanx::bindings {

// The Python function that makes the IR. It belongs to the handle, so that the garbage collector
// can see the way from a kernel back to the dispatcher that holds it.
struct Producer {
  nanobind::object function;
  nanobind::object link;    // invalid: nothing is linked
  nanobind::object loaded;  // invalid: nobody wants to know; see loaded_module.h
};

struct KernelHandle {
  std::shared_ptr<jit::Kernel> kernel;
  std::shared_ptr<Producer> producer;
};

}  // namespace phalanx::bindings

// A vector of unique_ptr claims to be copyable.
template <>
struct nanobind::detail::is_copy_constructible<phalanx::ir::Module> : std::false_type {};
