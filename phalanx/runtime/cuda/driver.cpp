#include "phalanx/runtime/cuda/driver.h"

#include <fmt/format.h>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/library_table.h"

namespace phalanx::runtime::cuda {

namespace {

constexpr LibraryEntry entries[] = {
#define DRIVER(name, symbol, parameters) {#name, #symbol},
#include "phalanx/runtime/cuda/driver_table.def"
#undef DRIVER
};

// "12.4" for 12040.
std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

std::string too_old_text(int version, const std::string& missing) {
  const std::string found = version == 0 ? "an unknown version" : "CUDA " + version_text(version);
  std::string text = fmt::format(
      "the NVIDIA driver is too old: Phalanx needs one for CUDA {} or newer, found {}",
      version_text(oldest_driver),
      found);
  if (!missing.empty())
    text += " (" + missing + " is missing)";
  return text + "; install a newer driver";
}

LoadedDriver load_driver(const std::string& name) {
  const LibraryChoice choice = {
      "NVIDIA driver", {name}, "install the driver of your GPU, or use the CPU device"};
  LoadedDriver loaded;
  try {
    const LibraryTable<Driver> table(choice, entries);
    loaded.table = table.functions();
    loaded.path = table.library().path();
    if (loaded.table.driver_version != nullptr)
      static_cast<void>(loaded.table.driver_version(&loaded.version));
    const std::string& missing = table.library().missing();
    if (!missing.empty() || loaded.version < oldest_driver)
      loaded.problem = too_old_text(loaded.version, missing);
  } catch (const LibraryError& error) {
    loaded.problem = error.what();
  }
  return loaded;
}

std::string_view symbol_of(const char* call) {
  const std::string_view text(call);
  const std::string_view name = text.substr(0, text.find('('));
  for (const LibraryEntry& entry : entries) {
    if (entry.name != name)
      continue;
    const std::string_view symbol = entry.symbol;
    return symbol.substr(0, symbol.find("_v"));
  }
  return name;
}

std::string error_text(const Driver& driver, Result error) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (driver.error_name(error, &name) != result::success || name == nullptr)
    return fmt::format("unknown driver error {}", error);
  if (driver.error_string(error, &text) != result::success || text == nullptr)
    return name;
  return fmt::format("{}: {}", name, text);
}

void throw_driver_error(const Driver& driver, Result error, const char* call) {
  const std::string message =
      fmt::format("{} failed: {}", symbol_of(call), error_text(driver, error));
  if (error == result::out_of_memory)
    throw OutOfMemoryError(message, error);
  throw DeviceError(message, error);
}

}  // namespace phalanx::runtime::cuda
