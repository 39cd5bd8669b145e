#include "phalanx/arrays/row_code.h"

#include <string>
#include <vector>

#include "phalanx/arrays/fold_code.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/idioms.h"
#include "phalanx/numpy/elementwise_kernel.h"

namespace phalanx::arrays {
namespace {

using ir::Op;

Value query(ir::Builder& builder, Op op) {
  return builder.cast(ir::thread_query(builder, op, 0), DType::int64);
}

class CodeMaker {
 public:
  explicit CodeMaker(const RowForm& form) : form_(form), program_(*form.program.program) {}

  std::shared_ptr<ir::Module> make() {
    auto module = std::make_shared<ir::Module>();
    ParameterList list;
    count_ = list.add_integers(1);
    kept_ = list.add_integers(form_.kept_loops);
    row_ = list.add_integers(form_.row_loops);
    const std::size_t loops = form_.kept_loops + form_.row_loops;
    for (const OperandForm& output : form_.outputs)
      outputs_.push_back(add_operand(list, output, loops));
    parameters_ = add_program(list, form_.program, loops);
    ir::Builder builder(ir::add_function(*module, name(), ir::FunctionKind::kernel, list.take()));
    emit(builder);
    builder.return_();
    return module;
  }

 private:
  // After what it folds.
  std::string name() const {
    std::string name = "px_rows";
    for (const FoldUse& fold : program_.folds) name += "_" + fold.name;
    return name;
  }

  // One fold after the other, each of what the ones before made; then the results.
  void emit(ir::Builder& builder) {
    const Values extents = parameters(builder, kept_, form_.kept_loops);
    indices_ =
        numpy::indices_of(builder, query(builder, Op::block_index), extents, form_.is_narrow);
    const Value thread = query(builder, Op::thread_index);
    range_ = {
        thread,
        builder.parameter(count_),
        builder.integer(form_.threads),
        form_.whole_blocks_first ? thread : nullptr};
    known_.of_step.resize(program_.steps.size());
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      if (program_.steps[i].kind == StepKind::fold)
        known_.of_step[i] = folded(builder, program_.steps[i]);
    }
    emit_results(builder);
  }

  Values parameters(ir::Builder& builder, std::size_t first, std::size_t count) const {
    Values values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(builder.parameter(first + i));
    return values;
  }

  LoopIndices at(ir::Builder& builder, Value number) const {
    const Values extents = parameters(builder, row_, form_.row_loops);
    const Values row = numpy::indices_of(builder, number, extents, form_.is_narrow);
    LoopIndices at{indices_, extents.back()};
    at.indices.insert(at.indices.end(), row.begin(), row.end());
    return at;
  }

  Value folded(ir::Builder& builder, const Step& step) const {
    const numpy::Reduction& fold = program_.folds[step.index].reduction;
    const std::uint16_t operand[] = {step.operands[0]};
    const ElementAt element = {
        [&](Value number) {
          return emit_loads(
              builder, form_.program, parameters_, at(builder, number), operand, known_);
        },
        [&](Value number, const KnownValues& loaded) {
          const LoopIndices indices = at(builder, number);
          return emit_steps(builder, form_.program, parameters_, indices, operand, loaded).front();
        }};
    Fold folding{FoldState(builder, fold), element};
    FoldState& state = folding.state;
    const Value first = builder.integer(0);
    if (fold.identity())
      state.set_identity();
    else  // Joining the first element twice changes no extreme.
      state.set(fold.first(builder, element(first), first));
    emit_folds(builder, {&folding, 1}, range_, form_.at_once);
    join_threads(builder, fold, state, form_.threads);
    return state.result();
  }

  void emit_results(ir::Builder& builder) const {
    if (program_.is_of_rows) {  // which one thread writes
      const auto one = builder.enter(ir::guard_of_one(builder, range_.first, builder.integer(0)));
      emit_at(builder, builder.integer(0));
      return;
    }
    emit_range(builder, range_, [&](Value number) { emit_at(builder, number); });
  }

  void emit_at(ir::Builder& builder, Value number) const {
    const LoopIndices indices = at(builder, number);
    const Values values =
        emit_steps(builder, form_.program, parameters_, indices, program_.results, known_);
    for (std::size_t i = 0; i < values.size(); ++i)
      Element(builder, form_.outputs[i], outputs_[i], indices).store(values[i]);
  }

  const RowForm& form_;
  const Program& program_;
  std::size_t count_ = 0;  // the parameter
  std::size_t kept_ = 0;   // the first
  std::size_t row_ = 0;    // the first
  std::vector<OperandParameters> outputs_;
  ProgramParameters parameters_;
  Values indices_;     // of the kept loops
  IndexRange range_;   // of a thread
  KnownValues known_;  // the folds so far
};

}  // namespace

void RowForm::write_key(KeyWriter& writer) const {
  writer.add('w')
      .add(static_cast<std::uint8_t>(kept_loops))
      .add(static_cast<std::uint8_t>(row_loops));
  writer.add(threads).add(at_once).add(whole_blocks_first).add(is_narrow);
  writer.add(*program.program).add(program.accesses).add(outputs);
}

std::shared_ptr<ir::Module> make_row_module(const RowForm& form) { return CodeMaker(form).make(); }

}  // namespace phalanx::arrays
