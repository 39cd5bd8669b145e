#include "phalanx/arrays/dry_run.h"

#include <algorithm>

#include "phalanx/arrays/evaluation.h"
#include "phalanx/arrays/program_text.h"
#include "phalanx/base/errors.h"

namespace phalanx::arrays {
namespace {

std::vector<views::DeviceArray> inputs_of(const Program& program) {
  std::vector<views::DeviceArray> inputs;
  for (const Access& access : program.accesses) {
    const auto is_same = [&](const views::DeviceArray& input) {
      return input.memory == access.memory->memory;
    };
    if (std::ranges::none_of(inputs, is_same))
      inputs.push_back(*access.memory);
  }
  return inputs;
}

}  // namespace

std::vector<KernelRecord> DryRun::explain(const NodePtr& node) {
  Evaluation evaluation(*this, Reason::wanted);
  const Memory memory = evaluation.evaluate(copy_of(node));
  if (!made_by_.contains(memory->memory.get()))
    log_.trace(KernelLog::MemoryName(memory->memory), records_);
  return std::move(records_);
}

// The node for the dry run, with copies of all below it that is recorded.
NodePtr DryRun::copy_of(const NodePtr& node) {
  if (std::holds_alternative<Memory>(node->made_by))
    return node;
  if (const auto found = copies_.find(node.get()); found != copies_.end())
    return found->second;
  auto made = std::make_shared<Node>(node->dtype, node->shape, node->device.load());
  made->height = node->height.load();
  made->weight = node->weight.load();
  made->inlined = node->inlined;
  if (const auto* spilled = std::get_if<SpilledPtr>(&node->made_by))
    made->made_by = std::make_shared<const views::DeviceArray>((*spilled)->array);
  else
    made->made_by = node->made_by;
  if (auto* call = std::get_if<Call>(&made->made_by)) {
    for (unsigned i = 0; i < call->function->arity; ++i)
      call->operands.at(i) = copy_of(call->operands.at(i));
  } else if (auto* view = std::get_if<View>(&made->made_by)) {
    view->base = copy_of(view->base);
  } else if (auto* gather = std::get_if<Gather>(&made->made_by)) {
    gather->base = copy_of(gather->base);
    for (GatherIndex& index : gather->indices) index.value = copy_of(index.value);
  } else if (auto* reshape = std::get_if<Reshape>(&made->made_by)) {
    reshape->base = copy_of(reshape->base);
  } else if (auto* reduce = std::get_if<Reduce>(&made->made_by)) {
    reduce->operand = copy_of(reduce->operand);
  } else if (auto* scan = std::get_if<Scan>(&made->made_by)) {
    scan->operand = copy_of(scan->operand);
  } else if (auto* concatenation = std::get_if<Concatenation>(&made->made_by)) {
    for (Part& part : concatenation->parts) part.value = copy_of(part.value);
  } else if (auto* routine = std::get_if<Routine>(&made->made_by)) {
    for (NodePtr& operand : routine->operands) operand = copy_of(operand);
  }
  copies_.emplace(node.get(), made);
  originals_.emplace(made.get(), node);
  return made;
}

views::DeviceArray DryRun::allocate(runtime::Device& device, DType dtype, const Extents& shape) {
  const Extents strides = views::contiguous_strides(shape, size_of(dtype), ir::Layout::c);
  views::DeviceArray array = views::foreign_array(
      engine().types(),
      device,
      nullptr,
      {.address = next_, .element = dtype, .shape = shape, .strides = strides, .owner = {}});
  next_ += array.bytes() + 256;
  if (array.bytes() >= Residency::least_bytes)
    sizes_.emplace(array.memory.get(), static_cast<std::int64_t>(array.bytes()));
  return array;
}

void DryRun::add(
    KernelRecord record,
    std::span<const views::DeviceArray> inputs,
    std::span<const views::DeviceArray> outputs) {
  const views::DeviceArray& first = outputs.front();
  record.device = first.device;
  record.dtype = first.element.dtype();
  record.shape = first.shape;
  record.outputs = outputs.size();
  record.placed = take_placed();
  for (const views::DeviceArray& output : outputs)
    record.bytes_written += static_cast<std::int64_t>(output.bytes());
  for (const views::DeviceArray& input : inputs) {
    const views::SharedMemory* memory = input.memory.get();
    const auto found = made_by_.find(memory);
    const std::optional<std::size_t> kernel =
        found != made_by_.end() ? found->second
                                : log_.trace(KernelLog::MemoryName(input.memory), records_);
    if (kernel)
      made_by_.emplace(memory, *kernel);
    record.inputs.push_back({kernel, memory, input.element.dtype(), input.shape});
  }
  records_.push_back(std::move(record));
  for (const views::DeviceArray& output : outputs)
    made_by_[output.memory.get()] = records_.size() - 1;
}

void DryRun::elementwise(
    const Program& program,
    const Order& /*order*/,
    std::span<const views::DeviceArray> outputs,
    Reason why) {
  add({.code = to_text(program, true), .why = why, .work = work_of(program)},
      inputs_of(program),
      outputs);
}

void DryRun::reduce(const Folding& folding, const views::DeviceArray& output, Reason why) {
  add({.code = to_text(folding, true), .why = why, .work = work_of(*folding.program)},
      inputs_of(*folding.program),
      {&output, 1});
}

void DryRun::scan(const Scanning& scanning, const views::DeviceArray& output, Reason why) {
  add({.code = to_text(scanning, true), .why = why, .work = work_of(*scanning.program)},
      inputs_of(*scanning.program),
      {&output, 1});
}

std::vector<views::DeviceArray> DryRun::compact(
    runtime::Device& /*device*/, const Program& /*program*/, Reason /*why*/) {
  PHX_ASSERT(false);  // it is never recorded: how many elements there are is not known before
  return {};
}

void DryRun::scatter(
    const Scattering& /*scattering*/, const views::DeviceArray& /*target*/, Reason /*why*/) {
  PHX_ASSERT(false);  // an assignment is never recorded
}

views::DeviceArray DryRun::routine(
    const Node& node, const std::vector<views::DeviceArray>& operands, Reason why) {
  runtime::Device* device = node.device;
  const auto& routine = std::get<Routine>(node.made_by);
  KernelRecord record{
      .code = routine.name, .why = why, .work = work_of(routine, operands, node.dtype)};
  for (const views::DeviceArray& operand : operands) device = operand.device;
  PHX_ASSERT(device != nullptr);  // routines read arrays
  views::DeviceArray made = allocate(*device, node.dtype, *node.shape);
  add(std::move(record), operands, {&made, 1});
  return made;
}

views::DeviceArray DryRun::copy(const views::DeviceArray& array) {
  views::DeviceArray made = allocate(*array.device, array.element.dtype(), array.shape);
  add({.code = "copy(a)",
       .why = Reason::memory,
       .work = {.bytes_read = static_cast<std::int64_t>(array.bytes())}},
      {&array, 1},
      {&made, 1});
  return made;
}

void DryRun::elementwise_to_host(
    const Program& /*program*/,
    const Order& /*order*/,
    const HostTarget& /*target*/,
    Reason /*why*/) {
  PHX_ASSERT(false);  // there is always memory
}

Memory DryRun::restore(Node& /*spilled*/) {
  PHX_ASSERT(false);  // copy_of() leaves none
  return nullptr;
}

// Of the original, which `originals_` has besides.
bool DryRun::is_shared(const NodePtr& node) const {
  const auto found = originals_.find(node.get());
  return found != originals_.end() && found->second.use_count() > 2;
}

runtime::Device& DryRun::device_of(const views::DeviceArray& array) const {
  const auto found = moved_.find(array.memory.get());
  return found != moved_.end() ? *found->second : *array.device;
}

// What the dry run made would be memory of its own.
std::optional<MovableMemory> DryRun::movable(const std::shared_ptr<views::SharedMemory>& memory) {
  if (const auto found = sizes_.find(memory.get()); found != sizes_.end())
    return MovableMemory{.bytes = found->second};
  return launcher_.movable(memory);
}

void DryRun::bring(const MemoryUse& use, bool with_memory, runtime::Device& device) {
  for (Memory* array : use.arrays) {
    views::DeviceArray there = **array;
    there.device = &device;
    *array = std::make_shared<const views::DeviceArray>(std::move(there));
  }
  if (with_memory)
    moved_[(*use.arrays.front())->memory.get()] = &device;
}

std::vector<NodePtr> DryRun::siblings_of(const NodePtr& node) {
  std::vector<NodePtr> found;
  for (const NodePtr& each : recent_.siblings_of(originals_.at(node.get()), most_siblings)) {
    NodePtr copy = copy_of(each);
    if (copy->is_pending() && copy != node)
      found.push_back(std::move(copy));
  }
  return found;
}

}  // namespace phalanx::arrays
