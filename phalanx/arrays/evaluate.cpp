// How recorded nodes become kernels: what is computed first, what goes into one program.
#include <algorithm>
#include <complex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "phalanx/arrays/elementwise_kernel.h"
#include "phalanx/arrays/graph.h"
#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/reduce_kernel.h"
#include "phalanx/base/errors.h"
#include "phalanx/jit/context.h"
#include "phalanx/numpy/overlap.h"
#include "phalanx/numpy/reductions.h"

namespace phalanx::arrays {
namespace {

// A value that is broadcast to this many elements for each of its own is computed by itself: a
// kernel costs less than computing it again and again.
constexpr std::int64_t most_repeats = 4;
constexpr std::int64_t least_repeated = 16384;
// A GPU takes 4 KB of parameters; the rest is for what a kernel has besides the program's.
constexpr std::size_t most_parameter_bytes = 3584;
// Arrays that one kernel computes together with the one that was asked for.
constexpr std::size_t most_siblings = 7;

std::vector<NodePtr> operands_of(const Node& node) {
  if (const auto* call = std::get_if<Call>(&node.made_by)) {
    const auto begin = call->operands.begin();
    return {begin, begin + call->function->arity};
  }
  if (const auto* view = std::get_if<View>(&node.made_by))
    return {view->base};
  if (const auto* reshape = std::get_if<Reshape>(&node.made_by))
    return {reshape->base};
  if (const auto* reduce = std::get_if<Reduce>(&node.made_by))
    return {reduce->operand};
  if (const auto* routine = std::get_if<Routine>(&node.made_by))
    return routine->operands;
  return {};
}

// Computed apart, before what uses it.
bool is_own_kernel(const Node& node) {
  return std::holds_alternative<Reduce>(node.made_by) ||
         std::holds_alternative<Reshape>(node.made_by) ||
         std::holds_alternative<Routine>(node.made_by);
}

// At most: kernels have fewer loops than the space has dimensions.
std::size_t parameter_bytes(const Program& program, std::size_t outputs) {
  const std::size_t operand = sizeof(std::int64_t) * (1 + program.space.size());
  return operand * (outputs + program.accesses.size() + program.positions.size()) +
         sizeof(std::complex<double>) * program.numbers.size();
}

// Byte strides under which the same memory has another shape; nothing where it must be copied. Each
// group of new dimensions takes the place of a group of old ones of as many elements, which must
// follow each other without gaps.
std::optional<Extents> strides_of_reshape(
    const Extents& shape, const Extents& strides, const Extents& wanted) {
  const Nest old = collapse(
      {.extents = Strides(shape.begin(), shape.end()),
       .strides = {Strides(strides.begin(), strides.end())}});
  Extents result(wanted.size(), 0);
  std::size_t loop = old.extents.size();
  std::int64_t left = 1;  // elements of the old loop that no new dimension has yet
  std::int64_t stride = 0;
  for (std::size_t i = wanted.size(); i-- > 0;) {
    if (wanted[i] == 1)
      continue;
    if (left == 1) {
      if (loop == 0)
        return std::nullopt;
      left = old.extents[--loop];
      stride = old.strides[0][loop];
    }
    if (left % wanted[i] != 0)
      return std::nullopt;
    result[i] = stride;
    stride *= wanted[i];
    left /= wanted[i];
  }
  return result;
}

}  // namespace

views::DeviceArray view_of(
    jit::Engine& engine,
    const views::DeviceArray& base,
    const Extents& shape,
    const std::vector<Axis>& axes) {
  Extents strides(shape.size(), 0);
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    offset += axes[i].start * base.strides[i];
    if (axes[i].dimension != Axis::none)
      strides[static_cast<std::size_t>(axes[i].dimension)] += axes[i].step * base.strides[i];
  }
  if (element_count(shape) == 0)
    offset = 0;
  return views::view_array(engine.types(), base, shape, std::move(strides), offset, {});
}

// Under the graph's lock.
class Graph::Evaluation {
 public:
  explicit Evaluation(Graph& graph) : graph_(graph) {}

  Memory evaluate(const NodePtr& node) {
    if (const auto* memory = std::get_if<Memory>(&node->made_by))
      return *memory;
    if (!std::holds_alternative<Reshape>(node->made_by) && shares_elements(*node)) {
      finish(*node, viewed(*node));
    } else {
      settle(node);
      compute(node);
    }
    return std::get<Memory>(node->made_by);
  }

  // Computes what is below a node and cannot be part of its kernel.
  void settle(const NodePtr& node) {
    uses_.clear();
    inlined_.clear();
    // A view is as high as its base, which may need a kernel.
    if (node->height == 0 || (node->height == 1 && !std::holds_alternative<View>(node->made_by)))
      return;
    count_uses(*node);
    std::unordered_map<const Node*, bool> done;
    settle_below(*node, node->size(), done);
  }

  static Program program_of(const NodePtr& node) { return program_of(std::vector{node}); }

  // The program is the kernel's: what is computed on its way is not computed a third time.
  void note_inlined() {
    for (const NodePtr& node : inlined_) ++node->inlined;
    inlined_.clear();
  }

  void launch_into(const Program& program, const Output& output, runtime::Device& device) {
    runtime::Stream& stream = *device.default_stream();
    hold(program, device);
    launch_elementwise(
        graph_.kernels_, program, {output}, order_of(program.space, program.accesses), stream);
    ++graph_.statistics_.kernels;
  }

  // Where the node is computed: where all that its program reads is. Values that could be anywhere
  // when they were recorded may have come to one device since.
  runtime::Device& device_of(const Node& node, const Program& program) const {
    runtime::Device* device = node.device;
    for (const Access& access : program.accesses)
      device = one_device(device, access.memory->device);
    return device != nullptr ? *device : jit::current_device(*graph_.engine_);
  }

 private:
  // How often each pending node is met: as an operand, and through how many different views.
  void count_uses(const Node& node) {
    for (const NodePtr& operand : operands_of(node)) {
      if (!operand->is_pending())
        continue;
      const bool is_first = ++uses_[operand.get()] == 1;
      if (is_first)
        count_uses(*operand);
    }
  }

  // `space` is the number of indices at which the kernel computes the node.
  void settle_below(
      const Node& node, std::int64_t space, std::unordered_map<const Node*, bool>& done) {
    const bool is_view = std::holds_alternative<View>(node.made_by);
    for (const NodePtr& operand : operands_of(node)) {
      if (!operand->is_pending() || done[operand.get()])
        continue;
      done[operand.get()] = true;
      if (is_own_kernel(*operand)) {  // which settles what is below it for itself
        Evaluation(graph_).evaluate(operand);
        continue;
      }
      settle_below(*operand, space, done);
      if (!operand->is_pending())
        continue;
      if (std::holds_alternative<View>(operand->made_by) && !is_own_kernel(*operand))
        continue;
      const bool is_viewed_twice = is_view && uses_[operand.get()] > 1;
      const bool is_repeated = space >= least_repeated && operand->size() <= space / most_repeats &&
                               std::holds_alternative<Call>(operand->made_by);
      const bool is_known = operand->inlined > 0 && operand->weight > 1;
      if (is_own_kernel(*operand) || is_viewed_twice || is_repeated || is_known)
        Evaluation(graph_).evaluate(operand);
      else
        inlined_.push_back(operand);
    }
  }

  // Computes the operands by kernels of their own: not what settle() meant.
  void compute_operands(const Node& node) {
    inlined_.clear();
    for (const NodePtr& operand : operands_of(node)) {
      if (operand->is_pending())
        Evaluation(graph_).evaluate(operand);
    }
  }

  // What the node shows elements of: as a view, as one part of them, or under another shape.
  static const NodePtr* shown_by(const Node& node) {
    if (const auto* view = std::get_if<View>(&node.made_by))
      return &view->base;
    if (const auto* reshape = std::get_if<Reshape>(&node.made_by))
      return &reshape->base;
    const auto* call = std::get_if<Call>(&node.made_by);
    return call != nullptr && call->function->part >= 0 ? call->operands.data() : nullptr;
  }

  // True if an array may have what the node shows, or what that shows: it is computed first, so
  // that both have one memory. Else only what the node shows is computed.
  static bool shares_elements(const Node& node) {
    const NodePtr* base = shown_by(node);
    return base != nullptr &&
           (!(*base)->is_pending() || base->use_count() > 1 || shares_elements(**base));
  }

  void compute(const NodePtr& node) {
    if (const auto* reduce = std::get_if<Reduce>(&node->made_by))
      finish(*node, computed(*node, *reduce));
    else if (const auto* routine = std::get_if<Routine>(&node->made_by))
      finish(*node, computed(*routine));
    else if (const auto* reshape = std::get_if<Reshape>(&node->made_by))
      finish(*node, computed(*node, *reshape));
    else if (std::holds_alternative<View>(node->made_by) && !(*shown_by(*node))->is_pending())
      finish(*node, viewed(*node));  // settle() has computed it
    else
      compute_elementwise(node);
  }

  static Program program_of(const std::vector<NodePtr>& nodes) {
    ProgramBuilder builder(*nodes.front()->shape);
    for (const NodePtr& each : nodes) builder.add_result(each);
    return builder.take();
  }

  // Nodes that are computed together, the wanted one first, and their program.
  std::pair<std::vector<NodePtr>, Program> together(const NodePtr& node) {
    std::vector<NodePtr> nodes = {node};
    if (node->weight > 1 && node->size() >= RecentArrays::least_size) {
      for (NodePtr& sibling : graph_.recent_.siblings_of(node, most_siblings))
        nodes.push_back(std::move(sibling));
    }
    Program program = program_of(nodes);
    if (nodes.size() > 1 && parameter_bytes(program, nodes.size()) > most_parameter_bytes) {
      nodes.resize(1);
      program = program_of(nodes);
    }
    if (parameter_bytes(program, 1) > most_parameter_bytes) {
      compute_operands(*node);
      program = program_of(nodes);
    }
    note_inlined();
    return {std::move(nodes), std::move(program)};
  }

  // An elementwise kernel, with others that need what it computes.
  void compute_elementwise(const NodePtr& node) {
    const auto [nodes, program] = together(node);
    runtime::Device& device = device_of(*node, program);
    const Order order = order_of(program.space, program.accesses);
    std::vector<views::DeviceArray> arrays;
    std::vector<Output> outputs;
    for (const NodePtr& each : nodes) {
      const views::DeviceArray& array =
          arrays.emplace_back(in_order(graph_.new_array(device, each->dtype, *each->shape), order));
      outputs.push_back(
          {.address = array.address,
           .strides = Strides(array.strides.begin(), array.strides.end()),
           .dtype = each->dtype});
    }
    hold(program, device);
    launch_elementwise(graph_.kernels_, program, outputs, order, *device.default_stream());
    ++graph_.statistics_.kernels;
    for (std::size_t i = 0; i < nodes.size(); ++i) finish(*nodes[i], std::move(arrays[i]));
  }

  void finish(Node& node, views::DeviceArray array) {
    node.device = array.device;
    node.made_by = std::make_shared<const views::DeviceArray>(std::move(array));
    node.height = 0;
    node.weight = 0;
    ++graph_.statistics_.computed;
  }

  // The array with its dimensions in memory as `order` has them.
  views::DeviceArray in_order(views::DeviceArray array, const Order& order) {
    if (std::ranges::is_sorted(order))
      return array;
    auto stride = static_cast<std::int64_t>(array.item_bytes());
    Extents strides(array.shape.size());
    for (std::size_t i = order.size(); i-- > 0;) {
      strides[order[i]] = stride;
      stride *= array.shape[order[i]];
    }
    const Extents shape = array.shape;
    return views::view_array(graph_.engine_->types(), array, shape, std::move(strides), 0, {});
  }

  views::DeviceArray computed(const Node& node, const Reduce& reduce) {
    Program program = program_of(reduce.operand);
    if (parameter_bytes(program, 2) > most_parameter_bytes) {
      compute_operands(node);
      program = program_of(reduce.operand);
    }
    note_inlined();
    runtime::Device& device = device_of(node, program);
    const auto reduction = numpy::Reduction::find(reduce.name, reduce.operand->dtype, reduce.dtype);
    views::DeviceArray array = graph_.new_array(device, node.dtype, *node.shape);
    std::vector<runtime::Buffer> states;
    hold(program, device);
    launch_reduce(
        graph_.kernels_,
        {.program = &program,
         .name = reduce.name,
         .reduction = &*reduction,
         .is_reduced = reduce.is_reduced},
        array.address,
        [&](std::size_t bytes) { return states.emplace_back(device.allocate(bytes)).address(); },
        *device.default_stream());
    ++graph_.statistics_.kernels;
    return array;
  }

  views::DeviceArray viewed(const Node& node) {
    const Memory base = Evaluation(graph_).evaluate(*shown_by(node));
    if (const auto* view = std::get_if<View>(&node.made_by))
      return view_of(*graph_.engine_, *base, *node.shape, view->axes);
    const auto part = std::get<Call>(node.made_by).function->part;
    const auto offset = part * static_cast<std::int64_t>(base->item_bytes() / 2);
    return views::view_array(
        graph_.engine_->types(), *base, base->shape, base->strides, offset, ir::Type(node.dtype));
  }

  // A view where the base's memory is in C order, else of a copy that is.
  views::DeviceArray computed(const Node& node, const Reshape& reshape) {
    views::DeviceArray base = *Evaluation(graph_).evaluate(reshape.base);
    if (!views::is_contiguous(base.shape, base.strides, base.item_bytes(), ir::Layout::c)) {
      if (const auto strides = strides_of_reshape(base.shape, base.strides, *node.shape))
        return views::view_array(graph_.engine_->types(), base, *node.shape, *strides, 0, {});
      base = graph_.copy(base);
    }
    Extents strides = views::contiguous_strides(*node.shape, base.item_bytes(), ir::Layout::c);
    return views::view_array(graph_.engine_->types(), base, *node.shape, std::move(strides), 0, {});
  }

  views::DeviceArray computed(const Routine& routine) {
    std::vector<views::DeviceArray> arrays;
    arrays.reserve(routine.operands.size());
    for (const NodePtr& operand : routine.operands)
      arrays.push_back(*Evaluation(graph_).evaluate(operand));
    return routine.run(arrays);
  }

  // Arrays of other streams are there before the kernel reads them.
  static void hold(const Program& program, runtime::Device& device) {
    const auto& stream = device.default_stream();
    for (const Access& access : program.accesses) {
      one_device(&device, access.memory->device);
      access.memory->memory->buffer.used_on(stream);
    }
  }

  Graph& graph_;
  std::unordered_map<const Node*, unsigned> uses_;
  std::vector<NodePtr> inlined_;  // what the kernel will compute on its way
};

Memory Graph::evaluate(const NodePtr& node) {
  const auto lock = locked();
  return Evaluation(*this).evaluate(node);
}

views::DeviceArray Graph::new_array(
    runtime::Device& device, DType dtype, const Extents& shape) const {
  return views::allocate_array(
      engine_->types(), device, nullptr, {.element = dtype, .shape = shape});
}

namespace {

// The elements are where they should be.
bool is_same(const Program& program, const views::DeviceArray& target) {
  if (program.steps.size() != 1 || program.accesses.size() != 1)
    return false;
  const Access& access = program.accesses.front();
  return access.memory->address + static_cast<runtime::Address>(access.offset) == target.address &&
         std::ranges::equal(access.strides, target.strides);
}

bool reads_elsewhere(const Program& program, const views::DeviceArray& target) {
  const StridedMemory written = {target.address, target.shape, target.strides, target.item_bytes()};
  return std::ranges::any_of(program.accesses, [&](const Access& access) {
    const auto address = access.memory->address + static_cast<runtime::Address>(access.offset);
    return numpy::may_change(
        written,
        {address,
         {program.space.data(), program.space.size()},
         {access.strides.data(), access.strides.size()},
         access.memory->item_bytes()});
  });
}

}  // namespace

views::DeviceArray Graph::copy(const views::DeviceArray& array) const {
  views::DeviceArray result = new_array(*array.device, array.element.dtype(), array.shape);
  engine_->copier().copy(result, array, *array.device->default_stream());
  return result;
}

void Graph::store(NodePtr value, const Memory& target, const std::function<void()>& release) {
  if (target->is_read_only)
    throw ValueError("assignment destination is read-only");
  const DType dtype = target->element.dtype();
  value = broadcast(cast(value, dtype), target->shape);
  const auto lock = locked();
  Evaluation evaluation(*this);
  if (is_own_kernel(*value))
    evaluation.evaluate(value);
  else
    evaluation.settle(value);
  Program program = evaluation.program_of(value);
  if (is_same(program, *target))
    return;
  if (reads_elsewhere(program, *target) || parameter_bytes(program, 1) > most_parameter_bytes) {
    evaluation.evaluate(value);
    program = evaluation.program_of(value);
    if (reads_elsewhere(program, *target)) {  // the value is a view of the target's memory
      const auto copied =
          std::make_shared<const views::DeviceArray>(copy(*std::get<Memory>(value->made_by)));
      value = memory(*copied);
      program = evaluation.program_of(value);
    }
  }
  evaluation.note_inlined();
  value.reset();
  release();
  evaluation.launch_into(
      program,
      {.address = target->address,
       .strides = Strides(target->strides.begin(), target->strides.end()),
       .dtype = dtype},
      *target->device);
}

}  // namespace phalanx::arrays
