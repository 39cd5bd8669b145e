#include "phalanx/runtime/function_call.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <new>
#include <vector>

#include "phalanx/runtime/cpu/call_memory.h"
#include "phalanx/runtime/cpu/cpu_device.h"
#include "phalanx/runtime/cpu/cpu_executable.h"
#include "phalanx/runtime/cpu/print.h"
#include "phalanx/runtime/cpu/random_state.h"
#include "phalanx/runtime/keep_flags.h"
#include "phalanx/runtime/profiler.h"

namespace phalanx::runtime {

namespace {

using cpu::CallMemory;

// What CpuLaunch::memory points to, for the services: the call on one of its threads.
struct Call {
  CallMemory* memory;
  cpu::Scheduler* scheduler;
  bool is_parallel_body = false;           // of a parallel loop: the cores are taken
  std::exception_ptr interrupt = nullptr;  // generated code cannot be unwound
};

// In the first ErrorRecord::site, where Call::interrupt says what happened.
constexpr std::uint32_t interrupted_site = ~std::uint32_t{0};

Call& call_of(const CpuLaunch* launch) { return *static_cast<Call*>(launch->memory); }

std::byte* allocate(const CpuLaunch* launch, std::uint64_t bytes, std::uint32_t kind) {
  return call_of(launch).memory->allocate(bytes, static_cast<CallMemory::Kind>(kind));
}

std::uint64_t mark(const CpuLaunch* launch) { return call_of(launch).memory->mark(); }

void release(
    const CpuLaunch* launch,
    std::uint64_t mark,
    const std::byte* const* kept,
    std::uint64_t count) {
  call_of(launch).memory->release(mark, kept, count);
}

// The launch of a parallel loop, as all its threads see it.
struct ParallelLaunch : CpuLaunch {
  CpuKernel body = nullptr;
};

bool has_raised(const CpuLaunch& launch) {
  return std::atomic_ref(launch.errors->records[0].site).load(std::memory_order_relaxed) != 0;
}

// Each chunk has memory of its own. Those that were not begun when one raised are left out.
void run_chunks(
    const CpuLaunch* shared, std::uint64_t first, std::uint64_t last, std::byte* scratch) {
  CallMemory memory;
  Call call = {.memory = &memory, .scheduler = nullptr, .is_parallel_body = true};
  CpuLaunch launch = *shared;
  launch.memory = &call;
  launch.random = cpu::thread_random_state();
  const CpuKernel body = static_cast<const ParallelLaunch*>(shared)->body;
  for (std::uint64_t block = first; block < last && !has_raised(launch); ++block) {
    body(&launch, block, block + 1, scratch);
    memory.release(0, nullptr, 0);
  }
}

void run_parallel(
    const CpuLaunch* caller,
    CpuKernel body,
    float* cost,
    const std::byte* parameters,
    std::uint64_t chunks,
    std::uint64_t size) {
  Call& call = call_of(caller);
  ParallelLaunch launch;
  static_cast<CpuLaunch&>(launch) = *caller;
  launch.parameters = parameters;
  launch.body = body;
  launch.grid[0] = static_cast<std::uint32_t>(chunks);
  // The scheduler plans by the cost of a thread: here, of an iteration.
  launch.block[0] = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(size, 1, UINT32_MAX));
  // The cores are taken, or there is work for one.
  if (call.is_parallel_body || chunks <= 1) {
    run_chunks(&launch, 0, chunks, nullptr);
    return;
  }
  static_assert(sizeof(std::atomic<float>) == sizeof(float));
  cpu::Work work;
  work.entry = run_chunks;
  work.launch = &launch;
  work.blocks = chunks;
  work.cost = reinterpret_cast<std::atomic<float>*>(cost);
  try {
    call.scheduler->run(work);
  } catch (...) {
    call.interrupt = std::current_exception();
    caller->errors->records[0].site = interrupted_site;
  }
}

constexpr CpuServices services = {
    allocate, mark, release, run_parallel, cpu::refill_random_state, CallMemory::resize};

CallMemory& memory_in(std::byte* address) {
  return *std::launder(reinterpret_cast<CallMemory*>(address));
}

}  // namespace

FunctionCall::FunctionCall() {
  static_assert(sizeof(memory_) == sizeof(CallMemory));
  new (memory_) CallMemory();
}

FunctionCall::~FunctionCall() { memory_in(memory_).~CallMemory(); }

std::shared_ptr<void> FunctionCall::take(const std::byte* address) {
  return memory_in(memory_).take(address);
}

void FunctionCall::run(
    Device& cpu, Executable& executable, const std::byte* parameters, ErrorLog& errors) {
  ProfileSpan span(ProfileKind::call);
  if (span.is_on()) [[unlikely]] {
    span.set_device(cpu);
    span.set_executable(executable);
    ProfileWork::add_to(span.record());
  }
  auto& code = static_cast<cpu::CpuExecutable&>(executable);
  Call call = {
      .memory = &memory_in(memory_), .scheduler = &static_cast<cpu::CpuDevice&>(cpu).scheduler()};
  CpuLaunch launch;
  launch.parameters = parameters;
  launch.errors = &errors;
  launch.print = &cpu::print_line;
  launch.services = &services;
  launch.memory = &call;
  launch.random = cpu::thread_random_state();
  const KeepFlags flags;
  const std::size_t bytes = scratch_bytes(code.entry(), 1, 0);
  if (bytes == 0) {
    code.code()(&launch, 0, 1, nullptr);
  } else {
    std::vector<std::byte> scratch(bytes + 64);
    void* address = scratch.data();
    std::size_t room = scratch.size();
    code.code()(&launch, 0, 1, static_cast<std::byte*>(std::align(64, bytes, address, room)));
  }
  if (code.binary().uses_print)
    std::fflush(stdout);
  if (call.interrupt)
    std::rethrow_exception(call.interrupt);
}

}  // namespace phalanx::runtime
