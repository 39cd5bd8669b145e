// The parts of the Python module, one registration function each.
#pragma once

#include <nanobind/nanobind.h>

namespace phalanx::bindings {

// A part lives in its own .cpp beside this file; module.cpp calls it once.
void bind_version(nanobind::module_& module);
void bind_errors(nanobind::module_& module);
void bind_types(nanobind::module_& module);
void bind_runtime(nanobind::module_& module);
void bind_arrays(nanobind::module_& module);
void bind_device_array(nanobind::module_& module);
void bind_pending_memory(nanobind::module_& module);
void bind_kernel(nanobind::module_& module);
void bind_loaded_module(nanobind::module_& module);
void bind_launcher(nanobind::module_& module);
void bind_held_memory(nanobind::module_& module);
void bind_kernel_caller(nanobind::module_& module);
void bind_warnings(nanobind::module_& module);
void bind_graph(nanobind::module_& module);
void bind_host_tools(nanobind::module_& module);
void bind_shipping(nanobind::module_& module);
void bind_infer(nanobind::module_& module);
void bind_numpy_rules(nanobind::module_& module);
void bind_frontend(nanobind::module_& module);
void bind_cuda_c(nanobind::module_& module);
void bind_item_kernels(nanobind::module_& module);
void bind_function(nanobind::module_& module);
void bind_sorting(nanobind::module_& module);
void bind_frames_csv(nanobind::module_& module);
void bind_frames_csv_writer(nanobind::module_& module);
void bind_nvidia_libraries(nanobind::module_& module);
void bind_ufunc(nanobind::module_& module);
void bind_ufunc_caller(nanobind::module_& module);
void bind_textures(nanobind::module_& module);
void bind_frames(nanobind::module_& module);
void bind_profile(nanobind::module_& module);

}  // namespace phalanx::bindings
