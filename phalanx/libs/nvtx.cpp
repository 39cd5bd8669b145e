#include "phalanx/libs/nvtx.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "phalanx/base/environment.h"
#include "phalanx/libs/nvidia_library.h"
#include "phalanx/runtime/library_table.h"

namespace phalanx::libs {
namespace {

constexpr runtime::LibraryEntry nvtx_entries[] = {
#define NVTX(name, symbol, type, parameters) {#name, #symbol},
#include "phalanx/libs/nvtx_table.def"
#undef NVTX
};

// The first is CUDA 13's, the second that of all before. Both load what NVTX_INJECTION64_PATH
// names, and do nothing without it.
runtime::LibraryChoice nvtx_choice() {
  const bool is_named = environment("PHALANX_NVTX").value_or("1") != "1";
  const char* const variable = is_named ? "PHALANX_NVTX" : "";
  const std::string remedy =
      "pip install nvidia-nvtx (CUDA 13) or nvidia-nvtx-cu12, or unset PHALANX_NVTX";
  runtime::LibraryChoice choice = choice_of({"NVTX", "libnvtx3interop", variable, {"1"}, remedy});
  if (is_named)
    return choice;
  for (std::string& file : choice_of({"NVTX", "libnvToolsExt", variable, {"1"}, remedy}).files)
    choice.files.push_back(std::move(file));
  return choice;
}

const NvtxFunctions& nvtx_library() {
  static const runtime::LibraryTable<NvtxFunctions> table = [] {
    runtime::LibraryTable<NvtxFunctions> opened(nvtx_choice(), nvtx_entries);
    opened.library().require_all();
    return opened;
  }();
  return table.functions();
}

// 0 is no category.
std::uint32_t category_of(std::size_t kind) { return static_cast<std::uint32_t>(kind) + 1; }

constexpr NvtxDomain default_domain = nullptr;

NvtxEvent event_of(const std::string& message, std::optional<std::uint32_t> argb) {
  return {.color_type = argb ? 1 : 0, .color = argb.value_or(0), .message = message.c_str()};
}

}  // namespace

bool has_nvtx() {
  try {
    nvtx_library();
    return true;
  } catch (const runtime::LibraryError&) {
    return false;
  }
}

void nvtx_push(const std::string& message, std::optional<std::uint32_t> argb) {
  const NvtxEvent event = event_of(message, argb);
  nvtx_library().push(default_domain, &event);
}

void nvtx_pop() { nvtx_library().pop(default_domain); }

void nvtx_mark(const std::string& message, std::optional<std::uint32_t> argb) {
  const NvtxEvent event = event_of(message, argb);
  nvtx_library().mark(default_domain, &event);
}

NvtxRanges::NvtxRanges()
    : functions_(&nvtx_library()), domain_(functions_->create_domain("phalanx")) {
  for (std::size_t i = 0; i < runtime::profile_kind_names.size(); ++i) {
    if (runtime::is_range(static_cast<runtime::ProfileKind>(i)))
      functions_->name_category(
          domain_, category_of(i), std::string(runtime::profile_kind_names.at(i)).c_str());
  }
}

void NvtxRanges::push(runtime::ProfileKind kind, const std::string& text) noexcept {
  const NvtxEvent event = {
      .category = category_of(static_cast<std::size_t>(kind)), .message = text.c_str()};
  functions_->push(domain_, &event);
}

void NvtxRanges::pop() noexcept { functions_->pop(domain_); }

}  // namespace phalanx::libs
