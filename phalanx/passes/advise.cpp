#include "phalanx/passes/advise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "phalanx/base/source_text.h"
#include "phalanx/passes/linear.h"

namespace phalanx::passes {

using ir::Op;
using ir::Operation;

namespace {

// A memory transaction of a GPU; threads further apart each cost one.
constexpr std::int64_t sector_bytes = 32;

// Lines that deserve the same advice, in the order of the code; the first is shown.
class Locations {
 public:
  // `detail()` is what the warning says of the first line.
  template <typename Detail>
  void add(const std::shared_ptr<const SourceFile>& source, unsigned line, const Detail& detail) {
    if (source == nullptr || line == 0)
      return;
    std::string_view text = text_of_line(*source, line);
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (text.empty() || !lines_.emplace(source->path, line).second || lines_.size() > 1)
      return;
    first_ = {.file = source->path, .line = line, .source_line = std::string(text)};
    detail_ = detail();
  }

  // `problem`, how many lines more have it, the detail of the first.
  std::optional<Warning> advice(Warning::Kind kind, std::string_view problem) const {
    if (lines_.empty())
      return std::nullopt;
    const std::size_t others = lines_.size() - 1;
    const std::string more = others == 0   ? ""
                             : others == 1 ? " here and in one more line"
                                           : fmt::format(" here and in {} more lines", others);
    Warning made = first_;
    made.kind = kind;
    made.text = fmt::format("{}{}{}", problem, more, detail_);
    return made;
  }

 private:
  Warning first_;
  std::string detail_;
  std::set<std::pair<std::string, unsigned>> lines_;
};

struct FloatArrays {
  bool has_wide = false;
  std::optional<DType> narrow;  // of the first

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
      if (!narrow && (is_floating(dtype) || is_complex(dtype)))
        narrow = dtype;
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

bool is_cast_integer(const Operation& operand) {
  return operand.op == Op::cast && operand.operands[0]->type.is_scalar() &&
         (is_integer(operand.operands[0]->type.dtype()) ||
          is_boolean(operand.operands[0]->type.dtype()));
}

// What makes an operand wide, and what to write instead; empty where that is not seen. `narrow` is
// the type meant, as in "float32".
std::string cause_in(const Operation& operand, std::string_view narrow) {
  if (operand.op == Op::constant) {
    const auto* number = std::get_if<double>(&operand.constant);
    return number == nullptr ? std::string()
                             : fmt::format(
                                   "the number {0} makes {1} arithmetic float64, write np.{1}({0})",
                                   *number,
                                   narrow);
  }
  if (operand.op == Op::cast && !is_cast_integer(operand))
    return {};
  const Operation& origin = operand.op == Op::cast ? *operand.operands[0] : operand;
  if (operand.op == Op::cast)
    return origin.name.empty()
               ? fmt::format(
                     "an integer makes {0} arithmetic float64, write np.{0}(...) around it", narrow)
               : fmt::format(
                     "the integer {0} makes {1} arithmetic float64, write np.{1}({0})",
                     origin.name,
                     narrow);
  if (origin.name.empty())
    return {};
  return origin.op == Op::parameter
             ? fmt::format(
                   "the argument {0} is a float64, as Python's floats are, pass np.{1}({0})",
                   origin.name,
                   narrow)
             : fmt::format(
                   "{0} is a float64, write np.{1}(...) where it gets its value",
                   origin.name,
                   narrow);
}

// As it is written: what the module calls it may have a number at its end.
std::string_view name_of(const ir::Function& function) {
  const std::string_view name = function.name;
  return name.substr(0, name.find('.'));
}

std::string cause_of(const Operation& operation, std::string_view narrow) {
  const auto is_whole = [](const Operation* operand) {
    const auto* number =
        operand->op == Op::constant ? std::get_if<double>(&operand->constant) : nullptr;
    return is_cast_integer(*operand) || (number != nullptr && *number == std::floor(*number));
  };
  if (operation.op == Op::true_divide && std::ranges::all_of(operation.operands, is_whole))
    return fmt::format("int / int is a float64, write np.{}(...) around one of them", narrow);
  for (const Operation* operand : operation.operands) {
    if (std::string cause = cause_in(*operand, narrow); !cause.empty())
      return cause;
  }
  return fmt::format(
      "Python's floats, and integers among {0} numbers, make it so, write np.{0}(...) around "
      "them",
      narrow);
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

// Values that are uniform for threads which follow each other along x, such as a counter. What was
// read from memory may differ.
class Uniform {
 public:
  explicit Uniform(const ir::Function& kernel) : variables_(kernel.variables.size(), true) {
    for (bool is_over = false; !is_over;) {
      is_over = true;
      known_.clear();
      ir::for_each(kernel.body, [&](const Operation& operation) {
        if (operation.op != Op::set || !variables_[operation.variable] ||
            holds(operation.operands[0]))
          return;
        variables_[operation.variable] = false;
        is_over = false;
      });
    }
  }

  bool holds(const Operation* value) {
    const auto known = known_.find(value);
    if (known != known_.end())
      return known->second;
    return known_[value] = look_at(*value);
  }

 private:
  bool look_at(const Operation& value) {
    switch (value.op) {
      case Op::thread_index:
        return value.index != 0;
      case Op::lane_index:
        return false;
      case Op::parameter:
        return true;
      case Op::get:
        return variables_[value.variable];
      default:
        return ir::is_pure(value.op) &&
               std::ranges::all_of(
                   value.operands, [&](const Operation* operand) { return holds(operand); });
    }
  }

  std::vector<bool> variables_;
  std::unordered_map<const Operation*, bool> known_;
};

// What is wrong with the access; empty if nothing is known to be.
std::string stride_problem(const Operation& access, Uniform& uniform) {
  const ir::Type& type = access.operands[0]->type;
  const unsigned ndim = type.ndim();
  const unsigned nearest = type.layout() == ir::Layout::c ? ndim - 1 : 0;
  for (unsigned i = 0; i < ndim; ++i) {
    // Where each thread is in a column of its own, no order of dimensions is better.
    if (i != nearest && steps_along(access.operands[1 + i]) != 0 &&
        uniform.holds(access.operands[1 + nearest]))
      return fmt::format(
          ": threadIdx.x counts along dimension {}, whose elements lie a whole row or more apart, "
          "let it count along dimension {}, whose elements follow each other",
          i,
          nearest);
  }
  const std::int64_t bytes = std::abs(steps_along(access.operands[1 + nearest])) *
                             static_cast<std::int64_t>(ir::size_of(type.element()));
  const bool is_dense = bytes <= static_cast<std::int64_t>(ir::size_of(type.element()));
  if (is_dense || bytes < sector_bytes)
    return {};
  return fmt::format(
      ": neighbouring threads are {} bytes apart, let threadIdx.x be the index of elements that "
      "follow each other",
      bytes);
}

}  // namespace

std::optional<Warning> advise_on_float64(const ir::Module& module) {
  FloatArrays arrays;
  const ir::Function& kernel = module.kernel();
  for (const auto& parameter : kernel.parameters) arrays.add(parameter->type);
  if (!arrays.narrow || arrays.has_wide)
    return std::nullopt;
  const std::string_view narrow = info(real_part_of(*arrays.narrow)).name;
  Locations locations;
  const auto look_at = [&](const ir::Function& function) {
    const std::string where = &function == &kernel
                                  ? std::string()
                                  : fmt::format(", in the function {}", name_of(function));
    ir::for_each(function.body, [&](const Operation& operation) {
      if (is_wide_arithmetic(operation))
        locations.add(function.source, operation.location.line, [&] {
          return fmt::format(
              "{}, though its arrays hold {}: {}",
              where,
              info(*arrays.narrow).name,
              cause_of(operation, narrow));
        });
    });
  };
  look_at(kernel);
  for (const auto& function : module.functions) {
    if (function.get() != &kernel)
      look_at(*function);
  }
  return locations.advice(
      Warning::Kind::float64, fmt::format("{} computes in float64", kernel.name));
}

std::optional<Warning> advise_on_strides(const ir::Module& module) {
  const ir::Function& kernel = module.kernel();
  Locations locations;
  Uniform uniform(kernel);
  ir::for_each(kernel.body, [&](const Operation& operation) {
    if (!is_global_access(operation))
      return;
    if (std::string problem = stride_problem(operation, uniform); !problem.empty())
      locations.add(kernel.source, operation.location.line, [&] { return problem; });
  });
  return locations.advice(
      Warning::Kind::stride, fmt::format("{} reads or writes memory with gaps", kernel.name));
}

}  // namespace phalanx::passes
