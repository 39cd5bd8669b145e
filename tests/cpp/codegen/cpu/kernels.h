// Kernels for tests and the bench.
#pragma once

#include <string>

namespace phalanx::test {

// A kernel of which each thread does `body` with its number %i, where an array `sized` has that.
inline std::string elementwise_text(
    const std::string& head, const std::string& sized, const std::string& body) {
  return "kernel @" + head + R"( {
  %block = block_index 0 : i32
  %extent = block_extent 0 : i32
  %thread = thread_index 0 : i32
  %block64 = cast %block : i64
  %extent64 = cast %extent : i64
  %thread64 = cast %thread : i64
  %first = multiply %block64, %extent64 : i64
  %i = add %first, %thread64 : i64
  %n = array_shape 0, )" +
         sized + R"( : i64
  %inside = less %i, %n : bool
  if %inside {
)" + body +
         "  }\n}\n";
}

inline const std::string vector_add_text = elementwise_text(
    "vector_add(%a: array<const f32, 1, C, global>, %b: array<const f32, 1, C, global>, "
    "%c: array<f32, 1, C, global>)",
    "%c",
    R"(    %x = array_load %a, %i : f32
    %y = array_load %b, %i : f32
    %sum = add %x, %y : f32
    array_store %c, %i, %sum
)");

// y = sqrt(sin(x) ** 2 + exp(x))
inline const std::string sin_exp_text = elementwise_text(
    "sin_exp(%x: array<const f32, 1, C, global>, %y: array<f32, 1, C, global>)",
    "%y",
    R"(    %value = array_load %x, %i : f32
    %sine = sin %value : f32
    %square = multiply %sine, %sine : f32
    %grown = exp %value : f32
    %sum = add %square, %grown : f32
    %root = sqrt %sum : f32
    array_store %y, %i, %root
)");

// out[block] = sum of the block's part of x: a tree in shared memory, barriers in a loop.
inline constexpr const char* reduction_text = R"(
kernel @reduce(%x: array<f32, 1, C, global>, %out: array<f32, 1, C, global>) {
  var $half: i64
  %s = shared_array [1024] : array<f32, 1, C, shared>
  %b = block_index 0 : i32
  %e = block_extent 0 : i32
  %t = thread_index 0 : i32
  %b64 = cast %b : i64
  %e64 = cast %e : i64
  %t64 = cast %t : i64
  %first = multiply %b64, %e64 : i64
  %i = add %first, %t64 : i64
  %v = array_load %x, %i : f32
  array_store %s, %t64, %v
  barrier
  %two = constant 2 : i64
  %zero = constant 0 : i64
  %start = floor_divide %e64, %two : i64
  set $half, %start
  loop {
    %half = get $half : i64
    %more = greater %half, %zero : bool
    if %more {
    } else {
      break 0
    }
    %mine = less %t64, %half : bool
    if %mine {
      %a = array_load %s, %t64 : f32
      %other = add %t64, %half : i64
      %c = array_load %s, %other : f32
      %sum = add %a, %c : f32
      array_store %s, %t64, %sum
    }
    barrier
  } step {
    %h = get $half : i64
    %next = floor_divide %h, %two : i64
    set $half, %next
  }
  %is_first = equal %t64, %zero : bool
  if %is_first {
    %total = array_load %s, %zero : f32
    array_store %out, %b64, %total
  }
}
)";

// C = A B over tiles of 16 x 16 in shared memory; sizes are multiples of 16.
inline constexpr const char* matmul_text = R"(
kernel @matmul(%A: array<f32, 2, C, global>, %B: array<f32, 2, C, global>, %C: array<f32, 2, C, global>) {
  var $tile: i64
  var $k: i64
  var $sum: f32
  %sA = shared_array [16, 16] : array<f32, 2, C, shared>
  %sB = shared_array [16, 16] : array<f32, 2, C, shared>
  %bx = block_index 0 : i32
  %by = block_index 1 : i32
  %tx32 = thread_index 0 : i32
  %ty32 = thread_index 1 : i32
  %bx64 = cast %bx : i64
  %by64 = cast %by : i64
  %tx = cast %tx32 : i64
  %ty = cast %ty32 : i64
  %sixteen = constant 16 : i64
  %fx = multiply %bx64, %sixteen : i64
  %fy = multiply %by64, %sixteen : i64
  %x = add %fx, %tx : i64
  %y = add %fy, %ty : i64
  %inner = array_shape 1, %A : i64
  %tiles = floor_divide %inner, %sixteen : i64
  %zero = constant 0 : i64
  %one = constant 1 : i64
  %zerof = constant 0.0 : f32
  set $sum, %zerof
  set $tile, %zero
  loop {
    %tile = get $tile : i64
    %more = less %tile, %tiles : bool
    if %more {
    } else {
      break 0
    }
    %at = multiply %tile, %sixteen : i64
    %ax = add %at, %tx : i64
    %a = array_load %A, %y, %ax : f32
    array_store %sA, %ty, %tx, %a
    %bys = add %at, %ty : i64
    %b = array_load %B, %bys, %x : f32
    array_store %sB, %ty, %tx, %b
    barrier
    set $k, %zero
    loop {
      %k = get $k : i64
      %stop = greater_equal %k, %sixteen : bool
      if %stop {
        break 0
      }
      %u = array_load %sA, %ty, %k : f32
      %v = array_load %sB, %k, %tx : f32
      %p = multiply %u, %v : f32
      %old = get $sum : f32
      %new = add %old, %p : f32
      set $sum, %new
    } step {
      %k2 = get $k : i64
      %k3 = add %k2, %one : i64
      set $k, %k3
    }
    barrier
  } step {
    %t2 = get $tile : i64
    %t3 = add %t2, %one : i64
    set $tile, %t3
  }
  %result = get $sum : f32
  array_store %C, %y, %x, %result
}
)";

}  // namespace phalanx::test
