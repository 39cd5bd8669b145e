// Arrays whose elements are outside of a device's memory, and results that go to the host's.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "phalanx/arrays/source.h"
#include "phalanx/base/errors.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/lent_bytes.h"
#include "phalanx/bindings/warnings.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {
namespace {

using arrays::Array;

// What a function of Python's gives rows of: read(first, last) returns their bytes.
class RowSource final : public arrays::Source {
 public:
  RowSource(nb::handle read, std::size_t rows, std::size_t row_bytes)
      : read_(keep_alive(read)), function_(read), rows_(rows), row_bytes_(row_bytes) {}

  std::size_t bytes() const override { return rows_ * row_bytes_; }
  const std::byte* host() const override { return nullptr; }
  void read(std::size_t begin, std::span<std::byte> to) const override {
    const std::size_t first = begin / row_bytes_;
    const std::size_t last = (begin + to.size() + row_bytes_ - 1) / row_bytes_;
    const GilHeld gil;
    outlive([&] {
      const nb::object given = function_(first, last);
      const LentBytes rows(given);
      if (rows.size() != (last - first) * row_bytes_)
        throw ValueError(
            "a source gave " + std::to_string(rows.size()) + " bytes for rows " +
            std::to_string(first) + " to " + std::to_string(last) + ", which are " +
            std::to_string((last - first) * row_bytes_));
      std::memcpy(to.data(), rows.data() + (begin - first * row_bytes_), to.size());
    });
  }

 private:
  std::shared_ptr<void> read_;
  nb::handle function_;
  std::size_t rows_;
  std::size_t row_bytes_;
};

// Address of memory, from a number of Python's.
template <typename Pointer>
Pointer pointer_to(std::uintptr_t address) {
  return reinterpret_cast<Pointer>(address);  // NOLINT(performance-no-int-to-ptr)
}

nb::object source_in_memory(
    std::uintptr_t address,
    const Extents& shape,
    const std::string& dtype,
    nb::handle owner,
    runtime::Device& device) {
  const ir::Type element = element_named(dtype);
  const std::size_t bytes = static_cast<std::size_t>(element_count(shape)) * ir::size_of(element);
  auto source = std::make_shared<arrays::HostSource>(
      pointer_to<const void*>(address), bytes, keep_alive(owner));
  Array made(graph(), graph().source(device, element, shape, std::move(source)));
  made.set_read_only(true);
  return make_array(std::move(made));
}

nb::object source_of_rows(
    nb::handle read, const Extents& shape, const std::string& dtype, runtime::Device& device) {
  const ir::Type element = element_named(dtype);
  const auto rows = static_cast<std::size_t>(shape.at(0));
  const std::size_t row_bytes =
      static_cast<std::size_t>(element_count(shape)) / rows * ir::size_of(element);
  auto source = std::make_shared<RowSource>(read, rows, row_bytes);
  Array made(graph(), graph().source(device, element, shape, std::move(source)));
  made.set_read_only(true);
  return make_array(std::move(made));
}

nb::object copied_to_host(
    std::uintptr_t address,
    const Extents& shape,
    const std::string& dtype,
    runtime::Device& device) {
  const ir::Type element = element_named(dtype);
  const arrays::NodePtr node = [&] {
    const GraphAside no_gil;
    return graph().copied_to_host(device, element, shape, pointer_to<const void*>(address));
  }();
  return node ? make_array(Array(graph(), node)) : nb::none();
}

}  // namespace

void bind_array_sources(nb::module_& module) {
  module.def(
      "array_source_in_memory",
      &source_in_memory,
      "address"_a,
      "shape"_a,
      "dtype"_a,
      "owner"_a,
      "device"_a,
      "An array of a device whose elements stay in the host's memory until kernels need them.");
  module.def(
      "array_source_of_rows",
      &source_of_rows,
      "read"_a,
      "shape"_a,
      "dtype"_a,
      "device"_a,
      "The same of what read(first, last) gives: the bytes of rows, of an array that has some.");
  module.def(
      "array_copied_to_host",
      &copied_to_host,
      "address"_a,
      "shape"_a,
      "dtype"_a,
      "device"_a,
      "The same of a copy of the elements; None where the host has no room.");
  module.def(
      "array_read",
      [](const Array& array, std::uintptr_t address) {
        const arrays::NodePtr node = array.value();
        {
          const GraphAside no_gil;
          graph().read(node, pointer_to<void*>(address));
        }
        give_warnings();
      },
      "array"_a,
      "address"_a,
      "Writes the elements to the host's memory in C order; they need no room on the device.");
}

}  // namespace phalanx::bindings
