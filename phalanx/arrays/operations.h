// Arrays for C++ programs: made, computed with and looked at as in NumPy. What is computed is
// recorded, and runs as fused kernels when it is looked at.
//
//     jit::Engine engine;
//     arrays::Graph graph(engine);
//     const auto x = arrays::arange(graph, 1'000'000) * 1e-6;
//     const auto y = arrays::sqrt(1.0 - x * x);
//     const double pi = 4 * arrays::item<double>(arrays::mean(y));
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "phalanx/arrays/apply.h"
#include "phalanx/arrays/array.h"
#include "phalanx/base/export.h"
#include "phalanx/jit/from_cpp.h"
#include "phalanx/views/extents.h"

namespace phalanx::arrays {

// Throws ShapeError unless the shape has that many elements.
PHX_API void check_count(const Extents& shape, std::size_t count);

// ---- Arrays of numbers ----

// On that device, by default the thread's current one (jit/context.h).
PHX_API Array full(
    Graph& graph,
    const Extents& shape,
    DType dtype,
    const ir::Constant& value,
    runtime::Device* device = nullptr);
// 0, 1, ..., count - 1 in int64.
PHX_API Array arange(Graph& graph, std::int64_t count);
// A copy of `bytes` in C order.
PHX_API Array from_bytes(
    Graph& graph, const Extents& shape, DType dtype, const void* bytes, runtime::Device* device);

// A copy of numbers in C order. Throws ShapeError unless the shape has as many elements.
template <typename Number>
Array from_host(
    Graph& graph,
    const Extents& shape,
    std::span<const Number> numbers,
    runtime::Device* device = nullptr) {
  check_count(shape, numbers.size());
  return from_bytes(graph, shape, jit::dtype_of<Number>(), numbers.data(), device);
}

// ---- Looking ----

// Evaluates the array, waits for it and copies its elements in C order. Throws TypeError unless
// `dtype` is the array's.
PHX_API void to_bytes(const Array& array, DType dtype, void* bytes);

template <typename Number>
std::vector<Number> to_host(const Array& array) {
  std::vector<Number> numbers(static_cast<std::size_t>(array.size()));
  to_bytes(array, jit::dtype_of<Number>(), numbers.data());
  return numbers;
}
// The one element. Throws ShapeError for an array of several.
template <typename Number>
Number item(const Array& array) {
  check_count(array.shape(), 1);
  return to_host<Number>(array).front();
}

// ---- Elementwise functions ----

// NumPy's ufunc of that name. Throws TypeError where there is none for such operands, ValueError
// where none is an array, ShapeError where the shapes do not broadcast.
PHX_API Array call(std::string_view ufunc, std::vector<Operand> operands);
PHX_API Array where(const Array& condition, const Array& x, const Array& y);
PHX_API Array astype(const Array& array, const ir::Type& element);

inline Array operator+(const Operand& a, const Operand& b) { return call("add", {a, b}); }
inline Array operator-(const Operand& a, const Operand& b) { return call("subtract", {a, b}); }
inline Array operator*(const Operand& a, const Operand& b) { return call("multiply", {a, b}); }
inline Array operator/(const Operand& a, const Operand& b) { return call("true_divide", {a, b}); }
inline Array operator<(const Operand& a, const Operand& b) { return call("less", {a, b}); }
inline Array operator>(const Operand& a, const Operand& b) { return call("greater", {a, b}); }
inline Array operator-(const Array& a) { return call("negative", {a}); }
inline Array maximum(const Operand& a, const Operand& b) { return call("maximum", {a, b}); }
inline Array minimum(const Operand& a, const Operand& b) { return call("minimum", {a, b}); }
inline Array abs(const Array& a) { return call("absolute", {a}); }
inline Array cos(const Array& a) { return call("cos", {a}); }
inline Array exp(const Array& a) { return call("exp", {a}); }
inline Array log(const Array& a) { return call("log", {a}); }
inline Array sin(const Array& a) { return call("sin", {a}); }
inline Array sqrt(const Array& a) { return call("sqrt", {a}); }

// ---- Reductions ----

// "sum", "prod", "min", "max", "any", "all", "argmin", "argmax" over these axes, negative ones from
// the end; by default over all. Throws ValueError for an axis that is not there.
PHX_API Array
reduce(const Array& array, std::string_view name, const std::optional<std::vector<int>>& axes = {});

inline Array sum(const Array& array, const std::optional<std::vector<int>>& axes = {}) {
  return reduce(array, "sum", axes);
}
inline Array max(const Array& array, const std::optional<std::vector<int>>& axes = {}) {
  return reduce(array, "max", axes);
}
inline Array min(const Array& array, const std::optional<std::vector<int>>& axes = {}) {
  return reduce(array, "min", axes);
}
PHX_API Array mean(const Array& array, const std::optional<std::vector<int>>& axes = {});

// ---- Products ----

// Of matrices in the last two dimensions, of which the others broadcast; a vector is a row on the
// left and a column on the right. By cuBLAS or the process's BLAS, where there is one. Throws
// ShapeError.
PHX_API Array matmul(const Array& a, const Array& b);

// ---- Views, which share elements ----

// From `start` to before `stop` along an axis; negative ones count from the end. `step` is above 0.
PHX_API Array
slice(const Array& array, int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1);
PHX_API Array transpose(const Array& array);
// With one more dimension of extent 1, before `axis`.
PHX_API Array expand_dims(const Array& array, int axis);

}  // namespace phalanx::arrays
