#include "phalanx/bindings/array_buffer.h"

#include <nanobind/nanobind.h>

#include <array>
#include <memory>
#include <vector>

#include "phalanx/bindings/array_slots.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/cpython.h"
#include "phalanx/bindings/warnings.h"

namespace nb = nanobind;

namespace phalanx::bindings {
namespace {

// PEP 3118, and Python's module struct. Null: there is none.
const char* format_of(DType dtype) {
  switch (dtype) {
    case DType::boolean:
      return "?";
    case DType::int8:
      return "b";
    case DType::uint8:
      return "B";
    case DType::int16:
      return "h";
    case DType::uint16:
      return "H";
    case DType::int32:
      return "i";
    case DType::uint32:
      return "I";
    case DType::int64:
      return "l";
    case DType::uint64:
      return "L";
    case DType::float16:
      return "e";
    case DType::float32:
      return "f";
    case DType::float64:
      return "d";
    case DType::complex64:
      return "Zf";
    case DType::complex128:
      return "Zd";
    default:
      return nullptr;
  }
}

// What a buffer points into. It keeps the memory, which the array may leave for another one.
struct Exported {
  arrays::Memory memory;
  std::vector<Py_ssize_t> shape;
  std::vector<Py_ssize_t> strides;
};

bool is_plain(const arrays::Array& array, bool is_writable) {
  const arrays::NodePtr node = array.value();
  const runtime::Device* device = node->device;
  return device != nullptr && device->is_host() && node->element == ir::Type(node->dtype) &&
         format_of(node->dtype) != nullptr && !(is_writable && array.is_read_only());
}

std::unique_ptr<Exported> exported(const arrays::Array& array, bool is_writable) {
  if (!is_writable)  // else it is an argument of a kernel, or of whoever writes at his own risk
    jit::refuse_while_recording("wait for the device");
  auto made = std::make_unique<Exported>();
  {
    const GraphAside no_gil;
    if (is_writable)
      array.open();  // what was recorded keeps the values of now
    made->memory = array.share();
    made->memory->device->default_stream()->synchronize();
  }
  give_warnings();
  made->shape.assign(made->memory->shape.begin(), made->memory->shape.end());
  made->strides.assign(made->memory->strides.begin(), made->memory->strides.end());
  return made;
}

bool has(int flags, int all) { return (flags & all) == all; }

// True if the elements lie as the flags want it.
bool fits(const Py_buffer& buffer, int flags) {
  if (has(flags, PyBUF_C_CONTIGUOUS) || !has(flags, PyBUF_STRIDES))
    return PyBuffer_IsContiguous(&buffer, 'C') != 0;
  if (has(flags, PyBUF_F_CONTIGUOUS))
    return PyBuffer_IsContiguous(&buffer, 'F') != 0;
  return !has(flags, PyBUF_ANY_CONTIGUOUS) || PyBuffer_IsContiguous(&buffer, 'A') != 0;
}

// False where the elements do not lie as the flags want it.
bool fill(Py_buffer& buffer, std::unique_ptr<Exported> from, int flags) {
  const views::DeviceArray& memory = *from->memory;
  buffer = {};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the CPU device's memory has pointers
  buffer.buf = reinterpret_cast<void*>(memory.address);
  buffer.itemsize = static_cast<Py_ssize_t>(memory.item_bytes());
  buffer.len = static_cast<Py_ssize_t>(memory.bytes());
  buffer.readonly = has(flags, PyBUF_WRITABLE) ? 0 : 1;
  buffer.ndim = static_cast<int>(from->shape.size());
  buffer.format = const_cast<char*>(format_of(memory.element.dtype()));
  buffer.shape = from->shape.data();
  buffer.strides = from->strides.data();
  if (!fits(buffer, flags))
    return false;
  if (!has(flags, PyBUF_FORMAT))
    buffer.format = nullptr;
  if (!has(flags, PyBUF_ND)) {  // one run of bytes, as memoryview gives it
    buffer.ndim = 1;
    buffer.shape = nullptr;
  }
  if (!has(flags, PyBUF_STRIDES))
    buffer.strides = nullptr;
  buffer.internal = from.release();
  return true;
}

// The buffer of the NumPy array that Python makes of it, or the error.
void fill_in_python(PyObject* self, Py_buffer* buffer, int flags) {
  const nb::object host = nb::module_::import_("phalanx._arrays.interchange")
                              .attr("host_view")(nb::handle(self), has(flags, PyBUF_WRITABLE));
  if (PyObject_GetBuffer(host.ptr(), buffer, flags) != 0)
    throw nb::python_error();
}

}  // namespace

int get_array_buffer(PyObject* self, Py_buffer* buffer, int flags) {
  const PyObject* const done = guarded([&] {
    const arrays::Array* array = array_in(self);
    const bool is_writable = has(flags, PyBUF_WRITABLE);
    if (is_plain(*array, is_writable) && fill(*buffer, exported(*array, is_writable), flags))
      buffer->obj = Py_NewRef(self);
    else
      fill_in_python(self, buffer, flags);
    return Py_None;
  });
  if (done == nullptr)
    buffer->obj = nullptr;
  return done == nullptr ? -1 : 0;
}

void release_array_buffer(PyObject* /*self*/, Py_buffer* buffer) {
  delete static_cast<Exported*>(buffer->internal);
}

}  // namespace phalanx::bindings
