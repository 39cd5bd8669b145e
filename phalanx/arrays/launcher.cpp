#include "phalanx/arrays/launcher.h"

#include <chrono>

#include "phalanx/arrays/elementwise_kernel.h"
#include "phalanx/arrays/graph.h"

namespace phalanx::arrays {
namespace {

// Arrays of other streams are there before the kernel reads them.
void hold(const Program& program, runtime::Device& device) {
  const auto& stream = device.default_stream();
  for (const Access& access : program.accesses) {
    one_device(&device, access.memory->device);
    access.memory->memory->buffer.used_on(stream);
  }
}

}  // namespace

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

views::DeviceArray Launcher::allocate(runtime::Device& device, DType dtype, const Extents& shape) {
  return views::allocate_array(
      engine().types(), device, nullptr, {.element = dtype, .shape = shape});
}

void Launcher::elementwise(
    const Program& program,
    const Order& order,
    std::span<const views::DeviceArray> outputs,
    Reason why) {
  runtime::Device& device = *outputs.front().device;
  hold(program, device);
  std::vector<Output> where;
  where.reserve(outputs.size());
  for (const views::DeviceArray& output : outputs)
    where.push_back(
        {.address = output.address,
         .strides = Strides(output.strides.begin(), output.strides.end()),
         .dtype = output.element.dtype()});
  const auto launch = [&] {
    return launch_elementwise(kernels_, program, where, order, *device.default_stream());
  };
  if (is_timed_)
    launch();  // which compiles it; the second one writes the same
  const Timer timer(is_timed_, device);
  auto kernel = launch();
  log_.add(std::move(kernel), program, outputs, why);
  timer.stop(log_);
  ++launched_;
}

void Launcher::reduce(const Folding& folding, const views::DeviceArray& output, Reason why) {
  runtime::Device& device = *output.device;
  hold(*folding.program, device);
  std::vector<runtime::Buffer> states;
  const auto allocate = [&](std::size_t bytes) {
    return states.emplace_back(device.allocate(bytes)).address();
  };
  const auto launch = [&] {
    return launch_reduce(kernels_, folding, output.address, allocate, *device.default_stream());
  };
  if (is_timed_)
    launch();
  const Timer timer(is_timed_, device);
  auto kernel = launch();
  log_.add(std::move(kernel), *folding.program, {&output, 1}, why);
  timer.stop(log_);
  ++launched_;
}

views::DeviceArray Launcher::routine(
    const Node& node, const std::vector<views::DeviceArray>& operands, Reason why) {
  const auto& routine = std::get<Routine>(node.made_by);
  const auto& stream = operands.front().device->default_stream();
  for (const views::DeviceArray& operand : operands) {
    one_device(operands.front().device, operand.device);
    operand.memory->buffer.used_on(stream);
  }
  const Timer timer(is_timed_, *operands.front().device);
  views::DeviceArray made = routine.run(operands);
  log_.add_routine(routine, operands, made, why);
  timer.stop(log_);
  return made;
}

views::DeviceArray Launcher::copy(const views::DeviceArray& array) {
  views::DeviceArray result = allocate(*array.device, array.element.dtype(), array.shape);
  engine().copier().copy(result, array, *array.device->default_stream());
  return result;
}

}  // namespace phalanx::arrays
