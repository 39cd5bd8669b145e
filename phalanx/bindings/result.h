// What a CPU function returned, as Python objects.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/ir/types.h"
#include "phalanx/runtime/function_call.h"

namespace phalanx::bindings {

class Arguments;

// Where the memory of returned arrays may come from.
struct ResultSources {
  nanobind::handle function;  // knows the classes of named tuples
  runtime::FunctionCall& call;
  nanobind::handle arguments;  // the tuple of them
  const Arguments& passed;     // as they were before the call
  std::shared_ptr<void> code;  // holds the arrays among the constants
  std::vector<std::pair<const std::byte*, nanobind::object>> taken = {};  // blocks given out
  std::vector<std::pair<const std::byte*, nanobind::object>> lists = {};  // that were arguments
};

// The numbers that go into the arguments of a function's exception, as 64 bits each.
nanobind::list numbers_of(const ErrorRecord& record);

// How the bytes that a function stored become one Python object; made once for a result type.
class ResultPlan {
 public:
  ResultPlan() = default;  // of nothing: None
  explicit ResultPlan(const ir::Type& type);

  std::size_t bytes() const { return bytes_; }
  nanobind::object make(const std::byte* stored, ResultSources& sources) const {
    return object_of(root_, stored, sources);
  }
  // Gives the lists that were arguments what the function left in them, and leaves the objects
  // there whose values are still the same; of a function with such lists only. `stored` is zero
  // where the function raised before it had them.
  void reflect(const std::byte* stored, ResultSources& sources) const;

 private:
  struct Part {
    ir::Type type = {};
    // scalar; list: of its pointer; array: of its pointer, shape and strides follow
    std::size_t offset = 0;
    std::vector<Part> elements = {};  // tuple; list: the one that all its elements are like
    std::size_t stride = 0;           // list: bytes from element to element
  };

  static Part whole(const ir::Type& type);
  static Part part_of(
      const ir::Type& type, const std::vector<std::size_t>& offsets, std::size_t& slot);
  nanobind::object object_of(
      const Part& part, const std::byte* stored, ResultSources& sources) const;
  nanobind::object list_of(
      const Part& part,
      const std::byte* stored,
      ResultSources& sources,
      PyObject* argument = nullptr) const;

  Part root_;
  std::size_t bytes_ = 0;
};

}  // namespace phalanx::bindings
