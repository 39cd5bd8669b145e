// Python's arrays: how C++ functions read them among operands, and make new ones.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/arrays/apply.h"
#include "phalanx/arrays/array.h"
#include "phalanx/arrays/residency.h"
#include "phalanx/bindings/gil.h"

namespace phalanx::bindings {

arrays::Graph& graph();  // of this process's engine, made at the first call

// While one lives, other threads may run Python, also where the graph's lock is waited for.
class GraphAside {
 public:
  GraphAside();
  GraphAside(const GraphAside&) = delete;
  GraphAside& operator=(const GraphAside&) = delete;
  ~GraphAside();

  static bool is_active();  // on this thread

 private:
  std::optional<GilReleased> no_gil_;
  bool was_aside_;
};

// Finds the line of the program that makes an array: now, or when this thread has the GIL again.
void note_origin(const std::shared_ptr<arrays::Origin>& origin);
void set_origins() noexcept;  // of all that this thread has noted

// A new object of the class that Python has registered; of the base class before.
nanobind::object make_array(arrays::Array array);
// As NumPy calls it.
std::string_view dtype_name(DType dtype);
std::string element_name(const ir::Type& element);
// Throws TypeError for what is no element of arrays.
ir::Type element_named(const std::string& name);
nanobind::tuple to_tuple(const Extents& extents);
// Null for other objects.
arrays::Array* array_in(nanobind::handle object);

// The elements in memory, whose address somebody gets: see Array::lend and share. While the caller
// has a GraphAside.
arrays::Memory memory_to_write(const arrays::Array& array);

// False for arrays whose protocols have something to decide: where one is computed that may come to
// any device, and what is refused of times.
bool can_lend(const arrays::Array& array);
// memory_to_write() for a kernel, which is launched where the elements are. As the host sees them,
// they are computed.
arrays::Memory lent_by(const arrays::Array& array);

// An operand of a ufunc: an array, or a number of Python's. Nothing for what is neither.
std::optional<arrays::Operand> operand_of(nanobind::handle object);

// An array of NumPy's where the thread makes new ones, if that is on the host: of the same memory,
// or a copy. Nothing for other objects, and for arrays that Python has something to decide about.
std::optional<arrays::Array> array_of_numpy(nanobind::handle object, bool is_copy);

// Where the array's elements are, or its operands; null for neither.
std::shared_ptr<runtime::Device> known_device(const arrays::Array& self);
// The device that it is tied to; null for what meets arrays of any device.
std::shared_ptr<runtime::Device> place(const arrays::Array& self);

// The device of an array that others are to come to; null for what meets arrays of any device, and
// for the thread's current device, where new arrays are made anyway.
runtime::Device* if_elsewhere(runtime::Device* device);

// A number of Python's as a 0-d value: converted as by NumPy's assignments. Raises what its
// conversion in Python raises, and OverflowError for an int that the type does not hold.
// The number is the count of a time.
arrays::NodePtr number_node(nanobind::handle number, const ir::Type& element);

void bind_array_explain(nanobind::module_& module);
void bind_array_memory(nanobind::module_& module);
void bind_array_functions(nanobind::module_& module);
void bind_array_sources(nanobind::module_& module);
void bind_array_of_numpy(nanobind::module_& module);
void bind_array_devices(nanobind::module_& module);

}  // namespace phalanx::bindings
