// One function for each thing that C and C++ have in kernels; test_cpp_language.py compiles all of them
// for the CPU device and with the host's own compiler, and compares what they give.
// a: integers from -3 up, x: floats around 0, both of 64 elements; i: the thread.

CASE(arithmetic) { return a[i] * 3 - i + x[i] / 2; }
CASE(integer_division) { return a[i] / 3 * 1000 + (a[i] - 20) / -7; }
CASE(integer_remainder) { return (a[i] - 30) % 7 * 100 + (30 - a[i]) % -5; }
CASE(unsigned_division) { return (double)((unsigned)a[i] / 3u) + (unsigned)(a[i] - 9) % 5u; }
CASE(long_arithmetic) { return (double)((long long)a[i] * 1000003LL * 1000003LL % 1000000007LL); }
CASE(unsigned_wraps) { unsigned u = a[i]; u = u * 2654435761u + 12345u; return u; }
CASE(unsigned_compare) { return (unsigned)(a[i] - 5) < 10u; }
CASE(shifts) { return (a[i] << 3) + (a[i] >> 1) + ((unsigned)a[i] >> 4); }
CASE(bits) { return (a[i] & 12) | (a[i] ^ 5) | ~a[i]; }
CASE(char_wraps) { signed char c = (signed char)(a[i] * 7); unsigned char u = (unsigned char)(a[i] * 9); return c + u * 1000; }
CASE(short_wraps) { short s = (short)(a[i] * 5000); unsigned short u = (unsigned short)(a[i] * 5000); return s + (double)u * 100000; }
CASE(bool_values) { bool b = a[i]; bool c = x[i] > 0; return b + 2 * c + 4 * (b && !c); }
CASE(promotions) { unsigned char u = 200; signed char s = -1; return u + s + (u < s); }
CASE(float_to_int) { return (int)(x[i] * 10) + (unsigned)(x[i] * x[i] * 10) + (long long)(x[i] * 1e6); }
CASE(comparisons) { return (a[i] < 4) + 2 * (a[i] <= 4) + 4 * (a[i] > 4) + 8 * (a[i] >= 4) + 16 * (a[i] == 4) + 32 * (a[i] != 4); }
CASE(logical_short_circuit) { int n = 0; bool b = (a[i] > 3 && ++n > 0) || (a[i] < 0 && (n += 10) > 0); return b * 100 + n; }
CASE(ternary) { return a[i] > 5 ? x[i] : a[i] < 0 ? -1.0f : (float)a[i]; }
CASE(ternary_effects) { int n = 0; int m = a[i] > 2 ? n++ : n--; return n * 10 + m; }
CASE(compound_assignment) { int n = a[i]; n += 3; n *= 2; n -= 5; n /= 3; n %= 17; n <<= 2; n >>= 1; n |= 8; n &= 63; n ^= 5; return n; }
CASE(compound_of_mixed_types) { int n = a[i]; n *= 1.5; n += 0.75f; unsigned char c = 250; c += 10; return n * 1000 + c; }
CASE(increments) { int n = a[i]; int m = n++; int k = ++n; m -= n--; k += --n; return m * 100 + n * 10 + k; }
CASE(comma) { int n = 0; int m = (n = a[i], n + 1); return n * 10 + m; }
CASE(while_loop) { int n = i, steps = 0; while (n > 1) { n = n % 2 ? 3 * n + 1 : n / 2; ++steps; } return steps; }
CASE(do_loop) { int n = 0, s = 0; do { s += n; if (s > 10) continue; s += 100; } while (++n < i % 5 + 1); return s; }
CASE(for_loop) { double s = 0; for (int j = 0; j < i; ++j) s += a[j] * x[j]; return s; }
CASE(for_without_parts) { int j = 0; for (;;) { if (j * j > i) break; ++j; } return j; }
CASE(for_two_counters) { int s = 0; for (int j = 0, k = 10; j < k; ++j, --k) s += j * k; return s + i; }
CASE(continue_and_break) { int s = 0; for (int j = 0; j < 20; ++j) { if (j % 3 == 0) continue; if (j > i) break; s += j; } return s; }
CASE(nested_loops) { int s = 0; for (int j = 0; j < 5; ++j) { for (int k = 0; k < 5; ++k) { if (k > j) break; if ((j + k) % 2) continue; s += j * 10 + k; } if (s > i * 5) break; } return s; }
CASE(loop_returns) { for (int j = 0; j < 64; ++j) if (a[j] * a[j] > i) return j; return -1; }
CASE(count_down) { int s = 0; for (int j = i; j-- > 0;) s = s * 3 % 1001 + a[j]; return s; }
CASE(switch_plain) { switch (a[i] % 4) { case 0: return 10; case 1: return 20; case -1: return 30; default: return 40; } }
CASE(switch_falls_through) { int s = 0; switch (i % 6) { case 0: s += 1; case 1: s += 10; break; case 2: case 3: s += 100; default: s += 1000; case 5: s += 10000; } return s; }
CASE(switch_in_loop) { int s = 0; for (int j = 0; j < 10; ++j) { switch (j % 4) { case 0: continue; case 1: s += 1; break; case 2: if (j > i) return s; s += 5; } s += 100; } return s; }
CASE(switch_default_first) { switch (i % 3) { default: return 1; case 2: return 2; } }
CASE(switch_of_enum) { enum Kind { one = 1, two, many = 10 }; Kind k = i % 2 ? two : many; switch (k) { case one: return 1; case two: return 2; case many: return 3; } return 0; }
CASE(local_array) { int h[8] = {0}; for (int j = 0; j < i; ++j) h[(a[j] + 8) % 8] += j; int s = 0; for (int j = 0; j < 8; ++j) s = s * 3 + h[j]; return s; }
CASE(local_array_of_known_places) { float h[3] = {1.5f, x[i]}; h[2] = h[0] + h[1]; h[0] *= 2; return h[0] + h[1] * 10 + h[2] * 100; }
CASE(matrix) { int m[3][4]; for (int j = 0; j < 3; ++j) for (int k = 0; k < 4; ++k) m[j][k] = j * 10 + k + i; int s = 0; for (int k = 0; k < 4; ++k) s += m[2 - k % 3][k]; return s; }
CASE(array_of_arrays_as_pointer) { int m[3][4] = {{1, 2}, {3}, {4, 5, 6, 7}}; int* p = &m[1][0]; return p[i % 8] + m[0][1]; }
CASE(pointer_walks) { const int* p = a; int s = 0; for (const int* end = a + i; p != end; ++p) s += *p; return s + (p - a); }
CASE(pointer_arithmetic) { const float* p = x + i; const float* q = x; return (p - q) + *(p - i) + p[-i + 3] + (p > q) + *(2 + q); }
CASE(pointer_to_local) { int n = a[i]; int* p = &n; *p += 5; int** q = &p; **q *= 2; return n; }
CASE(pointer_chosen) { const int* p = i % 2 ? a : a + 10; return p[i % 5]; }
CASE(pointer_null) { const int* p = i % 3 ? a + i : nullptr; return p ? *p : -7; }
CASE(pointer_casts) { float f = x[i]; int n = *(int*)&f; const char* bytes = (const char*)a; return (n >> 23) + bytes[4 * i]; }
CASE(references) { int n = a[i]; int& r = n; r += 7; const int& c = n; r *= c; return n; }
CASE(reference_to_element) { int h[4] = {1, 2, 3, 4}; int& r = h[i % 4]; r += 100; return h[0] + h[1] * 2 + h[2] * 3 + h[3] * 4; }
CASE(literals) { return 0x1F + 017 + 'A' + 1e3 + 1.5f + 10000000000LL + true + 0b101; }
CASE(sizes) { struct S { char c; double d; short s; }; return sizeof(S) * 100 + sizeof(int) + sizeof(x[0]) + alignof(double); }
CASE(constants) { const int n = 5; constexpr float f = 2.5f; static_assert(n == 5, ""); return n * f + i; }
CASE(shadowing) { int n = 1; { int n = 10; n += i; } for (int n = 0; n < 3; ++n) {} return n; }

struct Point {
  float x, y;
  DEVICE float dot(const Point& other) const { return x * other.x + y * other.y; }
  DEVICE Point& scale(float by) { x *= by; y *= by; return *this; }
  DEVICE Point operator+(const Point& other) const { return Point{x + other.x, y + other.y}; }
  DEVICE Point& operator+=(const Point& other) { x += other.x; y += other.y; return *this; }
};
DEVICE Point operator*(float by, Point p) { return p.scale(by); }
DEVICE Point middle(Point p, Point q) { p += q; return 0.5f * p; }
CASE(structs) { Point p = {x[i], 2}; Point q = p; q.y = 5; return p.dot(q) + p.y * 100; }
CASE(struct_methods) { Point p{x[i], 1}; p.scale(2).scale(3); return p.x + p.y; }
CASE(struct_operators) { Point p{x[i], 1}, q{2, 3}; Point r = p + q; r += 2 * p; return r.x * 10 + r.y; }
CASE(struct_by_value) { Point p{x[i], 1}, q{2, 3}; Point m = middle(p, q); return m.x + m.y * 10 + p.x * 100; }
CASE(struct_chosen) { Point p{1, 2}, q{3, 4}; Point r = i % 2 ? p : q; r.x += i; return r.x * 10 + r.y; }
CASE(struct_array) { Point h[4]; for (int j = 0; j < 4; ++j) h[j] = Point{(float)j, x[i]}; return h[i % 4].x + h[(i + 1) % 4].y; }
CASE(struct_operators_from_the_right) { Point h[4] = {}; int j = 0; h[j++] = Point{5, 1}; h[j++] += Point{(float)(j * 10), x[i]}; return h[0].x + h[0].y * 10 + h[1].x * 100 + h[1].y * 1000 + j * 100000.0; }
CASE(destructors_that_do_nothing) { struct Quiet { int n; DEVICE ~Quiet() {} }; Quiet q{i}, r = q; return r.n + Quiet{3}.n; }
CASE(struct_pointer) { Point p{1, x[i]}; Point* q = &p; q->x = 7; (*q).y += 1; return p.x * 10 + p.y; }

struct Counter {
  int n = 3;
  int step;
  DEVICE Counter(int step) : step(step) {}
  DEVICE Counter() : Counter(1) {}
  DEVICE int next() { n += step; return n; }
  static DEVICE int twice(int v) { return 2 * v; }
};
struct Base { int b; DEVICE int get() const { return b; } };
struct Derived : Base { int d; DEVICE int sum() const { return get() + d; } };
CASE(constructors) { Counter c(i), e; c.next(); return c.next() * 10 + e.next() + Counter::twice(i); }
CASE(inheritance) { Derived d; d.b = i; d.d = 5; Base& b = d; b.b += 1; return d.sum(); }
CASE(nested_structs) { struct Box { Point low, high; int tag[2]; }; Box b = {{0, 1}, {x[i], 3}, {4, 5}}; Box c = b; c.tag[i % 2] = 9; return c.high.x + c.tag[0] * 10 + c.tag[1] * 100 + b.tag[0]; }
CASE(unions) { union { float f; unsigned u; } v; v.f = x[i]; return v.u >> 23; }

DEVICE int add(int p, int q) { return p + q; }
DEVICE float add(float p, float q) { return p + q + 0.5f; }
DEVICE void change(int& n, float* f) { n += 1; *f *= 2; }
DEVICE int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
DEVICE int early(int n) { if (n < 3) return -1; for (int j = 0; j < n; ++j) if (j * j > n) return j; return n; }
CASE(overloads) { return add(a[i], 2) + add(x[i], 1.0f); }
CASE(by_reference) { int n = i; float f = x[i]; change(n, &f); change(n, &f); return n + f * 100; }
CASE(address_of_what_was_changed) { int n = i, m = 2, k = 1; int* p = &(n += 3); *p += 1; int& r = ++m; r *= 2; int v = i % 2 ? (k = n) : (m += 5); float f = 0; change(n += 1, &(f = x[i])); change((k, m), &f); (i % 3 ? n : k) = 9; return n + m * 10 + k * 100 + v * 1000 + f; }
CASE(recursion) { return factorial(i % 7); }
CASE(returns_early) { return early(a[i]); }
CASE(default_argument) { struct S { static DEVICE int f(int p, int q = 10) { return p * q; } }; return S::f(i) + S::f(i, 3); }

template <typename T> DEVICE T square(T v) { return v * v; }
template <int N> DEVICE int repeat(int v) { int s = 0; for (int j = 0; j < N; ++j) s += v + j; return s; }
template <typename T, int N> struct Vec {
  T v[N];
  DEVICE T& operator[](int j) { return v[j]; }
  DEVICE T sum() const { T s = 0; for (int j = 0; j < N; ++j) s += v[j]; return s; }
};
template <typename F> DEVICE int apply(F f, int n) { return f(f(n)); }
template <typename T> DEVICE T total(T v) { return v; }
template <typename T, typename... Rest> DEVICE T total(T v, Rest... rest) { return v + total(rest...); }
template <typename T> struct Traits { static constexpr int value = 1; };
template <> struct Traits<float> { static constexpr int value = 7; };
struct Doubler { DEVICE int operator()(int v) const { return 2 * v; } };
CASE(templates) { return square(a[i]) + square(x[i]) + repeat<5>(i); }
CASE(template_struct) { Vec<float, 3> v; for (int j = 0; j < 3; ++j) v[j] = x[i] * j; v[1] += 10; return v.sum(); }
CASE(functors) { return apply(Doubler(), i); }
CASE(variadic) { return total(1, i, a[i]) + total(x[i], 2.0f); }
CASE(specialization) { return Traits<int>::value * 10 + Traits<float>::value; }
CASE(if_constexpr) { if constexpr (sizeof(int) == 4) return i; else return x[0]; }
CASE(lambda) { int n = 3; auto f = [n](int v) { return v + n; }; n = 100; return f(i) + n; }
CASE(lambda_with_effects) { int n = i, m = 1; auto f = [k = n++, p = &m, &r = n](int v) { *p += v; r += 10; return k * v; }; int s = f(2); s += f(3) * 100; return s + n * 10000.0 + m * 1e6; }
CASE(lambda_by_reference) { int n = a[i]; float s = 0; auto f = [&](int v) { n += v; s += x[i]; }; f(1); f(10); return n * 10 + s; }
CASE(lambda_generic) { auto f = [](auto p, auto q) { return p * q; }; return f(i, 3) + f(x[i], 2.5f); }
CASE(lambda_passed) { int k = i; return apply([k](int v) { return v * 2 + k; }, 3); }
CASE(range_for) { int h[4] = {1, i, 3, 4}; int s = 0; for (int v : h) s = s * 10 + v; for (int& v : h) v += 1; return s + h[3]; }
CASE(structured) { enum class Mode : unsigned char { off, on = 5 }; Mode m = i % 2 ? Mode::on : Mode::off; return (int)m * 3 + (m == Mode::on); }
namespace outer { namespace inner { DEVICE int value(int v) { return v + 42; } } using inner::value; }
CASE(namespaces) { return outer::value(i) + outer::inner::value(1); }
CASE(using_alias) { using Number = long long; typedef float Real; Number n = i; Real r = x[i]; return n + r; }
CASE(auto_types) { auto n = i * 2LL; auto f = x[i] * 2; decltype(n) m = n + 1; return n + f + m; }
CASE(casts_of_cpp) { return static_cast<int>(x[i] * 5) + const_cast<int*>(a)[i] + reinterpret_cast<const unsigned*>(a)[i] % 3; }
CASE(math_functions) { return sqrtf(x[i] * x[i] + 1) + fabsf(x[i]) + floorf(x[i] * 3) + ceilf(x[i] * 3) + fmaxf(x[i], 0.5f) + fminf(x[i], 0.25f); }
CASE(math_of_doubles) { double d = x[i]; return sqrt(d * d + 2) + fabs(d) + floor(d * 7) + trunc(d * 9) + fmod(d * 10, 3.0) + (d > 0 ? 1 : 2); }
CASE(minima) { return min(a[i], 5) + max(i, 7) * 100 + min(x[i], 0.5f) + max(3u, (unsigned)i); }
CASE(absolute) { return abs(a[i] - 10) + abs(x[i]) + fabs(x[i]); }
CASE(negations) { return -a[i] + +i - -x[i] + !a[i] + !x[i]; }
CASE(assignment_chains) { int n, m, k; n = m = k = a[i]; n += m -= 2; return n * 100 + m * 10 + k; }
CASE(index_effects) { int h[4] = {0}; int j = 0; h[j++] = i; h[j++] += 5; h[j] = j; return h[0] * 100 + h[1] * 10 + h[2] + j; }
CASE(changed_places_are_found_once) { unsigned char h[4] = {1, 2, 255, 4}; int k[4] = {1, 2, 3, 4}; int j = i, n = (++h[j++ & 3]) * 10; n += (k[j++ & 3] = i) + (k[j++ & 3] += 7); (k[j++ & 3] = 5) += 2; return n * 1000 + h[i % 4] + k[0] + k[1] * 3 + k[2] * 5 + k[3] * 7 + j * 100; }
CASE(effects_beside_indices) { float f = x[i]; short h[2] = {0, 0}; switch ((h[(int)(f--) & 1] = 3) & 7) { case 3: f += h[0]; } unsigned u = i; int m = min((int)(++(--u)), 5); return f * 10 + m + u; }
CASE(volatile_values) { volatile int n = a[i]; n = n + 1; return n; }
CASE(goto_free_exit) { int r = 0; do { if (i < 10) { r = 1; break; } if (i < 20) { r = 2; break; } r = 3; } while (0); return r; }
CASE(uninitialised_then_set) { float f; if (i % 2) f = x[i]; else f = 2; return f; }
CASE(long_and_size) { size_t n = sizeof(int) * i; long m = -i; return n + m + (double)(n > 100); }
CASE(int64_shift) { unsigned long long u = 1ull << (i % 60); return (double)(u >> 3); }
CASE(bool_arithmetic) { bool b = i % 2; b |= i > 40; b &= i < 60; return b + true; }
