#include "phalanx/runtime/raise.h"

#include <fmt/format.h>

#include "phalanx/base/errors.h"

namespace phalanx::runtime {

void throw_kernel_error(
    const std::string& kernel,
    std::span<const std::string> raise_sites,
    const ErrorRecord& record) {
  const auto& [site, block, thread] = record;
  KernelFault fault;
  fault.site = site - 1 < raise_sites.size() ? raise_sites[site - 1] : "unknown exception";
  fault.block = {block[0], block[1], block[2]};
  fault.thread = {thread[0], thread[1], thread[2]};
  const std::string message = fmt::format(
      "{} (raised in kernel {}, block ({}, {}, {}), thread ({}, {}, {}))",
      fault.site,
      kernel,
      block[0],
      block[1],
      block[2],
      thread[0],
      thread[1],
      thread[2]);
  throw KernelError(message, std::move(fault));
}

}  // namespace phalanx::runtime
