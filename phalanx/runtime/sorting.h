// Sorting of numbers in the host's memory, on all threads of the CPU device.
#pragma once

#include <cstdint>

#include "phalanx/base/dtype.h"
#include "phalanx/base/export.h"

namespace phalanx::runtime {

class Runtime;

// Rows of `count` numbers each, one after another.
struct SortedRows {
  DType dtype = DType::float64;
  std::int64_t rows = 0;
  std::int64_t count = 0;
};

// True for dtypes that the functions below sort: all whole and real numbers but float16.
PHX_API bool has_sort(DType dtype);

// Writes each row's numbers in order to other memory; NaN come last. Throws std::bad_alloc.
PHX_API void sort_rows(Runtime& runtime, const SortedRows& shape, const void* values, void* sorted);

// Writes the indices that sort each row, those of equal numbers in order. Throws std::bad_alloc.
PHX_API void argsort_rows(
    Runtime& runtime, const SortedRows& shape, const void* values, std::int64_t* order);

}  // namespace phalanx::runtime
