#include "phalanx/arrays/program_text.h"

#include <fmt/format.h>

#include <cctype>
#include <complex>
#include <cstddef>
#include <vector>

#include "phalanx/ir/op.h"

namespace phalanx::arrays {
namespace {

// The operator that NumPy writes the function with; none where it writes a call.
std::string_view operator_of(const Function& function) {
  const auto op = ir::op_from_name(function.name);
  if (!op || !ir::is_elementwise(*op) || function.arity != 2)
    return {};
  const std::string_view symbol = ir::info(*op).python;
  const bool is_word =
      symbol.empty() || std::isalpha(static_cast<unsigned char>(symbol.front())) != 0;
  return is_word ? std::string_view() : symbol;
}

struct ToText {
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::complex<double>& value) const {
    return fmt::format("({}{:+}j)", value.real(), value.imag());
  }
};

// a, b, ..., z, a1, b1, ...
std::string letter(std::size_t number) {
  std::string name(1, static_cast<char>('a' + number % 26));
  return number < 26 ? name : name + std::to_string(number / 26);
}

class Writer {
 public:
  Writer(const Program& program, bool with_values)
      : program_(program), with_values_(with_values), uses_(program.steps.size(), 0) {
    for (const Step& step : program.steps) {
      if (step.kind == StepKind::fold)
        ++uses_[step.operands[0]];
      if (step.kind != StepKind::call)
        continue;
      for (unsigned i = 0; i < step.function->arity; ++i) ++uses_[step.operands.at(i)];
    }
    for (const std::uint16_t result : program.results) ++uses_[result];
  }

  std::string write() {
    texts_.reserve(program_.steps.size());
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      const Step& step = program_.steps[i];
      texts_.push_back(text_of(step));
      if ((step.kind == StepKind::call || step.kind == StepKind::fold) && uses_[i] > 1) {
        const std::string name = fmt::format("t{}", named_++);
        lines_ += fmt::format("{} = {}; ", name, without_brackets(texts_.back()));
        texts_.back() = name;
      }
    }
    std::string results;
    for (const std::uint16_t result : program_.results)
      results += (results.empty() ? "" : ", ") + without_brackets(texts_[result]);
    return lines_ + results;
  }

 private:
  std::string text_of(const Step& step) const {
    switch (step.kind) {
      case StepKind::load:
        return letter(step.index);
      case StepKind::gather:
        return letter(step.index) + "[indices]";
      case StepKind::number:
        return with_values_ ? std::visit(ToText{}, program_.numbers[step.index].value)
                            : fmt::format("n{}", step.index);
      case StepKind::positions:
        return fmt::format("i{}", step.index);
      case StepKind::fold:
        return fmt::format(
            "{}({}{})",
            program_.folds[step.index].name,
            without_brackets(texts_[step.operands[0]]),
            with_values_ ? ", axis=" + row_axes() : "");
      case StepKind::call:
        break;
    }
    const Function& function = *step.function;
    if (const std::string_view symbol = operator_of(function); !symbol.empty())
      return fmt::format("({} {} {})", texts_[step.operands[0]], symbol, texts_[step.operands[1]]);
    std::string arguments;
    for (unsigned i = 0; i < function.arity; ++i)
      arguments += (i == 0 ? "" : ", ") + without_brackets(texts_[step.operands.at(i)]);
    if (&function == &cast_function(function.operands[0], function.result))
      return fmt::format("{}({})", info(function.result).name, arguments);
    return fmt::format("{}({})", function.name, arguments);
  }

  std::string row_axes() const {
    std::string axes;
    std::size_t count = 0;
    for (std::size_t i = 0; i < program_.is_row.size(); ++i) {
      if (program_.is_row[i])
        axes += fmt::format("{}{}", count++ == 0 ? "" : ", ", i);
    }
    return count == 1 ? axes : "(" + axes + ")";
  }

  // The brackets are around the whole: those of an operator.
  static std::string without_brackets(const std::string& text) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')')
      return text;
    int depth = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
      depth += static_cast<int>(text[i] == '(') - static_cast<int>(text[i] == ')');
      if (depth == 0)
        return text;
    }
    return text.substr(1, text.size() - 2);
  }

  const Program& program_;
  bool with_values_;
  std::vector<unsigned> uses_;
  std::vector<std::string> texts_;  // of the steps so far
  std::string lines_;
  unsigned named_ = 0;
};

}  // namespace

std::string to_text(const Program& program, bool with_values) {
  return Writer(program, with_values).write();
}

std::string to_text(const Folding& folding, bool with_values) {
  std::string axes;
  std::size_t count = 0;
  for (std::size_t i = 0; i < folding.is_reduced.size(); ++i) {
    if (folding.is_reduced[i])
      axes += fmt::format("{}{}", count++ == 0 ? "" : ", ", i);
  }
  const std::string operand = to_text(*folding.program, with_values);
  if (count == folding.is_reduced.size() || !with_values)
    return fmt::format("{}({})", folding.name, operand);
  if (count == 1)
    return fmt::format("{}({}, axis={})", folding.name, operand, axes);
  return fmt::format("{}({}, axis=({}))", folding.name, operand, axes);
}

std::string to_text(const Scanning& scanning, bool with_values) {
  const std::string operand = to_text(*scanning.program, with_values);
  if (!with_values)
    return fmt::format("{}.accumulate({})", scanning.name, operand);
  return fmt::format("{}.accumulate({}, axis={})", scanning.name, operand, scanning.axis);
}

std::string to_text(const Scattering& scattering, bool with_values) {
  const std::string name =
      scattering.function != nullptr ? scattering.function->name + ".at" : std::string("put");
  return fmt::format("{}({})", name, to_text(*scattering.program, with_values));
}

}  // namespace phalanx::arrays
