// The fake driver's modules and launches.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "tests/support/fake_driver.h"
#include "tests/support/fake_driver_parts.h"

namespace phalanx::support {

using namespace runtime::cuda;  // NOLINT: the fake is the driver

std::vector<std::byte> fake_code(const std::string& entry) {
  const std::string text = "code of " + entry;
  std::vector<std::byte> code(text.size() + 1);
  std::memcpy(code.data(), text.c_str(), code.size());
  return code;
}

Result FakeDriver::module_load(ModuleHandle* module, const void* image, unsigned, int*, void**) {
  auto made = std::make_unique<Module>();
  if (any_kernel) {
    made->function.kernel = any_kernel;
    *module = handle_of<ModuleHandle>(made.get());
    modules_[*module] = std::move(made);
    return sticky_;
  }
  const std::string text = static_cast<const char*>(image);
  for (const auto& [entry, kernel] : kernels) {
    if (text != "code of " + entry)
      continue;
    made->entry = entry;
    made->function.kernel = kernel;
    last_log_ = &made->error_log;
    *module = handle_of<ModuleHandle>(made.get());
    modules_[*module] = std::move(made);
    return sticky_;
  }
  return result::invalid_image;
}

Result FakeDriver::module_unload(ModuleHandle module) {
  run_all();
  if (modules_.erase(module) == 0)
    misuse("a module is unloaded twice");
  return sticky_;
}

Result FakeDriver::module_function(
    FunctionHandle* function, ModuleHandle module, const char* name) {
  Module& found = *modules_.at(module);
  *function = handle_of<FunctionHandle>(&found.function);
  return any_kernel || found.entry == name ? sticky_ : result::invalid_value;
}

Result FakeDriver::module_global(
    DevicePointer* pointer, std::size_t* bytes, ModuleHandle module, const char* name) {
  Module& found = *modules_.at(module);
  *pointer = reinterpret_cast<DevicePointer>(&found.error_log);
  *bytes = sizeof(found.error_log);
  return std::string(name) == "phalanx_error" ? sticky_ : result::invalid_value;
}

Result FakeDriver::link_create(unsigned count, int* options, void** values, LinkHandle* link) {
  jit_options.assign(options, options + count);
  for (unsigned i = 0; i < count && !assembler_error.empty(); ++i)
    if (options[i] == jit_error_log)
      std::strcpy(static_cast<char*>(values[i]), assembler_error.c_str());
  auto made = std::make_unique<std::vector<std::byte>>();
  *link = handle_of<LinkHandle>(made.get());
  links_[*link] = std::move(made);
  return sticky_;
}

Result FakeDriver::link_add(
    LinkHandle link, int type, void* data, std::size_t bytes, const char*, unsigned, int*, void**) {
  if (!assembler_error.empty())
    return result::invalid_ptx;
  const auto* first = static_cast<const std::byte*>(data);
  std::vector<std::byte>& cubin = *links_.at(link);
  if (type == link_ptx && cubin.empty())
    cubin.assign(first, first + bytes);
  return sticky_;
}

Result FakeDriver::link_complete(LinkHandle link, void** cubin, std::size_t* bytes) {
  *cubin = links_.at(link)->data();
  *bytes = links_.at(link)->size();
  return sticky_;
}

Result FakeDriver::link_destroy(LinkHandle link) {
  if (links_.erase(link) == 0)
    misuse("a link is destroyed twice");
  return result::success;
}

Result FakeDriver::function_get(int* value, int attribute, FunctionHandle function) {
  const auto& found = *reinterpret_cast<Function*>(function);
  static const std::map<int, int> values = {
      {function_max_threads, 1024},
      {function_static_shared_bytes, 1024},
      {function_constant_bytes, 64},
      {function_local_bytes, 16},
      {function_registers, 24},
  };
  *value = attribute == function_max_dynamic_shared_bytes ? found.max_dynamic_shared
                                                          : values.at(attribute);
  return sticky_;
}

Result FakeDriver::function_set(FunctionHandle function, int attribute, int value) {
  if (attribute != function_max_dynamic_shared_bytes)
    return result::invalid_value;
  reinterpret_cast<Function*>(function)->max_dynamic_shared = value;
  largest_shared_limit = std::max(largest_shared_limit, static_cast<unsigned>(value));
  return sticky_;
}

Result FakeDriver::start(
    FunctionHandle handle, StreamHandle stream, FakeLaunch launch, void** extra) {
  if (current_context() == nullptr)
    misuse("a kernel is launched without a context");
  const auto& function = *reinterpret_cast<Function*>(handle);
  if (launch.shared_bytes > static_cast<unsigned>(function.max_dynamic_shared))
    return result::invalid_value;
  for (void** entry = extra; entry != nullptr && *entry != launch_end(); entry += 2) {
    const auto* bytes = static_cast<const std::byte*>(entry[1]);
    if (*entry == launch_buffer())
      launch.parameters.assign(bytes, bytes + *static_cast<std::size_t*>(extra[3]));
  }
  add(stream,
      [this, kernel = function.kernel, launch = std::move(launch)] { sticky_ = kernel(launch); });
  return sticky_;
}

Result FakeDriver::launch(
    FunctionHandle function,
    unsigned grid_x,
    unsigned grid_y,
    unsigned grid_z,
    unsigned block_x,
    unsigned block_y,
    unsigned block_z,
    unsigned shared_bytes,
    StreamHandle stream,
    void**,
    void** extra) {
  FakeLaunch launch;
  std::ranges::copy(std::array{grid_x, grid_y, grid_z}, launch.grid);
  std::ranges::copy(std::array{block_x, block_y, block_z}, launch.block);
  launch.shared_bytes = shared_bytes;
  return start(function, stream, std::move(launch), extra);
}

Result FakeDriver::launch_with(
    const LaunchSettings* settings, FunctionHandle function, void**, void** extra) {
  FakeLaunch launch;
  std::ranges::copy(settings->grid, launch.grid);
  std::ranges::copy(settings->block, launch.block);
  launch.shared_bytes = settings->shared_bytes;
  for (unsigned i = 0; i < settings->attribute_count; ++i)
    launch.cooperative |= settings->attributes[i].id == launch_cooperative &&
                          settings->attributes[i].cooperative == 1;
  if (launch.cooperative && launch.grid[0] > 132 * 16)
    return result::cooperative_too_large;
  return start(function, settings->stream, std::move(launch), extra);
}

Result FakeDriver::suggest_block(
    int* min_grid, int* block, FunctionHandle, SharedBytesOfBlock, std::size_t, int limit) {
  *min_grid = 264;
  *block = limit == 0 ? 1024 : limit;
  return sticky_;
}

Result FakeDriver::active_blocks(int* blocks, FunctionHandle, int block, std::size_t) {
  *blocks = 2048 / block;
  return sticky_;
}

}  // namespace phalanx::support
