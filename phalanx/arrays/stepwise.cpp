#include "phalanx/arrays/stepwise.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>

#include "phalanx/arrays/function.h"

namespace phalanx::arrays {
namespace {

std::int64_t count_of(const Strides& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

// The indices whose sum, each times a stride, is how far a gather goes: ProgramBuilder::add_index.
void add_indices(const Program& program, std::uint16_t sum, std::vector<std::uint16_t>& indices) {
  static const Function& add = integer_function("add");
  const Step& step = program.steps[sum];
  if (step.function != &add) {
    indices.push_back(step.operands[0]);
    return;
  }
  add_indices(program, step.operands[0], indices);
  indices.push_back(program.steps[step.operands[1]].operands[0]);
}

// The program of one operation, whose operands are numbers and memory.
class SingleProgram {
 public:
  SingleProgram(
      const Program& whole, const std::vector<std::optional<Access>>& values, Strides space)
      : whole_(whole), values_(values) {
    made_.space = std::move(space);
  }

  void add_result(std::uint16_t step) { made_.results.push_back(value(step)); }
  void add_operation(std::uint16_t number) {
    Step step = whole_.steps[number];
    if (step.kind == StepKind::call) {
      for (unsigned i = 0; i < step.function->arity; ++i)
        step.operands.at(i) = value(step.operands.at(i));
    } else if (step.kind == StepKind::gather) {
      step.operands[0] = sum(step.operands[0]);
      step.index = add_access(whole_.accesses[step.index]);
    } else {
      made_.positions.push_back(whole_.positions[step.index]);
      step.index = 0;
    }
    made_.results.push_back(append(step));
  }
  Program take() { return std::move(made_); }

 private:
  std::uint16_t append(const Step& step) {
    made_.steps.push_back(step);
    return static_cast<std::uint16_t>(made_.steps.size() - 1);
  }
  std::uint16_t add_access(const Access& access) {
    made_.accesses.push_back(access);
    return static_cast<std::uint16_t>(made_.accesses.size() - 1);
  }

  std::uint16_t value(std::uint16_t step) {
    const auto found = std::ranges::find(known_, step, &Known::step);
    if (found != known_.end())
      return found->own;
    const Step& of = whole_.steps[step];
    Step made = {.kind = StepKind::load, .dtype = of.dtype};
    if (of.kind == StepKind::number) {
      made.kind = StepKind::number;
      made.index = static_cast<std::uint16_t>(made_.numbers.size());
      made_.numbers.push_back(whole_.numbers[of.index]);
    } else {
      made.index = add_access(values_[step] ? *values_[step] : whole_.accesses[of.index]);
    }
    return known_.emplace_back(Known{step, append(made)}).own;
  }

  // A gather's sum is part of its kernel.
  std::uint16_t sum(std::uint16_t number) {
    static const Function& add = integer_function("add");
    Step step = whole_.steps[number];
    const bool is_sum = step.function == &add;
    step.operands[0] = is_sum ? sum(step.operands[0]) : value(step.operands[0]);
    step.operands[1] = is_sum ? moved(step.operands[1]) : value(step.operands[1]);
    return append(step);
  }
  std::uint16_t moved(std::uint16_t number) {
    Step step = whole_.steps[number];
    step.operands[0] = value(step.operands[0]);
    step.operands[1] = value(step.operands[1]);
    return append(step);
  }

  struct Known {
    std::uint16_t step;
    std::uint16_t own;
  };

  const Program& whole_;
  const std::vector<std::optional<Access>>& values_;
  Program made_;
  std::vector<Known> known_;
};

}  // namespace

Stepwise::Stepwise(
    const Program& program, const Order& order, std::span<const views::DeviceArray> outputs)
    : program_(program),
      order_(order.empty() ? order_of(program.space, program.accesses) : order),
      outputs_(outputs),
      uses_(program.steps.size()),
      is_added_(program.steps.size()),
      output_of_(program.steps.size()) {
  for (std::size_t i = 0; i < program.steps.size(); ++i) note_extent(static_cast<std::uint16_t>(i));
  for (std::size_t i = 0; i < program.results.size(); ++i) add_result(i);
}

// Steps that are neither in memory nor numbers.
bool Stepwise::has_operation(std::uint16_t step) const {
  const StepKind kind = program_.steps[step].kind;
  return kind != StepKind::load && kind != StepKind::number;
}

// What a step's own kernel reads, each once.
std::vector<std::uint16_t> Stepwise::operands_of(std::uint16_t number) const {
  const Step& step = program_.steps[number];
  std::vector<std::uint16_t> operands;
  if (step.kind == StepKind::gather)
    add_indices(program_, step.operands[0], operands);
  else if (step.kind == StepKind::fold)
    operands.push_back(step.operands[0]);
  else if (step.kind == StepKind::call)
    operands.assign(step.operands.begin(), step.operands.begin() + step.function->arity);
  std::ranges::sort(operands);
  const auto repeated = std::ranges::unique(operands);
  operands.erase(repeated.begin(), repeated.end());
  return operands;
}

void Stepwise::note_extent(std::uint16_t number) {
  const Step& step = program_.steps[number];
  Strides& varies = varies_.emplace_back(program_.space.size());
  const auto note = [&](const Strides& strides) {
    for (std::size_t i = 0; i < strides.size(); ++i) varies[i] |= strides[i] == 0 ? 0 : 1;
  };
  if (step.kind == StepKind::load || step.kind == StepKind::gather)
    note(program_.accesses[step.index].strides);
  if (step.kind == StepKind::positions)
    note(program_.positions[step.index].steps);
  for (const std::uint16_t operand : operands_of(number)) note(varies_[operand]);
  for (std::size_t i = 0; step.kind == StepKind::fold && i < varies.size(); ++i)
    varies[i] = program_.is_row[i] ? 0 : varies[i];
}

void Stepwise::add(std::uint16_t step) {
  if (is_added_[step] || !has_operation(step))
    return;
  is_added_[step] = true;
  for (const std::uint16_t operand : operands_of(step)) {
    add(operand);
    ++uses_[operand];
  }
  sequence_.push_back(step);
}

void Stepwise::add_result(std::size_t number) {
  const std::uint16_t step = program_.results[number];
  add(step);
  const bool is_fold = program_.steps[step].kind == StepKind::fold;
  const bool is_written = !outputs_.empty() && has_operation(step) && !output_of_[step] &&
                          (!is_fold || program_.is_of_rows);
  if (is_written) {
    output_of_[step] = number;
    return;
  }
  ++uses_[step];
  if (!outputs_.empty())
    copies_.push_back({step, number});
}

// Of a value in memory of its own: what it is broadcast along has one index, or none.
Strides Stepwise::space_of(std::uint16_t step) const {
  Strides space = program_.space;
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (varies_[step][i] == 0)
      space[i] = std::min<std::int64_t>(space[i], 1);
  }
  return space;
}

std::int64_t Stepwise::bytes() const {
  std::int64_t bytes = 0;
  for (const std::uint16_t step : sequence_) {
    if (!output_of_[step])
      bytes +=
          count_of(space_of(step)) * static_cast<std::int64_t>(size_of(program_.steps[step].dtype));
  }
  return bytes;
}

class Stepwise::Run {
 public:
  Run(const Stepwise& plan, StepSink& sink)
      : plan_(plan),
        program_(plan.program_),
        sink_(sink),
        values_(program_.steps.size()),
        uses_(plan.uses_) {}

  void compute(std::uint16_t step) {
    const bool is_fold = program_.steps[step].kind == StepKind::fold;
    const auto output = plan_.output_of_[step];
    const Strides space = output ? program_.space : plan_.space_of(step);
    const views::DeviceArray array =
        output ? plan_.outputs_[*output] : allocated(step, space, is_fold);
    const StepOutput where = {array, strides_in(program_, array), output.has_value()};
    if (is_fold) {
      fold(step, where);
    } else {
      SingleProgram single(program_, values_, space);
      single.add_operation(step);
      sink_.elementwise(single.take(), plan_.order_, where);
    }
    Access value = {
        .memory = std::make_shared<const views::DeviceArray>(array), .strides = where.strides};
    for (std::size_t i = 0; !output && i < space.size(); ++i)
      value.strides[i] *= plan_.varies_[step][i];
    values_[step] = std::move(value);
    for (const std::uint16_t operand : plan_.operands_of(step)) release(operand);
    if (uses_[step] == 0)
      values_[step].reset();
  }

  void copy(const Copy& copy) {
    const views::DeviceArray& array = plan_.outputs_[copy.output];
    SingleProgram single(program_, values_, program_.space);
    single.add_result(copy.step);
    sink_.elementwise(single.take(), plan_.order_, {array, strides_in(program_, array), true});
    release(copy.step);
  }

  Program results() const {
    SingleProgram single(program_, values_, program_.space);
    for (const std::uint16_t step : program_.results) single.add_result(step);
    return single.take();
  }

 private:
  views::DeviceArray allocated(std::uint16_t step, const Strides& space, bool is_fold) {
    const DType dtype = program_.steps[step].dtype;
    views::DeviceArray array = sink_.allocate(dtype, {space.begin(), space.end()});
    if (!is_fold) {  // folds write in C order
      const Strides strides = strides_in_order(space, plan_.order_, size_of(dtype));
      array.strides.assign(strides.begin(), strides.end());
    }
    return array;
  }

  void fold(std::uint16_t number, const StepOutput& output) {
    const Step& step = program_.steps[number];
    const FoldUse& use = program_.folds[step.index];
    Strides space = program_.space;
    for (std::size_t i = 0; !output.is_result && i < space.size(); ++i) {
      if (!program_.is_row[i] && plan_.varies_[number][i] == 0)
        space[i] = std::min<std::int64_t>(space[i], 1);
    }
    SingleProgram single(program_, values_, space);
    single.add_result(step.operands[0]);
    const Program operand = single.take();
    sink_.reduce(
        {.program = &operand,
         .name = use.name,
         .reduction = &use.reduction,
         .is_reduced = program_.is_row},
        output);
  }

  void release(std::uint16_t step) {
    if (--uses_[step] == 0)
      values_[step].reset();
  }

  const Stepwise& plan_;
  const Program& program_;
  StepSink& sink_;
  std::vector<std::optional<Access>> values_;  // of steps that were computed, until the last use
  std::vector<unsigned> uses_;                 // that are to come
};

Program Stepwise::run(StepSink& sink) const {
  Run run(*this, sink);
  for (const std::uint16_t step : sequence_) run.compute(step);
  for (const Copy& copy : copies_) run.copy(copy);
  return outputs_.empty() ? run.results() : Program();
}

}  // namespace phalanx::arrays
