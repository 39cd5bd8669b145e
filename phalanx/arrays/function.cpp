#include "phalanx/arrays/function.h"

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

#include "phalanx/ir/constants.h"
#include "phalanx/numpy/ufuncs.h"

namespace phalanx::arrays {
namespace {

constexpr std::size_t dtype_count = dtype_table.size();

// All functions that were asked for; the process keeps them, as it keeps the ufuncs' table.
class Functions {
 public:
  const Function& of_ufunc(const infer::Ufunc& ufunc, const infer::Typing& typing) {
    const std::lock_guard lock(mutex_);
    Key key = {&ufunc, typing.operands, typing.result};
    if (const auto found = known_.find(key); found != known_.end())
      return *found->second;
    const auto emit = [&ufunc, typing](ir::Builder& builder, const ir::Builder::Values& operands) {
      return *numpy::ufunc(builder, ufunc, typing, operands);
    };
    return *(
        known_[std::move(key)] = &add(
            {.name = std::string(ufunc.name),
             .arity = static_cast<unsigned>(ufunc.arity),
             .operands = typing.operands,
             .result = typing.result,
             .is_long = !ufunc.op || !ir::info(*ufunc.op).sleef.empty(),
             .emit = emit}));
  }

  const Function& add(Function function) {
    function.number = static_cast<std::uint32_t>(functions_.size());
    return functions_.emplace_back(std::move(function));
  }

  // A table of functions that are known by one or two types.
  template <typename Make>
  const Function& by_types(
      std::map<std::pair<DType, DType>, const Function*>& table,
      std::pair<DType, DType> types,
      const Make& make) {
    const std::lock_guard lock(mutex_);
    const Function*& found = table[types];
    if (found == nullptr)
      found = &add(make());
    return *found;
  }

  const Function& of_typed(const numpy::TypedFunction& function) {
    const std::lock_guard lock(mutex_);
    const Function*& found = of_typed_[&function];
    if (found == nullptr) {
      Function made{
          .name = std::string(function.name),
          .arity = static_cast<unsigned>(function.operands.size()),
          .result = function.result_dtype(),
          .is_long = function.is_long,
          .emit = function.emit};
      for (std::size_t i = 0; i < made.arity; ++i) made.operands.at(i) = function.operand(i);
      found = &add(std::move(made));
    }
    return *found;
  }

  std::map<std::pair<DType, DType>, const Function*> casts;
  std::map<std::pair<DType, DType>, const Function*> selects;
  std::map<std::pair<DType, DType>, const Function*> real_parts;
  std::map<std::pair<DType, DType>, const Function*> imaginary_parts;

 private:
  using Key = std::tuple<const infer::Ufunc*, std::array<DType, 3>, DType>;

  std::mutex mutex_;
  std::map<Key, const Function*> known_;
  std::map<const numpy::TypedFunction*, const Function*> of_typed_;
  std::deque<Function> functions_;  // which stay where they are
};

Functions& functions() {
  static Functions all;  // NOLINT: a table that only grows, as functions live for the process
  return all;
}

// The table has loops that no code is made for yet, such as gcd's.
bool is_built(const infer::Ufunc& ufunc, const infer::Typing& typing) {
  ir::Module module;
  ir::Builder builder(ir::add_function(module, "probe", ir::FunctionKind::kernel, {}));
  ir::Builder::Values operands;
  for (int i = 0; i < ufunc.arity; ++i) {
    const DType dtype = typing.operands.at(static_cast<std::size_t>(i));
    operands.push_back(
        builder.constant(dtype, *ir::cast_constant(std::int64_t{1}, DType::int64, dtype)));
  }
  return numpy::ufunc(builder, ufunc, typing, operands).has_value();
}

// What a ufunc does with operands of each pair of types, filled in as they come.
class LoopTable {
 public:
  const Function* find(const infer::Ufunc& ufunc, std::span<const numpy::Operand> operands) {
    std::size_t index = 0;
    for (const numpy::Operand& operand : operands)
      index = index * 2 * dtype_count + 2 * static_cast<std::size_t>(operand.dtype) +
              (operand.is_weak ? 1 : 0);
    std::atomic<const Function*>& slot = slots_.at(index);
    const Function* found = slot.load(std::memory_order_acquire);
    if (found == nullptr) {
      const auto typing = numpy::resolve(ufunc, operands);
      found = typing && is_built(ufunc, *typing) ? &functions().of_ufunc(ufunc, *typing) : &no_loop;
      slot.store(found, std::memory_order_release);
    }
    return found == &no_loop ? nullptr : found;
  }

 private:
  static inline const Function no_loop = {};
  std::array<std::atomic<const Function*>, 4 * dtype_count * dtype_count> slots_ = {};
};

std::size_t index_of(const infer::Ufunc& ufunc) {
  return static_cast<std::size_t>(&ufunc - infer::ufuncs().data());
}

// All names of a ufunc lead to the same kernels, which are named by the first one.
const infer::Ufunc& first_of(const infer::Ufunc& ufunc) {
  static const std::vector<const infer::Ufunc*> firsts = [] {
    std::vector<const infer::Ufunc*> all;
    for (const infer::Ufunc& each : infer::ufuncs())
      all.push_back(each.alias_of.empty() ? &each : infer::find_ufunc(each.alias_of));
    return all;
  }();
  return *firsts.at(index_of(ufunc));
}

LoopTable& table_of(const infer::Ufunc& ufunc) {
  static std::vector<LoopTable> tables(infer::ufuncs().size());  // NOLINT: as above
  return tables.at(index_of(ufunc));
}

}  // namespace

const Function* find_function(const infer::Ufunc& ufunc, std::span<const numpy::Operand> operands) {
  const infer::Ufunc& first = first_of(ufunc);
  return operands.size() <= 2 ? table_of(first).find(first, operands) : nullptr;
}

const Function& integer_function(std::string_view name) {
  const numpy::Operand operands[] = {{DType::int64}, {DType::int64}};
  return *find_function(*infer::find_ufunc(name), operands);
}

const Function& cast_function(DType from, DType to) {
  return functions().by_types(functions().casts, {from, to}, [&] {
    return Function{
        .name = "astype",
        .arity = 1,
        .operands = {from},
        .result = to,
        .emit = [to](ir::Builder& builder, const ir::Builder::Values& operands) {
          return builder.cast(operands[0], to);
        }};
  });
}

const Function& select_function(DType dtype) {
  return functions().by_types(functions().selects, {dtype, dtype}, [&] {
    return Function{
        .name = "where",
        .arity = 3,
        .operands = {DType::boolean, dtype, dtype},
        .result = dtype,
        .emit = [](ir::Builder& builder, const ir::Builder::Values& operands) {
          return builder.elementwise(ir::Op::select, operands);
        }};
  });
}

const Function& typed_function(const numpy::TypedFunction& function) {
  return functions().of_typed(function);
}

const Function& part_function(DType dtype, bool is_imaginary) {
  auto& table = is_imaginary ? functions().imaginary_parts : functions().real_parts;
  return functions().by_types(table, {dtype, dtype}, [&] {
    return Function{
        .name = is_imaginary ? "imag" : "real",
        .arity = 1,
        .operands = {dtype},
        .result = dtype == DType::complex64 ? DType::float32 : DType::float64,
        .part = is_imaginary ? 1 : 0,
        .emit = [is_imaginary](ir::Builder& builder, const ir::Builder::Values& operands) {
          return is_imaginary ? builder.complex_imag(operands[0])
                              : builder.complex_real(operands[0]);
        }};
  });
}

}  // namespace phalanx::arrays
