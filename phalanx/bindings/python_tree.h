// CPython's syntax tree as the front end's.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>

#include "phalanx/frontend/tree.h"

namespace phalanx::bindings {

// `node` is an ast.FunctionDef or ast.Lambda; `line_shift` is added to its line numbers.
std::shared_ptr<const frontend::tree::Function> function_from_ast(
    nanobind::handle node, std::int64_t line_shift);

}  // namespace phalanx::bindings
