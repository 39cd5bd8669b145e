// The kernels of an array's value, for phalanx.explain.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/kernel.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {
namespace {

// Copies of chunks run beside the kernel.
double expected_seconds(const arrays::KernelRecord& kernel, const arrays::Rates& rates) {
  const double computing = rates.seconds(kernel.work, kernel.bytes_written);
  if (rates.from_host == 0)
    return computing;
  return std::max(computing, static_cast<double>(kernel.in_chunks.copied_bytes) / rates.from_host);
}

// Seconds and bytes to copy on the host and on the GPU, and if copies were paid for; an empty tuple
// for too little to ask. None where the device was not chosen.
nb::object to_object(const arrays::Placed& placed) {
  if (!placed.is_chosen)
    return nb::none();
  const arrays::Choice& choice = placed.choice;
  if (!placed.is_known)
    return nb::make_tuple();
  return nb::make_tuple(
      nb::make_tuple(choice.seconds[0], choice.seconds[1]),
      nb::make_tuple(choice.copied_bytes[0], choice.copied_bytes[1]),
      choice.is_paid_for);
}

nb::dict to_dict(const arrays::KernelRecord& kernel, const arrays::Rates& rates) {
  nb::list inputs;
  for (const arrays::KernelInput& input : kernel.inputs)
    inputs.append(nb::make_tuple(
        input.kernel,
        reinterpret_cast<std::uintptr_t>(input.memory),
        dtype_name(input.dtype),
        to_tuple(input.shape)));
  nb::dict row;
  row["code"] = kernel.code;
  row["why"] = arrays::to_string(kernel.why);
  row["has_run"] = kernel.has_run;
  row["device"] = kernel.device->shared_from_this();
  row["dtype"] = dtype_name(kernel.dtype);
  row["shape"] = to_tuple(kernel.shape);
  row["outputs"] = kernel.outputs;
  row["bytes_read"] = kernel.work.bytes_read;
  row["bytes_written"] = kernel.bytes_written;
  row["operations"] = kernel.work.operations();
  row["seconds"] = kernel.seconds;
  row["expected_seconds"] = expected_seconds(kernel, rates);
  row["chunks"] = kernel.in_chunks.chunks;
  row["copied_bytes"] = kernel.in_chunks.copied_bytes;
  row["placed"] = to_object(kernel.placed);
  row["inputs"] = inputs;
  row["compiled"] = kernel.kernel
                        ? nb::cast(KernelHandle{kernel.kernel, std::make_shared<Producer>()})
                        : nb::object(nb::none());
  return row;
}

nb::list array_explain(const arrays::Array& array, bool is_timed) {
  const arrays::NodePtr node = array.value();
  std::vector<arrays::KernelRecord> kernels;
  std::vector<arrays::Rates> rates;
  {
    const GraphAside no_gil;
    kernels = is_timed ? graph().time(node) : graph().explain(node);
    for (const arrays::KernelRecord& kernel : kernels)
      rates.push_back(graph().rates(*kernel.device));
  }
  nb::list rows;
  for (std::size_t i = 0; i < kernels.size(); ++i) rows.append(to_dict(kernels[i], rates[i]));
  return rows;
}

nb::dict array_rates(runtime::Device& device) {
  arrays::Rates rates;
  {
    const GraphAside no_gil;
    rates = graph().rates(device);
  }
  nb::dict row;
  row["launch"] = rates.launch;
  row["memory"] = rates.memory;
  row["from_host"] = rates.from_host;
  row["to_host"] = rates.to_host;
  row["copy"] = rates.copy;
  row["arithmetic"] = nb::make_tuple(rates.arithmetic[0], rates.arithmetic[1]);
  row["functions"] = nb::make_tuple(rates.functions[0], rates.functions[1]);
  return row;
}

}  // namespace

void bind_array_explain(nb::module_& module) {
  module.def("array_explain", &array_explain, "array"_a, "is_timed"_a = false);
  module.def("array_rates", &array_rates, "device"_a);
}

}  // namespace phalanx::bindings
