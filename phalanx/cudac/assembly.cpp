// Inline assembly: PTX, as NVIDIA's compilers take it. A GPU runs it; what only reads a register
// that the IR has an operation for is that operation, which the CPU device runs too.
#include <algorithm>
#include <array>

#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"
#include "phalanx/ir/assembly.h"
#include "phalanx/ir/build_calls.h"
#include "phalanx/ir/build_threads.h"

namespace phalanx::cudac {

namespace {

// What the letters of constraints say of a value's type: NVIDIA's Inline PTX Assembly.
struct Register {
  char letter;
  DType dtype;
};
constexpr std::array registers = {
    Register{'h', DType::int16},
    Register{'r', DType::int32},
    Register{'l', DType::int64},
    Register{'f', DType::float32},
    Register{'d', DType::float64},
};

// Registers of PTX that any thread can read.
struct SpecialRegister {
  std::string_view name;
  Value (*read)(ir::Builder& builder);
};

template <ir::Op op, unsigned dimension>
Value query(ir::Builder& builder) {
  return ir::thread_query(builder, op, dimension);
}
template <ir::Clock kind>
Value clock(ir::Builder& builder) {
  return ir::read_clock(builder, kind);
}

// The lanes below, at and above the thread's own.
Value one_bit(ir::Builder& builder) {
  return builder.elementwise(
      ir::Op::left_shift, {builder.integer(1, DType::int32), ir::lane_index(builder)});
}
Value lanes_below(ir::Builder& builder) {
  return builder.elementwise(
      ir::Op::subtract, {one_bit(builder), builder.integer(1, DType::int32)});
}
Value lanes_to(ir::Builder& builder) {
  return builder.elementwise(ir::Op::bitwise_or, {lanes_below(builder), one_bit(builder)});
}
template <Value (*others)(ir::Builder&)>
Value without(ir::Builder& builder) {
  return builder.elementwise(ir::Op::invert, {others(builder)});
}

constexpr std::array special_registers = {
    SpecialRegister{"%tid.x", query<ir::Op::thread_index, 0>},
    SpecialRegister{"%tid.y", query<ir::Op::thread_index, 1>},
    SpecialRegister{"%tid.z", query<ir::Op::thread_index, 2>},
    SpecialRegister{"%ctaid.x", query<ir::Op::block_index, 0>},
    SpecialRegister{"%ctaid.y", query<ir::Op::block_index, 1>},
    SpecialRegister{"%ctaid.z", query<ir::Op::block_index, 2>},
    SpecialRegister{"%ntid.x", query<ir::Op::block_extent, 0>},
    SpecialRegister{"%ntid.y", query<ir::Op::block_extent, 1>},
    SpecialRegister{"%ntid.z", query<ir::Op::block_extent, 2>},
    SpecialRegister{"%nctaid.x", query<ir::Op::grid_extent, 0>},
    SpecialRegister{"%nctaid.y", query<ir::Op::grid_extent, 1>},
    SpecialRegister{"%nctaid.z", query<ir::Op::grid_extent, 2>},
    SpecialRegister{"%laneid", ir::lane_index},
    SpecialRegister{"%lanemask_eq", one_bit},
    SpecialRegister{"%lanemask_lt", lanes_below},
    SpecialRegister{"%lanemask_le", lanes_to},
    SpecialRegister{"%lanemask_gt", without<lanes_to>},
    SpecialRegister{"%lanemask_ge", without<lanes_below>},
    SpecialRegister{"%clock", clock<ir::Clock::cycles>},
    SpecialRegister{"%clock64", clock<ir::Clock::cycles>},
    SpecialRegister{"%globaltimer", clock<ir::Clock::nanoseconds>},
};

// mov.u32 $0, %laneid;
const SpecialRegister* read_register(std::string_view text) {
  std::string bare;
  for (const char each : text) {
    if (std::string_view(" \t\r\n").find(each) == std::string_view::npos)
      bare += each;
  }
  std::string_view rest = bare;
  constexpr std::array<std::string_view, 5> moves = {
      "mov.u32$0,", "mov.s32$0,", "mov.b32$0,", "mov.u64$0,", "mov.b64$0,"};
  const auto* const move =
      std::ranges::find_if(moves, [&](std::string_view each) { return rest.starts_with(each); });
  if (move == moves.end() || !rest.ends_with(';'))
    return nullptr;
  rest.remove_prefix(move->size());
  rest.remove_suffix(1);
  const auto* const found = std::ranges::find(special_registers, rest, &SpecialRegister::name);
  return found == special_registers.end() ? nullptr : found;
}

class Assembly {
 public:
  Assembly(FunctionConverter& c, const clang::GCCAsmStmt& statement)
      : c_(c), statement_(statement) {}

  void run() {
    if (statement_.isAsmGoto())
      c_.refuse(statement_.getBeginLoc(), "assembly cannot jump in device code");
    const std::string text = statement_.generateAsmString(c_.context());
    for (unsigned i = 0; i < statement_.getNumOutputs(); ++i) add_output(i);
    const bool is_plain = outputs_.size() == 1 && statement_.getNumInputs() == 0 &&
                          !statement_.isOutputPlusConstraint(0);
    if (const SpecialRegister* read = is_plain ? read_register(text) : nullptr) {
      store(0, read->read(c_.builder()));
      return;
    }
    for (unsigned i = 0; i < statement_.getNumInputs(); ++i) add_input(i);
    add_outputs_that_are_read();
    add_clobbers();
    emit(text);
  }

 private:
  struct Output {
    LValue place;
    DType dtype;
  };

  void add(const std::string& constraint) {
    constraints_ += (constraints_.empty() ? "" : ",") + constraint;
  }

  void require_fit(DType own, DType dtype, const clang::Expr& given) const {
    if (is_floating(own) != is_floating(dtype) || (is_floating(own) && own != dtype) ||
        size_of(own) > size_of(dtype))
      c_.refuse(
          given.getBeginLoc(),
          "the type of this operand is not that of its constraint: h, r and l are integers of 16, "
          "32 and 64 bits, f is float, d is double");
  }

  // A number of the type of the register.
  Value in_register(Value value, DType dtype, const clang::Expr& given) {
    ir::Builder& builder = c_.builder();
    if (value->type.is_pointer())
      value = builder.bitcast(value, DType::int64);
    require_fit(value->type.dtype(), dtype, given);
    return builder.cast(value, dtype);
  }

  DType dtype_of(llvm::StringRef constraint, const clang::Expr& given) const {
    const llvm::StringRef letter = constraint.ltrim("=+&%");
    const auto* const found = letter.size() != 1
                                  ? registers.end()
                                  : std::ranges::find(registers, letter[0], &Register::letter);
    if (found == registers.end())
      c_.refuse(
          given.getBeginLoc(),
          "the constraint \"" + constraint.str() +
              "\" is not one of PTX's: h, r, l, f, d, and n for a constant");
    return found->dtype;
  }

  void add_output(unsigned i) {
    const clang::Expr& given = *statement_.getOutputExpr(i);
    const llvm::StringRef constraint = statement_.getOutputConstraint(i);
    const DType dtype = dtype_of(constraint, given);
    require_fit(number_type(c_.context(), given.getType()).value_or(DType::int64), dtype, given);
    outputs_.push_back({c_.place(&given), dtype});
    add(std::string("=") + (constraint.contains('&') ? "&" : "") + constraint.back());
  }

  void add_input(unsigned i) {
    const clang::Expr& given = *statement_.getInputExpr(i);
    const llvm::StringRef constraint = statement_.getInputConstraint(i);
    unsigned output = 0;
    if (constraint == "n" || constraint == "i") {
      clang::Expr::EvalResult known;
      if (!given.EvaluateAsInt(known, c_.context()))
        c_.refuse(given.getBeginLoc(), "the constraint \"n\" takes a constant");
      values_.push_back(c_.builder().integer(known.Val.getInt().getExtValue()));
      add("n");
    } else if (!constraint.getAsInteger(10, output) && output < outputs_.size()) {
      values_.push_back(in_register(c_.scalar(&given), outputs_[output].dtype, given));
      add(constraint.str());
    } else {
      values_.push_back(in_register(c_.scalar(&given), dtype_of(constraint, given), given));
      add(std::string(1, constraint.back()));
    }
  }

  // "+r" is an output, and an input in the same register.
  void add_outputs_that_are_read() {
    for (unsigned i = 0; i < statement_.getNumOutputs(); ++i) {
      if (!statement_.isOutputPlusConstraint(i))
        continue;
      values_.push_back(
          in_register(c_.load(outputs_[i].place), outputs_[i].dtype, *statement_.getOutputExpr(i)));
      add(std::to_string(i));
    }
  }

  void add_clobbers() {
    for (unsigned i = 0; i < statement_.getNumClobbers(); ++i) {
      if (statement_.getClobber(i) == "memory")
        add("~{memory}");
    }
  }

  void emit(const std::string& text) {
    ir::Type type;
    if (outputs_.size() == 1) {
      type = outputs_[0].dtype;
    } else if (outputs_.size() > 1) {
      std::vector<ir::Type> parts;
      parts.reserve(outputs_.size());
      for (const Output& each : outputs_) parts.emplace_back(each.dtype);
      type = ir::Type::tuple(std::move(parts));
    }
    // Without outputs it is for its effects only.
    const bool is_volatile = statement_.isVolatile() || outputs_.empty();
    c_.locate(&statement_);
    Value result = ir::assembly(
        c_.builder(),
        ir::assembly_text({is_volatile, constraints_, text}),
        std::move(type),
        std::move(values_));
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      store(i, outputs_.size() == 1 ? result : c_.builder().tuple_get(result, i));
  }

  void store(std::size_t i, Value value) {
    const LValue& place = outputs_[i].place;
    const auto dtype = number_type(c_.context(), place.type);
    ir::Builder& builder = c_.builder();
    if (dtype)
      c_.store(place, builder.cast(value, *dtype));
    else
      c_.store(place, builder.bitcast(builder.cast(value, DType::int64), any_pointer()));
  }

  FunctionConverter& c_;
  const clang::GCCAsmStmt& statement_;
  std::vector<Output> outputs_;
  Values values_;
  std::string constraints_;
};

}  // namespace

void assembly(FunctionConverter& c, const clang::GCCAsmStmt* given) { Assembly(c, *given).run(); }

}  // namespace phalanx::cudac
