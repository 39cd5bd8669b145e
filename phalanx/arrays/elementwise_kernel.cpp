#include "phalanx/arrays/elementwise_kernel.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "phalanx/arrays/kernel_code.h"
#include "phalanx/base/errors.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::arrays {
namespace {

using ir::Op;

constexpr std::uint32_t block_threads = 256;
constexpr std::int64_t most_grid_rows = 65535;
// Rows shorter than this would leave most lanes of a warp idle.
constexpr std::int64_t least_row = 16;

// All that decides the code of such a kernel.
struct Form {
  ProgramForm program;
  std::span<const OperandForm> outputs;
  std::size_t loops = 1;
  bool is_by_rows = true;  // the innermost loop along x, the others row by row; else one index each
  bool is_narrow = true;   // 32 bits count the indices

  void write_key(KeyWriter& writer) const {
    writer.add('e').add(static_cast<std::uint8_t>(loops)).add(is_by_rows).add(is_narrow);
    writer.add(*program.program).add(program.accesses).add(outputs);
  }
};

class CodeMaker {
 public:
  explicit CodeMaker(const Form& form) : form_(form) {}

  std::shared_ptr<ir::Module> make() {
    auto module = std::make_shared<ir::Module>();
    ParameterList list;
    count_ = list.add_integers(1);
    extents_ = list.add_integers(form_.loops);
    for (const OperandForm& output : form_.outputs)
      outputs_.push_back(add_operand(list, output, form_.loops));
    program_ = add_program(list, form_.program, form_.loops);
    ir::Builder builder(
        ir::add_function(*module, name(), ir::FunctionKind::kernel, list.take()));
    form_.is_by_rows ? emit_rows(builder) : emit_items(builder);
    builder.return_();
    return module;
  }

 private:
  // After what it computes at last.
  std::string name() const {
    const Program& program = *form_.program.program;
    const Step& last = program.steps[program.results.front()];
    return "px_" + (last.function != nullptr ? last.function->name : std::string("copy"));
  }

  Value extent(ir::Builder& builder, std::size_t loop) const {
    return builder.parameter(extents_ + loop);
  }

  void emit_at(ir::Builder& builder, Values indices) const {
    const LoopIndices at = {std::move(indices), extent(builder, form_.loops - 1)};
    const Values results = emit_program(builder, form_.program, program_, at);
    for (std::size_t i = 0; i < results.size(); ++i)
      Element(builder, form_.outputs[i], outputs_[i], at).store(results[i]);
  }

  void emit_rows(ir::Builder& builder) const {
    const Value x = ir::global_index(builder, 0);
    const auto inside = builder.enter(ir::guard(builder, x, extent(builder, form_.loops - 1)));
    if (form_.loops == 1) {
      emit_at(builder, {x});
      return;
    }
    const auto query = [&](Op op) {
      return builder.cast(ir::thread_query(builder, op, 1), DType::int64);
    };
    const Value by = query(Op::grid_extent);
    const ir::CountedLoop loop = ir::begin_counted_loop(
        builder, "row", query(Op::block_index), builder.parameter(count_));
    {
      const auto body = builder.enter(*loop.body);
      Values outer;
      for (std::size_t i = 0; i + 1 < form_.loops; ++i) outer.push_back(extent(builder, i));
      Values indices = unravel(builder, loop.index, outer, form_.is_narrow);
      indices.push_back(x);
      emit_at(builder, std::move(indices));
    }
    ir::step_counted_loop(builder, loop, by);
  }

  void emit_items(ir::Builder& builder) const {
    const Value i = ir::global_index(builder, 0);
    const auto inside = builder.enter(ir::guard(builder, i, builder.parameter(count_)));
    Values extents;
    for (std::size_t loop = 0; loop < form_.loops; ++loop)
      extents.push_back(extent(builder, loop));
    emit_at(builder, unravel(builder, i, extents, form_.is_narrow));
  }

  const Form& form_;
  std::size_t count_ = 0;    // the parameter: of rows, or of items
  std::size_t extents_ = 0;  // the first of the parameters
  std::vector<OperandParameters> outputs_;
  ProgramParameters program_;
};

std::uint32_t blocks_of(std::int64_t threads, std::uint32_t block) {
  const std::int64_t blocks = (threads + block - 1) / block;
  if (blocks > std::numeric_limits<std::int32_t>::max())
    throw ValueError("an array of more than 2**39 elements is too large for one kernel");
  return static_cast<std::uint32_t>(blocks);
}

// The innermost loop has stride 0 or one element in memory for most operands, or is long enough.
runtime::LaunchConfig config_of(const Nest& nest, bool is_by_rows) {
  if (!is_by_rows)
    return {.grid = {blocks_of(nest.count(), block_threads)}, .block = {block_threads}};
  const std::int64_t inner = nest.extents.back();
  const auto block = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>((inner + 31) / 32 * 32, 32, block_threads));
  const std::int64_t rows = nest.count() / inner;
  return {
      .grid = {blocks_of(inner, block), static_cast<std::uint32_t>(std::min(rows, most_grid_rows))},
      .block = {block}};
}

}  // namespace

void launch_elementwise(
    KernelTable& kernels,
    const Program& program,
    const std::vector<Output>& outputs,
    const Order& order,
    runtime::Stream& stream) {
  std::vector<const Strides*> strides;
  strides.reserve(outputs.size() + program.accesses.size() + program.positions.size());
  for (const Output& output : outputs) strides.push_back(&output.strides);
  for (const Access& access : program.accesses) strides.push_back(&access.strides);
  for (const PositionsUse& positions : program.positions) strides.push_back(&positions.steps);
  Nest nest = collapse(nest_of(program.space, strides, order));
  if (nest.extents.empty()) {  // one element
    nest.extents = {1};
    for (Strides& own : nest.strides) own = {0};
  }
  const std::int64_t count = nest.count();
  if (count == 0)
    return;

  Form form;
  form.loops = nest.extents.size();
  form.is_by_rows = form.loops == 1 || nest.extents.back() >= least_row;
  form.is_narrow = count <= std::numeric_limits<std::int32_t>::max();
  const std::span<const Strides> all(nest.strides);
  const auto access_strides = all.subspan(outputs.size(), program.accesses.size());
  std::vector<OperandForm> operands;
  operands.reserve(outputs.size() + program.accesses.size());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    operands.push_back({outputs[i].dtype, inner_of(all[i], outputs[i].dtype)});
  for (std::size_t i = 0; i < program.accesses.size(); ++i) {
    const DType dtype = program.accesses[i].memory->element.dtype();
    operands.push_back({dtype, inner_of(access_strides[i], dtype)});
  }
  form.outputs = std::span(operands).first(outputs.size());
  form.program = {&program, std::span(operands).subspan(outputs.size())};

  KeyWriter key;
  form.write_key(key);
  const auto kernel = kernels.find(key.text(), [&] { return CodeMaker(form).make(); });
  ArgumentPacker packer;
  packer.add_integer(form.is_by_rows ? count / nest.extents.back() : count);
  packer.add_integers(std::span(nest.extents));
  for (std::size_t i = 0; i < outputs.size(); ++i)
    pack_operand(packer, form.outputs[i], outputs[i].address, all[i]);
  pack_program(
      packer, form.program, access_strides, all.subspan(outputs.size() + program.accesses.size()));
  kernel->launch(config_of(nest, form.is_by_rows), packer.bytes(), stream);
}

}  // namespace phalanx::arrays
