#include "phalanx/arrays/elementwise_kernel.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>

#include "phalanx/arrays/kernel_code.h"
#include "phalanx/arrays/program_text.h"
#include "phalanx/base/errors.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/idioms.h"
#include "phalanx/numpy/elementwise_kernel.h"

namespace phalanx::arrays {
namespace {

using ir::Op;

constexpr std::uint32_t block_threads = 256;
constexpr std::int64_t most_grid_rows = 65535;
// Elements of a thread on a GPU, whose memory answers late: so many loads are under way. Small
// arrays need all threads, and long programs all registers.
constexpr std::uint8_t tile_elements = 4;
constexpr std::int64_t least_tiled = 1 << 20;
constexpr std::size_t most_tiled_steps = 24;
// Rows shorter than this would leave most lanes of a warp idle.
constexpr std::int64_t least_row = 16;

// All that decides the code of such a kernel.
struct Form {
  ProgramForm program;
  std::span<const OperandForm> outputs;
  std::size_t loops = 1;
  bool is_by_rows = true;  // the innermost loop along x, the others row by row; else one index each
  bool is_narrow = true;   // 32 bits count the indices
  std::uint8_t tile = 1;   // of one loop: elements that a thread computes, a block's width apart

  void write_key(KeyWriter& writer) const {
    writer.add('e').add(static_cast<std::uint8_t>(loops)).add(is_by_rows).add(is_narrow).add(tile);
    writer.add(*program.program).add(program.accesses).add(outputs);
  }
};

class CodeMaker {
 public:
  explicit CodeMaker(const Form& form) : form_(form) {}

  std::shared_ptr<ir::Module> make() {
    auto module = std::make_shared<ir::Module>();
    ParameterList list;
    extents_ = list.add_integers(form_.loops);
    for (const OperandForm& output : form_.outputs)
      outputs_.push_back(add_operand(list, output, form_.loops));
    program_ = add_program(list, form_.program, form_.loops);
    ir::Builder builder(ir::add_function(*module, name(), ir::FunctionKind::kernel, list.take()));
    Values shape;
    for (std::size_t loop = 0; loop < form_.loops; ++loop)
      shape.push_back(builder.parameter(extents_ + loop));
    if (form_.tile > 1) {
      emit_tiles(builder, shape.front());
      builder.return_();
      return module;
    }
    const auto traversal = form_.is_by_rows ? numpy::Traversal::rows : numpy::Traversal::items;
    numpy::for_each_item(
        builder,
        traversal,
        shape,
        [&](const Values& indices) { emit_at(builder, {indices, shape.back()}); },
        form_.is_narrow);
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

  Values compute(ir::Builder& builder, const LoopIndices& at) const {
    return emit_program(builder, form_.program, program_, at);
  }
  void store(ir::Builder& builder, const LoopIndices& at, const Values& results) const {
    for (std::size_t i = 0; i < results.size(); ++i)
      Element(builder, form_.outputs[i], outputs_[i], at).store(results[i]);
  }
  void emit_at(ir::Builder& builder, const LoopIndices& at) const {
    store(builder, at, compute(builder, at));
  }

  // All loads of a thread are under way before its first store, which they could not pass: it may
  // write to what they read.
  void emit_tiles(ir::Builder& builder, Value count) const {
    const auto query = [&](Op op) {
      return builder.cast(ir::thread_query(builder, op, 0), DType::int64);
    };
    const Value width = query(Op::block_extent);
    const Value tile = builder.elementwise(Op::multiply, {width, builder.integer(form_.tile)});
    const Value begin = builder.elementwise(Op::multiply, {query(Op::block_index), tile});
    std::vector<LoopIndices> at;
    Value index = builder.elementwise(Op::add, {begin, query(Op::thread_index)});
    for (unsigned i = 0; i < form_.tile; ++i) {
      at.push_back({{index}, count});
      index = builder.elementwise(Op::add, {index, width});
    }
    const Value end = builder.elementwise(Op::add, {begin, tile});
    const auto whole = builder.if_(builder.elementwise(Op::less_equal, {end, count}));
    {
      const auto inside = builder.enter(whole.then);
      std::vector<Values> results;
      results.reserve(at.size());
      for (const LoopIndices& each : at) results.push_back(compute(builder, each));
      for (std::size_t i = 0; i < at.size(); ++i) store(builder, at[i], results[i]);
    }
    const auto inside = builder.enter(whole.otherwise);
    for (const LoopIndices& each : at) {
      const auto guarded = builder.enter(ir::guard(builder, each.indices.front(), count));
      emit_at(builder, each);
    }
  }

  const Form& form_;
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
runtime::LaunchConfig config_of(const Nest& nest, bool is_by_rows, std::uint8_t tile) {
  if (tile > 1)
    return {.grid = {blocks_of(nest.count(), tile * block_threads)}, .block = {block_threads}};
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

std::shared_ptr<ProgramKernel> launch_elementwise(
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
    return nullptr;

  Form form;
  form.loops = nest.extents.size();
  form.is_by_rows = form.loops == 1 || nest.extents.back() >= least_row;
  if (form.loops == 1 && !stream.device().is_host() && count >= least_tiled &&
      program.steps.size() <= most_tiled_steps)
    form.tile = tile_elements;
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
  auto kernel = kernels.find(
      key.text(), [&] { return KernelSource{CodeMaker(form).make(), to_text(program, false)}; });
  ArgumentPacker packer;
  packer.add_integers(std::span(nest.extents));
  for (std::size_t i = 0; i < outputs.size(); ++i)
    pack_operand(packer, form.outputs[i], outputs[i].address, all[i]);
  pack_program(
      packer, form.program, access_strides, all.subspan(outputs.size() + program.accesses.size()));
  kernel->launch(config_of(nest, form.is_by_rows, form.tile), packer.bytes(), stream);
  return kernel;
}

}  // namespace phalanx::arrays
