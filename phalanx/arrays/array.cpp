#include "phalanx/arrays/array.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "phalanx/arrays/capture.h"
#include "phalanx/arrays/family.h"
#include "phalanx/arrays/operands.h"
#include "phalanx/arrays/scatter.h"
#include "phalanx/base/errors.h"
#include "phalanx/views/extents.h"

namespace phalanx::arrays {

Array::Array(Graph& graph, NodePtr value) : graph_(&graph) {
  const bool is_pending = value->is_pending();
  const bool has_memory = value->has_memory;
  cell_ = std::make_shared<Cell>(std::move(value));
  if (Capture* const capture = Capture::current(graph))
    capture->note(cell_);
  if (!is_pending)
    return;
  if (has_memory)
    graph.note_holder(cell_);
  if (size() >= RecentArrays::least_size)
    graph.note(cell_);
}

Array Array::of_cell(Graph& graph, std::shared_ptr<Cell> cell) {
  Array array(graph);
  array.cell_ = std::move(cell);
  return array;
}

Array Array::of_shared_memory(Graph& graph, NodePtr memory) {
  const bool is_read_only = memory->layout() != nullptr && memory->layout()->is_read_only;
  Array array(graph, std::move(memory));
  array.share();
  array.set_read_only(is_read_only);
  return array;
}

Array Array::of_result(Graph& graph, NodePtr value) {
  Array array(graph, std::move(value));
  array.cell_->is_number = array.shape().empty();
  return array;
}

// Launches of a graph find the array's elements where they are now, whatever is assigned to it.
NodePtr Array::captured_value() const {
  const auto lock = graph_->locked();
  NodePtr now = cell_->value();
  Capture& capture = *Capture::current(*graph_);
  const bool is_made_meanwhile = now->recording == jit::recording_number() && now->is_pending();
  // Of two arrays with one node, such as an array and the same one cast to its own dtype, the first
  // is the program's, and is bound already.
  if (is_made_meanwhile || capture.is_bound(now))
    return now;
  bind();
  now = cell_->value();
  capture.note_bound(now);
  return now;
}

void Array::bind() const {
  family().bind(*graph_);
  if (const auto* memory = std::get_if<Memory>(&cell_->value()->made_by))
    keep_for_launches((*memory)->memory);
}

Family& Array::family() const {
  if (!cell_->family) {
    cell_->family = std::make_shared<Family>();
    cell_->family->add(cell_);
  }
  return *cell_->family;
}

// Under the graph's lock, since its value was read.
Array Array::child(NodePtr value) const {
  Family& all = family();
  Array array(*graph_, std::move(value));
  array.cell_->family = cell_->family;
  array.cell_->is_read_only = cell_->is_read_only.load();
  if (all.is_bound)
    array.evaluate();
  all.add(array.cell_);
  return array;
}

Array Array::view(Extents shape, std::vector<Axis> axes) const {
  const auto lock = graph_->locked();
  // Views of views of views need no chain of nodes.
  View made = through_view(value(), std::move(axes));
  return child(graph_->view(made.base, std::move(shape), std::move(made.axes)));
}

// As what was recorded before it keeps its value, since its node is the family's, and no array is.
Array Array::element(std::vector<Axis> axes) const {
  const auto lock = graph_->locked();
  const NodePtr node = graph_->view(value(), {}, std::move(axes));
  if (Capture::current(*graph_) != nullptr)  // each launch has another element there
    return of_result(*graph_, graph_->copied(node, {}));
  Family& all = family();
  if (all.is_bound)
    graph_->evaluate(node);
  all.add({.cell = {}, .value = node});
  return of_result(*graph_, node);
}

Array Array::broadcast(const Extents& shape) const {
  const auto lock = graph_->locked();
  const NodePtr own = value();
  NodePtr made = graph_->broadcast(own, shape);
  if (made == own) {  // an array of its own has a node of its own
    std::vector<Axis> same(shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i)
      same[i] = {.dimension = static_cast<std::int32_t>(i), .start = 0, .step = 1};
    made = graph_->view(own, shape, std::move(same));
  }
  Array array = child(std::move(made));
  array.cell_->is_read_only = true;
  return array;
}

Array Array::part(bool is_imaginary) const {
  const auto lock = graph_->locked();
  const NodePtr operands[] = {value()};
  NodePtr made = graph_->call(part_function(dtype(), is_imaginary), operands);
  return is_number() ? of_result(*graph_, std::move(made)) : child(std::move(made));
}

namespace {

// How a shape that differs from another one in extents of 1 only is a view of it.
std::optional<std::vector<Axis>> axes_of_reshape(const Extents& from, const Extents& to) {
  std::vector<Axis> axes(from.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == 1)
      continue;
    while (next < to.size() && to[next] == 1) ++next;
    if (next == to.size() || to[next] != from[i])
      return std::nullopt;
    axes[i] = {.dimension = static_cast<std::int32_t>(next++), .start = 0, .step = 1};
  }
  const bool has_more = std::any_of(
      to.begin() + static_cast<std::ptrdiff_t>(next), to.end(), [](auto n) { return n != 1; });
  return has_more ? std::nullopt : std::optional(std::move(axes));
}

// True for elements that need not come to memory to be looked at in another way.
bool shows_spilled(const Node& node) {
  const NodePtr* base = shown_by(node);
  return base != nullptr ? shows_spilled(**base) : std::holds_alternative<SpilledPtr>(node.made_by);
}

// True if its memory may be another node's.
bool shows_elements(const Node& node) {
  const auto* call = std::get_if<Call>(&node.made_by);
  return call != nullptr
             ? call->function->part >= 0
             : std::holds_alternative<View>(node.made_by) ||
                   std::holds_alternative<Reshape>(node.made_by) || node.layout() != nullptr;
}

}  // namespace

Array Array::reshape(Extents shape) const {
  if (auto axes = axes_of_reshape(this->shape(), shape))
    return view(std::move(shape), std::move(*axes));
  const auto lock = graph_->locked();
  Array array = child(graph_->reshape(value(), std::move(shape)));
  // Repeated elements are copied by most reshapes, and a copy may be written to.
  if (is_read_only() && !shows_spilled(*value()) && array.evaluate()->memory != evaluate()->memory)
    array.cell_->is_read_only = false;
  return array;
}

Array Array::ravel() const {
  const auto lock = graph_->locked();
  const NodePtr own = value();
  // What is computed anew will be in order.
  if (shows_elements(*own) && !shows_spilled(*own)) {
    const Memory memory = evaluate();
    if (!views::is_contiguous(memory->shape, memory->strides, memory->item_bytes(), ir::Layout::c))
      return {*graph_, graph_->reshape(graph_->copied(value(), shape()), {size()})};
  }
  return reshape({size()});
}

Array Array::alias(views::DeviceArray memory) const {
  const auto lock = graph_->locked();
  share();
  return child(
      value()->device != nullptr ? graph_->memory(std::move(memory))
                                 : graph_->movable_memory(std::move(memory)));
}

void Array::assign(NodePtr value) {
  if (cell_->is_read_only)
    throw ValueError("assignment destination is read-only");
  const auto lock = graph_->locked();
  Capture* const capture = Capture::current(*graph_);
  Family* all = capture != nullptr ? &family() : cell_->family.get();
  if (all != nullptr && capture == nullptr && !all->is_bound && all->has_one_array())
    all = nullptr;
  // The array stays where it is.
  runtime::Device* const device = this->value()->device;
  const bool is_elsewhere = device != nullptr && value->device != device;
  if (all == nullptr && !(is_elsewhere && value->device != nullptr)) {
    const bool is_own = value.use_count() == 1 && *value->shape == shape() &&
                        !shows_elements(*value) && !is_elsewhere;
    NodePtr converted = graph_->cast(value, element_type());
    // Memory of its own: later writes must not reach that of other arrays, nor repeated elements.
    if (!is_own)
      converted = graph_->copied(converted, shape(), device);
    cell_->family = nullptr;  // nothing throws from here on
    cell_->set_value(std::move(converted));
    return;
  }
  all = &family();
  bind();
  if (capture != nullptr)
    capture->writes(cell_->family);
  graph_->follow(cell_->value());
  const Memory target = evaluate();
  if (cell_->value()->device == nullptr)
    value = movable_to(std::move(value), target);
  graph_->store(std::move(value), target, [&] { all->keep_recorded(*graph_); });
}

Memory Array::evaluate(runtime::Device* goal) const {
  return with_element(graph_->engine(), graph_->evaluate(value(), goal), element_type());
}

// What is written to an array that meets those of any device: a value of another one, computed
// there.
NodePtr Array::movable_to(NodePtr value, const Memory& target) const {
  if (!value || value->device == nullptr || value->device == target->device)
    return value;
  const Memory memory = graph_->evaluate(value);
  return graph_->movable_memory(*with_element(graph_->engine(), memory, value->element));
}

Memory Array::bound() const {
  bind();
  return evaluate();
}

Memory Array::share() const {
  const auto lock = graph_->locked();
  Memory memory = bound();
  memory->memory->is_exported = true;
  return memory;
}

void Array::write(const Write& write, After after) const {
  const auto lock = graph_->locked();
  const bool stays = after == After::bound || (cell_->family && cell_->family->is_bound);
  const Memory memory = bound();
  if (cell_->is_read_only || memory->is_read_only)
    throw ValueError("assignment destination is read-only");
  Capture* const capture = Capture::current(*graph_);
  if (capture != nullptr)
    capture->writes(cell_->family);
  write(memory, [&] { cell_->family->keep_recorded(*graph_); });
  if (!stays && capture == nullptr && cell_->family->has_one_array())
    cell_->family = nullptr;
}

Memory Array::open() const {
  Memory opened;
  write([&](const Memory& memory, const auto& release) {
    release();
    opened = memory;
  });
  return opened;
}

Memory Array::lend() const {
  Memory opened;
  write(
      [&](const Memory& memory, const auto& release) {
        release();
        memory->memory->is_exported = true;
        opened = memory;
      },
      After::bound);
  return opened;
}

void Array::assign_at(Scatter scatter) {
  write([&](const Memory& memory, const auto& release) {
    if (cell_->value()->device == nullptr) {
      for (GatherIndex& index : scatter.indices)
        index.value = movable_to(std::move(index.value), memory);
      scatter.value = movable_to(std::move(scatter.value), memory);
      scatter.condition = movable_to(std::move(scatter.condition), memory);
    }
    graph_->scatter(std::move(scatter), memory, release);
  });
}

}  // namespace phalanx::arrays
