#include "phalanx/runtime/fault_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace phalanx::runtime {

namespace {

using Numbers = std::vector<std::int64_t>;

// As Python writes a tuple.
std::string tuple_of(const Numbers& numbers) {
  return numbers.size() == 1 ? fmt::format("({},)", numbers[0])
                             : fmt::format("({})", fmt::join(numbers, ", "));
}

std::string quoted(const std::string& name) { return name.empty() ? "an array" : "'" + name + "'"; }

// "index 12 on axis 1, which takes 0 to 9"
std::string explain_axis(std::int64_t index, std::int64_t extent, std::size_t axis, bool wraps) {
  // Below 0 even when counted from the end.
  const std::int64_t written = wraps && index < 0 ? index - extent : index;
  if (extent == 0)
    return fmt::format("index {} on axis {}, which is empty", written, axis);
  return fmt::format(
      "index {} on axis {}, which takes {} to {}", written, axis, wraps ? -extent : 0, extent - 1);
}

std::string_view text_of(Verb verb) {
  switch (verb) {
    case Verb::read:
      return "reads";
    case Verb::write:
      return "writes";
    case Verb::atomic:
      return "updates (atomic)";
    case Verb::view:
      return "takes a view at";
    default:
      return "uses";
  }
}

std::string explain_bounds(const KernelFault& fault) {
  const FaultSite& site = fault.site;
  const std::string& name = site.report()->subject;
  const std::string_view verb = text_of(site.report()->verb);
  const std::size_t known = std::min<std::size_t>(site.dimensions, fault.values.size() / 2);
  if (known < site.dimensions)
    return fmt::format("{} {} outside of it", verb, quoted(name));
  Numbers indices(fault.values.begin(), fault.values.begin() + site.dimensions);
  const Numbers shape(
      fault.values.begin() + site.dimensions, fault.values.begin() + 2 * site.dimensions);
  std::vector<std::string> wrong;
  for (std::size_t d = 0; d < known; ++d) {
    const bool wraps = (site.wraps >> d & 1U) != 0;
    if (indices[d] < 0 || indices[d] >= shape[d])
      wrong.push_back(explain_axis(indices[d], shape[d], d, wraps));
    if (wraps && indices[d] < 0)
      indices[d] -= shape[d];
  }
  return fmt::format(
      "{} {}[{}] of shape {}: {}",
      verb,
      name.empty() ? "an array" : name,
      fmt::join(indices, ", "),
      tuple_of(shape),
      fmt::join(wrong, "; "));
}

// "tile[2, 3]", as far as it is known.
std::string element_of(const KernelFault& fault) {
  const std::string& name = fault.site.report()->subject;
  const std::size_t known = std::min<std::size_t>(fault.site.dimensions, fault.values.size());
  const Numbers indices(
      fault.values.begin(), fault.values.begin() + static_cast<std::ptrdiff_t>(known));
  return fmt::format(
      "{}[{}]",
      name.empty() ? "an array" : name,
      known == 0 ? "..." : fmt::format("{}", fmt::join(indices, ", ")));
}

// What happened, and what to do.
struct Text {
  std::string what;
  std::string advice;
};

Text text_of_mask(const KernelFault& fault) {
  if (fault.site.report()->subject.empty() && fault.values.size() >= 2)
    return {
        fmt::format(
            "calls a warp operation with mask {:#010x}, which names lanes that take another path, "
            "{:#010x}: a GPU waits for them for ever",
            static_cast<std::uint32_t>(fault.values[0]),
            static_cast<std::uint32_t>(fault.values[1])),
        "take the call out of the branch or the loop, or give a mask of the threads that come: "
        "cuda.ballot_sync() before the branch tells who goes in"};
  return {
      fault.values.size() < 2
          ? "calls a warp operation with a mask that does not hold it"
          : fmt::format(
                "calls a warp operation with mask {:#010x}, which does not hold its lane, {}",
                static_cast<std::uint32_t>(fault.values[0]),
                fault.values[1]),
      "give a mask that holds all threads that call, and only those: cuda.activemask() tells "
      "who is here, cuda.ballot_sync() before the branch who goes in"};
}

Verb verb_of(const std::optional<KernelFault::Other>& other) {
  return other && other->site.report() != nullptr ? other->site.report()->verb : Verb::none;
}

Text text_of(const KernelFault& fault) {
  const Report& report = *fault.site.report();
  const std::string& subject = report.subject;
  switch (report.check) {
    case Check::bounds:
      return {
          explain_bounds(fault),
          "compare the index with the array's shape first, or launch fewer threads"};
    case Check::division:
      return {
          fmt::format("divides an integer by zero ({}), which gives 0", subject),
          "test the divisor first"};
    case Check::wraps: {
      const std::int64_t index = fault.values.empty() ? -1 : fault.values[0];
      const std::string extent =
          fault.values.size() < 2 ? "" : fmt::format(" on an axis of {}", fault.values[1]);
      return {
          fmt::format(
              "indexes {} with {}{}, which counts from the end", quoted(subject), index, extent),
          "write the index from the start if the end is not meant"};
    }
    case Check::nan:
      return {
          fmt::format("'{}' makes a NaN or infinity of numbers that are neither", subject),
          "look at the operands: a division by zero, an overflow, a root or logarithm out of "
          "range"};
    case Check::races: {
      const bool is_of_block = !fault.other || fault.other->block == fault.block;
      return {
          fmt::format(
              "{} {} while {} {} it, with no barrier between",
              text_of(report.verb),
              element_of(fault),
              is_of_block ? "another thread" : "a thread of another block",
              text_of(verb_of(fault.other))),
          is_of_block ? "put cuda.syncthreads() between the two, or use cuda.atomic"
                      : "use cuda.atomic, or two launches: blocks run in any order"};
    }
    case Check::uninitialized:
      return {
          fmt::format(
              "{} {}, which no thread wrote before", text_of(report.verb), element_of(fault)),
          "write the element first; threads that others wait for need cuda.syncthreads()"};
    case Check::barriers:
      return {
          "a barrier that not all threads of the block come to: some skip it, or wait at another",
          "let all threads of the block run it: take it out of the branch or the loop"};
    case Check::masks:
      return text_of_mask(fault);
    case Check::unassigned:
      return {
          fmt::format(
              "reads {}, which has no value on the path taken and is read as 0", quoted(subject)),
          "assign it on every path that leads here, or before the branch or the loop"};
  }
  return {};
}

std::string caret_of(const FaultSite& site) {
  const std::uint32_t begin = site.location.column;
  if (begin >= site.source_line.size())
    return {};
  const auto end =
      std::min<std::size_t>(std::max(site.location.end_column, begin + 1), site.source_line.size());
  return std::string(begin, ' ') + std::string(end - begin, '^');
}

// The access before, of two that race.
std::string describe_other(const KernelFault::Other& other) {
  const auto described = [](const char* kind, const auto& triple) {
    return triple ? fmt::format(", {} ({})", kind, fmt::join(*triple, ", "))
                  : fmt::format(", another {}", kind);
  };
  std::string text = "\n  the other: ";
  if (other.site.location.line == 0) {
    text += "an access";
  } else {
    const Report* report = other.site.report();
    text += fmt::format(
        "{}:{}: {} {}",
        other.site.path,
        other.site.location.line,
        text_of(report == nullptr ? Verb::none : report->verb),
        report == nullptr || report->subject.empty() ? "it" : report->subject);
  }
  text += described("block", other.block) + described("thread", other.thread);
  if (other.site.location.line != 0 && !other.site.source_line.empty())
    text += "\n    " + other.site.source_line;
  return text;
}

}  // namespace

std::string describe(const std::string& kernel, const KernelFault& fault) {
  const FaultSite& site = fault.site;
  const Text text = text_of(fault);
  std::string all = fmt::format(
      "{}:{}: [{}] {}\n", site.path, site.location.line, name_of(site.report()->check), text.what);
  if (!site.source_line.empty()) {
    all += "    " + site.source_line + "\n";
    if (const std::string caret = caret_of(site); !caret.empty())
      all += "    " + caret + "\n";
  }
  all += fmt::format(
      "  in kernel {}, block ({}), thread ({})",
      kernel,
      fmt::join(fault.block, ", "),
      fmt::join(fault.thread, ", "));
  if (fault.count > 1)
    all += fmt::format("; {} times here in all", fault.count);
  if (fault.other)
    all += describe_other(*fault.other);
  return all + "\n  to fix it: " + text.advice;
}

}  // namespace phalanx::runtime
