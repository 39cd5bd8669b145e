#include "phalanx/arrays/graph.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "phalanx/arrays/capture.h"
#include "phalanx/arrays/dry_run.h"
#include "phalanx/arrays/evaluation.h"
#include "phalanx/arrays/held_memory.h"
#include "phalanx/arrays/launcher.h"
#include "phalanx/arrays/operands.h"
#include "phalanx/arrays/other_shapes.h"
#include "phalanx/arrays/scan_kernel.h"
#include "phalanx/arrays/scatter.h"
#include "phalanx/arrays/times.h"
#include "phalanx/base/errors.h"
#include "phalanx/libs/products.h"
#include "phalanx/numpy/broadcast.h"
#include "phalanx/numpy/reductions.h"
#include "phalanx/runtime/device_label.h"
#include "phalanx/views/extents.h"

namespace phalanx::arrays {
namespace {

// Kernels of more steps gain nothing, and take long to compile; chains of more nodes would need a
// deep stack.
constexpr std::uint32_t most_weight = 128;
constexpr std::uint32_t most_height = 64;
// Where each index leads to that many elements, the places are computed by a kernel of their own.
constexpr std::int64_t least_repeats = 16;

runtime::Device* common_device(std::span<const NodePtr> operands) {
  runtime::Device* device = nullptr;
  for (const NodePtr& operand : operands) device = one_device(device, operand->device);
  return device;
}

ShapePtr common_shape(std::span<const NodePtr> operands) {
  const ShapePtr* longest = nullptr;
  bool is_one = true;
  for (const NodePtr& operand : operands) {
    if (operand->shape->empty())
      continue;
    if (longest != nullptr && *longest != operand->shape && **longest != *operand->shape)
      is_one = false;
    longest = &operand->shape;
  }
  if (longest == nullptr)
    return operands.front()->shape;
  if (is_one)
    return *longest;
  std::vector<Extents> shapes;
  for (const NodePtr& operand : operands) shapes.push_back(*operand->shape);
  Extents shape = numpy::broadcast(shapes);
  views::checked_bytes(shape, 1);
  return std::make_shared<const Extents>(std::move(shape));
}

// A view of memory, or memory.
bool is_in_memory(const Node& node) {
  const auto* view = std::get_if<View>(&node.made_by);
  return view != nullptr ? is_in_memory(*view->base) : node.layout() != nullptr;
}

// True for a value of a GPU that can go to memory of the host directly.
bool is_on_another(const Node& value, const views::DeviceArray& target) {
  const runtime::Device* device = value.device;
  return device != nullptr && device != target.device && target.device->is_host() &&
         target.layout() == ir::Layout::c;
}

void add_pending(Node& node, std::span<const NodePtr> operands) {
  std::uint32_t height = 0;
  std::uint32_t weight = 0;
  bool has_memory = false;
  for (const NodePtr& operand : operands) {
    height = std::max<std::uint32_t>(height, operand->height);
    weight += operand->weight;
    has_memory = has_memory || operand->has_memory;
  }
  // The node is nobody else's yet.
  node.height.store(height + 1, std::memory_order_relaxed);
  node.weight.store(weight + 1, std::memory_order_relaxed);
  node.has_memory.store(has_memory, std::memory_order_relaxed);
}

}  // namespace

bool Graph::may_be_anywhere(const NodePtr& node) const {
  if (is_automatic(*engine_))
    return true;
  const auto is_movable = [](const NodePtr& each) { return each->device == nullptr; };
  return std::ranges::any_of(memory_below({node}), is_movable);
}

Graph::Graph(jit::Engine& engine, Aside aside, std::shared_ptr<libs::Products> products)
    : engine_(&engine),
      products_(products ? std::move(products) : std::make_shared<libs::Products>()),
      mutex_(std::make_unique<GraphMutex>(std::move(aside))),
      launcher_(std::make_unique<Launcher>(engine, mutex_->native(), mutex_->notes())),
      held_(std::make_unique<HeldMemory>()) {}

Graph::~Graph() = default;

runtime::Device* one_device(runtime::Device* one, runtime::Device* other) {
  if (one == nullptr || other == nullptr || one == other)
    return one == nullptr ? other : one;
  throw ValueError(
      "the arrays are on different devices, " + label_of(*one) + " and " + label_of(*other) +
      ": bring them to one with px.asarray(x, device=...)");
}

Memory with_element(jit::Engine& engine, Memory memory, const ir::Type& element) {
  if (memory->element == element)
    return memory;
  return std::make_shared<const views::DeviceArray>(
      views::view_array(engine.types(), *memory, memory->shape, memory->strides, 0, element));
}

std::string to_string(const Extents& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

NodePtr Graph::memory(views::DeviceArray array) const {
  runtime::Device* const device = array.device;
  return add_memory(std::move(array), device);
}

NodePtr Graph::movable_memory(views::DeviceArray array) const {
  return add_memory(std::move(array), nullptr);
}

NodePtr Graph::add_memory(views::DeviceArray array, runtime::Device* device) const {
  auto shape = std::make_shared<const Extents>(array.shape);
  auto node = std::make_shared<Node>(array.element, std::move(shape), device);
  node->made_by = std::make_shared<const views::DeviceArray>(std::move(array));
  launcher_->residency().add(node);
  return node;
}

namespace {

NodePtr spilled_node(views::DeviceArray array, std::shared_ptr<const Source> source) {
  auto node = std::make_shared<Node>(
      array.element, std::make_shared<const Extents>(array.shape), array.device);
  auto spilled = std::make_shared<Spilled>();
  spilled->array = std::move(array);
  spilled->source = std::move(source);
  node->made_by = SpilledPtr(std::move(spilled));
  return node;
}

}  // namespace

NodePtr Graph::source(
    runtime::Device& device,
    const ir::Type& element,
    const Extents& shape,
    std::shared_ptr<const Source> source) const {
  NodePtr node =
      spilled_node(array_without_memory(*engine_, device, element, shape, true), std::move(source));
  const auto lock = locked();
  residency().add_source(node);
  return node;
}

NodePtr Graph::copied_to_host(
    runtime::Device& device,
    const ir::Type& element,
    const Extents& shape,
    const void* host) const {
  views::DeviceArray array = array_without_memory(*engine_, device, element, shape);
  const auto copy = [&] {
    const auto lock = locked();
    return residency().make_copy(device, array.bytes());
  }();
  if (!copy)
    return nullptr;
  std::memcpy(copy->host_to_write(), host, copy->bytes());
  NodePtr node = spilled_node(std::move(array), copy);
  const auto lock = locked();
  residency().add_copy(node);
  return node;
}

NodePtr Graph::number(const ir::Type& element, const ir::Constant& value) const {
  static const auto scalar = std::make_shared<const Extents>();
  auto node = std::make_shared<Node>(element, scalar, nullptr);
  node->made_by = Number{value};
  return node;
}

NodePtr Graph::positions(ShapePtr shape, const Positions& positions) const {
  auto node = std::make_shared<Node>(DType::int64, std::move(shape), nullptr);
  node->made_by = positions;
  add_pending(*node, {});
  return node;
}

// What would make kernels too large is computed first, and what keeps too much memory.
void Graph::limit(std::span<const NodePtr> operands) {
  if (residency().has_grown() && jit::recording() == nullptr)
    release_held();
  std::uint32_t weight = 0;
  for (const NodePtr& operand : operands) weight += operand->weight;
  for (const NodePtr& operand : operands) {
    if (operand->is_pending() && (weight >= most_weight || operand->height >= most_height)) {
      const auto lock = locked();
      prepare(operand);
      Evaluation(*launcher_, Reason::wanted, Place::anywhere).place(operand);
    }
  }
}

NodePtr Graph::call(
    const Function& function,
    std::span<const NodePtr> operands,
    const std::optional<ir::Type>& element) {
  PHX_ASSERT(operands.size() == function.arity);
  limit(operands);
  auto node = std::make_shared<Node>(
      element ? *element : ir::Type(function.result),
      common_shape(operands),
      common_device(operands));
  Call call{.function = &function};
  std::ranges::copy(operands, call.operands.begin());
  node->made_by = std::move(call);
  add_pending(*node, operands);
  return node;
}

NodePtr Graph::cast(const NodePtr& node, const ir::Type& element) {
  if (node->element.is_time() || element.is_time())
    return cast_time(*this, node, element);
  const DType dtype = element.dtype();
  return node->dtype == dtype ? node : call(cast_function(node->dtype, dtype), {{node}});
}

NodePtr Graph::filled(bool truth, const Extents& shape) {
  NodePtr answer = number(DType::boolean, truth);
  return shape.empty() ? answer : copied(answer, shape);
}

NodePtr Graph::copied(const NodePtr& node, const Extents& shape, runtime::Device* device) {
  const NodePtr whole = broadcast(node, shape);
  limit({&whole, 1});
  runtime::Device* const own = whole->device;
  if (device != nullptr && own != nullptr && own != device)
    throw ValueError(
        "the array is on " + own->name() + ", not on " + device->name() +
        ": x.to_device(device) copies it there");
  auto copy =
      std::make_shared<Node>(whole->element, whole->shape, device != nullptr ? device : own);
  copy->made_by = Call{.function = &cast_function(whole->dtype, whole->dtype), .operands = {whole}};
  add_pending(*copy, {&whole, 1});
  // Others may change what they know the address of: a copy is of now.
  if (shows_exported(*node))
    evaluate(copy);
  return copy;
}

NodePtr Graph::view(const NodePtr& base, Extents shape, std::vector<Axis> axes) const {
  PHX_ASSERT(axes.size() == base->shape->size());
  views::checked_bytes(shape, size_of(base->dtype));
  auto node = std::make_shared<Node>(
      base->element, std::make_shared<const Extents>(std::move(shape)), base->device);
  node->height = base->height.load();
  node->weight = base->weight.load();
  node->has_memory = base->has_memory.load();
  node->made_by = View{base, std::move(axes)};
  return node;
}

NodePtr Graph::gather(Gather gather, Extents shape) {
  std::vector<NodePtr> operands = {gather.base};
  for (GatherIndex& index : gather.indices) {
    index.value = broadcast(index.value, shape);
    operands.push_back(index.value);
  }
  limit(operands);
  if (!gather.base->is_pending() && !is_in_memory(*gather.base))
    gather.base = copied(gather.base, *gather.base->shape);  // a number that is broadcast
  auto node = std::make_shared<Node>(
      gather.base->element,
      std::make_shared<const Extents>(std::move(shape)),
      common_device(operands));
  add_pending(*node, operands);
  node->made_by = std::move(gather);
  return node;
}

NodePtr Graph::broadcast(const NodePtr& node, const Extents& shape) const {
  const Extents& own = *node->shape;
  if (own == shape)
    return node;
  const auto refuse = [&] {
    throw ShapeError(
        "could not broadcast input array from shape " + to_string(own) + " into shape " +
        to_string(shape));
  };
  if (own.size() > shape.size())
    refuse();
  const std::size_t first = shape.size() - own.size();
  std::vector<Axis> axes(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] == shape[first + i])
      axes[i] = {.dimension = static_cast<std::int32_t>(first + i), .start = 0, .step = 1};
    else if (own[i] != 1)
      refuse();
  }
  return view(node, shape, std::move(axes));
}

NodePtr Graph::reshape(const NodePtr& node, Extents shape) {
  PHX_ASSERT(element_count(shape) == node->size());
  limit({&node, 1});
  auto reshaped = std::make_shared<Node>(
      node->element, std::make_shared<const Extents>(std::move(shape)), node->device);
  add_pending(*reshaped, {&node, 1});
  reshaped->made_by = Reshape{node};
  return reshaped;
}

NodePtr Graph::reduce(
    const NodePtr& operand, std::string_view name, DType dtype, std::vector<bool> is_reduced) {
  PHX_ASSERT(is_reduced.size() == operand->shape->size());
  std::string_view own_name = name;
  std::optional<ir::Type> element;
  if (operand->element.is_time())
    std::tie(own_name, element) = time_reduction(operand->element, name);
  const auto reduction = numpy::Reduction::find(own_name, operand->dtype, dtype);
  if (!reduction)
    throw TypeError(
        std::string(name) + " of " + std::string(info(operand->dtype).name) + " is not supported");
  Extents shape;
  bool is_empty = false;
  for (std::size_t i = 0; i < is_reduced.size(); ++i) {
    const std::int64_t extent = (*operand->shape)[i];
    if (!is_reduced[i])
      shape.push_back(extent);
    else
      is_empty = is_empty || extent == 0;
  }
  if (is_empty && !reduction->identity() && element_count(shape) != 0)
    throw ValueError(
        "zero-size array to reduction operation " + std::string(name) + " which has no identity");
  limit({&operand, 1});
  auto node = std::make_shared<Node>(
      element ? *element : ir::Type(reduction->state().back()),
      std::make_shared<const Extents>(std::move(shape)),
      operand->device);
  node->made_by = Reduce{operand, std::string(own_name), dtype, std::move(is_reduced)};
  add_pending(*node, {&operand, 1});
  return node;
}

NodePtr Graph::scan(const NodePtr& operand, std::string_view name, std::size_t axis) {
  PHX_ASSERT(axis < operand->shape->size());
  const auto fold = fold_of_scan(name, operand->dtype);
  if (!fold || operand->element.is_time())
    throw TypeError(
        std::string(name) + ".accumulate of " + std::string(info(operand->dtype).name) +
        " is not supported");
  limit({&operand, 1});
  const DType state = fold->state().front();
  auto node = std::make_shared<Node>(
      is_boolean(state) ? state : operand->dtype, operand->shape, operand->device);
  node->made_by = Scan{operand, std::string(name), axis};
  add_pending(*node, {&operand, 1});
  return node;
}

NodePtr Graph::concatenation(Concatenation parts, const ir::Type& element, ShapePtr shape) {
  runtime::Device* device = nullptr;
  std::vector<NodePtr> operands;
  for (const Part& part : parts.parts) {
    runtime::Device* const own = part.value->device;
    if (own == nullptr ? may_be_anywhere(part.value) : device != nullptr && own != device)
      return nullptr;
    device = own != nullptr ? own : device;
  }
  for (Part& part : parts.parts) {
    part.value = cast(part.value, element);
    operands.push_back(part.value);
  }
  limit(operands);
  auto node = std::make_shared<Node>(element, std::move(shape), device);
  add_pending(*node, operands);
  node->made_by = std::move(parts);
  return node;
}

NodePtr Graph::routine(Routine routine, DType dtype, ShapePtr shape) {
  limit(routine.operands);
  auto node = std::make_shared<Node>(dtype, std::move(shape), common_device(routine.operands));
  add_pending(*node, routine.operands);
  node->made_by = std::move(routine);
  return node;
}

void Graph::note(const std::shared_ptr<Cell>& cell) {
  const std::unique_lock lock(mutex_->native(), std::try_to_lock);
  if (lock)  // else it is computed by itself, which is right as well
    launcher_->recent().add(cell);
}

void Graph::note_holder(const std::shared_ptr<Cell>& cell) { held_->add(cell); }

// Errors come where the value is looked at: nobody has asked for it here.
void Graph::release_held() {
  const auto lock = locked();
  if (!residency().has_grown())
    return;  // another thread did it
  residency().begin_growth();
  for (const NodePtr& node : held_->holders()) {
    try {
      Capture::refuse_others(node);
      Evaluation(*launcher_, Reason::held, Place::anywhere).place(node);
    } catch (const Interrupted&) {
      throw;
    } catch (const Error&) {  // it stays recorded
    }
  }
}

Residency& Graph::residency() const { return launcher_->residency(); }

Rates Graph::rates(runtime::Device& device) const {
  const auto lock = locked();
  return launcher_->rates(device);
}

void Graph::set_rates(runtime::Device& device, const Rates& rates) const {
  const auto lock = locked();
  launcher_->set_rates(device, rates);
}

Memory Graph::evaluate(const NodePtr& node, runtime::Device* goal) {
  const auto lock = locked();
  prepare(node);
  if (const auto* memory = std::get_if<Memory>(&node->made_by))
    return *memory;
  if (jit::recording() != nullptr)
    goal = &jit::recording()->graph->device();
  return Evaluation(*launcher_, Reason::wanted, Place::memory, goal).evaluate(node);
}

void Graph::read(const NodePtr& node, void* host) {
  jit::refuse_while_recording("wait for the device");
  const auto lock = locked();
  prepare(node);
  Evaluation(*launcher_, Reason::wanted, Place::anywhere, &engine_->runtime().cpu())
      .read(node, static_cast<std::byte*>(host));
}

std::vector<NodePtr> Graph::compact(const NodePtr& mask, const std::vector<NodePtr>& values) {
  jit::refuse_while_recording("make an array of a size that its values decide");
  std::vector<NodePtr> nodes = {cast(mask, DType::boolean)};
  nodes.insert(nodes.end(), values.begin(), values.end());
  const bool is_movable =
      common_device(nodes) == nullptr && (is_automatic(*engine_) || !memory_below(nodes).empty());
  const Extents shape = *common_shape(nodes);
  for (NodePtr& node : nodes) node = broadcast(node, shape);
  const auto lock = locked();
  limit(nodes);
  Evaluation evaluation(*launcher_, Reason::wanted);
  std::vector<NodePtr> made;
  for (views::DeviceArray& array :
       evaluation.compact(nodes.front(), {nodes.begin() + 1, nodes.end()})) {
    const ir::Type& element = nodes[made.size() + 1]->element;
    auto taken = std::make_shared<const views::DeviceArray>(std::move(array));
    const Memory own = with_element(*engine_, std::move(taken), element);
    made.push_back(is_movable ? movable_memory(*own) : memory(*own));
  }
  return made;
}

void Graph::follow(const NodePtr& node) {
  const auto lock = locked();
  launcher_->follow(*node);
}

void Graph::store(NodePtr value, const Memory& target, const std::function<void()>& release) {
  if (target->is_read_only)
    throw ValueError("assignment destination is read-only");
  value = broadcast(cast(value, target->element), target->shape);
  const auto lock = locked();
  if (is_on_another(*value, *target)) {
    release();
    target->device->default_stream()->synchronize();  // which may use the memory still
    return read(value, target->host);
  }
  prepare(value);
  Evaluation(*launcher_, Reason::wanted).store(std::move(value), target, release);
}

// How many bytes the places are from those that the axes tell.
NodePtr Graph::bytes_of(const Scatter& scatter, const views::DeviceArray& target) {
  static const Function& multiply = integer_function("multiply");
  static const Function& add = integer_function("add");
  NodePtr sum;
  for (const GatherIndex& index : scatter.indices) {
    const NodePtr factors[] = {
        index.value, number(DType::int64, target.strides.at(index.dimension))};
    const NodePtr terms[] = {sum, call(multiply, factors)};
    sum = sum ? call(add, terms) : terms[1];
  }
  return sum ? sum : number(DType::int64, std::int64_t{0});
}

void Graph::scatter(Scatter scatter, const Memory& target, const std::function<void()>& release) {
  std::vector<NodePtr> nodes;
  for (const NodePtr& node : {bytes_of(scatter, *target), scatter.value, scatter.condition}) {
    if (!node)
      continue;
    if (node->is_pending() && node->size() <= element_count(scatter.shape) / least_repeats)
      evaluate(node);
    nodes.push_back(broadcast(node, scatter.shape));
  }
  one_device(target->device, common_device(nodes));
  limit(nodes);
  const views::DeviceArray view = view_of(*engine_, *target, scatter.shape, scatter.axes);
  const Scattering scattering = {
      .has_condition = scatter.condition != nullptr,
      .function = scatter.function,
      .has_repeats = scatter.has_repeats};
  scatter = {};
  const auto lock = locked();
  for (const NodePtr& node : nodes) prepare(node);
  Evaluation(*launcher_, Reason::wanted)
      .scatter(scattering, std::move(nodes), {*target, view}, release);
}

void Graph::prepare(const NodePtr& value) {
  Capture::refuse_others(value);
  if (Capture* const capture = Capture::current(*this))
    capture->compute_earlier(value);
}

void Graph::replace_by(const NodePtr& value, views::DeviceArray array) {
  value->made_by = std::make_shared<const views::DeviceArray>(std::move(array));
  residency().add(value);
}

views::DeviceArray Graph::copy(const views::DeviceArray& array) { return launcher_->copy(array); }

std::vector<KernelRecord> Graph::explain(const NodePtr& node) const {
  const auto lock = locked();
  return DryRun(*launcher_).explain(node);
}

std::vector<KernelRecord> Graph::time(const NodePtr& node) {
  jit::refuse_while_recording("time kernels");
  const auto lock = locked();
  prepare(node);
  launcher_->set_timed(true);
  try {
    Evaluation(*launcher_, Reason::wanted).evaluate(node);
  } catch (...) {
    launcher_->set_timed(false);
    throw;
  }
  launcher_->set_timed(false);
  return explain(node);
}

std::vector<std::shared_ptr<jit::Kernel>> Graph::kernels() const {
  return launcher_->compiled().kernels();
}

void Graph::set_background_compile(bool is_on) {
  const auto lock = locked();
  launcher_->set_background_compile(is_on);
}

bool Graph::background_compile() const {
  const auto lock = locked();
  return launcher_->background_compile();
}

GraphStatistics Graph::statistics() const {
  const auto lock = locked();
  return {.kernels = launcher_->kernels()};
}

}  // namespace phalanx::arrays
