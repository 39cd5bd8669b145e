// The extension module phalanx._engine: one call per part, no logic.
#include <nanobind/nanobind.h>

#include "phalanx/bindings/bind.h"

NB_MODULE(_engine, module) {
  // Interpreters end with modules, and so with arrays and types in them, still alive: no bug here.
  nanobind::set_leak_warnings(false);
  module.doc() = "The compiled engine of Phalanx.";
  phalanx::bindings::bind_version(module);
  phalanx::bindings::bind_errors(module);
  phalanx::bindings::bind_types(module);
  phalanx::bindings::bind_runtime(module);
  phalanx::bindings::bind_device_array(module);
  phalanx::bindings::bind_arrays(module);
  phalanx::bindings::bind_pending_memory(module);
  phalanx::bindings::bind_kernel(module);
  phalanx::bindings::bind_loaded_module(module);
  phalanx::bindings::bind_launcher(module);
  phalanx::bindings::bind_held_memory(module);
  phalanx::bindings::bind_kernel_caller(module);
  phalanx::bindings::bind_warnings(module);
  phalanx::bindings::bind_function(module);
  phalanx::bindings::bind_sorting(module);
  phalanx::bindings::bind_frames_csv(module);
  phalanx::bindings::bind_frames_csv_writer(module);
  phalanx::bindings::bind_nvidia_libraries(module);
  phalanx::bindings::bind_ufunc(module);
  phalanx::bindings::bind_ufunc_caller(module);
  phalanx::bindings::bind_graph(module);
  phalanx::bindings::bind_host_tools(module);
  phalanx::bindings::bind_shipping(module);
  phalanx::bindings::bind_infer(module);
  phalanx::bindings::bind_numpy_rules(module);
  phalanx::bindings::bind_frontend(module);
  phalanx::bindings::bind_item_kernels(module);
  phalanx::bindings::bind_cuda_c(module);
  phalanx::bindings::bind_textures(module);
  phalanx::bindings::bind_frames(module);
  phalanx::bindings::bind_profile(module);
}
