// Python functions and what their names mean, as the front end sees them.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <memory>

#include "phalanx/frontend/environment.h"

namespace phalanx::bindings {

// The source, names and defaults of a Python function. What it and the functions it calls refer to
// is looked at while the result lives; all of it needs the GIL.
std::shared_ptr<const frontend::FunctionSource> python_function(nanobind::handle function);

// What a Python object means to a kernel, in the same way.
std::shared_ptr<const frontend::Entity> python_entity(nanobind::handle object);

// A dictionary of names and types; null where it is None or empty.
std::shared_ptr<const frontend::LocalTypes> local_types(nanobind::handle types);

}  // namespace phalanx::bindings
