// Memory layout by program slices (Weiser, 1981): shared arrays whose shape the launch decides
// become views of dynamic shared memory, before what the user requested, and the launch gets a
// program for their bytes. Throws CompileError where an extent is not the same for all threads of
// the launch.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/base/source_text.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/builder.h"
#include "phalanx/ir/typing.h"
#include "phalanx/passes/launch_program.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/reaching_values.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;
using ir::Type;

namespace {

constexpr const char* advice =
    "Use arguments, shapes of arrays that are arguments, cuda.blockDim, cuda.gridDim, and "
    "whole-number arithmetic of these; or dynamic shared memory, shape 0.";

bool is_sized(const Operation& operation) { return operation.op == Op::sized_shared_array; }

[[noreturn]] void refuse(
    const Function& function,
    const Operation& array,
    const std::string& text,
    const char* what_else) {
  const SourceFile* file =
      array.location.file != nullptr ? array.location.file : function.source.get();
  const bool is_kernel = function.kind == ir::FunctionKind::kernel;
  const std::string name = (is_kernel ? "kernel " : "device function ") + function.name;
  CompileError::Message message = {.sentence = text, .advice = what_else};
  if (file != nullptr)
    message.at = excerpt_at(*file, array.location, name);
  throw CompileError(CompileError::Kind::typing, std::move(message));
}

std::string titled(const Operation& array) {
  return array.name.empty() ? "a shared array" : "shared array '" + array.name + "'";
}

// Where all extents are known, the array is one of a fixed shape.
bool become_fixed(const Function& function, Operation& array) {
  std::vector<std::int64_t> shape;
  for (const Operation* extent : array.operands) {
    if (extent->op != Op::constant)
      return false;
    shape.push_back(std::get<std::int64_t>(extent->constant));
  }
  for (const std::int64_t extent : shape) {
    if (extent < 1)
      refuse(
          function,
          array,
          titled(array) + " cannot have an extent of " + std::to_string(extent),
          "The dynamic shared memory of the launch is cuda.shared.array(0, dtype), with a 0 "
          "written "
          "there.");
  }
  array.op = Op::shared_array;
  array.operands.clear();
  array.shape = std::move(shape);
  return true;
}

class Placer {
 public:
  explicit Placer(Function& kernel)
      : kernel_(kernel), builder_(kernel), programs_(kernel), reaching_(kernel) {}
  bool run();  // whether launches size an array

 private:
  void place(Operation& array);
  LaunchArray description_of(const Operation& array, const std::vector<Operation*>& extents);
  Operation* at_entry(Operation& value);
  Operation* value_at(ReachingValues::Point point, const Operation& get);
  std::vector<Operation*> extents_at_entry(const Operation& array);
  [[noreturn]] void refuse_extent(
      const Operation& array, const LaunchPrograms::NotUniform& found) const;
  Operation* aligned_bytes(const Operation& array, const std::vector<Operation*>& extents);
  Operation* view(const Operation& of, const std::vector<Operation*>& extents);
  void place_dynamic(const Operation& array);
  void check_alignment(const Operation& array) const;
  void replace_all(Region& region);

  Function& kernel_;
  Region entry_;  // new operations, for the start of the kernel
  ir::Builder builder_;
  LaunchPrograms programs_;
  ReachingValues reaching_;
  std::vector<LaunchArray> arrays_;
  Operation* memory_ = nullptr;  // all dynamic shared memory, as bytes
  Operation* offset_ = nullptr;  // of the next array
  std::unordered_map<const Operation*, Operation*> copies_;
  std::unordered_map<const Operation*, Operation*> views_;
  // Inlined calls of one function have the array together, where its shape is the same.
  using Key = std::tuple<const SourceFile*, std::uint32_t, std::uint32_t, std::string>;
  std::map<Key, Operation*> placed_;
  Replacements replacements_;
};

void Placer::refuse_extent(const Operation& array, const LaunchPrograms::NotUniform& found) const {
  const bool has_line = found.location.line != 0 && found.location.line != array.location.line;
  const std::string line = has_line ? " (line " + std::to_string(found.location.line) + ")" : "";
  refuse(
      kernel_,
      array,
      "the shape of " + titled(array) + " must be the same for all threads of a launch, and be " +
          "known before it; found " + found.reason + line,
      advice);
}

LaunchArray Placer::description_of(const Operation& array, const std::vector<Operation*>& extents) {
  LaunchArray made{
      .name = array.name.empty() ? "?" : array.name,
      .item_bytes = ir::element_stride(array.type.element())};
  try {
    for (const Operation* extent : extents) made.extents.push_back(programs_.program_of(*extent));
    LaunchMemory checked({made});
  } catch (const LaunchPrograms::NotUniform& found) {
    refuse_extent(array, found);
  } catch (const ValueError& error) {
    refuse(kernel_, array, error.what(), "Compute it on the host and pass it.");
  }
  return made;
}

// What the variable of `get` holds there. Both sides of a choice are computed: no operation that a
// program may have can fail.
Operation* Placer::value_at(ReachingValues::Point point, const Operation& get) {
  const auto found = reaching_.at(point, get.variable);
  if (!found)
    throw LaunchPrograms::NotUniform{
        "a variable that has several values in the kernel", get.location};
  if (found->value != nullptr)
    return at_entry(*const_cast<Operation*>(found->value));
  Operation* condition = at_entry(*const_cast<Operation*>(found->condition));
  Operation* then = value_at(found->then, get);
  Operation* otherwise = value_at(found->otherwise, get);
  Operation& made = builder_.append(Op::select, get.type, {condition, then, otherwise});
  made.location = get.location;
  return &made;
}

// The value, computed at the start of the kernel: what it is made of is known there.
Operation* Placer::at_entry(Operation& value) {
  if (value.op == Op::parameter)
    return &value;
  if (const auto known = copies_.find(&value); known != copies_.end())
    return known->second;
  if (value.op == Op::get)
    return copies_[&value] = value_at(reaching_.before(value), value);
  std::vector<Operation*> operands;
  operands.reserve(value.operands.size());
  for (Operation* operand : value.operands) operands.push_back(at_entry(*operand));
  Operation& made = builder_.append(value.op, value.type, std::move(operands));
  made.constant = value.constant;
  made.index = value.index;
  made.location = value.location;
  return copies_[&value] = &made;
}

std::vector<Operation*> Placer::extents_at_entry(const Operation& array) {
  std::vector<Operation*> extents;
  try {
    for (Operation* extent : array.operands) extents.push_back(at_entry(*extent));
  } catch (const LaunchPrograms::NotUniform& found) {
    refuse_extent(array, found);
  }
  return extents;
}

Operation* Placer::aligned_bytes(const Operation& array, const std::vector<Operation*>& extents) {
  constexpr auto alignment = static_cast<std::int64_t>(LaunchMemory::alignment);
  const auto item = static_cast<std::int64_t>(ir::element_stride(array.type.element()));
  Operation* bytes = builder_.integer(item);
  for (Operation* extent : extents) bytes = builder_.elementwise(Op::multiply, {bytes, extent});
  if (item % alignment == 0)
    return bytes;
  bytes = builder_.elementwise(Op::add, {bytes, builder_.integer(alignment - 1)});
  return builder_.elementwise(Op::bitwise_and, {bytes, builder_.integer(-alignment)});
}

// A view of the memory at `offset_`.
Operation* Placer::view(const Operation& of, const std::vector<Operation*>& extents) {
  Operation* start = builder_.pointer_offset(
      builder_.array_data(memory_), offset_, Type::pointer(of.type.element(), ir::Space::shared));
  Operation* made = builder_.array_make(of.type, start, extents);
  made->name = of.name;
  return made;
}

// One after the other, of sizes that are known late, they begin at multiples of one number.
void Placer::check_alignment(const Operation& array) const {
  constexpr auto most = static_cast<std::int64_t>(LaunchMemory::alignment);
  if (array.index > most)
    refuse(
        kernel_,
        array,
        titled(array) +
            " lies in memory that the launch sizes, where arrays begin at multiples of " +
            std::to_string(most) + " bytes, not of " + std::to_string(array.index),
        "Give it a shape that is known at compile time.");
}

void Placer::place(Operation& array) {
  builder_.at(array.location);
  check_alignment(array);
  const std::vector<Operation*> extents = extents_at_entry(array);
  LaunchArray description = description_of(array, extents);
  const Key key = {
      array.location.file,
      array.location.line,
      array.location.column,
      LaunchMemory({description}).text() + ir::to_string(array.type)};
  Operation*& known = placed_[key];
  if (known == nullptr || array.location.line == 0) {
    known = view(array, extents);
    offset_ = builder_.elementwise(Op::add, {offset_, aligned_bytes(array, extents)});
    arrays_.push_back(std::move(description));
  }
  views_[&array] = known;
}

// The user's part begins after the arrays, and is as long as what is left.
void Placer::place_dynamic(const Operation& array) {
  builder_.at(array.location);
  check_alignment(array);
  const auto item = static_cast<std::int64_t>(ir::element_stride(array.type.element()));
  Operation* bytes =
      builder_.elementwise(Op::subtract, {builder_.array_shape(memory_, 0), offset_});
  Operation* extent = builder_.elementwise(Op::floor_divide, {bytes, builder_.integer(item)});
  views_[&array] = view(array, {extent});
}

void Placer::replace_all(Region& region) {
  Region kept;
  kept.reserve(region.size());
  for (auto& operation : region) {
    replacements_.apply(*operation);
    for (Region& nested : operation->regions) replace_all(nested);
    const auto found = views_.find(operation.get());
    if (found != views_.end())
      replacements_.replace(std::move(operation), found->second);
    else
      kept.push_back(std::move(operation));
  }
  region = std::move(kept);
}

bool Placer::run() {
  std::vector<Operation*> sized;
  std::vector<Operation*> dynamic;
  ir::for_each(kernel_.body, [&](Operation& operation) {
    if (is_sized(operation) && !become_fixed(kernel_, operation))
      sized.push_back(&operation);
    else if (operation.op == Op::dynamic_shared_array)
      dynamic.push_back(&operation);
  });
  if (sized.empty())
    return false;
  {
    const auto scope = builder_.enter(entry_);
    Operation& fact = builder_.append(Op::launch_memory);
    memory_ = ir::dynamic_shared_array(builder_, DType::uint8);
    offset_ = builder_.integer(0);
    for (Operation* array : sized) place(*array);
    for (const Operation* array : dynamic) place_dynamic(*array);
    fact.detail = LaunchMemory(std::move(arrays_));
  }
  replace_all(kernel_.body);
  splice(kernel_.body, 0, std::move(entry_));
  return true;
}

}  // namespace

void place_shared_arrays(ir::Module& module) {
  bool is_sizing = false;
  for_each_function(module, [&](Function& function) {
    if (function.kind == ir::FunctionKind::kernel)
      is_sizing = Placer(function).run();
  });
  for_each_function(module, [&](Function& function) {
    if (function.kind == ir::FunctionKind::kernel)
      return;
    ir::for_each(function.body, [&](Operation& operation) {
      if (operation.op == Op::dynamic_shared_array && is_sizing)
        refuse(
            function,
            operation,
            "a function that calls itself cannot take dynamic shared memory in a kernel whose "
            "launches size shared arrays",
            "Take it in the kernel and pass it.");
      if (is_sized(operation) && !become_fixed(function, operation))
        refuse(
            function,
            operation,
            "the shape of " + titled(operation) +
                " must be known at compile time here: the function calls itself, or is compiled "
                "for other code, so that no launch can tell how much memory it needs",
            "Make the array in the kernel and pass it.");
    });
  });
}

}  // namespace phalanx::passes
