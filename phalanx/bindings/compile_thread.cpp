#include "phalanx/bindings/compile_thread.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <pthread.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>

#include "phalanx/base/errors.h"
#include "phalanx/base/library_call.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/delegated_work.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/warnings.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

using jit::StageSeconds;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

constexpr auto signals_are_looked_at_every = 50ms;
constexpr auto long_compilation = 2s;
constexpr auto told_every = 1s;
constexpr std::size_t stack_bytes = std::size_t{64}
                                    << 20U;  // LLVM walks nested branches recursively

// ---- One compilation ----

class Compilation {
 public:
  // On the thread that compiles.
  void run(std::function<void()>& work);
  void ask(const std::function<void()>& request);

  // On the thread that waits; for some time only.
  enum class News : std::uint8_t { none, request, done };
  News wait();
  void answer();
  void abandon();
  void rethrow();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* request_ = nullptr;
  std::exception_ptr request_failure_;
  std::exception_ptr failure_;
  const WorkOrigin origin_ = WorkOrigin::here();  // of who waits
  bool is_done_ = false;
  bool is_abandoned_ = false;
};

thread_local Compilation* compilation_here = nullptr;

void Compilation::run(std::function<void()>& work) {
  compilation_here = this;
  std::exception_ptr failure;
  try {
    const DelegatedWork delegated(origin_);
    const LibraryCall llvm;
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    if (!is_abandoned_) {
      work = nullptr;  // what it owns, the waiting thread has, too
      failure_ = std::move(failure);
      is_done_ = true;
      changed_.notify_all();
      return;
    }
  }
  const GilHeld gil;  // for the Python objects that may go now
  work = nullptr;
  failure = nullptr;
}

void Compilation::ask(const std::function<void()>& request) {
  const LibraryPause outside;  // at the end of the process no thread answers
  std::unique_lock lock(mutex_);
  if (!is_abandoned_) {
    request_ = &request;
    changed_.notify_all();
    changed_.wait(lock, [&] { return request_ == nullptr; });
  }
  if (is_abandoned_)
    throw CompileError(CompileError::Kind::lowering, "the compilation was interrupted");
  if (request_failure_)
    std::rethrow_exception(std::exchange(request_failure_, nullptr));
}

Compilation::News Compilation::wait() {
  const GilReleased no_gil;
  std::unique_lock lock(mutex_);
  changed_.wait_for(
      lock, signals_are_looked_at_every, [&] { return is_done_ || request_ != nullptr; });
  if (is_done_)
    return News::done;
  return request_ == nullptr ? News::none : News::request;
}

void Compilation::answer() {
  const std::function<void()>* request = nullptr;
  {
    const std::lock_guard lock(mutex_);
    request = request_;
  }
  std::exception_ptr failure;
  try {
    outlive(*request);
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  request_ = nullptr;
  request_failure_ = std::move(failure);
  changed_.notify_all();
}

void Compilation::abandon() {
  const std::lock_guard lock(mutex_);
  is_abandoned_ = true;
  request_ = nullptr;
  changed_.notify_all();
}

void Compilation::rethrow() {
  if (failure_)
    std::rethrow_exception(std::exchange(failure_, nullptr));
}

// ---- What users see of it ----

class Progress {
 public:
  explicit Progress(const jit::Kernel& kernel) : kernel_(kernel) {}

  void look() {
    if (Clock::now() < next_)
      return;
    next_ = Clock::now() + told_every;
    is_told_ = true;
    tell("compiling");
  }
  void finish() {
    if (is_told_)
      tell("compiled");
  }

 private:
  void tell(const char* what) const {
    const std::chrono::duration<double> time = Clock::now() - start_;
    try {
      outlive([&] {
        nb::module_::import_("phalanx._core.progress")
            .attr(what)(kernel_.name(), to_python(kernel_.location()), time.count());
      });
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_Exception))  // Ctrl-C may come while the line is written
        throw;
      error.discard_as_unraisable("the progress of a compilation");
    }
  }

  const jit::Kernel& kernel_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + long_compilation;
  bool is_told_ = false;
};

void await(Compilation& compilation, const jit::Kernel& kernel) {
  Progress progress(kernel);
  for (;;) {
    const Compilation::News news = compilation.wait();
    if (news == Compilation::News::done)
      break;
    if (news == Compilation::News::request)
      compilation.answer();
    if (outlive([] { return PyErr_CheckSignals(); }) != 0)
      throw nb::python_error();
    progress.look();
  }
  progress.finish();
  compilation.rethrow();
}

struct Start {
  std::shared_ptr<Compilation> compilation;
  std::function<void()> work;
};

void* start_of_thread(void* given) {
  const std::unique_ptr<Start> start(static_cast<Start*>(given));
  start->compilation->run(start->work);
  return nullptr;
}

// False where the system gives no thread.
bool start_thread(std::unique_ptr<Start> start) {
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, stack_bytes);
  ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  const bool is_started =
      ::pthread_create(&thread, &attributes, &start_of_thread, start.get()) == 0;
  ::pthread_attr_destroy(&attributes);
  if (is_started)
    static_cast<void>(start.release());  // the thread's
  return is_started;
}

// ---- The log ----

StageSeconds seconds_of(const jit::Kernel& kernel) {
  StageSeconds seconds{};
  for (std::size_t i = 0; i < seconds.size(); ++i)
    seconds.at(i) = kernel.statistics().seconds(static_cast<jit::Stage>(i));
  return seconds;
}

StageSeconds operator-(const StageSeconds& after, const StageSeconds& before) {
  StageSeconds taken{};
  for (std::size_t i = 0; i < taken.size(); ++i) taken.at(i) = after.at(i) - before.at(i);
  return taken;
}

// A program that has not imported `logging` has nobody who reads it.
void log_stages(const jit::Kernel& kernel, const StageSeconds& before) {
  const nb::dict modules = nb::module_::import_("sys").attr("modules");
  if (!modules.contains("logging"))
    return;
  const nb::dict taken = to_dict(seconds_of(kernel) - before);
  outlive([&] {
    nb::module_::import_("phalanx._core.progress")
        .attr("made")(kernel.name(), to_python(kernel.location()), taken);
  });
}

}  // namespace

nb::dict to_dict(const StageSeconds& seconds) {
  nb::dict made;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const std::string_view name = jit::stage_names.at(i);
    if (seconds.at(i) > 0)
      made[nb::str(name.data(), name.size())] = seconds.at(i);
  }
  return made;
}

void run_compilation(const jit::Kernel& kernel, std::function<void()> work) {
  auto compilation = std::make_shared<Compilation>();
  if (!start_thread(std::make_unique<Start>(compilation, work))) {
    const GilReleased no_gil;
    const LibraryCall llvm;
    work();
    return;
  }
  try {
    await(*compilation, kernel);
  } catch (...) {
    compilation->abandon();
    throw;
  }
}

void with_python(const std::function<void()>& request) {
  if (compilation_here != nullptr) {
    compilation_here->ask(request);
    return;
  }
  const GilHeld gil;
  outlive(request);
}

std::shared_ptr<runtime::Executable> executable_of(
    jit::Kernel& kernel,
    std::shared_ptr<const void> owner,
    runtime::Device& device,
    const runtime::Dim3& block,
    const runtime::Dim3& grid) {
  auto made = kernel.loaded(device, block, grid);
  if (made == nullptr) {
    const StageSeconds before = seconds_of(kernel);
    made = compiled(
        kernel,
        std::move(owner),
        [device = device.shared_from_this(), block, grid](jit::Kernel& self) {
          return self.executable(*device, block, grid);
        });
    log_stages(kernel, before);
  }
  flush_warnings();
  return made;
}

}  // namespace phalanx::bindings
