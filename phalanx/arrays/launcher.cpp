#include "phalanx/arrays/launcher.h"

#include <chrono>
#include <functional>
#include <utility>

#include "phalanx/arrays/capture.h"
#include "phalanx/arrays/compact_kernel.h"
#include "phalanx/arrays/elementwise_kernel.h"
#include "phalanx/arrays/expression_span.h"
#include "phalanx/arrays/graph.h"
#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/relocation.h"
#include "phalanx/arrays/row_kernel.h"
#include "phalanx/base/errors.h"
#include "phalanx/runtime/device_label.h"

namespace phalanx::arrays {
// From all work of the device before to the end of what is queued while it lives.
class Launcher::Timer {
 public:
  Timer(bool is_on, runtime::Device& device) : device_(is_on ? &device : nullptr) {
    if (is_on) {
      device.synchronize();
      start_ = std::chrono::steady_clock::now();
    }
  }
  void stop(KernelLog& log) const {
    if (device_ == nullptr)
      return;
    device_->synchronize();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
    log.set_seconds(taken.count());
  }

 private:
  runtime::Device* device_;
  std::chrono::steady_clock::time_point start_;
};

// Arrays of other streams are there before the kernel reads them.
void Launcher::hold(const Program& program, runtime::Device& device) {
  for (const Access& access : program.accesses) {
    one_device(&device, access.memory->device);
    if (!access.spilled)
      hold(*access.memory, device);
    else
      residency_->touch(*access.memory->memory);
  }
}

void Launcher::hold(const views::DeviceArray& array, runtime::Device& device) {
  array.memory->buffer.used_on(device.default_stream());
  keep_for_launches(array.memory);
  residency_->touch(*array.memory);
}

const Rates& Launcher::rates(runtime::Device& device) {
  const auto found = rates_.find(&device);
  return found != rates_.end() ? found->second
                               : rates_.emplace(&device, rates_of(engine(), device)).first->second;
}

void Launcher::bring(const MemoryUse& use, bool with_memory, runtime::Device& device) {
  const std::shared_ptr<views::SharedMemory> memory = (*use.arrays.front())->memory;
  std::vector<views::DeviceArray> arrays;
  for (Memory* array : use.arrays) {
    arrays.push_back(**array);
    arrays.back().memory = nullptr;  // so that memory moves which this kernel alone uses
    array->reset();
  }
  const auto put = [&](const auto& made_of) {
    for (std::size_t i = 0; i < arrays.size(); ++i)
      *use.arrays[i] = std::make_shared<const views::DeviceArray>(made_of(arrays[i]));
  };
  const auto as_it_was = [&](views::DeviceArray array) {
    array.memory = memory;
    return array;
  };
  try {
    const auto begin = with_memory ? residency_->move(memory, device) : std::nullopt;
    const auto copy = begin ? memory : std::make_shared<views::SharedMemory>();
    if (!begin)
      copy->buffer = copied_across(as_it_was(arrays.front()), {use.low, use.high}, device);
    put([&](const views::DeviceArray& array) {
      return relocated(
          array, {.memory = copy, .was_at = begin.value_or(use.low), .device = device});
    });
    residency_->add_paid(*memory, std::nullopt);
  } catch (...) {
    put(as_it_was);
    throw;
  }
}

void Launcher::follow(const Node& node) {
  const auto* array = std::get_if<Memory>(&node.made_by);
  if (array == nullptr || node.device != nullptr || jit::recording() != nullptr)
    return;
  const auto memory = (*array)->memory;
  const auto sides = sides_of(engine());
  runtime::Device* const gpu = sides[index_of(Side::gpu)];
  const auto found = residency_->movable(memory);
  if (gpu == nullptr || !found || found->paid == 0)
    return;
  const bool is_to_host = !(*array)->device->is_host();
  if (found->paid < rates(*gpu).copy_seconds(found->bytes, is_to_host))
    return;
  residency_->add_paid(*memory, std::nullopt);
  try {
    residency_->move(memory, *sides.at(index_of(is_to_host ? Side::host : Side::gpu)));
  } catch (const OutOfMemoryError&) {  // it is written to where it is
  }
}

void Launcher::note(const NodePtr& node) {
  if (std::holds_alternative<SpilledPtr>(node->made_by))
    residency_->add_copy(node);
  else
    residency_->add(node);
}

views::DeviceArray Launcher::allocate(runtime::Device& device, DType dtype, const Extents& shape) {
  views::DeviceArray made =
      views::allocate_array(engine().types(), device, nullptr, {.element = dtype, .shape = shape});
  keep_for_result(made.memory);
  return made;
}

namespace {

// How the kernel that is last in the log came to its device.
void note_placed(KernelLog& log, KernelNotes& notes, const Placed& placed) {
  log.set_placed(placed);
  if (!placed.is_known)
    return;
  const KernelLog::Entry& entry = log.last();
  notes.add(
      {.code = entry.kernel ? entry.kernel->code() : entry.routine,
       .device = runtime::label_of(*entry.device),
       .choice = placed.choice});
}

}  // namespace

void Launcher::run(
    const Launch& launch,
    const Steps& steps,
    std::span<const views::DeviceArray> outputs,
    Reason why) {
  if (is_timed_)
    launch();  // which compiles it; the second one writes the same
  const ExpressionSpan span(log_);
  const Timer timer(is_timed_, *outputs.front().device);
  chunks_ = {};
  Launched launched = launch_or_step(launch, steps);
  if (!launched.is_noted) {
    const Program& program = launched.program ? *launched.program : steps.program;
    log_.add(std::move(launched.kernel), program, outputs, why);
    ++launched_;
  }
  log_.set_chunks(chunks_);
  note_placed(log_, kernels_.notes(), take_placed());
  timer.stop(log_);
}

std::shared_ptr<ProgramKernel> Launcher::launch_one(
    const Program& program, const Order& order, std::span<const views::DeviceArray> outputs) {
  runtime::Stream& stream = queue_of(*outputs.front().device);
  std::vector<Output> where;
  where.reserve(outputs.size());
  for (const views::DeviceArray& output : outputs)
    where.push_back(
        {.address = output.address,
         .strides = strides_in(program, output),
         .dtype = output.element.dtype()});
  return program.folds.empty() ? launch_elementwise(kernels_, program, where, order, stream)
                               : launch_rows(kernels_, program, where, stream);
}

void Launcher::elementwise(
    const Program& program,
    const Order& order,
    std::span<const views::DeviceArray> outputs,
    Reason why) {
  hold(program, *outputs.front().device);
  const auto launch = [&] {
    return program.reads_sources() ? elementwise_in_chunks(program, order, outputs)
                                   : launch_one(program, order, outputs);
  };
  const Steps steps = {
      .program = program,
      .device = *outputs.front().device,
      .outputs = outputs,
      .order = order,
      .why = why};
  run(launch, steps, outputs, why);
}

namespace {

// True for work that no GPU makes up for.
bool stays_on_host(jit::Engine& engine, const FlatKernel& kernel, const Node& root) {
  const Work work = work_of(kernel, root.size());
  return sides_of(engine)[index_of(Side::gpu)] == nullptr ||
         is_tiny({.work = work, .bytes_written = root.bytes()});
}

}  // namespace

std::optional<views::DeviceArray> Launcher::flat(const FlatExpression& expression, Reason why) {
  if (is_timed_)
    return std::nullopt;
  const FlatKernel kernel = flat_.find(expression);
  const Node& root = *expression.root();
  runtime::Device& device = expression.device();
  if (expression.is_movable() && !stays_on_host(engine(), kernel, root))
    return std::nullopt;
  const auto code = kernel.kernel->at_hand(device, config_of_flat(expression));
  if (!code)
    return std::nullopt;  // single operations may take its place
  std::optional<views::DeviceArray> output;
  try {
    output = allocate(device, root.dtype, *root.shape);
  } catch (const OutOfMemoryError&) {
    return std::nullopt;
  }
  for (const Memory& array : expression.arrays()) hold(*array, device);
  const ExpressionSpan span(log_);
  launch_flat(*code, expression, *output);
  log_.add(kernel.kernel, work_of(kernel, root.size()), *output, why);
  for (const Memory& array : expression.arrays()) log_.add_input(*array);
  if (expression.is_movable())
    log_.set_placed({.is_chosen = true});
  ++launched_;
  return output;
}

std::shared_ptr<ProgramKernel> Launcher::reduce_one(
    const Folding& folding, std::span<const runtime::Address> outputs, runtime::Device& device) {
  std::vector<runtime::Buffer> states;
  const auto allocate = [&](std::size_t bytes) {
    return states.emplace_back(device.allocate(bytes)).address();
  };
  auto kernel = launch_reduce(kernels_, folding, outputs, allocate, queue_of(device));
  keep_for_launches(std::move(states));
  return kernel;
}

void Launcher::reduce(const Folding& folding, const views::DeviceArray& output, Reason why) {
  hold(*folding.program, *output.device);
  const auto launch = [&] {
    return folding.program->reads_sources()
               ? reduce_in_chunks(folding, output)
               : reduce_one(folding, {&output.address, 1}, *output.device);
  };
  const auto fold = [&](const Program& operand) {
    Folding last = folding;
    last.program = &operand;
    return reduce_one(last, {&output.address, 1}, *output.device);
  };
  const Steps steps = {
      .program = *folding.program, .device = *output.device, .launch_last = std::ref(fold)};
  run(launch, steps, {&output, 1}, why);
}

void Launcher::scan(const Scanning& given, const views::DeviceArray& output, Reason why) {
  runtime::Device& device = *output.device;
  const Program program = restored(*given.program);
  Scanning scanning = given;
  scanning.program = &program;
  hold(*scanning.program, device);
  std::vector<views::DeviceArray> scratch;
  const auto more = [&](DType dtype, const Extents& shape) {
    return scratch.emplace_back(allocate(device, dtype, shape));
  };
  const auto launch = [&] {
    return launch_scan(kernels_, scanning, output, more, queue_of(device));
  };
  const auto scan = [&](const Program& operand) {
    Scanning last = scanning;
    last.program = &operand;
    return launch_scan(kernels_, last, output, more, queue_of(device));
  };
  run(launch,
      {.program = program, .device = device, .launch_last = std::ref(scan)},
      {&output, 1},
      why);
}

std::vector<views::DeviceArray> Launcher::compact(
    runtime::Device& device, const Program& given, Reason why) {
  const Program program = restored(given);
  hold(program, device);
  std::vector<runtime::Buffer> buffers;
  const auto scratch = [&](std::size_t bytes) {
    return buffers.emplace_back(device.allocate(bytes)).address();
  };
  std::vector<views::DeviceArray> made;
  const auto results = [&](std::int64_t count) {
    made.clear();  // of an attempt before
    std::vector<runtime::Address> addresses;
    for (const std::uint16_t result : std::span(program.results).subspan(1)) {
      made.push_back(allocate(device, program.steps[result].dtype, {count}));
      addresses.push_back(made.back().address);
    }
    return addresses;
  };
  const auto take = [&](const Program& own) {
    return launch_compact(kernels_, own, scratch, results, queue_of(device));
  };
  const ExpressionSpan span(log_);
  Launched launched = launch_or_step(
      [&] { return take(program); },
      {.program = program, .device = device, .launch_last = std::ref(take)});
  const Placed placed = take_placed();
  if (launched.kernel != nullptr) {
    log_.add(std::move(launched.kernel), launched.program ? *launched.program : program, made, why);
    note_placed(log_, kernels_.notes(), placed);
    launched_ += 2;
  }
  return made;
}

void Launcher::scatter(const Scattering& given, const views::DeviceArray& target, Reason why) {
  const Program program = restored(*given.program);
  Scattering scattering = given;
  scattering.program = &program;
  runtime::Device& device = *target.device;
  hold(program, device);
  const Output where = {
      .address = target.address,
      .strides = {target.strides.begin(), target.strides.end()},
      .dtype = target.element.dtype()};
  const auto write = [&](const Program& own) {
    Scattering last = scattering;
    last.program = &own;
    return launch_scatter(kernels_, last, where, queue_of(device));
  };
  const ExpressionSpan span(log_);
  Launched launched = launch_or_step(
      [&] { return write(program); },
      {.program = program, .device = device, .launch_last = std::ref(write)});
  if (launched.kernel != nullptr) {
    const Program& last = launched.program ? *launched.program : program;
    log_.add(std::move(launched.kernel), last, {&target, 1}, why);
    ++launched_;
  }
}

views::DeviceArray Launcher::routine(
    const Node& node, const std::vector<views::DeviceArray>& operands, Reason why) {
  jit::refuse_while_recording("call a library, as for products of matrices and sorts");
  const auto& routine = std::get<Routine>(node.made_by);
  const auto& stream = operands.front().device->default_stream();
  for (const views::DeviceArray& operand : operands) {
    one_device(operands.front().device, operand.device);
    operand.memory->buffer.used_on(stream);
    residency_->touch(*operand.memory);
  }
  const ExpressionSpan span(log_);
  const Timer timer(is_timed_, *operands.front().device);
  views::DeviceArray made = routine.run(operands);
  log_.add_routine(routine, operands, made, why);
  note_placed(log_, kernels_.notes(), take_placed());
  timer.stop(log_);
  return made;
}

namespace {

Program program_of_copy(const views::DeviceArray& array) {
  const auto node = std::make_shared<Node>(
      array.element, std::make_shared<const Extents>(array.shape), array.device);
  node->made_by = std::make_shared<const views::DeviceArray>(array);
  const RowFusion no_rows;
  ProgramBuilder builder(array.shape, no_rows);
  builder.add_result(node);
  return builder.take();
}

}  // namespace

views::DeviceArray Launcher::copy(const views::DeviceArray& array) {
  views::DeviceArray result = allocate(*array.device, array.element.dtype(), array.shape);
  if (jit::recording() != nullptr && array.layout() != ir::Layout::c) {
    // What copies between other orders may wait.
    const Program program = program_of_copy(array);
    elementwise(program, in_c_order(program.space.size()), {&result, 1}, Reason::memory);
    return result;
  }
  hold(array, *array.device);
  engine().copier().copy(result, array, queue_of(*array.device));
  return result;
}

}  // namespace phalanx::arrays
