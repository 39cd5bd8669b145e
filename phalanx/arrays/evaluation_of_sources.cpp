// How an evaluation treats arrays that are not in the device's memory: they come back if they can
// be there together, else kernels read them in chunks.
#include <unordered_set>
#include <utility>

#include "phalanx/arrays/evaluation.h"
#include "phalanx/arrays/operands.h"
#include "phalanx/arrays/other_shapes.h"
#include "phalanx/base/errors.h"

namespace phalanx::arrays {
namespace {

bool is_spilled(const NodePtr& node) { return std::holds_alternative<SpilledPtr>(node->made_by); }

// The spilled array that the node shows elements of, if any.
const Spilled* shown_spilled(const Node& node) {
  if (const NodePtr* base = shown_by(node))
    return shown_spilled(**base);
  const auto* spilled = std::get_if<SpilledPtr>(&node.made_by);
  return spilled != nullptr ? spilled->get() : nullptr;
}

// A spilled array's elements where that layout of its source, which has an address in it, says.
SpilledPtr spilled_at(views::DeviceArray layout, std::shared_ptr<const Source> source) {
  auto spilled = std::make_shared<Spilled>();
  spilled->offset = static_cast<std::int64_t>(layout.address);
  spilled->source = std::move(source);
  layout.address = 0;
  layout.host = nullptr;
  spilled->array = std::move(layout);
  return spilled;
}

// The array with the place in its source as address.
views::DeviceArray placed(const Spilled& spilled) {
  views::DeviceArray array = spilled.array;
  array.address = static_cast<runtime::Address>(spilled.offset);
  return array;
}

}  // namespace

bool Evaluation::can_hold(const std::vector<NodePtr>& nodes) {
  std::uint64_t bytes = 0;
  std::unordered_set<const views::SharedMemory*> seen;
  runtime::Device* device = nullptr;
  for (const NodePtr& node : nodes) {
    const views::SharedMemory* memory = node->layout()->memory.get();
    if (!seen.insert(memory).second)
      continue;
    if (is_spilled(node)) {
      device = node->layout()->device;
      bytes += std::get<SpilledPtr>(node->made_by)->source->bytes();
    } else {
      bytes += memory->buffer.size();
    }
  }
  return device == nullptr || executor_.can_hold(*device, bytes);
}

// All memory that kernels of the nodes read, if it can be there at once; nothing else. As long as
// it is held it is not spilled: one array that comes back may send others away.
std::vector<Memory> Evaluation::restored_below(const std::vector<NodePtr>& nodes) {
  std::vector<Memory> held;
  if (!executor_.has_spilled())
    return held;
  const std::vector<NodePtr> read = memory_below(nodes);
  if (!can_hold(read))
    return held;
  try {
    for (const NodePtr& node : read) held.push_back(evaluate(node, Reason::memory));
  } catch (const OutOfMemoryError&) {
    // What others hold leaves too little.
  }
  return held;
}

// True if the node shows elements of a source that cannot be in memory as a whole.
bool Evaluation::shows_source(const Node& node) const {
  const Spilled* spilled = shown_spilled(node);
  return spilled != nullptr &&
         !executor_.can_hold(*spilled->array.device, spilled->source->bytes());
}

// A node to compute in the place of a view of such a source that may be written to later: the view
// itself must go on to show what is there then. Null for others.
NodePtr Evaluation::passing_view(const Node& node) const {
  if (node.layout() != nullptr || std::holds_alternative<Reshape>(node.made_by) ||
      !shows_source(node) || shown_spilled(node)->array.is_read_only)
    return nullptr;
  auto copy = std::make_shared<Node>(node.element, node.shape, node.device.load());
  copy->made_by = node.made_by;
  copy->height = node.height.load();
  copy->weight = node.weight.load();
  return copy;
}

// Where a source has the node's elements, of a spilled one or a view of it; else null.
SpilledPtr Evaluation::source_of(const Node& node) const {
  if (const auto* spilled = std::get_if<SpilledPtr>(&node.made_by))
    return *spilled;
  const auto* view = std::get_if<View>(&node.made_by);
  const SpilledPtr base = view != nullptr ? source_of(*view->base) : nullptr;
  if (!base)
    return nullptr;
  return spilled_at(
      view_of(executor_.engine(), placed(*base), *node.shape, view->axes), base->source);
}

// Another shape of a source that cannot be in memory is one of the same source. False where it is
// none, or the elements must be copied for it.
bool Evaluation::reshape_source(const NodePtr& node, const Reshape& reshape) {
  place(reshape.base, Reason::memory);
  if (!shows_source(*reshape.base))
    return false;
  const SpilledPtr base = source_of(*reshape.base);
  auto array = base ? reshaped(executor_.engine(), placed(*base), *node->shape) : std::nullopt;
  if (!array)
    return false;
  finish(node, spilled_at(*std::move(array), base->source));
  return true;
}

void Evaluation::finish(const NodePtr& node, SpilledPtr spilled) {
  node->device = spilled->array.device;
  node->made_by = std::move(spilled);
  node->height = 0;
  node->weight = 0;
  executor_.note(node);
}

// False where the host has no room either, or is the device.
bool Evaluation::compute_on_host(
    const NodePtr& node, const Program& program, runtime::Device& device) {
  if (device.is_host())
    return false;
  const std::size_t item = size_of(node->dtype);
  const auto copy = executor_.make_copy(device, static_cast<std::size_t>(node->size()) * item);
  if (!copy)
    return false;
  views::DeviceArray layout =
      array_without_memory(executor_.engine(), device, node->dtype, *node->shape);
  const Order order = order_of(program.space, program.accesses);
  const HostTarget target = {
      .device = &device,
      .dtype = node->dtype,
      .host = copy->host_to_write(),
      .memory = layout.memory};
  executor_.elementwise_to_host(program, order, target, why_);
  finish(node, spilled_at(in_order(std::move(layout), order), copy));
  return true;
}

// The elements as they lie in a source; false where they do not, in C order.
bool Evaluation::read_source(const Node& node, std::byte* host) const {
  const SpilledPtr source = source_of(node);
  const std::size_t item = size_of(node.dtype);
  if (!source || !views::is_contiguous(*node.shape, source->array.strides, item, ir::Layout::c))
    return false;
  source->array.device->default_stream()->synchronize();  // which may write there still
  const std::size_t bytes = static_cast<std::size_t>(node.size()) * item;
  source->source->read(static_cast<std::size_t>(source->offset), {host, bytes});
  return true;
}

}  // namespace phalanx::arrays
