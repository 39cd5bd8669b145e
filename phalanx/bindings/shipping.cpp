// What a build of the package ships: code of the kernels that ran, for machines of other kinds.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/codegen/codegen.h"
#include "phalanx/jit/ship_kernels.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {
namespace {

std::vector<std::vector<std::byte>> assembled(
    const nb::object& assemble, const std::vector<std::string>& texts) {
  const nb::gil_scoped_acquire gil;
  std::vector<std::vector<std::byte>> codes;
  for (const nb::handle code : assemble(texts)) {
    const auto bytes = nb::cast<nb::bytes>(code);
    const auto* first = static_cast<const std::byte*>(bytes.data());
    codes.emplace_back(first, first + bytes.size());
  }
  return codes;
}

std::size_t ship_kernels(
    const std::string& target, const std::string& folder, const nb::object& assemble) {
  const Target wanted = codegen::common_target(target);
  if (wanted.compute_capability != 0 && assemble.is_none())
    throw TypeError("code for " + target + " wants a function that assembles PTX");
  const GilReleased no_gil;
  std::vector<std::shared_ptr<jit::Kernel>> kernels = graph().kernels();
  std::ranges::move(engine().own_kernels(), std::back_inserter(kernels));
  return jit::ship_kernels(kernels, wanted, folder, [&](const std::vector<std::string>& texts) {
    return assembled(assemble, texts);
  });
}

nb::list shipped_kernels(runtime::Device& device) {
  nb::list rows;
  for (const jit::ShippedKernelsInfo& row : engine().shipped().info(engine().target_of(device)))
    rows.append(nb::make_tuple(row.target, row.kernels, row.bytes));
  return rows;
}

}  // namespace

void bind_shipping(nb::module_& module) {
  module.def(
      "ship_kernels",
      &ship_kernels,
      "target"_a,
      "folder"_a,
      "assemble"_a = nb::none(),
      "Compiles the arrays' kernels that ran for a target, into an archive; how many pieces of "
      "code.");
  module.def(
      "shipped_kernels",
      &shipped_kernels,
      "device"_a,
      "Target, kernels and bytes of the archives that came with the package, for the device.");
}

}  // namespace phalanx::bindings
