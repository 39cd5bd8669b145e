#include "phalanx/passes/advise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include "phalanx/passes/linear.h"

namespace phalanx::passes {

using ir::Op;
using ir::Operation;

namespace {

// A memory transaction of a GPU; threads further apart each cost one.
constexpr std::int64_t sector_bytes = 32;

// The text of a line; nothing where it is not in the source that we have.
std::optional<std::string> text_of(const SourceFile& source, unsigned line) {
  if (line < source.first_line)
    return std::nullopt;
  std::string_view rest = source.text;
  for (unsigned skip = line - source.first_line; skip > 0; --skip) {
    const auto end = rest.find('\n');
    if (end == std::string_view::npos)
      return std::nullopt;
    rest.remove_prefix(end + 1);
  }
  rest = rest.substr(0, rest.find('\n'));
  const auto start = rest.find_first_not_of(" \t");
  return start == std::string_view::npos ? std::string() : std::string(rest.substr(start));
}

// Lines that deserve the same advice, in the order of the code; the first is shown.
class Places {
 public:
  void add(const std::shared_ptr<const SourceFile>& source, unsigned line, std::string detail) {
    if (source == nullptr || line == 0)
      return;
    auto text = text_of(*source, line);
    if (!text || !lines_.emplace(source->path, line).second || first_.source != nullptr)
      return;
    first_ = {source, line, std::move(*text)};
    detail_ = std::move(detail);
  }

  std::optional<Advice> advice(std::string_view problem, std::string_view remedy) const {
    if (first_.source == nullptr)
      return std::nullopt;
    Advice made = first_;
    const std::string more =
        lines_.size() > 1 ? fmt::format(" (and {} more lines)", lines_.size() - 1) : "";
    made.text = fmt::format(
        "{}:{}: {}{}{}\n    {}\n{}",
        made.source->path,
        made.line,
        problem,
        detail_,
        more,
        first_.text,
        remedy);
    return made;
  }

 private:
  Advice first_;
  std::string detail_;
  std::set<std::pair<std::string, unsigned>> lines_;
};

struct FloatArrays {
  bool has_narrow = false;
  bool has_wide = false;

  void add(const ir::Type& type) {
    if (type.is_tuple()) {
      for (const ir::Field& field : type.fields()) add(field.type);
    } else if (type.is_array()) {
      if (!type.element().is_scalar()) {
        has_wide = true;  // records may hold anything
        return;
      }
      const DType dtype = type.element().dtype();
      has_wide |= dtype == DType::float64 || dtype == DType::complex128;
      has_narrow |= (is_floating(dtype) || is_complex(dtype)) && !has_wide;
    }
  }
};

bool is_wide_arithmetic(const Operation& operation) {
  if (!ir::is_elementwise(operation.op) || !operation.type.is_scalar())
    return false;
  const DType dtype = operation.type.dtype();
  const bool is_wide = dtype == DType::float64 || dtype == DType::complex128;
  // Between constants it is done by the compiler.
  return is_wide && std::ranges::any_of(operation.operands, [](const Operation* operand) {
           return operand->op != Op::constant;
         });
}

// How many elements apart threads that follow each other along x are, along each dimension.
std::int64_t steps_along(const Operation* index) {
  while (index->op == Op::wrap_index) index = index->operands[0];
  std::int64_t step = 0;
  for (const auto& [term, count] : linear_form(index).terms) {
    if (term->op == Op::thread_index && term->index == 0)
      step += count;
  }
  return step;
}

bool is_global_access(const Operation& operation) {
  if (operation.op != Op::array_load && operation.op != Op::array_store)
    return false;
  const ir::Type& type = operation.operands[0]->type;
  return type.is_array() && type.space() == ir::Space::global && type.element().is_scalar() &&
         type.layout() != ir::Layout::any && type.ndim() > 0;
}

// What is wrong with the access; empty if nothing is known to be.
std::string stride_problem(const Operation& access) {
  const ir::Type& type = access.operands[0]->type;
  const unsigned ndim = type.ndim();
  const unsigned nearest = type.layout() == ir::Layout::c ? ndim - 1 : 0;
  for (unsigned i = 0; i < ndim; ++i) {
    if (i != nearest && steps_along(access.operands[1 + i]) != 0)
      return fmt::format(
          ": threadIdx.x counts along dimension {}, whose elements lie a whole row or more apart; "
          "the elements along dimension {} follow each other",
          i,
          nearest);
  }
  const std::int64_t bytes = std::abs(steps_along(access.operands[1 + nearest])) *
                             static_cast<std::int64_t>(ir::size_of(type.element()));
  const bool is_dense = bytes <= static_cast<std::int64_t>(ir::size_of(type.element()));
  if (is_dense || bytes < sector_bytes)
    return {};
  return fmt::format(": neighbouring threads are {} bytes apart", bytes);
}

}  // namespace

std::optional<Advice> advise_on_float64(const ir::Module& module) {
  FloatArrays arrays;
  const ir::Function& kernel = module.kernel();
  for (const auto& parameter : kernel.parameters) arrays.add(parameter->type);
  if (!arrays.has_narrow || arrays.has_wide)
    return std::nullopt;
  Places places;
  const auto look_at = [&](const ir::Function& function) {
    ir::for_each(function.body, [&](const Operation& operation) {
      if (is_wide_arithmetic(operation))
        places.add(function.source, operation.location.line, "");
    });
  };
  look_at(kernel);
  for (const auto& function : module.functions) {
    if (function.get() != &kernel)
      look_at(*function);
  }
  return places.advice(
      fmt::format("{} computes in float64, though its arrays hold narrower numbers", kernel.name),
      "Python's floats are float64, and so is int / int: write np.float32(0.5), or convert with "
      "float32(...), where the digits are not needed.");
}

std::optional<Advice> advise_on_strides(const ir::Module& module) {
  const ir::Function& kernel = module.kernel();
  Places places;
  ir::for_each(kernel.body, [&](const Operation& operation) {
    if (!is_global_access(operation))
      return;
    if (std::string problem = stride_problem(operation); !problem.empty())
      places.add(kernel.source, operation.location.line, std::move(problem));
  });
  return places.advice(
      fmt::format("{} reads or writes memory with gaps", kernel.name),
      "Let threadIdx.x (the first result of cuda.grid) be the index of the dimension whose "
      "elements "
      "follow each other, or lay the array out the other way.");
}

}  // namespace phalanx::passes
