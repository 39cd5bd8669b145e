// The fake driver's modules and launches.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

namespace fake {

namespace {

Result start(FunctionHandle handle, StreamHandle stream, FakeLaunch launch, void** extra) {
  if (current_context() == nullptr)
    misuse("a kernel is launched without a context");
  const auto& function = *reinterpret_cast<FakeModules::Function*>(handle);
  if (launch.shared_bytes > static_cast<unsigned>(function.max_dynamic_shared))
    return result::invalid_value;
  for (void** entry = extra; entry != nullptr && *entry != launch_end(); entry += 2) {
    const auto* bytes = static_cast<const std::byte*>(entry[1]);
    if (*entry == launch_buffer())
      launch.parameters.assign(bytes, bytes + *static_cast<std::size_t*>(extra[3]));
  }
  streams().add(stream, [kernel = function.kernel, launch = std::move(launch)] {
    streams().error = kernel(launch);
  });
  return streams().error;
}

}  // namespace

Result module_load(ModuleHandle* module, const void* image, unsigned, int*, void**) {
  auto made = std::make_unique<FakeModules::Module>();
  if (the_driver().any_kernel) {
    made->function.kernel = the_driver().any_kernel;
    *module = handle_of<ModuleHandle>(made.get());
    modules().all[*module] = std::move(made);
    return streams().error;
  }
  const std::string text = static_cast<const char*>(image);
  for (const auto& [entry, kernel] : the_driver().kernels) {
    if (text != "code of " + entry)
      continue;
    made->entry = entry;
    made->function.kernel = kernel;
    modules().last_log = &made->error_log;
    *module = handle_of<ModuleHandle>(made.get());
    modules().all[*module] = std::move(made);
    return streams().error;
  }
  return result::invalid_image;
}

Result module_unload(ModuleHandle module) {
  streams().run_all();
  if (modules().all.erase(module) == 0)
    misuse("a module is unloaded twice");
  return streams().error;
}

Result module_function(FunctionHandle* function, ModuleHandle module, const char* name) {
  FakeModules::Module& found = *modules().all.at(module);
  *function = handle_of<FunctionHandle>(&found.function);
  return the_driver().any_kernel || found.entry == name ? streams().error : result::invalid_value;
}

Result module_global(
    DevicePointer* pointer, std::size_t* bytes, ModuleHandle module, const char* name) {
  FakeModules::Module& found = *modules().all.at(module);
  const auto global = the_driver().globals.find(name);
  if (global != the_driver().globals.end()) {
    *pointer = reinterpret_cast<DevicePointer>(global->second.data());
    *bytes = global->second.size();
    return streams().error;
  }
  *pointer = reinterpret_cast<DevicePointer>(&found.error_log);
  *bytes = sizeof(found.error_log);
  return std::string(name) == "phalanx_error" ? streams().error : result::invalid_value;
}

Result link_create(unsigned count, int* options, void** values, LinkHandle* link) {
  the_driver().jit_options.assign(options, options + count);
  for (unsigned i = 0; i < count && !the_driver().assembler_error.empty(); ++i)
    if (options[i] == jit_error_log)
      std::strcpy(static_cast<char*>(values[i]), the_driver().assembler_error.c_str());
  auto made = std::make_unique<std::vector<std::byte>>();
  *link = handle_of<LinkHandle>(made.get());
  modules().links[*link] = std::move(made);
  return streams().error;
}

Result link_add(
    LinkHandle link, int type, void* data, std::size_t bytes, const char*, unsigned, int*, void**) {
  if (!the_driver().assembler_error.empty())
    return result::invalid_ptx;
  const auto* first = static_cast<const std::byte*>(data);
  std::vector<std::byte>& cubin = *modules().links.at(link);
  if (type == link_ptx && cubin.empty())
    cubin.assign(first, first + bytes);
  return streams().error;
}

Result link_complete(LinkHandle link, void** cubin, std::size_t* bytes) {
  *cubin = modules().links.at(link)->data();
  *bytes = modules().links.at(link)->size();
  return streams().error;
}

Result link_destroy(LinkHandle link) {
  if (modules().links.erase(link) == 0)
    misuse("a link is destroyed twice");
  return result::success;
}

Result function_get(int* value, int attribute, FunctionHandle function) {
  const auto& found = *reinterpret_cast<FakeModules::Function*>(function);
  static const std::map<int, int> values = {
      {function_max_threads, 1024},
      {function_static_shared_bytes, 1024},
      {function_constant_bytes, 64},
      {function_local_bytes, 16},
      {function_registers, 24},
  };
  *value = attribute == function_max_dynamic_shared_bytes ? found.max_dynamic_shared
                                                          : values.at(attribute);
  return streams().error;
}

Result function_set(FunctionHandle function, int attribute, int value) {
  if (attribute != function_max_dynamic_shared_bytes)
    return result::invalid_value;
  reinterpret_cast<FakeModules::Function*>(function)->max_dynamic_shared = value;
  the_driver().largest_shared_limit =
      std::max(the_driver().largest_shared_limit, static_cast<unsigned>(value));
  return streams().error;
}

Result launch(
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

Result launch_with(const LaunchSettings* settings, FunctionHandle function, void**, void** extra) {
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

Result suggest_block(
    int* min_grid, int* block, FunctionHandle, SharedBytesOfBlock, std::size_t, int limit) {
  *min_grid = 264;
  *block = limit == 0 ? 1024 : limit;
  return streams().error;
}

Result active_blocks(int* blocks, FunctionHandle, int block, std::size_t shared_bytes) {
  constexpr std::size_t all_shared_bytes = std::size_t{228} << 10U;
  *blocks = 2048 / block;
  if (shared_bytes != 0)
    *blocks = std::min(*blocks, static_cast<int>(all_shared_bytes / shared_bytes));
  return streams().error;
}

}  // namespace fake

}  // namespace phalanx::support
