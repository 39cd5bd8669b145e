#include "phalanx/base/launch_memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/base/integers.h"

namespace phalanx {

namespace {

using Kind = SizeStep::Kind;

struct StepInfo {
  std::string_view name;
  std::size_t operands;
  bool has_number;
};

constexpr std::array steps = {
#define SIZE_STEP(name, takes, has_number) StepInfo{#name, takes, has_number},
#include "phalanx/base/size_steps.def"
#undef SIZE_STEP
};

constexpr const StepInfo& info(Kind kind) { return steps.at(static_cast<std::size_t>(kind)); }

constexpr std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }
constexpr std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

bool is_less(std::int64_t a, std::int64_t b, DType dtype) {
  return dtype == DType::uint64 ? bits(a) < bits(b) : a < b;
}

std::int64_t quotient(std::int64_t a, std::int64_t b, DType dtype) {
  return dtype == DType::uint64 ? number(floor_divide(bits(a), bits(b))) : floor_divide(a, b);
}

std::int64_t binary(Kind kind, DType dtype, std::int64_t a, std::int64_t b) {
  switch (kind) {
    case Kind::add:
      return number(bits(a) + bits(b));
    case Kind::subtract:
      return number(bits(a) - bits(b));
    case Kind::multiply:
      return number(bits(a) * bits(b));
    case Kind::floor_divide:
      return quotient(a, b, dtype);
    case Kind::remainder:
      return b == 0 ? 0 : number(bits(a) - bits(b) * bits(quotient(a, b, dtype)));
    case Kind::minimum:
    case Kind::fmin:
      return is_less(a, b, dtype) ? a : b;
    case Kind::maximum:
    case Kind::fmax:
      return is_less(a, b, dtype) ? b : a;
    case Kind::bitwise_and:
      return a & b;
    case Kind::bitwise_or:
      return a | b;
    case Kind::bitwise_xor:
      return a ^ b;
    case Kind::left_shift:
      return number(left_shifted(a, bits(b), dtype));
    case Kind::right_shift:
      return number(right_shifted(a, bits(b), dtype));
    case Kind::equal:
      return a == b ? 1 : 0;
    case Kind::not_equal:
      return a != b ? 1 : 0;
    case Kind::less:
      return is_less(a, b, dtype) ? 1 : 0;
    case Kind::less_equal:
      return is_less(b, a, dtype) ? 0 : 1;
    case Kind::greater:
      return is_less(b, a, dtype) ? 1 : 0;
    default:  // greater_equal
      return is_less(a, b, dtype) ? 0 : 1;
  }
}

bool is_comparison(Kind kind) { return kind >= Kind::equal && kind <= Kind::greater_equal; }

std::int64_t unary(Kind kind, std::int64_t a) {
  switch (kind) {
    case Kind::negative:
      return number(0 - bits(a));
    case Kind::absolute:
      return a < 0 ? number(0 - bits(a)) : a;
    case Kind::invert:
      return ~a;
    case Kind::logical_not:
      return a == 0 ? 1 : 0;
    default:  // cast
      return a;
  }
}

std::int64_t parameter(const SizeStep& step, std::span<const std::byte> parameters) {
  std::int64_t value = 0;
  const std::size_t bytes = size_of(step.dtype);
  const auto offset = static_cast<std::size_t>(step.number);
  PHX_ASSERT(offset + bytes <= parameters.size());
  std::memcpy(&value, parameters.data() + offset, bytes);
  return wrapped(value, step.dtype);
}

std::int64_t leaf(const SizeStep& step, const LaunchInput& input) {
  const auto dimension = static_cast<std::size_t>(step.number);
  switch (step.kind) {
    case Kind::parameter:
      return parameter(step, input.parameters);
    case Kind::block_extent:
      return input.block.at(dimension);
    case Kind::grid_extent:
      return input.grid.at(dimension);
    default:
      return step.number;
  }
}

std::int64_t run(const SizeProgram& program, const LaunchInput& input) {
  std::array<std::int64_t, LaunchMemory::deepest> stack = {};
  std::size_t top = 0;  // one after the last
  for (const SizeStep& step : program) {
    switch (info(step.kind).operands) {
      case 0:
        stack.at(top++) = leaf(step, input);
        break;
      case 1:
        stack.at(top - 1) = wrapped(unary(step.kind, stack.at(top - 1)), step.dtype);
        break;
      case 2: {
        --top;
        const std::int64_t result = binary(step.kind, step.dtype, stack.at(top - 1), stack.at(top));
        stack.at(top - 1) = is_comparison(step.kind) ? result : wrapped(result, step.dtype);
        break;
      }
      default:  // select
        top -= 2;
        stack.at(top - 1) = stack.at(top - 1) != 0 ? stack.at(top) : stack.at(top + 1);
        break;
    }
  }
  return stack.at(0);
}

void check(const SizeProgram& program) {
  std::size_t depth = 0;
  for (const SizeStep& step : program) {
    if (depth < info(step.kind).operands)
      throw ValueError("the size of a shared array: a step lacks operands");
    depth = depth - info(step.kind).operands + 1;
    const bool is_dimension = step.kind == Kind::block_extent || step.kind == Kind::grid_extent;
    if (is_dimension && (step.number < 0 || step.number > 2))
      throw ValueError("the size of a shared array: there is no such dimension");
    if (depth > LaunchMemory::deepest)
      throw ValueError("the size of a shared array is too long an expression");
  }
  if (depth != 1 || program.size() > LaunchMemory::longest)
    throw ValueError("the size of a shared array is too long an expression");
}

// Bytes of one array, aligned; `refused` as above.
std::uint64_t bytes_of(const LaunchArray& array, const LaunchInput& input) {
  std::uint64_t bytes = array.item_bytes;
  for (const SizeProgram& program : array.extents) {
    const std::int64_t extent = run(program, input);
    if (extent < 1 || __builtin_mul_overflow(bytes, bits(extent), &bytes))
      return LaunchMemory::refused;
  }
  constexpr std::uint64_t mask = LaunchMemory::alignment - 1;
  // More than any device has: no sum of such sizes wraps.
  constexpr std::uint64_t most = std::uint64_t{1} << 40U;
  return bytes > most ? LaunchMemory::refused : (bytes + mask) & ~mask;
}

std::string text_of(const SizeProgram& program) {
  std::string text;
  for (const SizeStep& step : program) {
    if (!text.empty())
      text += ", ";
    text += fmt::format("{} {}", info(step.kind).name, info(step.dtype).text);
    if (info(step.kind).has_number)
      text += fmt::format(" {}", step.number);
  }
  return text;
}

[[noreturn]] void refuse_text(std::string_view text) {
  throw ValueError(fmt::format("not the size of a shared array: {}", text));
}

// Takes what is before `end` off the text; all of it where there is none.
std::string_view part_before(std::string_view& text, std::string_view end) {
  const std::size_t at = text.find(end);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  return part;
}

template <typename Number>
Number parse_number(std::string_view text) {
  Number value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size())
    refuse_text(text);
  return value;
}

SizeStep parse_step(std::string_view text) {
  std::string_view rest = text;
  const auto kind = size_step(part_before(rest, " "));
  const std::string_view dtype = part_before(rest, " ");
  const auto known =
      std::ranges::find_if(dtype_table, [&](const DTypeInfo& row) { return row.text == dtype; });
  if (!kind || known == dtype_table.end())
    refuse_text(text);
  SizeStep step{.kind = *kind, .dtype = static_cast<DType>(known - dtype_table.begin())};
  if (info(*kind).has_number)
    step.number = parse_number<std::int64_t>(rest);
  else if (!rest.empty())
    refuse_text(text);
  return step;
}

LaunchArray parse_array(std::string_view text) {
  LaunchArray array;
  std::string_view head = part_before(text, ": ");
  array.name = part_before(head, " ");
  array.item_bytes = parse_number<std::uint64_t>(head);
  while (!text.empty()) {
    std::string_view program = part_before(text, " | ");
    SizeProgram& made = array.extents.emplace_back();
    while (!program.empty()) made.push_back(parse_step(part_before(program, ", ")));
  }
  return array;
}

std::string title_of(const LaunchArray& array) {
  return array.name == "?" ? "a shared array" : "shared array '" + array.name + "'";
}

}  // namespace

std::optional<SizeStep::Kind> size_step(std::string_view name) {
  const auto known =
      std::ranges::find_if(steps, [&](const StepInfo& row) { return row.name == name; });
  if (known == steps.end())
    return std::nullopt;
  return static_cast<Kind>(known - steps.begin());
}

LaunchMemory::LaunchMemory(std::vector<LaunchArray> arrays) : arrays_(std::move(arrays)) {
  for (const LaunchArray& array : arrays_) {
    for (const SizeProgram& program : array.extents) check(program);
  }
}

LaunchMemory LaunchMemory::parse(std::string_view text) {
  std::vector<LaunchArray> arrays;
  while (!text.empty()) arrays.push_back(parse_array(part_before(text, "; ")));
  return LaunchMemory(std::move(arrays));
}

std::string LaunchMemory::text() const {
  std::vector<std::string> rows;
  for (const LaunchArray& array : arrays_) {
    std::vector<std::string> extents;
    extents.reserve(array.extents.size());
    for (const SizeProgram& program : array.extents) extents.push_back(text_of(program));
    rows.push_back(
        fmt::format("{} {}: {}", array.name, array.item_bytes, fmt::join(extents, " | ")));
  }
  return fmt::format("{}", fmt::join(rows, "; "));
}

std::uint64_t LaunchMemory::bytes(const LaunchInput& input) const {
  std::uint64_t sum = 0;
  for (const LaunchArray& array : arrays_) {
    const std::uint64_t bytes = bytes_of(array, input);
    if (bytes == refused)
      return refused;
    sum += bytes;
  }
  return sum;
}

std::optional<LaunchMemory::Problem> LaunchMemory::problem(
    const LaunchInput& input, std::uint64_t available) const {
  std::uint64_t left = available;
  for (const LaunchArray& array : arrays_) {
    std::vector<std::int64_t> shape;
    shape.reserve(array.extents.size());
    for (const SizeProgram& program : array.extents) shape.push_back(run(program, input));
    const std::string title = fmt::format(
        "{} has the shape ({}{})",
        title_of(array),
        fmt::join(shape, ", "),
        shape.size() == 1 ? "," : "");
    if (std::ranges::any_of(shape, [](std::int64_t extent) { return extent < 1; }))
      return Problem{.text = title + ", but every extent must be at least 1"};
    const std::uint64_t bytes = bytes_of(array, input);
    if (bytes > left) {
      auto requested = static_cast<double>(array.item_bytes);
      for (const std::int64_t extent : shape) requested *= static_cast<double>(extent);
      return Problem{
          .text = fmt::format("{} and takes {:.0f} bytes, but {} are left", title, requested, left),
          .is_too_large = true};
    }
    left -= bytes;
  }
  return std::nullopt;
}

}  // namespace phalanx
