// Operations on numbers of one type, as NumPy's loops do them: no promotion, no Python semantics.
#pragma once

#include <initializer_list>

#include "phalanx/base/dtype.h"
#include "phalanx/base/export.h"
#include "phalanx/ir/builder.h"

namespace phalanx::numpy {

using Value = ir::Builder::Value;
using Values = ir::Builder::Values;

// What constants alone decide is a constant.
class PHX_API Arithmetic {
 public:
  Arithmetic(ir::Builder& builder, DType dtype) : builder_(&builder), dtype_(dtype) {}

  ir::Builder& builder() const { return *builder_; }
  DType dtype() const { return dtype_; }

  // The constant, rounded or wrapped to the type.
  Value number(double value) const;
  Value integer(std::int64_t value) const;

  // An elementwise operation; the operands have the type. Comparisons and predicates give bool.
  Value operator()(ir::Op op, Value a) const { return emit(op, {a}); }
  Value operator()(ir::Op op, Value a, Value b) const { return emit(op, {a, b}); }

  // Operations on booleans; `select` chooses between two values of any one type.
  Value truth(Value number) const;
  Value select(Value condition, Value then, Value otherwise) const;
  Value both(Value a, Value b) const;
  Value either(Value a, Value b) const;
  Value negation(Value condition) const;

 private:
  Value emit(ir::Op op, Values operands) const;

  ir::Builder* builder_;
  DType dtype_;
};

}  // namespace phalanx::numpy
