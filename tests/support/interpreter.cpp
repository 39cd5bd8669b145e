#include "interpreter.h"

#include <algorithm>
#include <memory>
#include <span>

#include "interpreter_thread.h"
#include "interpreter_warp.h"

namespace phalanx::test {

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

// Calls visit({x, y, z}) for each index, x fastest.
template <typename Visitor>
void for_each_index(const std::array<std::uint32_t, 3>& extent, const Visitor& visit) {
  for (std::uint32_t z = 0; z < extent[2]; ++z) {
    for (std::uint32_t y = 0; y < extent[1]; ++y) {
      for (std::uint32_t x = 0; x < extent[0]; ++x) visit(std::array<std::uint32_t, 3>{x, y, z});
    }
  }
}

constexpr std::size_t warp_size = 32;

struct Block {
  BlockMemory memory;
  std::vector<Thread> threads;

  bool is_any(Thread::State state) const {
    return std::any_of(threads.begin(), threads.end(), [&](const Thread& thread) {
      return thread.state() == state;
    });
  }
  void release(Thread::State state) {
    for (Thread& thread : threads) {
      if (thread.state() == state)
        thread.release();
    }
  }
};

std::unique_ptr<Block> make_block(
    Machine& machine, const std::array<std::uint32_t, 3>& block_index) {
  auto block = std::make_unique<Block>();
  block->memory.dynamic.assign(machine.launch.dynamic_shared_bytes + 1, std::byte{0xcd});
  for_each_index(machine.launch.block, [&](const std::array<std::uint32_t, 3>& thread) {
    block->threads.emplace_back(machine, block->memory, block_index, thread);
  });
  return block;
}

bool resolve_warps(Block& block) {
  bool has_resolved = false;
  const std::span<Thread> threads(block.threads);
  for (std::size_t first = 0; first < threads.size(); first += warp_size)
    has_resolved |=
        resolve_warp(threads.subspan(first, std::min(warp_size, threads.size() - first)));
  return has_resolved;
}

// Lets all that wait at a barrier go on; those of them that vote are the electorate.
void pass_barrier(Block& block) {
  std::uint64_t voters = 0;
  std::uint64_t yes = 0;
  for (Thread& thread : block.threads) {
    const ir::Operation* waiting = thread.waiting(Thread::State::at_barrier);
    if (waiting == nullptr || waiting->op != ir::Op::block_vote)
      continue;
    ++voters;
    yes += thread.operand(0)[0];
  }
  const auto result = [&](const ir::Operation& vote) -> Words {
    return {
        ir::has_kind(vote, ir::BlockVote::count) ? yes
        : ir::has_kind(vote, ir::BlockVote::all) ? yes == voters
                                                 : yes != 0};
  };
  for (Thread& thread : block.threads) {
    const ir::Operation* waiting = thread.waiting(Thread::State::at_barrier);
    if (waiting != nullptr)
      thread.resolve(waiting->op == ir::Op::block_vote ? result(*waiting) : Words{});
  }
}

// Until all threads have ended or wait for other blocks. Threads that have ended do not take part
// in the barriers of the others.
void run_block(Machine& machine, Block& block) {
  for (;;) {
    for (Thread& thread : block.threads) {
      if (thread.state() == Thread::State::running)
        thread.run();
    }
    if (resolve_warps(block))
      continue;
    if (block.is_any(Thread::State::at_warp_operation)) {  // for ever
      machine.outcome.is_complete = false;
      return;
    }
    const bool waits_for_others = block.is_any(Thread::State::at_grid_barrier);
    if (waits_for_others || !block.is_any(Thread::State::at_barrier))
      return;
    pass_barrier(block);
  }
}

bool waits_for_grid(const ir::Module& module) {
  bool found = false;
  for (const auto& function : module.functions)
    ir::for_each(function->body, [&](const ir::Operation& operation) {
      found |= operation.op == ir::Op::grid_barrier;
    });
  return found;
}

// All blocks are there at once, and go on together.
void run_grid(Machine& machine) {
  std::vector<std::unique_ptr<Block>> blocks;
  for_each_index(machine.launch.grid, [&](const std::array<std::uint32_t, 3>& block_index) {
    blocks.push_back(make_block(machine, block_index));
  });
  bool has_waited = true;
  while (has_waited && machine.outcome.is_complete) {
    has_waited = false;
    for (const auto& block : blocks) run_block(machine, *block);
    for (const auto& block : blocks) {
      has_waited |= block->is_any(Thread::State::at_grid_barrier);
      block->release(Thread::State::at_grid_barrier);
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
  if (waits_for_grid(module)) {
    run_grid(machine);
  } else {
    for_each_index(launch.grid, [&](const std::array<std::uint32_t, 3>& block_index) {
      run_block(machine, *make_block(machine, block_index));
    });
  }
  return std::move(machine.outcome);
}

}  // namespace phalanx::test
