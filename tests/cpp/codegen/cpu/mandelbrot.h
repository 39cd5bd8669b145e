// The Mandelbrot kernel as the Python front end emits it, for tests and the bench.
#pragma once

namespace phalanx::test {

inline constexpr const char* mandelbrot_text = R"(
kernel @mandelbrot(%out: array<i32, 2, C, global>, %x0: f32, %y0: f32, %dx: f32, %dy: f32, %limit: i32) {
  var $zr: f32
  var $zi: f32
  var $n: i32
  %bx = block_index 0 : i32
  %by = block_index 1 : i32
  %ex = block_extent 0 : i32
  %ey = block_extent 1 : i32
  %tx = thread_index 0 : i32
  %ty = thread_index 1 : i32
  %bx64 = cast %bx : i64
  %by64 = cast %by : i64
  %ex64 = cast %ex : i64
  %ey64 = cast %ey : i64
  %tx64 = cast %tx : i64
  %ty64 = cast %ty : i64
  %fx = multiply %bx64, %ex64 : i64
  %fy = multiply %by64, %ey64 : i64
  %x = add %fx, %tx64 : i64
  %y = add %fy, %ty64 : i64
  %height = array_shape 0, %out : i64
  %width = array_shape 1, %out : i64
  %in_x = less %x, %width : bool
  %in_y = less %y, %height : bool
  %inside = bitwise_and %in_x, %in_y : bool
  if %inside {
    %xf = cast %x : f32
    %yf = cast %y : f32
    %xs = multiply %xf, %dx : f32
    %ys = multiply %yf, %dy : f32
    %cr = add %x0, %xs : f32
    %ci = add %y0, %ys : f32
    %zero = constant 0.0 : f32
    %zero_n = constant 0 : i32
    %one = constant 1 : i32
    %four = constant 4.0 : f32
    set $zr, %zero
    set $zi, %zero
    set $n, %zero_n
    loop {
      %n = get $n : i32
      %stop = greater_equal %n, %limit : bool
      if %stop {
        break 0
      }
      %zr = get $zr : f32
      %zi = get $zi : f32
      %rr = multiply %zr, %zr : f32
      %ii = multiply %zi, %zi : f32
      %size = add %rr, %ii : f32
      %out_of = greater %size, %four : bool
      if %out_of {
        break 0
      }
      %diff = subtract %rr, %ii : f32
      %nr = add %diff, %cr : f32
      %two = constant 2.0 : f32
      %ri = multiply %zr, %zi : f32
      %ri2 = multiply %two, %ri : f32
      %ni = add %ri2, %ci : f32
      set $zr, %nr
      set $zi, %ni
    } step {
      %k = get $n : i32
      %next = add %k, %one : i32
      set $n, %next
    }
    %count = get $n : i32
    array_store %out, %y, %x, %count
  }
}
)";

}  // namespace phalanx::test
