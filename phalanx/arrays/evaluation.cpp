#include "phalanx/arrays/evaluation.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <utility>

#include "phalanx/arrays/aliasing.h"
#include "phalanx/arrays/flat_expression.h"
#include "phalanx/arrays/graph.h"
#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/operands.h"
#include "phalanx/arrays/other_shapes.h"
#include "phalanx/base/errors.h"
#include "phalanx/numpy/reductions.h"

namespace phalanx::arrays {
namespace {

// A value that is broadcast to this many elements for each of its own is computed by itself: a
// kernel costs less than computing it again and again, but for one or two short operations.
constexpr std::int64_t most_repeats = 4;
constexpr std::int64_t least_repeated = 16384;
constexpr std::uint32_t most_cheap = 2;

// Computing it anew for each element costs next to nothing beside the element's memory.
bool is_cheap(const Node& node) {
  const auto* call = std::get_if<Call>(&node.made_by);
  if (node.weight > most_cheap || (call != nullptr && call->function->is_long))
    return false;
  return std::ranges::all_of(operands_of(node), [](const NodePtr& operand) {
    return !operand->is_pending() || is_cheap(*operand);
  });
}

bool has_long_functions(const Node& node) {
  const auto* call = std::get_if<Call>(&node.made_by);
  if (call != nullptr && call->function->is_long)
    return true;
  return std::ranges::any_of(operands_of(node), [](const NodePtr& operand) {
    return operand->is_pending() && has_long_functions(*operand);
  });
}

}  // namespace

std::string_view to_string(Reason reason) {
  switch (reason) {
    case Reason::wanted:
      return "it was asked for";
    case Reason::reduction:
      return "a reduction ends a kernel";
    case Reason::memory:
      return "what reads it needs it in memory";
    case Reason::repeated:
      return "it is broadcast: once is cheaper than for each element";
    case Reason::viewed:
      return "several views of it are read";
    case Reason::again:
      return "an earlier kernel computed it on its way: now it is kept";
    case Reason::parameters:
      return "one kernel cannot have so many operands";
    case Reason::held:
      return "it is smaller than the memory that only it still uses";
    case Reason::part:
      return "its operands differ from part to part";
    case Reason::compiling:
      return "the kernel that has it and what reads it is being compiled";
    case Reason::not_compiled:
      return "the kernel that has it and what reads it could not be compiled";
  }
  return "";
}

void Evaluation::finish(const NodePtr& node, views::DeviceArray array) {
  if (!placer_.stays_movable(node))
    node->device = array.device;
  node->made_by = std::make_shared<const views::DeviceArray>(std::move(array));
  node->height = 0;
  node->weight = 0;
  node->has_memory = false;
  executor_.note(node);
}

Memory Evaluation::evaluate(const NodePtr& node) {
  if (const NodePtr view = passing_view(*node))
    return evaluate_here(view);
  return evaluate_here(node);
}

Memory Evaluation::evaluate_here(const NodePtr& node) {
  place(node);
  if (std::holds_alternative<SpilledPtr>(node->made_by))
    return executor_.restore(*node);
  return std::get<Memory>(node->made_by);
}

Memory Evaluation::evaluate(const NodePtr& node, Reason why) {
  return below(why, Place::memory).evaluate(node);
}

// For an operand of what is settled: numbers that no device has yet come to where they are read.
Evaluation Evaluation::below(Reason why, Place place) const {
  Evaluation made(executor_, why, place);
  if (below_.node != nullptr)
    made.placer_.set_reader(placer_, below_.node);
  return made;
}

void Evaluation::place(const NodePtr& node) {
  if (node->layout() != nullptr)
    return;
  const bool shows = !std::holds_alternative<Reshape>(node->made_by) && shares_elements(*node);
  if (shows && !shows_source(*node)) {
    finish(node, viewed(*node));
  } else if (std::holds_alternative<Concatenation>(node->made_by)) {
    compute_parts(node);
  } else if (!compute_flat(node)) {
    settle(
        node,
        std::holds_alternative<Scan>(node->made_by) ? Rows::apart : Rows::folded,
        is_own_kernel(*node) ? Cut::refused : Cut::allowed);
    compute(node);
  }
}

void Evaluation::place(const NodePtr& node, Reason why) { below(why, Place::anywhere).place(node); }

// Computes what is below a node and cannot be part of its kernel, or of those of its regions.
void Evaluation::settle(const NodePtr& node, Rows rows, Cut cut) {
  uses_.clear();
  inlined_.clear();
  below_ = {.node = node};
  rows_ = {};
  // A view is as high as its base, which may need a kernel.
  if (node->height == 0 || (node->height == 1 && !std::holds_alternative<View>(node->made_by)))
    return;
  count_uses(*node);
  if (below_.has_reductions && rows == Rows::folded)
    rows_ = RowFusion::find(*node, placer_.likely_device(node));
  below_.is_cut = cut == Cut::allowed && below_.has_concatenations && !below_.has_reductions &&
                  pays_to_cut(*node, placer_.likely_device(node));
  Done done;
  settle_below(*node, node->size(), done);
}

// Computes what is below several nodes and cannot be part of the one kernel of them.
void Evaluation::settle_each(const std::vector<NodePtr>& nodes) {
  std::vector<NodePtr> inlined;
  for (const NodePtr& node : nodes) {
    if (is_own_kernel(*node)) {
      evaluate(node, Reason::memory);
      continue;
    }
    settle(node, Rows::apart);
    inlined.insert(inlined.end(), inlined_.begin(), inlined_.end());
  }
  inlined_ = std::move(inlined);
}

// How often each pending node is met: as an operand, and through how many different views.
void Evaluation::count_uses(const Node& node) {
  for (const NodePtr& operand : operands_of(node)) {
    if (!operand->is_pending())
      continue;
    below_.has_reductions |= std::holds_alternative<Reduce>(operand->made_by);
    below_.has_concatenations |= std::holds_alternative<Concatenation>(operand->made_by);
    const bool is_first = ++uses_[operand.get()] == 1;
    if (is_first)
      count_uses(*operand);
  }
}

// `space` is the number of indices at which the kernel computes the node.
void Evaluation::settle_below(const Node& node, std::int64_t space, Done& done) {
  const bool is_view = std::holds_alternative<View>(node.made_by);
  for (const NodePtr& operand : operands_of(node)) {
    if (!operand->is_pending())
      continue;
    // Also where another one of what is below has it in its kernel: that one reads it, too, then.
    if (const auto* gather = std::get_if<Gather>(&node.made_by);
        gather != nullptr && gather->base == operand) {
      evaluate(operand, Reason::memory);
    } else if (!done[operand.get()]) {
      done[operand.get()] = true;
      settle_operand(operand, is_view, space, done);
    }
  }
}

void Evaluation::settle_operand(
    const NodePtr& operand, bool is_viewed, std::int64_t space, Done& done) {
  if (below_.is_cut && std::holds_alternative<Concatenation>(operand->made_by)) {
    settle_parts(operand, is_viewed, space, done);
    return;
  }
  if (is_own_kernel(*operand) &&
      !rows_.folds(*operand)) {  // which settles what is below it for itself
    place(
        operand,
        std::holds_alternative<Reduce>(operand->made_by) ? Reason::reduction : Reason::memory);
    return;
  }
  settle_below(*operand, space, done);
  if (!operand->is_pending() || std::holds_alternative<View>(operand->made_by))
    return;
  const auto why = why_apart(*operand, is_viewed, space);
  if (!why || !try_evaluate(operand, *why))
    inlined_.push_back(operand);
}

// False where there is no memory for it.
bool Evaluation::try_evaluate(const NodePtr& node, Reason why) {
  try {
    evaluate(node, why);
    return true;
  } catch (const OutOfMemoryError&) {
    return false;
  }
}

// Why an elementwise operand is computed before the kernel at `space` indices that could do it.
std::optional<Reason> Evaluation::why_apart(
    const Node& operand, bool is_viewed, std::int64_t space) const {
  if (rows_.contains(operand))  // once for a row costs nothing
    return std::nullopt;
  if (is_viewed && uses_.at(&operand) > 1)
    return Reason::viewed;
  const bool is_repeated = space >= least_repeated && operand.size() <= space / most_repeats;
  if (is_repeated && std::holds_alternative<Call>(operand.made_by) && !is_cheap(operand))
    return Reason::repeated;
  if (operand.inlined > 0 && operand.weight > 1)
    return Reason::again;
  return std::nullopt;
}

// Computes the operands by kernels of their own: not what settle() meant.
void Evaluation::compute_operands(const Node& node) {
  inlined_.clear();
  rows_ = {};
  for (const NodePtr& operand : operands_of(node)) {
    if (operand->is_pending())
      place(operand, Reason::parameters);
  }
}

// The program is the kernel's: what is computed on its way is not computed a third time.
void Evaluation::note_inlined() {
  for (const NodePtr& node : inlined_) ++node->inlined;
  inlined_.clear();
}

Program Evaluation::program_of(const std::vector<NodePtr>& nodes) {
  const auto held = restored_below(nodes);
  ProgramBuilder builder(*nodes.front()->shape, rows_);
  for (const NodePtr& each : nodes) builder.add_result(each);
  return builder.take();
}

// True if an array may have what the node shows, or what that shows: it is computed first, so that
// both have one memory. Else only what the node shows is computed.
bool Evaluation::shares_elements(const Node& node) const {
  const NodePtr* base = shown_by(node);
  return base != nullptr &&
         (!(*base)->is_pending() || executor_.is_shared(*base) || shares_elements(**base));
}

// False for what takes the way below.
bool Evaluation::compute_flat(const NodePtr& node) {
  FlatExpression expression;
  if (!expression.read(node) || (expression.is_movable() && placer_.is_for_gpu()))
    return false;
  std::optional<views::DeviceArray> array = executor_.flat(expression, why_);
  if (!array)
    return false;
  for (const NodePtr& each : expression.inlined()) ++each->inlined;
  finish(node, *std::move(array));
  return true;
}

void Evaluation::compute(const NodePtr& node) {
  if (const auto* reduce = std::get_if<Reduce>(&node->made_by))
    finish(node, computed(*node, *reduce));
  else if (const auto* scan = std::get_if<Scan>(&node->made_by))
    finish(node, computed(*node, *scan));
  else if (const auto* routine = std::get_if<Routine>(&node->made_by))
    finish(node, computed(*node, *routine));
  else if (const auto* reshape = std::get_if<Reshape>(&node->made_by))
    compute_reshape(node, *reshape);
  else if (
      std::holds_alternative<View>(node->made_by) && !(*shown_by(*node))->is_pending() &&
      !shows_source(*node))
    finish(node, viewed(*node));  // settle() has computed it
  else
    compute_elementwise(node);
}

// Nodes that are computed together, the wanted one first, and their program.
std::pair<std::vector<NodePtr>, Program> Evaluation::together(const NodePtr& node) {
  std::vector<NodePtr> nodes = {node};
  if (node->weight > 1 && node->size() >= RecentArrays::least_size) {
    for (NodePtr& sibling : executor_.siblings_of(node)) nodes.push_back(std::move(sibling));
  }
  Program program = program_of(nodes);
  if (nodes.size() > 1 && has_too_many_parameters(program, nodes.size())) {
    nodes.resize(1);
    program = program_of(nodes);
  }
  if (has_too_many_parameters(program, 1)) {
    compute_operands(*node);
    program = program_of(nodes);
  }
  note_inlined();
  return {std::move(nodes), std::move(program)};
}

std::vector<views::DeviceArray> Evaluation::allocate(
    runtime::Device& device, const std::vector<NodePtr>& nodes) {
  std::vector<views::DeviceArray> arrays;
  arrays.reserve(nodes.size());
  for (const NodePtr& node : nodes)
    arrays.push_back(executor_.allocate(device, node->dtype, *node->shape));
  return arrays;
}

// An elementwise kernel, with others that need what it computes.
void Evaluation::compute_elementwise(const NodePtr& node) {
  if (below_.is_cut) {
    compute_parts(node);
    return;
  }
  auto [nodes, program] = together(node);
  std::int64_t bytes = 0;
  for (const NodePtr& each : nodes) bytes += each->bytes();
  runtime::Device& device = placer_.place(nodes, program, bytes);
  std::vector<views::DeviceArray> arrays;
  while (arrays.empty()) {
    try {
      arrays = allocate(device, nodes);
    } catch (const OutOfMemoryError&) {
      if (nodes.size() > 1) {
        nodes.resize(1);  // the others were not asked for
        program = program_of(nodes);
        placer_.bring_to(nodes, program, device);
      } else if (place_ == Place::anywhere && compute_on_host(node, program, device)) {
        return;
      } else {
        throw;
      }
    }
  }
  const Order order = order_of(program.space, program.accesses);
  for (views::DeviceArray& array : arrays) array = in_order(std::move(array), order);
  executor_.elementwise(program, order, arrays, why_);
  for (std::size_t i = 0; i < nodes.size(); ++i) finish(nodes[i], std::move(arrays[i]));
}

// The array with its dimensions in memory as `order` has them.
views::DeviceArray Evaluation::in_order(views::DeviceArray array, const Order& order) const {
  if (std::ranges::is_sorted(order))
    return array;
  const Strides strides = strides_in_order(array.shape, order, array.item_bytes());
  return with_strides(
      executor_.engine(), array, array.shape, Extents(strides.begin(), strides.end()));
}

views::DeviceArray Evaluation::computed_by_rows(
    const Node& node, const NodePtr& operand, Program program) {
  note_inlined();
  runtime::Device& device = placer_.place({operand}, program, node.bytes());
  views::DeviceArray array = executor_.allocate(device, node.dtype, *node.shape);
  executor_.elementwise(program, {}, {&array, 1}, why_);
  return array;
}

views::DeviceArray Evaluation::computed(const Node& node, const Reduce& reduce) {
  if (!rows_.empty()) {  // of what other reductions of the same rows are in
    const auto held = restored_below({reduce.operand});
    ProgramBuilder builder(*reduce.operand->shape, rows_);
    builder.add_folded_result(node);
    Program program = builder.take();
    if (!has_too_many_parameters(program, 1))
      return computed_by_rows(node, reduce.operand, std::move(program));
    compute_operands(node);
  }
  Program program = program_of(reduce.operand);
  if (has_too_many_parameters(program, 2)) {
    compute_operands(node);
    program = program_of(reduce.operand);
  }
  note_inlined();
  runtime::Device& device = placer_.place({reduce.operand}, program, node.bytes());
  const auto reduction = numpy::Reduction::find(reduce.name, reduce.operand->dtype, reduce.dtype);
  views::DeviceArray array = executor_.allocate(device, node.dtype, *node.shape);
  const Folding folding = {
      .program = &program,
      .name = reduce.name,
      .reduction = &*reduction,
      .is_reduced = reduce.is_reduced};
  executor_.reduce(folding, array, why_);
  return array;
}

views::DeviceArray Evaluation::computed(const Node& node, const Scan& scan) {
  Program program = program_of(scan.operand);
  if (has_too_many_parameters(program, 2)) {
    compute_operands(node);
    program = program_of(scan.operand);
  }
  note_inlined();
  runtime::Device& device = placer_.place({scan.operand}, program, node.bytes());
  const auto fold = fold_of_scan(scan.name, scan.operand->dtype);
  const Order order = order_of(program.space, program.accesses);
  views::DeviceArray array = in_order(executor_.allocate(device, node.dtype, *node.shape), order);
  const Scanning scanning = {
      .program = &program, .name = scan.name, .fold = &*fold, .axis = scan.axis};
  executor_.scan(scanning, array, why_);
  return array;
}

views::DeviceArray Evaluation::viewed(const Node& node) {
  const Memory base = evaluate(*shown_by(node), Reason::memory);
  jit::Engine& engine = executor_.engine();
  if (const auto* view = std::get_if<View>(&node.made_by))
    return view_of(engine, *base, *node.shape, view->axes);
  const auto part = std::get<Call>(node.made_by).function->part;
  const auto offset = part * static_cast<std::int64_t>(base->item_bytes() / 2);
  return views::view_array(
      engine.types(), *base, base->shape, base->strides, offset, ir::Type(node.dtype));
}

// A view where the base's memory allows it, else of a copy in C order.
void Evaluation::compute_reshape(const NodePtr& node, const Reshape& reshape) {
  jit::Engine& engine = executor_.engine();
  if (reshape_source(node, reshape))
    return;
  const Memory base = evaluate(reshape.base, Reason::memory);
  auto array = reshaped(engine, *base, *node->shape);
  finish(node, array ? *std::move(array) : *reshaped(engine, executor_.copy(*base), *node->shape));
}

views::DeviceArray Evaluation::computed(const Node& node, const Routine& routine) {
  std::vector<Memory> operands;
  operands.reserve(routine.operands.size());
  for (const NodePtr& operand : routine.operands)
    operands.push_back(evaluate(operand, Reason::memory));
  placer_.place(node, operands);
  std::vector<views::DeviceArray> arrays;
  arrays.reserve(operands.size());
  for (const Memory& operand : operands) arrays.push_back(*operand);
  return executor_.routine(node, arrays, why_);
}

std::vector<views::DeviceArray> Evaluation::compact(
    const NodePtr& mask, const std::vector<NodePtr>& values) {
  std::vector<NodePtr> nodes = {mask};
  nodes.insert(nodes.end(), values.begin(), values.end());
  // Two kernels read the mask: what takes long is computed once.
  if (mask->is_pending() && !is_own_kernel(*mask) && has_long_functions(*mask))
    evaluate(mask, Reason::again);
  settle_each(nodes);
  Program program = program_of(nodes);
  if (has_too_many_parameters(program, values.size())) {
    for (const NodePtr& node : nodes) evaluate(node, Reason::parameters);
    inlined_.clear();
    program = program_of(nodes);
  }
  note_inlined();
  std::int64_t bytes = 0;
  for (const NodePtr& value : values) bytes += value->bytes();
  runtime::Device& device = placer_.place(nodes, program, bytes);
  return executor_.compact(device, program, why_);
}

namespace {

// Memory that stays where it is until it is written to.
class Written {
 public:
  Written(Executor& executor, const views::DeviceArray& array) : executor_(executor) {
    executor_.set_written(array.memory.get());
  }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  ~Written() { executor_.set_written(nullptr); }

 private:
  Executor& executor_;
};

}  // namespace

void Evaluation::store(NodePtr value, const Memory& target, const std::function<void()>& release) {
  const Written written(executor_, *target);
  if (is_own_kernel(*value))
    place(value, why_);
  else
    settle(value);
  Program program = program_of(value);
  if (is_copy_of(program, *target))
    return;
  if (reads_elsewhere(program, *target) || has_too_many_parameters(program, 1) ||
      placer_.is_better_elsewhere(value, program, *target)) {
    evaluate(value);
    program = program_of(value);
    if (reads_elsewhere(program, *target)) {  // the value is a view of the target's memory
      value = copy_of(value);
      program = program_of(value);
    }
  }
  note_inlined();
  placer_.bring_to({value}, program, *target->device);
  placer_.charge_target(program, *target);
  value.reset();
  release();
  const Order order = order_of(program.space, program.accesses);
  executor_.elementwise(program, order, {target.get(), 1}, why_);
}

void Evaluation::read(const NodePtr& node, std::byte* host) {
  if (node->size() == 0 || read_source(*node, host))
    return;
  if (is_own_kernel(*node))
    place(node);
  else
    settle(node);
  Program program = program_of(node);
  if (has_too_many_parameters(program, 1)) {
    compute_operands(*node);
    program = program_of(node);
  }
  note_inlined();
  const HostTarget target = {
      .device = &placer_.place({node}, program, node->bytes()),
      .dtype = node->dtype,
      .host = host,
      .memory = std::make_shared<views::SharedMemory>()};
  executor_.elementwise_to_host(program, in_c_order(program.space.size()), target, why_);
}

// The node's elements in memory that nobody else has.
NodePtr Evaluation::copy_of(const NodePtr& node) {
  const auto copied = std::make_shared<const views::DeviceArray>(executor_.copy(*evaluate(node)));
  auto made = std::make_shared<Node>(node->dtype, node->shape, copied->device);
  made->made_by = copied;
  return made;
}

// The node, or in its place one whose kernel does not read what is written.
NodePtr Evaluation::apart(NodePtr node, const views::DeviceArray& written) {
  if (!reads(program_of(node), written))
    return node;
  evaluate(node, Reason::memory);
  return reads(program_of(node), written) ? copy_of(node) : node;
}

void Evaluation::scatter(
    Scattering scattering,
    std::vector<NodePtr> nodes,
    const WrittenArray& target,
    const std::function<void()>& release) {
  const Written written(executor_, target.whole);
  settle_each(nodes);
  for (NodePtr& node : nodes) node = apart(std::move(node), target.whole);
  Program program = program_of(nodes);
  if (has_too_many_parameters(program, 1)) {
    for (const NodePtr& node : nodes) evaluate(node, Reason::parameters);
    inlined_.clear();
    program = program_of(nodes);
  }
  note_inlined();
  placer_.bring_to(nodes, program, *target.whole.device);
  nodes.clear();
  release();
  scattering.program = &program;
  executor_.scatter(scattering, target.view, why_);
}

}  // namespace phalanx::arrays
