// Array for Python: what it is, its views, and what is computed of it.
#include "phalanx/bindings/arrays.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <complex>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/array_slots.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

using arrays::Array;
using arrays::Axis;
using arrays::Extents;
using arrays::NodePtr;

namespace {

thread_local bool is_aside = false;  // this thread has given the GIL away by a GraphAside

}  // namespace

GraphAside::GraphAside() { is_aside = true; }
GraphAside::~GraphAside() { is_aside = false; }

arrays::Graph& graph() {
  // The thread that has the lock may need the GIL, to drop an object that holds memory.
  const auto aside = [](const std::function<void()>& wait) {
    if (is_aside) {
      wait();
      return;
    }
    const GraphAside no_gil;
    wait();
  };
  static auto* const made = new arrays::Graph(engine(), aside);  // lives as long as the engine
  return *made;
}

namespace {

nb::handle& array_class() {
  static nb::handle registered;
  return registered;
}

}  // namespace

nb::object make_array(Array array) {
  nb::object object = nb::inst_alloc(array_class());
  new (nb::inst_ptr<Array>(object)) Array(std::move(array));
  nb::inst_mark_ready(object);
  return object;
}

Array* array_in(nb::handle object) {
  Array* found = nullptr;
  if (object.type().is(array_class()))
    return nb::inst_ptr<Array>(object);
  return nb::try_cast(object, found) ? found : nullptr;
}

namespace {

DType dtype_named(const std::string& name) {
  const auto dtype = dtype_from_name(name == "bool" ? "boolean" : name);
  if (!dtype)
    throw TypeError("arrays have no dtype " + name);
  return *dtype;
}

std::string_view name_of(DType dtype) {
  return dtype == DType::boolean ? "bool" : info(dtype).name;
}

ir::Constant constant_of(nb::handle number, DType dtype) {
  if (is_boolean(dtype))
    return nb::cast<bool>(nb::bool_(number));
  if (is_complex(dtype)) {
    const nb::object value = nb::module_::import_("builtins").attr("complex")(number);
    return std::complex(PyComplex_RealAsDouble(value.ptr()), PyComplex_ImagAsDouble(value.ptr()));
  }
  if (is_floating(dtype))
    return nb::cast<double>(nb::float_(number));
  if (is_unsigned(dtype))
    return static_cast<std::int64_t>(nb::cast<std::uint64_t>(nb::int_(number)));
  return nb::cast<std::int64_t>(nb::int_(number));
}

using AxisRow = std::tuple<std::int32_t, std::int64_t, std::int64_t>;

std::vector<Axis> axes_of(const std::vector<AxisRow>& rows) {
  std::vector<Axis> axes;
  for (const auto& [dimension, start, step] : rows) axes.push_back({dimension, start, step});
  return axes;
}

nb::tuple to_tuple(const Extents& extents) {
  nb::list items;
  for (const std::int64_t extent : extents) items.append(extent);
  return nb::tuple(items);
}

views::DeviceArray evaluated(const Array& self) {
  const GraphAside no_gil;
  return *self.evaluate();
}

views::DeviceArray shared(const Array& self) {
  const GraphAside no_gil;
  return *self.share();
}

void bind_class(nb::module_& module) {
  nb::class_<Array> type(
      module,
      "Array",
      nb::is_weak_referenceable(),
      nb::type_slots(array_slots().data()),
      "The values of an array, recorded or in memory.");
  type.def_prop_ro("_dtype", [](const Array& self) { return std::string(name_of(self.dtype())); });
  type.def_prop_ro("shape", [](const Array& self) { return to_tuple(self.shape()); });
  type.def_prop_ro("ndim", [](const Array& self) { return self.shape().size(); });
  type.def_prop_ro("size", &Array::size);
  type.def_prop_ro("_is_read_only", &Array::is_read_only);
  type.def_prop_ro("_is_pending", [](const Array& self) { return self.value()->is_pending(); });
  type.def_prop_ro("_device", [](const Array& self) {
    runtime::Device* device = self.value()->device;
    return (device != nullptr ? *device : current_device()).shared_from_this();
  });
  type.def("_evaluate", &evaluated, "Its elements in memory, which later writes may leave.");
  type.def("_share", &shared, "Its elements in memory, which later writes go to.");
  type.def("_view", [](const Array& self, Extents shape, const std::vector<AxisRow>& axes) {
    return make_array(self.view(std::move(shape), axes_of(axes)));
  });
  type.def("_broadcast", [](const Array& self, const Extents& shape) {
    return make_array(self.broadcast(shape));
  });
  type.def("_reshape", [](const Array& self, Extents shape) {
    return make_array(self.reshape(std::move(shape)));
  });
  type.def("_assign", [](Array& self, const Array& value) {
    NodePtr node = value.value();
    const GraphAside no_gil;
    self.assign(std::move(node));
  });
}

NodePtr reduced(
    const Array& operand,
    const std::string& name,
    const std::string& dtype,
    const std::vector<std::size_t>& axes) {
  std::vector<bool> is_reduced(operand.shape().size(), false);
  for (const std::size_t axis : axes) is_reduced.at(axis) = true;
  return graph().reduce(operand.value(), name, dtype_named(dtype), std::move(is_reduced));
}

// The ufuncs that arrays have: name, arity, NumPy's letters of the loops, result ("loop", "truth" or
// "real"), doc, and the first name where this is another one.
nb::list array_ufuncs() {
  nb::list rows;
  for (const infer::Ufunc& ufunc : infer::ufuncs()) {
    nb::dict row;
    row["name"] = ufunc.name;
    row["arity"] = ufunc.arity;
    row["loops"] = ufunc.loops;
    row["result"] = ufunc.result == infer::UfuncResult::truth  ? "truth"
                    : ufunc.result == infer::UfuncResult::real ? "real"
                                                               : "loop";
    row["doc"] = ufunc.doc;
    row["alias_of"] = ufunc.alias_of;
    rows.append(row);
  }
  return rows;
}

// The real or imaginary part of complex elements.
nb::object array_part(const Array& operand, bool is_imaginary) {
  if (!is_complex(operand.dtype()))
    throw TypeError("array_part: the array is not complex");
  const NodePtr operands[] = {operand.value()};
  return make_array(
      Array(graph(), graph().call(arrays::part_function(operand.dtype(), is_imaginary), operands)));
}

void bind_functions(nb::module_& module) {
  module.def("array_ufuncs", &array_ufuncs);
  module.def("array_part", &array_part, "operand"_a, "is_imaginary"_a);
  module.def("set_array_class", [](nb::handle type) {
    array_class() = type;
    type.inc_ref();  // for the process
  });
  module.def(
      "array_of_memory",
      [](const views::DeviceArray& memory, bool is_shared) {
        return make_array(
            is_shared ? Array::of_shared_memory(graph(), memory)
                      : Array(graph(), graph().memory(memory)));
      },
      "memory"_a,
      "is_shared"_a);
  module.def("array_number", [](nb::handle value, const std::string& dtype) {
    const DType type = dtype_named(dtype);
    return make_array(Array(graph(), graph().number(type, constant_of(value, type))));
  });
  module.def(
      "array_positions", [](Extents shape, unsigned dimension, std::int64_t start, std::int64_t step) {
        const auto extents = std::make_shared<const Extents>(std::move(shape));
        return make_array(
            Array(graph(), graph().positions(extents, {dimension, start, step})));
      });
  module.def("array_cast", [](const Array& operand, const std::string& dtype) {
    return make_array(Array(graph(), graph().cast(operand.value(), dtype_named(dtype))));
  });
  module.def("array_where", [](const Array& condition, const Array& x, const Array& y) {
    const numpy::Operand types[] = {{x.dtype()}, {y.dtype()}};
    const DType dtype = numpy::result_type(types);
    const NodePtr operands[] = {condition.value(), x.value(), y.value()};
    return make_array(Array(graph(), graph().call(arrays::select_function(dtype), operands)));
  });
  module.def("array_apply", [](const std::string& name, const nb::args& operands) {
    const infer::Ufunc* ufunc = infer::find_ufunc(name);
    if (ufunc == nullptr)
      throw TypeError("there is no ufunc " + name);
    std::vector<ArrayOperand> read;
    for (const nb::handle operand : operands) {
      auto one = operand_of(operand);
      if (!one)
        throw TypeError("an operand of " + name + " is neither an array nor a number");
      read.push_back(std::move(*one));
    }
    return make_array(Array(graph(), apply(*ufunc, std::move(read))));
  });
  module.def(
      "array_reduce",
      [](const Array& operand,
         const std::string& name,
         const std::string& dtype,
         const std::vector<std::size_t>& axes) {
        return make_array(Array(graph(), reduced(operand, name, dtype, axes)));
      });
  module.def("array_statistics", [] {
    const arrays::GraphStatistics statistics = graph().statistics();
    nb::dict result;
    result["kernels"] = statistics.kernels;
    result["computed"] = statistics.computed;
    return result;
  });
}

}  // namespace

void bind_arrays(nb::module_& module) {
  bind_class(module);
  array_class() = nb::type<Array>();
  bind_functions(module);
}

}  // namespace phalanx::bindings
