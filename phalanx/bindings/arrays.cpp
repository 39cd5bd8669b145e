// Array for Python: what it is, its views, and what is computed of it.
#include "phalanx/bindings/arrays.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
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

#include "phalanx/arrays/gather.h"
#include "phalanx/arrays/operands.h"
#include "phalanx/arrays/placement.h"
#include "phalanx/arrays/products.h"
#include "phalanx/arrays/scatter.h"
#include "phalanx/arrays/times.h"
#include "phalanx/base/environment.h"
#include "phalanx/base/errors.h"
#include "phalanx/bindings/array_slots.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/kernel_notes.h"
#include "phalanx/bindings/warnings.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

using arrays::Array;
using arrays::Axis;

using arrays::NodePtr;

// Python that runs meanwhile, in a signal's handler or to read a source, may make another one.
GraphAside::GraphAside()
    : no_gil_(std::in_place), was_aside_(std::exchange(gil_state.is_aside, true)) {}
GraphAside::~GraphAside() {
  no_gil_.reset();
  gil_state.is_aside = was_aside_;
  if (was_aside_)
    return;
  set_origins();
  tell_waiting_notes();
}
bool GraphAside::is_active() { return gil_state.is_aside; }

arrays::Graph& graph() {
  // The thread that has the lock may need the GIL, to drop an object that holds memory.
  const auto aside = [](const std::function<void()>& wait) {
    if (gil_state.is_aside) {
      wait();
      return;
    }
    const GraphAside no_gil;
    wait();
  };
  static auto* const made = [&] {
    auto* const graph = new arrays::Graph(engine(), aside);  // lives as long as the engine
    graph->residency().set_locate(&note_origin);
    graph->mutex().set_tell(&tell_notes);
    set_waiting_notes(*graph->mutex().notes());
    graph->set_background_compile(environment("PHALANX_BACKGROUND_COMPILE") != "0");
    return graph;
  }();
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

nb::tuple to_tuple(const Extents& extents) {
  nb::list items;
  for (const std::int64_t extent : extents) items.append(extent);
  return nb::tuple(items);
}

Array* array_in(nb::handle object) {
  Array* found = nullptr;
  PyTypeObject* const type = Py_TYPE(object.ptr());
  if (type == reinterpret_cast<PyTypeObject*>(array_class().ptr()))
    return nb::inst_ptr<Array>(object);
  // Most objects that are asked about are no arrays; nanobind's look-up takes longer.
  static auto* const base = reinterpret_cast<PyTypeObject*>(nb::type<Array>().ptr());
  if (PyType_IsSubtype(type, base) == 0)
    return nullptr;
  return nb::try_cast(object, found) ? found : nullptr;
}

namespace {

// Arrays of several numbers say that they are an index, too.
bool is_index(nb::handle given) {
  return PyLong_Check(given.ptr()) != 0 ||
         (PyIndex_Check(given.ptr()) != 0 &&
          nb::cast<int>(nb::getattr(given, "ndim", nb::int_(0))) == 0);
}

Extents extents_of(nb::handle given) {
  if (is_index(given))
    return {nb::cast<std::int64_t>(nb::int_(given))};
  Extents extents;
  for (const nb::handle each : given) {
    const Py_ssize_t extent = PyNumber_AsSsize_t(each.ptr(), PyExc_ValueError);
    if (extent == -1 && PyErr_Occurred() != nullptr)
      throw nb::python_error();
    extents.push_back(extent);
  }
  return extents;
}

// With the extent in place of -1.
Extents completed(Extents shape, std::int64_t size) {
  const auto unknown = std::ranges::find_if(shape, [](std::int64_t n) { return n < 0; });
  const auto refuse = [&] {
    throw ShapeError(
        "cannot reshape array of size " + std::to_string(size) + " into shape " +
        arrays::to_string(shape));
  };
  std::int64_t known = 1;
  for (auto each = shape.begin(); each != shape.end(); ++each) {
    if (each == unknown)
      continue;
    if (*each < 0)
      throw ShapeError("can only specify one unknown dimension");
    known *= *each;
  }
  if (unknown == shape.end()) {
    if (known != size)
      refuse();
    return shape;
  }
  if (known == 0 || size % known != 0)
    refuse();
  *unknown = size / known;
  return shape;
}

Array transposed(const Array& self, const std::vector<std::size_t>& order) {
  Extents shape(order.size());
  std::vector<Axis> axes(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    shape[i] = self.shape().at(order[i]);
    axes.at(order[i]) = {.dimension = static_cast<std::int32_t>(i), .start = 0, .step = 1};
  }
  return self.view(std::move(shape), std::move(axes));
}

// The dimensions that Python names, negative ones from the end. Throws IndexError for one that is
// not there, which Python makes NumPy's error of.
std::vector<std::size_t> order_of(const Array& self, const std::vector<std::int64_t>& given) {
  const auto ndim = static_cast<std::int64_t>(self.shape().size());
  if (static_cast<std::int64_t>(given.size()) != ndim)
    throw ValueError("axes don't match array");
  std::vector<std::size_t> order;
  for (const std::int64_t axis : given) {
    if (axis < -ndim || axis >= ndim)
      throw nb::index_error("an axis is out of bounds");
    const auto number = static_cast<std::size_t>(axis < 0 ? axis + ndim : axis);
    if (std::ranges::find(order, number) != order.end())
      throw ValueError("repeated axis in transpose");
    order.push_back(number);
  }
  return order;
}

Array reversed(const Array& self) {
  std::vector<std::size_t> order(self.shape().size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
  return transposed(self, order);
}

using AxisRow = std::tuple<std::int32_t, std::int64_t, std::int64_t>;

std::vector<Axis> axes_of(const std::vector<AxisRow>& rows) {
  std::vector<Axis> axes;
  for (const auto& [dimension, start, step] : rows) axes.push_back({dimension, start, step});
  return axes;
}

views::DeviceArray evaluated(const Array& self, bool is_for_host) {
  if (is_for_host)
    jit::refuse_while_recording("wait for the device");
  views::DeviceArray array;
  {
    const GraphAside no_gil;
    array = *self.evaluate(is_for_host ? &engine().runtime().cpu() : nullptr);
  }
  give_warnings();
  return array;
}

views::DeviceArray shared(const Array& self) {
  const GraphAside no_gil;
  return *self.share();
}

views::DeviceArray opened(const Array& self) {
  const GraphAside no_gil;
  return *self.open();
}

void bind_class(nb::module_& module) {
  nb::class_<Array> type(
      module,
      "Array",
      nb::is_weak_referenceable(),
      nb::type_slots(array_slots().data()),
      "The values of an array, recorded or in memory.");
  type.def_prop_ro("_dtype", [](const Array& self) { return element_name(self.element_type()); });
  type.def_prop_ro("shape", [](const Array& self) { return to_tuple(self.shape()); });
  type.def_prop_ro("ndim", [](const Array& self) { return self.shape().size(); });
  type.def_prop_ro("size", &Array::size);
  type.def_prop_ro("_is_read_only", &Array::is_read_only);
  type.def_prop_ro("_is_number", &Array::is_number);
  type.def_prop_ro("_is_pending", [](const Array& self) { return self.value()->is_pending(); });
  type.def_prop_ro("_comes_in_c_order", [](const Array& self) {
    const auto lock = graph().locked();
    return arrays::comes_in_c_order(*self.value());
  });
  type.def_prop_ro("_known_device", &known_device, "Where its elements are, or operands; or None.");
  type.def_prop_ro("_place", &place, "The device that it is tied to; None: it meets those of any.");
  type.def_prop_ro("_device", [](const Array& self) {
    auto device = known_device(self);
    return device ? device : current_device().shared_from_this();
  });
  type.def(
      "_evaluate",
      &evaluated,
      "is_for_host"_a = false,
      "Its elements in memory, which later writes may leave.");
  type.def("_open", &opened, "Its elements in memory, to be written to now.");
  type.def("_share", &shared, "Its elements in memory, which later writes go to.");
  type.def("_view", [](const Array& self, Extents shape, const std::vector<AxisRow>& axes) {
    return make_array(self.view(std::move(shape), axes_of(axes)));
  });
  type.def("_broadcast", [](const Array& self, const Extents& shape) {
    return make_array(self.broadcast(shape));
  });
  type.def("_reshape", [](const Array& self, nb::handle shape) {
    return make_array(self.reshape(completed(extents_of(shape), self.size())));
  });
  type.def("_ravel", [](const Array& self) { return make_array(self.ravel()); });
  type.def("_as_array", [](const Array& self) { return make_array(self.as_array()); });
  type.def("_as_number", [](const Array& self) { return make_array(self.as_number()); });
  type.def("_transpose", [](const Array& self, const std::vector<std::int64_t>& order) {
    return make_array(transposed(self, order_of(self, order)));
  });
  type.def_prop_ro("T", [](const Array& self) { return make_array(reversed(self)); });
  type.def("_alias", [](const Array& self, const views::DeviceArray& memory) {
    return make_array(self.alias(memory));
  });
  type.def("_set_read_only", &Array::set_read_only);
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
  return graph().reduce(operand.value(), name, element_named(dtype).dtype(), std::move(is_reduced));
}

// The ufuncs that arrays have: name, arity, NumPy's letters of the loops, result ("loop", "truth"
// or "real"), doc, and the first name where this is another one.
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
  return make_array(operand.part(is_imaginary));
}

void bind_makers(nb::module_& module) {
  module.def("array_ufuncs", &array_ufuncs);
  module.def("array_part", &array_part, "operand"_a, "is_imaginary"_a);
  module.def("set_array_class", [](nb::handle type) {
    array_class() = type;
    type.inc_ref();  // for the process
  });
  module.def(
      "array_of_memory",
      [](const views::DeviceArray& memory, bool is_shared, bool is_movable) {
        NodePtr node = is_movable ? graph().movable_memory(memory) : graph().memory(memory);
        return make_array(
            is_shared ? Array::of_shared_memory(graph(), std::move(node))
                      : Array(graph(), std::move(node)));
      },
      "memory"_a,
      "is_shared"_a,
      "is_movable"_a = false);
  module.def("array_number", [](nb::handle value, const std::string& dtype) {
    return make_array(Array(graph(), number_node(value, element_named(dtype))));
  });
  module.def(
      "array_positions",
      [](Extents shape, unsigned dimension, std::int64_t start, std::int64_t step) {
        const auto extents = std::make_shared<const Extents>(std::move(shape));
        return make_array(Array(graph(), graph().positions(extents, {dimension, start, step})));
      });
  module.def(
      "array_empty",
      [](const Extents& shape, const std::string& dtype, runtime::Device* device) {
        const ir::Type type = element_named(dtype);
        const bool is_movable = device == nullptr && arrays::is_automatic(engine());
        runtime::Device& place = is_movable          ? engine().runtime().cpu()
                                 : device != nullptr ? *device
                                                     : current_device();
        views::DeviceArray memory = [&] {
          const GilReleased no_gil;
          return views::allocate_array(
              engine().types(), place, nullptr, {.element = type, .shape = shape});
        }();
        return make_array(Array(
            graph(),
            is_movable ? graph().movable_memory(std::move(memory))
                       : graph().memory(std::move(memory))));
      },
      "shape"_a,
      "dtype"_a,
      "device"_a.none() = nb::none());
  module.def(
      "is_automatic",
      [] { return arrays::is_automatic(engine()); },
      "True if the thread's new arrays are where they take least time.");
  module.def("set_automatic", &arrays::set_automatic, "is_automatic"_a);
}

// The dimension, the index, and if it is known to be within.
using IndexRow = std::tuple<std::size_t, nb::object, bool>;

std::vector<arrays::ArrayIndex> indices_of(const std::vector<IndexRow>& given) {
  std::vector<arrays::ArrayIndex> indices;
  for (const auto& [dimension, object, is_within] : given) {
    const Array* value = array_in(object);
    if (value == nullptr)
      throw TypeError("an index is no array");
    indices.push_back({dimension, *value, is_within});
  }
  return indices;
}

Array gathered(
    const Array& array,
    Extents shape,
    const std::vector<AxisRow>& axes,
    const std::vector<IndexRow>& given) {
  const auto indices = indices_of(given);
  const GraphAside no_gil;
  return arrays::gather(array, std::move(shape), axes_of(axes), indices);
}

// Shape, axes, indices, and if no element is met twice.
using PlacesRow = std::tuple<Extents, std::vector<AxisRow>, std::vector<IndexRow>, bool>;

arrays::Places places_of(const PlacesRow& row) {
  const auto& [shape, axes, indices, are_distinct] = row;
  return {
      .shape = shape,
      .axes = axes_of(axes),
      .indices = indices_of(indices),
      .are_distinct = are_distinct};
}

void scattered(const Array& array, const PlacesRow& row, const Array& value) {
  const arrays::Places places = places_of(row);
  const GraphAside no_gil;
  arrays::scatter(array, places, value);
}

void updated_at(
    const Array& array, const PlacesRow& row, const std::string& name, const Array* value) {
  const infer::Ufunc* ufunc = infer::find_ufunc(name);
  if (ufunc == nullptr)
    throw TypeError("there is no ufunc " + name);
  const arrays::Places places = places_of(row);
  const GraphAside no_gil;
  arrays::update_at(array, places, *ufunc, value);
}

Array compacted(const Array& array, const Array& mask) {
  const GraphAside no_gil;
  return arrays::compact(array, mask);
}

std::vector<Array> found(const Array& array) {
  const GraphAside no_gil;
  return arrays::nonzero(array);
}

Array applied(const std::string& name, const nb::args& operands) {
  const infer::Ufunc* ufunc = infer::find_ufunc(name);
  if (ufunc == nullptr)
    throw TypeError("there is no ufunc " + name);
  std::vector<arrays::Operand> read;
  for (const nb::handle operand : operands) {
    auto one = operand_of(operand);
    if (!one)
      throw TypeError("an operand of " + name + " is neither an array nor a number");
    read.push_back(std::move(*one));
  }
  return Array::of_result(graph(), arrays::apply(graph(), *ufunc, read));
}

using RecordProduct = NodePtr(arrays::Graph&, const NodePtr&, const NodePtr&);

template <RecordProduct& record>
nb::object array_product(const Array& a, const Array& b) {
  return make_array(Array::of_result(graph(), record(graph(), a.value(), b.value())));
}

// Elements at places that arrays tell.
void bind_indexing(nb::module_& module) {
  module.def(
      "array_gather",
      [](const Array& array,
         Extents shape,
         const std::vector<AxisRow>& axes,
         const std::vector<IndexRow>& indices) {
        return make_array(gathered(array, std::move(shape), axes, indices));
      },
      "array"_a,
      "shape"_a,
      "axes"_a,
      "indices"_a);
  module.def("array_scatter", &scattered, "array"_a, "places"_a, "value"_a);
  module.def(
      "array_update_at",
      &updated_at,
      "array"_a,
      "places"_a,
      "ufunc"_a,
      "value"_a.none() = nb::none());
  module.def("array_compact", [](const Array& array, const Array& mask) {
    return make_array(compacted(array, mask));
  });
  module.def("array_nonzero", [](const Array& array) {
    nb::list made;
    for (Array& each : found(array)) made.append(make_array(std::move(each)));
    return nb::tuple(made);
  });
}

// Each part and where it is; None: it is repeated everywhere. None where they are not recorded.
std::optional<nb::object> concatenation(
    const Extents& shape,
    const std::string& dtype,
    const std::vector<std::tuple<Array, std::optional<Extents>>>& parts) {
  arrays::Concatenation made;
  for (const auto& [array, start] : parts) {
    NodePtr value = array.value();
    if (!start)
      value = graph().broadcast(value, shape);
    made.parts.push_back({std::move(value), start.value_or(Extents(shape.size()))});
  }
  NodePtr node = graph().concatenation(
      std::move(made), element_named(dtype), std::make_shared<const Extents>(shape));
  if (!node)
    return std::nullopt;
  return make_array(Array(graph(), std::move(node)));
}

void bind_functions(nb::module_& module) {
  module.def(
      "array_copy",
      [](const Array& operand, const Extents& shape, runtime::Device* device) {
        return make_array(Array(graph(), graph().copied(operand.value(), shape, device)));
      },
      "operand"_a,
      "shape"_a,
      "device"_a.none() = nb::none());
  module.def("array_cast", [](const Array& operand, const std::string& dtype) {
    NodePtr value = graph().cast(operand.value(), element_named(dtype));
    return make_array(
        operand.is_number() ? Array::of_result(graph(), std::move(value))
                            : Array(graph(), std::move(value)));
  });
  module.def("array_where", [](const Array& condition, const Array& x, const Array& y) {
    return make_array(
        Array(graph(), arrays::chosen(graph(), condition.value(), x.value(), y.value())));
  });
  module.def("array_concatenation", &concatenation, "shape"_a, "dtype"_a, "parts"_a);
  module.def("array_apply", [](const std::string& name, const nb::args& operands) {
    return make_array(applied(name, operands));
  });
  module.def(
      "array_reduce",
      [](const Array& operand,
         const std::string& name,
         const std::string& dtype,
         const std::vector<std::size_t>& axes) {
        return make_array(Array::of_result(graph(), reduced(operand, name, dtype, axes)));
      });
  module.def("array_scan", [](const Array& operand, const std::string& name, std::size_t axis) {
    return make_array(Array(graph(), graph().scan(operand.value(), name, axis)));
  });
  module.def("array_matmul", &array_product<arrays::matmul>);
  module.def("array_matvec", &array_product<arrays::matvec>);
  module.def("array_vecmat", &array_product<arrays::vecmat>);
  module.def("array_vecdot", &array_product<arrays::vecdot>);
  module.def("array_background_compile", [] { return graph().background_compile(); });
  module.def(
      "set_array_background_compile",
      [](bool is_on) {
        const GraphAside no_gil;
        graph().set_background_compile(is_on);
      },
      "is_on"_a);
  module.def("array_statistics", [] {
    const arrays::GraphStatistics statistics = graph().statistics();
    nb::dict result;
    result["kernels"] = statistics.kernels;
    return result;
  });
}

}  // namespace

void bind_arrays(nb::module_& module) {
  bind_class(module);
  array_class() = nb::type<Array>();
  bind_makers(module);
  bind_functions(module);
  bind_indexing(module);
  bind_array_explain(module);
  bind_array_memory(module);
  bind_array_functions(module);
  bind_array_sources(module);
  bind_array_of_numpy(module);
  bind_array_devices(module);
}

}  // namespace phalanx::bindings
