// One inner loop of a NumPy ufunc, compiled when it is met, for the way its operands lie in memory.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "phalanx/runtime/executable.h"

namespace phalanx::bindings {

// What all loops of a ufunc have in common.
struct UfuncLayout {
  std::size_t dimensions = 0;                   // names of core dimensions
  std::vector<std::vector<std::size_t>> cores;  // of each operand: which of them
  std::size_t inputs = 0;
  std::size_t steps = 0;          // of the operands and of their cores
  bool is_elementwise = false;    // no operand has a core, and the outputs are returned
  bool may_split = false;         // whether items may be computed at the same time
  bool is_written_apart = false;  // the function takes it that outputs overlap no input
};

class UfuncLoop {
 public:
  static constexpr std::size_t most_operands = 32;

  // `compile(layouts, is_parallel)` gives the Kernel of a CPU function that takes `dims`, `args`
  // and `steps` of NumPy's loops one after the other; `layouts` has a letter for each operand (see
  // OperandLayout). `raise_site(site)` raises what that function has raised.
  UfuncLoop(
      std::shared_ptr<const UfuncLayout> layout,
      std::vector<std::int64_t> item_bytes,
      nanobind::object compile,
      nanobind::object raise_site);
  ~UfuncLoop();
  UfuncLoop(const UfuncLoop&) = delete;
  UfuncLoop& operator=(const UfuncLoop&) = delete;

  // As NumPy calls it, with or without the GIL; `loop` is a UfuncLoop. Where something went wrong,
  // Python's exception is set.
  static void run(
      char** args, const std::intptr_t* dims, const std::intptr_t* steps, void* loop) noexcept;

  int traverse(visitproc visit, void* arg) const;
  void clear();

 private:
  using Key = std::uint64_t;  // the layout of each operand, two bits each

  // How an operand lies in memory. The letters are what `compile` gets.
  enum class OperandLayout : std::uint8_t {
    packed,  // 'c': items follow each other; those with a core: its elements do
    single,  // 's': one number for all items
    any,     // 'a': any strides
    total,   // 't': of a reduction: the first input, which is the output too
  };

  struct Operands {
    char** args;
    const std::intptr_t* dims;
    const std::intptr_t* steps;
  };

  // The code for one key. Never removed, so that threads without the GIL can read the list.
  struct Variant {
    Key key = 0;
    std::array<std::atomic<runtime::Executable*>, 2> code = {};  // for one core, and for all
    std::array<std::shared_ptr<runtime::Executable>, 2> owned;
    std::atomic<float> cost = 0;   // nanoseconds of one core for a unit of work; 0: not known
    std::atomic<int> unsplit = 0;  // large calls that still run on one core
    Variant* next = nullptr;
  };

  struct Form {
    Key key;
    bool is_ordered;  // an item may read what an earlier one has written
  };

  void run(const Operands& operands);
  Form form_of(const Operands& operands) const;
  Form ordered_form(const Operands& operands) const;
  Key all_any() const;
  OperandLayout layout_of(
      const Operands& operands, std::size_t operand, const std::intptr_t* core_steps) const;
  bool is_reduction(const Operands& operands) const;
  bool is_ordered(const Operands& operands) const;
  double work_of(const Operands& operands) const;
  Variant& variant(Key key);
  bool should_split(Variant& variant, const Form& form, double work) const;
  static void learn(Variant& variant, double work, double nanoseconds, bool was_parallel);
  runtime::Executable& compiled(Variant& variant, bool is_parallel);
  void run_apart(const Operands& operands);
  void call(runtime::Executable& code, const Operands& operands);

  std::shared_ptr<const UfuncLayout> layout_;
  std::vector<std::int64_t> item_bytes_;
  nanobind::object compile_;
  nanobind::object raise_site_;
  std::atomic<Variant*> variants_ = nullptr;
};

}  // namespace phalanx::bindings
