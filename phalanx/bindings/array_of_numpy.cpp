// NumPy's arrays as ours, and elements as numbers of Python's, where Python has nothing to decide.
#include <nanobind/nanobind.h>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "phalanx/arrays/placement.h"
#include "phalanx/base/errors.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/numpy.h"
#include "phalanx/jit/scalar.h"

namespace nb = nanobind;

namespace phalanx::bindings {
namespace {

using arrays::Array;

constexpr std::size_t most_copied = 1 << 20;  // bytes, while other threads wait for the GIL

// Null where the elements are not numbers of this machine, or not aligned.
const NumpyArray* plain_array(nb::handle object) {
  const Numpy* numpy = Numpy::loaded();
  if (numpy == nullptr || !numpy->is_exact_array(Py_TYPE(object.ptr())))
    return nullptr;
  const auto* array = reinterpret_cast<const NumpyArray*>(object.ptr());
  const bool is_number =
      std::string_view("biufc").find(array->descr->kind) != std::string_view::npos;
  return is_number && (array->flags & NumpyArray::aligned) != 0 ? array : nullptr;
}

// An array of the same memory.
views::DeviceArray view_of(nb::handle object, const NumpyArray& array, DType dtype) {
  return views::foreign_array(
      engine().types(),
      engine().runtime().cpu(),
      nullptr,
      {.address = reinterpret_cast<runtime::Address>(array.data),
       .element = dtype,
       .shape = Extents(array.shape, array.shape + array.ndim),
       .strides = Extents(array.strides, array.strides + array.ndim),
       .is_read_only = (array.flags & NumpyArray::writeable) == 0,
       .owner = keep_alive(object)});
}

// Memory of its own; C's order.
views::DeviceArray copy_of(const NumpyArray& array, DType dtype) {
  views::DeviceArray made = views::allocate_array(
      engine().types(),
      engine().runtime().cpu(),
      nullptr,
      {.element = dtype, .shape = Extents(array.shape, array.shape + array.ndim)});
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the CPU device's memory has pointers
  std::memcpy(reinterpret_cast<void*>(made.address), array.data, made.bytes());
  return made;
}

bool is_quickly_copied(const NumpyArray& array, DType dtype) {
  std::size_t bytes = size_of(dtype);
  for (int i = 0; i < array.ndim; ++i) bytes *= static_cast<std::size_t>(array.shape[i]);
  return (array.flags & NumpyArray::c_contiguous) != 0 && bytes <= most_copied;
}

// The only element, of the dtypes that Python has numbers for; else None.
nb::object array_item(const Array& array) {
  const arrays::NodePtr node = array.value();
  const bool is_number = node->element == ir::Type(node->dtype) && node->dtype != DType::bfloat16;
  if (!is_number || node->size() != 1)
    return nb::none();
  jit::refuse_while_recording("wait for the device");
  std::array<std::byte, sizeof(std::complex<double>)> element = {};
  try {
    const GraphAside no_gil;
    const arrays::Memory memory = array.evaluate(&engine().runtime().cpu());
    runtime::Stream& stream = *memory->device->default_stream();
    memory->device->copy_to_host(element.data(), memory->address, memory->item_bytes(), stream);
    stream.synchronize();
  } catch (const OutOfMemoryError&) {
    return nb::none();  // Python reads it without room on the device
  }
  const auto as = [&]<typename Number>(DType dtype, Number number) {
    jit::convert_scalar(node->dtype, element.data(), dtype, &number);
    return number;
  };
  if (is_boolean(node->dtype))
    return nb::bool_(as(DType::boolean, false));
  if (is_complex(node->dtype)) {
    const auto number = as(DType::complex128, std::complex<double>());
    return nb::steal(PyComplex_FromDoubles(number.real(), number.imag()));
  }
  if (is_floating(node->dtype))
    return nb::float_(as(DType::float64, 0.0));
  if (is_unsigned(node->dtype))
    return nb::int_(as(DType::uint64, std::uint64_t{0}));
  return nb::int_(as(DType::int64, std::int64_t{0}));
}

}  // namespace

std::optional<Array> array_of_numpy(nb::handle object, bool is_copy) {
  const NumpyArray* array = plain_array(object);
  if (array == nullptr)
    return std::nullopt;
  const std::optional<DType> dtype = builtin_dtype(*array->descr);
  const bool is_movable = arrays::is_automatic(engine());
  // Memory of NumPy's is the first CPU device's here; of another one Python makes the array.
  const bool is_here = current_device().is_host() && current_device().ordinal() == 0;
  if (!dtype || (!is_movable && !is_here) || (is_copy && !is_quickly_copied(*array, *dtype)))
    return std::nullopt;
  views::DeviceArray memory = is_copy ? copy_of(*array, *dtype) : view_of(object, *array, *dtype);
  const bool is_read_only = memory.is_read_only;
  arrays::NodePtr node =
      is_movable ? graph().movable_memory(std::move(memory)) : graph().memory(std::move(memory));
  Array made =
      is_copy ? Array(graph(), std::move(node)) : Array::of_shared_memory(graph(), std::move(node));
  if (is_read_only)
    made.set_read_only(true);
  return made;
}

void bind_array_of_numpy(nb::module_& module) {
  module.def(
      "array_of_numpy",
      [](nb::handle host, bool is_copy) -> nb::object {
        const std::optional<Array> made = array_of_numpy(host, is_copy);
        return made ? make_array(*made) : nb::none();
      },
      nb::arg("host").none(),  // which is told as other objects are
      nb::arg("is_copy"));
  module.def("array_item", &array_item, nb::arg("array"));
}

}  // namespace phalanx::bindings
