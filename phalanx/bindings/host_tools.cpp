// What goes beside launches: CUDA C sources, profilers.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/runtime/cuda_source.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

std::pair<std::string, std::string> compile_source(
    const std::string& library,
    std::string name,
    std::string text,
    std::vector<std::string> options,
    std::vector<std::pair<std::string, std::string>> headers) {
  const GilReleased no_gil;
  auto made = runtime::compile_cuda_source(
      library,
      {.name = std::move(name),
       .text = std::move(text),
       .options = std::move(options),
       .headers = std::move(headers)});
  return {std::move(made.ptx), std::move(made.log)};
}

}  // namespace

void bind_host_tools(nb::module_& module) {
  module.def(
      "compile_cuda_source",
      &compile_source,
      "library"_a,
      "name"_a,
      "text"_a,
      "options"_a,
      "headers"_a = nb::list(),
      "PTX of a CUDA C source, and the warnings; by the NVRTC at that path. Of `headers`, names "
      "and "
      "texts, are those that no folder has.");
  module.def(
      "profile",
      [](bool on) {
        if (runtime::CudaFeatures* const features = current_device().cuda())
          features->profile(on);
      },
      "on"_a,
      nb::call_guard<GilReleased>(),
      "Starts or stops what a profiler collects.");
}

}  // namespace phalanx::bindings
