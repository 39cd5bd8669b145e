// Ranges for Nsight Systems and others that NVTX's library tells: docs/decisions/0095.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "phalanx/runtime/range_sink.h"

namespace phalanx::libs {

// NVTX's handle, and its description of an event, as its interface lays it out.
using NvtxDomain = void*;
struct NvtxEvent {
  std::uint16_t version = 3;
  std::uint16_t size = 48;
  std::uint32_t category = 0;
  std::int32_t color_type = 0;  // none; 1: ARGB
  std::uint32_t color = 0;
  std::int32_t payload_type = 0;  // none
  std::int32_t reserved = 0;
  std::uint64_t payload = 0;
  std::int32_t message_type = 1;  // ASCII
  const char* message = nullptr;
};
static_assert(sizeof(NvtxEvent) == 48);

struct NvtxFunctions {
// A type takes no parentheses. NOLINTNEXTLINE(bugprone-macro-parentheses)
#define NVTX(name, symbol, type, parameters) type(*name) parameters = nullptr;
#include "phalanx/libs/nvtx_table.def"
#undef NVTX
};

bool has_nvtx();  // its library is there

// Ranges and marks of the program's own, in the default domain. Throw LibraryError without the
// library.
void nvtx_push(const std::string& message, std::optional<std::uint32_t> argb);
void nvtx_pop();
void nvtx_mark(const std::string& message, std::optional<std::uint32_t> argb);

// The domain "phalanx", with a category for each kind of record.
class NvtxRanges final : public runtime::RangeSink {
 public:
  // PHALANX_NVTX names the library unless it is 1, else it is looked for. Throws LibraryError.
  NvtxRanges();

  void push(runtime::ProfileKind kind, const std::string& text) noexcept override;
  void pop() noexcept override;

 private:
  const NvtxFunctions* functions_;
  NvtxDomain domain_;
};

}  // namespace phalanx::libs
