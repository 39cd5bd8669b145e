#include "phalanx/runtime/raise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/fault_text.h"

namespace phalanx::runtime {

namespace {

using Index3 = std::array<std::uint32_t, 3>;

std::uint64_t number_of(const Index3& index, const Dim3& extents) {
  return index[0] + std::uint64_t{extents.x} * (index[1] + std::uint64_t{extents.y} * index[2]);
}

Index3 index_of(std::uint64_t number, const Dim3& extents) {
  const std::uint64_t row = number / extents.x;
  return {
      static_cast<std::uint32_t>(number % extents.x),
      static_cast<std::uint32_t>(row % extents.y),
      static_cast<std::uint32_t>(row / extents.y)};
}

// A race's values begin with two words (base/cpu_kernel.h): of the access before, and of this one.
void read_words(KernelFault& fault, std::span<const FaultSite> sites, const LaunchConfig& config) {
  const auto before = static_cast<std::uint64_t>(fault.values.at(0));
  const auto own = static_cast<std::uint64_t>(fault.values.at(1));
  fault.values.erase(fault.values.begin(), fault.values.begin() + 2);
  KernelFault::Other& other = fault.other.emplace();
  const std::uint64_t own_block = number_of(fault.block, config.grid);
  const std::uint64_t first_epoch = (own >> shadow::epoch_shift) - own_block;
  const bool is_same_block = before >> shadow::epoch_shift == own >> shadow::epoch_shift;
  const bool is_older = is_same_block
                            ? before >> shadow::interval_shift < own >> shadow::interval_shift
                            : before >> shadow::epoch_shift < first_epoch;
  const std::uint64_t site = before >> shadow::site_shift & shadow::most_sites;
  const bool is_same_thread =
      is_same_block && (before & shadow::thread_mask) == (own & shadow::thread_mask);
  // A word that is not of now raced with nothing, and no thread races with itself: threads of one
  // warp met at this very access.
  if (is_older || (is_same_thread && site == 0)) {
    other.site = fault.site;
    other.block = fault.block;
    return;
  }
  if (site != 0 && site - 1 < sites.size())
    other.site = sites[site - 1];
  // The word has the first of several threads or blocks: it may be this access's own.
  if (is_same_block && (before & shadow::several_blocks) != 0)
    return;
  const std::uint64_t block =
      own_block + (before >> shadow::epoch_shift) - (own >> shadow::epoch_shift);
  other.block = index_of(block, config.grid);
  if (!is_same_thread)
    other.thread = index_of(before & shadow::thread_mask, config.block);
}

std::vector<KernelFault> faults_of(
    std::span<const FaultSite> sites, const ErrorLog& log, const LaunchConfig& config) {
  std::vector<const ErrorRecord*> records;
  for (const ErrorRecord& record : log.records) {
    if (record.site != 0)
      records.push_back(&record);
  }
  std::ranges::stable_sort(records, {}, &ErrorRecord::order);
  std::vector<KernelFault> faults;
  for (const ErrorRecord* record : records) {
    KernelFault& fault = faults.emplace_back();
    if (record->site - 1 < sites.size())
      fault.site = sites[record->site - 1];
    else
      fault.site.what = Raise{.type = "RuntimeError", .message = "unknown exception"};
    std::ranges::copy(record->block, fault.block.begin());
    std::ranges::copy(record->thread, fault.thread.begin());
    fault.count = std::max(record->count, 1U);
    fault.values.assign(std::begin(record->values), std::end(record->values));
    if (fault.site.is_of(Check::races))
      read_words(fault, sites, config);
  }
  return faults;
}

}  // namespace

void throw_kernel_error(
    const std::string& kernel,
    std::span<const FaultSite> sites,
    const ErrorLog& log,
    const LaunchConfig& config) {
  std::vector<KernelFault> faults = faults_of(sites, log, config);
  const KernelFault& first = faults.at(0);
  if (first.site.report() == nullptr) {
    const std::string message = fmt::format(
        "{} (raised in kernel {}, block ({}), thread ({}))",
        to_string(first.site),
        kernel,
        fmt::join(first.block, ", "),
        fmt::join(first.thread, ", "));
    throw KernelError(message, std::move(faults));
  }
  std::string message = faults.size() == 1
                            ? "check mode found a fault"
                            : fmt::format("check mode found {} faults", faults.size());
  for (const KernelFault& fault : faults) {
    if (fault.site.report() != nullptr)
      message += "\n" + describe(kernel, fault);
  }
  throw KernelError(message, std::move(faults));
}

}  // namespace phalanx::runtime
