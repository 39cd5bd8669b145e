#include "phalanx/bindings/ufunc_loop.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/bindings/compile_thread.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/kernel.h"
#include "phalanx/bindings/result.h"
#include "phalanx/runtime/function_call.h"
#include "phalanx/runtime/keep_flags.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

constexpr std::uint64_t letter_bits = 2;
constexpr std::string_view letters = "csat";

// Waking the cores takes some microseconds, and calls that are measured are not all alike.
constexpr double worth_splitting = 25'000;  // nanoseconds
// Units of work that are split before anything was measured.
constexpr double much_work = 16384;
// Reading the clock costs as much as some dozens of units.
constexpr double measured_work = 8192;
constexpr double first_measured_work = 64;

// The words of a parameter block, on the stack where there are few.
class Words {
 public:
  explicit Words(std::size_t count) {
    if (count > small_.size())
      large_.resize(count);
    next_ = large_.empty() ? small_.data() : large_.data();
    first_ = next_;
  }

  template <typename T>
  void put(const T* values, std::size_t count) {
    static_assert(sizeof(T) == sizeof(std::uint64_t));
    std::memcpy(next_, values, count * sizeof(T));
    next_ += count;
  }

  const std::byte* data() const { return reinterpret_cast<const std::byte*>(first_); }

 private:
  std::array<std::uint64_t, 40> small_;
  std::vector<std::uint64_t> large_;
  std::uint64_t* next_;
  std::uint64_t* first_;
};

struct Range {
  std::intptr_t first;
  std::intptr_t last;
};

Range bytes_of(const char* start, std::intptr_t count, std::intptr_t step, std::int64_t item) {
  const auto address = reinterpret_cast<std::intptr_t>(start);
  const std::intptr_t reach = (count - 1) * step;
  return {
      address + std::min<std::intptr_t>(reach, 0),
      address + std::max<std::intptr_t>(reach, 0) + item};
}

// Elements of `item` bytes, packed one after the other; gives back where the next ones go.
char* copy_packed(
    const char* from,
    std::span<const std::intptr_t> extents,
    std::span<const std::intptr_t> steps,
    std::size_t item,
    char* to) {
  if (extents.empty()) {
    std::memcpy(to, from, item);
    return to + item;
  }
  for (std::intptr_t i = 0; i < extents[0]; ++i)
    to = copy_packed(from + i * steps[0], extents.subspan(1), steps.subspan(1), item, to);
  return to;
}

double nanoseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

UfuncLoop::UfuncLoop(
    std::shared_ptr<const UfuncLayout> layout,
    std::vector<std::int64_t> item_bytes,
    nb::object compile,
    nb::object raise_site)
    : layout_(std::move(layout)),
      item_bytes_(std::move(item_bytes)),
      compile_(std::move(compile)),
      raise_site_(std::move(raise_site)) {}

UfuncLoop::~UfuncLoop() {
  for (Variant* each = variants_; each != nullptr;) delete std::exchange(each, each->next);
}

int UfuncLoop::traverse(visitproc visit, void* arg) const {
  Py_VISIT(compile_.ptr());
  Py_VISIT(raise_site_.ptr());
  return 0;
}

void UfuncLoop::clear() {
  compile_.reset();
  raise_site_.reset();
}

void UfuncLoop::run(
    char** args, const std::intptr_t* dims, const std::intptr_t* steps, void* loop) noexcept {
  const runtime::KeepFlags flags;
  try {
    static_cast<UfuncLoop*>(loop)->run({args, dims, steps});
  } catch (abi::__forced_unwind&) {
    sleep_for_ever();  // see gil.h
  } catch (...) {
    const GilHeld gil;
    // NumPy goes on to the next inner loop, which may raise again: the first one counts.
    if (PyErr_Occurred() == nullptr)
      set_python_error();
  }
}

// ---- How the operands lie ----

UfuncLoop::OperandLayout UfuncLoop::layout_of(
    const Operands& operands, std::size_t operand, const std::intptr_t* core_steps) const {
  const std::vector<std::size_t>& core = layout_->cores[operand];
  std::int64_t packed = item_bytes_[operand];
  if (core.empty()) {
    const std::intptr_t step = operands.steps[operand];
    if (step == packed || operands.dims[0] == 1)
      return OperandLayout::packed;
    return step == 0 ? OperandLayout::single : OperandLayout::any;
  }
  for (std::size_t i = core.size(); i-- > 0;) {
    const std::intptr_t extent = operands.dims[1 + core[i]];
    if (extent != 1 && core_steps[i] != packed)
      return OperandLayout::any;
    packed *= extent;
  }
  return OperandLayout::packed;
}

UfuncLoop::Key UfuncLoop::all_any() const {
  Key key = 0;
  for (std::size_t i = 0; i < layout_->cores.size(); ++i)
    key |= static_cast<Key>(OperandLayout::any) << (letter_bits * i);
  return key;
}

UfuncLoop::Form UfuncLoop::ordered_form(const Operands& operands) const {
  if (!is_reduction(operands))
    return {all_any(), true};
  const auto total = static_cast<Key>(OperandLayout::total);
  const auto values = static_cast<Key>(layout_of(operands, 1, nullptr));
  return {total | values << letter_bits | total << (2 * letter_bits), true};
}

UfuncLoop::Form UfuncLoop::form_of(const Operands& operands) const {
  if (layout_->is_elementwise && is_ordered(operands))
    return ordered_form(operands);
  Key key = 0;
  bool has_any = false;
  const std::intptr_t* core_steps = operands.steps + layout_->cores.size();
  for (std::size_t i = 0; i < layout_->cores.size(); ++i) {
    const OperandLayout layout = layout_of(operands, i, core_steps);
    has_any |= layout == OperandLayout::any;
    key |= static_cast<Key>(layout) << (letter_bits * i);
    core_steps += layout_->cores[i].size();
  }
  // Elementwise, one code for all of those: each mixture would cost a compilation.
  return {has_any && layout_->is_elementwise ? all_any() : key, false};
}

// f.reduce: the output is one number, and the first input.
bool UfuncLoop::is_reduction(const Operands& operands) const {
  return layout_->cores.size() == 3 && layout_->inputs == 2 &&
         operands.args[0] == operands.args[2] && operands.steps[0] == 0 && operands.steps[2] == 0;
}

// True if an item may read what an earlier one has written, as f.accumulate does it.
bool UfuncLoop::is_ordered(const Operands& operands) const {
  const std::intptr_t count = operands.dims[0];
  if (count == 1)
    return false;
  for (std::size_t out = layout_->inputs; out < layout_->cores.size(); ++out) {
    const std::intptr_t step = operands.steps[out];
    if (step == 0)
      return true;
    const Range written = bytes_of(operands.args[out], count, step, item_bytes_[out]);
    for (std::size_t in = 0; in < layout_->inputs; ++in) {
      if (operands.args[in] == operands.args[out] && operands.steps[in] == step)
        continue;
      const Range read = bytes_of(operands.args[in], count, operands.steps[in], item_bytes_[in]);
      if (read.first < written.last && written.first < read.last)
        return true;
    }
  }
  return false;
}

double UfuncLoop::work_of(const Operands& operands) const {
  auto work = static_cast<double>(operands.dims[0]);
  for (std::size_t i = 1; i <= layout_->dimensions; ++i)
    work *= static_cast<double>(std::max<std::intptr_t>(operands.dims[i], 1));
  return work;
}

// ---- The code ----

UfuncLoop::Variant& UfuncLoop::variant(Key key) {
  Variant* first = variants_.load(std::memory_order_acquire);
  for (Variant* each = first; each != nullptr; each = each->next) {
    if (each->key == key)
      return *each;
  }
  auto* made = new Variant();  // deleted with the loop
  made->key = key;
  made->next = first;
  while (!variants_.compare_exchange_weak(made->next, made, std::memory_order_acq_rel)) {
  }
  return *made;  // another thread's of the same key is as good, and after it
}

runtime::Executable& UfuncLoop::compiled(Variant& variant, bool is_parallel) {
  auto& code = variant.code[is_parallel ? 1 : 0];
  if (runtime::Executable* known = code.load(std::memory_order_acquire))
    return *known;
  const GilHeld gil;
  std::string layouts;
  for (std::size_t i = 0; i < layout_->cores.size(); ++i)
    layouts += letters[(variant.key >> (letter_bits * i)) & 3U];
  const nb::object made = outlive([&] { return compile_(layouts, is_parallel); });
  const auto kernel = nb::cast<KernelHandle&>(made).kernel;
  auto executable = executable_of(*kernel, kernel, engine().runtime().cpu(), {});
  runtime::Executable* first = nullptr;
  if (!code.compare_exchange_strong(first, executable.get(), std::memory_order_acq_rel))
    return *first;  // another thread's
  auto& owned = variant.owned[is_parallel ? 1 : 0];
  owned = std::move(executable);
  return *owned;
}

bool UfuncLoop::should_split(Variant& variant, const Form& form, double work) const {
  if (!layout_->may_split || form.is_ordered || work < first_measured_work)
    return false;
  const float cost = variant.cost.load(std::memory_order_relaxed);
  if (cost == 0 ? work < much_work : cost * work <= worth_splitting)
    return false;
  const int unsplit = variant.unsplit.load(std::memory_order_relaxed);
  if (unsplit > 0)
    variant.unsplit.store(unsplit - 1, std::memory_order_relaxed);
  return unsplit <= 0;
}

// Where several cores gain nothing, as when others use them, the next calls do without.
void UfuncLoop::learn(Variant& variant, double work, double nanoseconds, bool was_parallel) {
  constexpr double least_gain = 1.2;
  constexpr int calls_without = 16;
  const double before = variant.cost.load(std::memory_order_relaxed);
  if (was_parallel) {
    if (before == 0)
      variant.unsplit.store(
          1, std::memory_order_relaxed);  // the next call tells what one core needs
    else if (nanoseconds * least_gain > before * work)
      variant.unsplit.store(calls_without, std::memory_order_relaxed);
    if (before != 0)
      return;
  }
  // A call that was interrupted says little: the cost grows step by step.
  const double measured = nanoseconds / work;
  const double most = before == 0 ? measured : 2 * before;
  variant.cost.store(static_cast<float>(std::min(measured, most)), std::memory_order_relaxed);
}

void UfuncLoop::call(runtime::Executable& code, const Operands& operands) {
  const std::size_t count = layout_->cores.size();
  Words words(layout_->dimensions + 1 + count + layout_->steps + 1);
  words.put(operands.dims, layout_->dimensions + 1);
  words.put(operands.args, count);
  words.put(operands.steps, layout_->steps);
  const std::uint64_t no_result = 0;
  words.put(&no_result, 1);
  ErrorLog errors;
  runtime::FunctionCall call;
  call.run(engine().runtime().cpu(), code, words.data(), errors);
  if (const std::uint32_t raised = errors.records[0].site; raised != 0) {
    const GilHeld gil;
    outlive([&] {
      const FaultSite& site = code.binary().fault_sites.at(raised - 1);
      const auto& raise = std::get<Raise>(site.what);
      raise_site_(location_of(site), raise.type, raise.message, numbers_of(errors.records[0]));
    });
    throw nb::python_error();
  }
}

// NumPy leaves an input that is an output too where it is, since each item is read before it is
// written; the elements of an item are not.
void UfuncLoop::run_apart(const Operands& operands) {
  const std::size_t count = layout_->cores.size();
  std::vector<char*> args(operands.args, operands.args + count);
  std::vector<std::intptr_t> steps(operands.steps, operands.steps + layout_->steps);
  std::vector<std::vector<char>> copies;
  std::size_t core_step = count;
  for (std::size_t in = 0; in < layout_->inputs; ++in) {
    const auto& core = layout_->cores[in];
    const std::span own = std::span(steps).subspan(core_step, core.size());
    core_step += core.size();
    const auto outputs = std::span(operands.args, count).subspan(layout_->inputs);
    if (std::ranges::find(outputs, args[in]) == outputs.end())
      continue;
    std::vector<std::intptr_t> extents = {operands.dims[0]};
    std::vector<std::intptr_t> from = {steps[in]};
    for (std::size_t i = 0; i < core.size(); ++i) {
      extents.push_back(operands.dims[1 + core[i]]);
      from.push_back(own[i]);
    }
    std::intptr_t bytes = item_bytes_[in];
    for (std::size_t i = core.size(); i-- > 0;) {
      own[i] = bytes;
      bytes *= extents[1 + i];
    }
    steps[in] = bytes;
    copies.emplace_back(static_cast<std::size_t>(bytes * extents[0]));
    copy_packed(
        args[in], extents, from, static_cast<std::size_t>(item_bytes_[in]), copies.back().data());
    args[in] = copies.back().data();
  }
  run({args.data(), operands.dims, steps.data()});
}

void UfuncLoop::run(const Operands& operands) {
  if (operands.dims[0] == 0)
    return;
  if (layout_->is_written_apart) {
    const std::span args(operands.args, layout_->cores.size());
    const auto inputs = args.first(layout_->inputs);
    if (std::ranges::find_first_of(inputs, args.subspan(layout_->inputs)) != inputs.end())
      return run_apart(operands);
  }
  const Form form = form_of(operands);
  Variant& found = variant(form.key);
  const double work = work_of(operands);
  const bool is_parallel = should_split(found, form, work);
  runtime::Executable& code = compiled(found, is_parallel);
  const bool is_known = found.cost.load(std::memory_order_relaxed) != 0;
  if (work < (is_known ? measured_work : first_measured_work)) {
    call(code, operands);
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  call(code, operands);
  learn(found, work, nanoseconds_since(start), is_parallel);
}

}  // namespace phalanx::bindings
