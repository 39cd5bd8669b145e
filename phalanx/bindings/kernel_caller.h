// KernelCaller: calls of a kernel whose parameters have declared types, as PyCUDA and CuPy have
// them.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <optional>
#include <vector>

#include "phalanx/bindings/arguments.h"
#include "phalanx/bindings/launcher.h"
#include "phalanx/ir/types.h"

namespace phalanx::bindings {

// What a parameter takes as it is: everything else is Python's to convert, or to refuse.
class Parameter {
 public:
  explicit Parameter(const ir::Type& declared);

  bool is_pointer() const { return takes_ == Takes::memory; }
  // Adds a number that the parameter holds, or an address, as of the parameter's own type. False,
  // and nothing was added, for anything else.
  bool pass(PyObject* number, Arguments& arguments) const;
  // True for arrays of the package with elements of that type.
  bool takes_array_of(const ir::Type& element) const;

 private:
  enum class Takes : std::uint8_t { nothing, memory, integer, real, truth };

  bool pass_int(PyObject* number, Arguments& arguments) const;
  bool pass_numpy(PyObject* number, Arguments& arguments) const;
  bool pass_converted(DType from, const void* bytes, Arguments& arguments) const;
  bool fits(long long value) const;
  bool takes_numpy(DType given) const;

  Takes takes_ = Takes::nothing;
  DType dtype_ = DType::uint64;  // of the number, or of an address
  ir::Type element_ = ir::Type::none();
};

// The launch configuration of the last call. Extents are tuples of ints, which nobody changes.
struct LastConfiguration {
  nanobind::object grid;
  nanobind::object block;
  nanobind::object stream;
  nanobind::object shared;
  nanobind::object configured;
};

// Set once, by __init__.
struct KernelCallerState {
  nanobind::object launcher;
  std::vector<Parameter> parameters;
  nanobind::ft_mutex mutex;  // of `last`, where there is no GIL
  LastConfiguration last;
  nanobind::object context;  // is asked before the first launch of a configuration; may be None
  bool changes_extents = false;
};

// One call: where it runs, and its arguments, borrowed.
struct KernelCall {
  nanobind::handle grid;
  nanobind::handle block;
  nanobind::handle stream;  // None: the default one
  nanobind::handle shared;  // bytes of shared memory
  nanobind::handle before;  // is called when the arguments are converted; may be null
  PyObject* const* arguments = nullptr;
  std::size_t count = 0;
};

// Launches. Python's part is by methods of `self`: `_convert(argument, number)` gives what the
// engine takes for an argument, `_refuse_count(count)` and `_fail(error)` raise, of the number of
// arguments and of what the engine says of the configuration and the launch, `_queue_of(stream)`
// gives the engine's stream and, where there is one, `_extents_of(given)` the launcher's extents
// for a grid or a block; these two are asked once for a configuration. False, and nothing was done,
// where the first two would be needed and `may_ask` is false.
bool launch_declared(
    PyObject* self, KernelCallerState& state, const KernelCall& call, bool may_ask);

}  // namespace phalanx::bindings
