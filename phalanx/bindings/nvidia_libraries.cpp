// Transforms by cuFFT and decompositions by cuSOLVER, of arrays in the memory of a GPU.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/libs/cusolver.h"
#include "phalanx/libs/fft_plan.h"
#include "phalanx/views/device_array.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {
namespace {

using libs::Cusolver;
using libs::FftPlan;
using libs::MatrixStack;
using views::DeviceArray;

using LayoutRow = std::tuple<std::string, std::int64_t, std::int64_t>;

libs::FftLayout layout_of(const LayoutRow& row) {
  const auto& [dtype, stride, step] = row;
  return {element_named(dtype).dtype(), stride, step};
}

std::shared_ptr<FftPlan> fft_plan(
    const std::shared_ptr<runtime::Device>& device,
    std::vector<std::int64_t> extents,
    const LayoutRow& in,
    const LayoutRow& out,
    std::int64_t count) {
  const libs::FftShape shape = {std::move(extents), layout_of(in), layout_of(out), count};
  const GilReleased no_gil;
  return std::make_shared<FftPlan>(libs::cufft_library(), *device, shape);
}

// Never destroyed: its handles would outlive the driver.
Cusolver& cusolver() {
  static auto* const solver = new Cusolver(libs::cusolver_library());
  return *solver;
}

bool has_cufft() {
  try {
    libs::cufft_library();
    return true;
  } catch (const runtime::LibraryError&) {
    return false;
  }
}

bool has_cusolver() {
  try {
    cusolver();
    return true;
  } catch (const runtime::LibraryError&) {
    return false;
  }
}

// An array of three dimensions holds its matrices transposed, which is how the library reads them.
MatrixStack stack_of(const DeviceArray& array) {
  if (array.shape.size() != 3 || !Cusolver::takes(array.element.dtype()))
    throw TypeError("a stack of matrices is an array of three dimensions, of floats");
  if (array.layout() != ir::Layout::c)
    throw ValueError("a stack of matrices has no gaps, and lies in C order");
  return {array.element.dtype(), array.shape[2], array.shape[1], array.shape[0], array.address};
}

runtime::Address address_of(const DeviceArray* array) { return array ? array->address : 0; }

void bind_decompositions(nb::module_& module) {
  module.def("cusolver_cholesky", [](const DeviceArray& a, const DeviceArray& infos) {
    const GilReleased no_gil;
    cusolver().cholesky(*a.device, stack_of(a), infos.address);
  });
  module.def(
      "cusolver_lu", [](const DeviceArray& a, const DeviceArray& pivots, const DeviceArray& infos) {
        const GilReleased no_gil;
        cusolver().lu(*a.device, stack_of(a), pivots.address, infos.address);
      });
  module.def(
      "cusolver_lu_solve",
      [](const DeviceArray& a,
         const DeviceArray& pivots,
         const DeviceArray& b,
         const DeviceArray& infos) {
        const GilReleased no_gil;
        cusolver().lu_solve(*a.device, stack_of(a), pivots.address, stack_of(b), infos.address);
      });
  module.def(
      "cusolver_qr",
      [](const DeviceArray& a, const DeviceArray& factors, const DeviceArray& infos) {
        const GilReleased no_gil;
        cusolver().qr(*a.device, stack_of(a), factors.address, infos.address);
      });
  module.def(
      "cusolver_orthonormal",
      [](const DeviceArray& a, const DeviceArray& factors, const DeviceArray& infos) {
        const std::int64_t reflectors = factors.shape.back();
        const GilReleased no_gil;
        cusolver().orthonormal(*a.device, stack_of(a), reflectors, factors.address, infos.address);
      });
}

void bind_spectra(nb::module_& module) {
  module.def(
      "cusolver_eigh",
      [](const DeviceArray& a,
         const DeviceArray& values,
         const DeviceArray& infos,
         bool is_lower,
         bool has_vectors) {
        const GilReleased no_gil;
        cusolver().eigh(
            *a.device, stack_of(a), values.address, is_lower, has_vectors, infos.address);
      });
  module.def(
      "cusolver_svd",
      [](const DeviceArray& a,
         const DeviceArray& values,
         const DeviceArray* left,
         const DeviceArray* right,
         const DeviceArray& infos) {
        const MatrixStack stack = stack_of(a);
        const bool is_full = left != nullptr && left->shape[1] == stack.rows;
        const GilReleased no_gil;
        cusolver().svd(
            *a.device,
            stack,
            {values.address, address_of(left), address_of(right), is_full, infos.address});
      },
      "a"_a,
      "values"_a,
      "left"_a.none(),
      "right"_a.none(),
      "infos"_a);
  module.def(
      "cusolver_eig",
      [](const DeviceArray& a,
         const DeviceArray& values,
         const DeviceArray* vectors,
         const DeviceArray& infos) {
        const GilReleased no_gil;
        cusolver().eig(
            *a.device, stack_of(a), {values.address, address_of(vectors), infos.address});
      },
      "a"_a,
      "values"_a,
      "vectors"_a.none(),
      "infos"_a);
}

}  // namespace

void bind_nvidia_libraries(nb::module_& module) {
  module.def("has_cufft", &has_cufft, "Whether the library is there; looks for it once.");
  module.def("has_cusolver", &has_cusolver, "Whether the library is there; looks for it once.");
  module.def(
      "has_cusolver_eig",
      [] { return has_cusolver() && cusolver().has_eig(); },
      "Whether it decomposes general matrices.");
  nb::class_<FftPlan>(module, "FftPlan", "Transforms of one shape, by cuFFT.")
      .def_prop_ro("work_bytes", &FftPlan::work_bytes)
      .def(
          "run",
          [](FftPlan& self, const DeviceArray& in, const DeviceArray& out, bool is_inverse) {
            const GilReleased no_gil;
            self.run(in.address, out.address, is_inverse);
          },
          "in_"_a,
          "out"_a,
          "is_inverse"_a);
  module.def(
      "fft_plan",
      &fft_plan,
      "device"_a,
      "extents"_a,
      "in_"_a,
      "out"_a,
      "count"_a,
      "Layouts are (dtype, elements to the next of a row, elements to the next transform).");
  bind_decompositions(module);
  bind_spectra(module);
}

}  // namespace phalanx::bindings
