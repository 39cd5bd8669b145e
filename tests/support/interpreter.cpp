#include "interpreter.h"

#include <algorithm>

#include "interpreter_thread.h"

namespace phalanx::testing {

namespace {

void number_values(Machine& machine) {
  for (const auto& function : machine.module.functions) {
    std::size_t& count = machine.counts[function.get()];
    for (const auto& parameter : function->parameters) machine.numbers[parameter.get()] = count++;
    ir::for_each(function->body, [&](const ir::Operation& operation) {
      if (!operation.type.is_none())
        machine.numbers[&operation] = count++;
    });
  }
}

// Calls visit({x, y, z}) for each place, x fastest.
template <typename Visitor>
void for_each_place(const std::array<std::uint32_t, 3>& extent, const Visitor& visit) {
  for (std::uint32_t z = 0; z < extent[2]; ++z) {
    for (std::uint32_t y = 0; y < extent[1]; ++y) {
      for (std::uint32_t x = 0; x < extent[0]; ++x) visit(std::array<std::uint32_t, 3>{x, y, z});
    }
  }
}

// Threads that have ended do not take part in the barriers of the others.
void run_block(Machine& machine, const std::array<std::uint32_t, 3>& block) {
  BlockMemory memory;
  memory.dynamic.assign(machine.launch.dynamic_shared_bytes + 1, std::byte{0xcd});
  std::vector<Thread> threads;
  for_each_place(machine.launch.block, [&](const std::array<std::uint32_t, 3>& thread) {
    threads.emplace_back(machine, memory, block, thread);
  });
  const auto is_left = [](const Thread& thread) {
    return thread.state() != Thread::State::finished;
  };
  while (std::any_of(threads.begin(), threads.end(), is_left)) {
    for (Thread& thread : threads) {
      if (is_left(thread))
        thread.run();
    }
  }
}

}  // namespace

Outcome interpret(const ir::Module& module, const InterpreterLaunch& launch) {
  Machine machine{
      .module = module,
      .launch = launch,
      .numbers = {},
      .counts = {},
      .outcome = {},
      .steps_left = launch.most_steps};
  number_values(machine);
  for_each_place(
      launch.grid, [&](const std::array<std::uint32_t, 3>& block) { run_block(machine, block); });
  return std::move(machine.outcome);
}

}  // namespace phalanx::testing
