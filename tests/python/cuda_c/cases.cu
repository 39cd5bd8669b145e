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
CASE(counters_of_narrow_types_go_around) { int n = 0; for (signed char c = 126; c > 0 || c < -126; c++) n += c; for (short s = -32767; s < 0; --s) ++n; unsigned char u = i; u -= 3; --u; return n * 1000 + u; }
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

CASE(goto_forward) { int r = 1; if (i % 3 == 0) goto done; r += 10; if (i % 3 == 1) goto done; r += 100; done: return r + i; }
CASE(goto_out_of_loops) { int r = -1; for (int j = 0; j < 8; ++j) for (int k = 0; k < 8; ++k) if (a[j] + k == i) { r = j * 10 + k; goto found; } r = 1000; found: return r; }
CASE(goto_back) { int n = i, steps = 0; again: if (n > 1) { n = n % 2 ? 3 * n + 1 : n / 2; ++steps; goto again; } return steps; }
CASE(goto_several_labels) { int s = 0; if (a[i] < 0) goto low; if (a[i] > 20) goto high; s = 1; goto end; low: s = 2; goto end; high: s = 3; end: return s * 10 + i; }
CASE(goto_that_cross) { int s = 0; if (i % 4 == 0) goto one; s += 1; if (i % 4 == 1) goto two; s += 10; one: s += 100; if (i % 4 == 2) goto three; two: s += 1000; three: return s; }
CASE(goto_back_and_forward) { int n = i % 9, s = 0; retry: s += n; if (s > 30) goto out; if (--n > 0) goto retry; s += 100; out: return s; }
CASE(goto_back_nested) { int s = 0, j = 0, k; outer: k = 0; inner: s += j * k; if (++k < 4) goto inner; if (++j < i % 5) goto outer; return s; }
CASE(goto_over_declarations) { int s = 0; if (i % 2) goto after; int t; t = a[i]; s = t * 2; after: t = 5; return s + t; }
CASE(goto_within_loop) { int s = 0; for (int j = 0; j < 10; ++j) { if (j % 3 == 0) goto next; if (j > i) goto finish; s += j; next: s += 100; } finish: return s; }
CASE(goto_within_switch) { int s = 0; switch (i % 4) { case 0: { if (a[i] > 5) goto tail; s = 7; tail: s += 3; break; } case 1: goto end; default: s = 50; } s += 1000; end: return s; }

struct Tracked {
  int* log;
  int id;
  DEVICE Tracked(int* log, int id) : log(log), id(id) { *log = *log * 3 % 100003 + id; }
  DEVICE Tracked(const Tracked& other) : log(other.log), id(other.id + 50) { *log = *log * 3 % 100003 + id; }
  DEVICE ~Tracked() { *log = *log * 5 % 100003 + id; }
  DEVICE int value() const { return id; }
};
struct Owner { Tracked first, second; DEVICE Owner(int* log) : first(log, 7), second(log, 8) {} DEVICE ~Owner() { *first.log += 1000; } };
DEVICE Tracked made_named(int* log, int id) { Tracked t(log, id); t.id += 1; return t; }
DEVICE Tracked made(int* log, int id) { return Tracked(log, id); }
DEVICE int taken(Tracked t) { return t.id * 2; }
DEVICE int leaves_early(int* log, int i) { Tracked a(log, 1); if (i % 2) { Tracked b(log, 2); return b.id; } Tracked c(log, 3); return c.id; }
CASE(destructors) { int log = 1; { Tracked t(&log, 1); Tracked u(&log, 2); if (i % 2) { Tracked v(&log, 3); } } return log; }
CASE(destructors_at_jumps) { int log = 1; for (int j = 0; j < 6; ++j) { Tracked t(&log, j); if (j == i % 4) continue; Tracked u(&log, 9); if (j == i % 7) break; } return log; }
CASE(destructors_at_returns) { int log = 1; int r = leaves_early(&log, i); return log * 10 + r; }
CASE(destructors_at_gotos) { int log = 1; { Tracked t(&log, 1); if (i % 3 == 0) goto out; { Tracked u(&log, 2); if (i % 3 == 1) goto out; } } log += 7; out: return log; }
CASE(destructors_of_members) { int log = 1; { Owner o(&log); log += i; } return log; }
CASE(destructors_of_temporaries) { int log = 1; int v = Tracked(&log, 4).value() + made(&log, 5).value(); log += 13; return log + v; }
CASE(destructors_of_arguments) { int log = 1; Tracked t(&log, 2); int v = taken(t) + taken(made(&log, 3)); return log * 10 + v; }
CASE(destructors_of_results) { int log = 1; { Tracked t = made_named(&log, i); log += t.id; } return log; }
CASE(destructors_of_arrays) { int log = 1; { Tracked t[2] = {Tracked(&log, 1), Tracked(&log, 2)}; log += t[1].id; } return log; }
CASE(destructors_in_choices) { int log = 1; int v = i % 2 ? Tracked(&log, 3).value() : 10; log += 5; return log + v; }
CASE(destructors_in_switches) { int log = 1; switch (i % 3) { case 0: { Tracked t(&log, 1); break; } case 1: { Tracked t(&log, 2); } default: log += 9; } return log; }
CASE(lifetime_by_reference) { int log = 1; { const Tracked& t = Tracked(&log, 6); log += t.id; } return log; }

struct Pair { int p; float q; };
CASE(bindings_of_structs) { Pair s = {a[i], x[i]}; auto [p, q] = s; s.p = 100; auto& [r, t] = s; r += 1; return p + q * 10 + s.p + t; }
CASE(bindings_of_arrays) { int h[3] = {i, 2, 3}; auto [p, q, r] = h; auto& [s, t, u] = h; t = 50; return p + q * 10 + r + s + h[1] + u; }
CASE(bindings_in_loops) { Pair h[3] = {{1, 2}, {3, 4}, {i, 5}}; float s = 0; for (auto& [p, q] : h) { s += p * q; q = p; } return s + h[2].q; }

struct Bits { int low : 3; unsigned high : 5; bool flag : 1; long long wide : 40; short tail : 7; };
CASE(bit_fields) { Bits b; b.low = a[i]; b.high = a[i] * 3; b.flag = i % 2; b.wide = 1LL * a[i] * 1000003 * 1009; b.tail = i - 40; return b.low + b.high * 10 + b.flag * 1000 + (double)b.wide + b.tail; }
CASE(bit_fields_change) { Bits b = {1, 2, true, -5, 3}; Bits c = b; int was = c.low++; c.high += i; c.wide -= i; c.flag ^= 1; int now = (c.low = 5); return was + now * 10 + c.low * 100 + c.high + (double)c.wide * 7 + c.flag + b.high + sizeof(Bits); }
struct Mixed { unsigned char c; int b : 8; unsigned char d; unsigned short e : 11; int low : 5; int f : 21; unsigned char g; long long big : 43; unsigned char h; };
CASE(bit_fields_beside_members) { Mixed m = {1, 2, 3, 4, 5, 6, 7, 8, 9}; m.b = a[i]; m.e = a[i] * 77; m.low = a[i] + 3; m.f = a[i] * 30001; m.big = 1LL * a[i] * 1000003 * 1009; m.f -= i; m.big ^= 1023; return m.c + m.b * 3 + m.d * 5 + m.e * 7 + m.low * 11 + (double)m.f + m.g * 13 + (double)m.big + m.h * 17 + sizeof(Mixed); }

DEVICE int inc(int v) { return v + 1; }
DEVICE int dbl(int v) { return v * 2; }
DEVICE int neg(int v) { return -v; }
DEVICE int through(int (*f)(int), int v) { return f(v) + (*f)(v); }
typedef int (*Operation)(int);
DEVICE Operation chosen(int i) { return i % 3 == 0 ? inc : i % 3 == 1 ? dbl : &neg; }
template <int (*F)(int)> DEVICE int with(int v) { return F(F(v)); }
struct Handler { Operation f; int n; };
DEVICE Point far(Point p, float by) { return Point{p.x + by, p.y}; }
CASE(function_pointers) { return through(inc, i) * 100 + through(&dbl, a[i]); }
CASE(function_pointer_chosen) { Operation f = chosen(i); return f(a[i]) + (f == dbl) * 1000 + (f != nullptr); }
CASE(function_pointer_table) { Operation table[3] = {inc, dbl, neg}; int s = 0; for (int j = 0; j < 3; ++j) s = s * 7 + table[(i + j) % 3](j + i); return s; }
CASE(function_pointer_argument) { return with<inc>(i) + with<neg>(i) * 100; }
CASE(function_pointer_member) { Handler h = {i % 2 ? inc : neg, i}; return h.f(h.n); }
CASE(function_pointer_of_structs) { Point (*f)(Point, float) = far; Point p = f(Point{x[i], 2}, 5); return p.x + p.y; }
CASE(function_reference) { int (&f)(int) = i % 2 ? inc : dbl; return f(i); }
CASE(function_of_lambda) { int (*f)(int) = [](int v) { return v * 3; }; return f(i) + through([](int v) { return v + 7; }, i); }

struct Shape {
  int n = 1;
  DEVICE virtual int area() const { return n; }
  DEVICE virtual int name() const = 0;
  DEVICE int twice() const { return 2 * area() + name(); }
};
struct Square : Shape { int side; DEVICE Square(int s) : side(s) {} DEVICE int area() const override { return side * side; } DEVICE int name() const override { return 1000; } };
struct Dot : Shape { DEVICE int name() const override { return 2000; } };
struct Named { int id = 5; DEVICE virtual int tag() { return id; } };
struct Both : Square, Named { DEVICE Both(int s) : Square(s) { id = s; } DEVICE int tag() override { return id * 10 + side; } DEVICE int name() const final { return 3000; } };
CASE(virtual_methods) { Square s(i); Dot d; const Shape* p = i % 2 ? (const Shape*)&s : &d; return p->area() + p->name() + p->twice(); }
CASE(virtual_of_a_known_class) { Square s(3); Dot d; return s.area() + d.area() + s.twice() + s.Shape::area(); }
CASE(virtual_of_several_bases) { Both b(i); Named* n = &b; Named plain; Named& r = i % 3 ? *n : plain; Shape& s = b; return r.tag() + s.twice() + n->tag(); }
CASE(virtual_of_copies) { Both b(i); Both c = b; c.id += 1; Square s = b; const Shape& t = s; return static_cast<Named&>(c).tag() + t.name(); }
CASE(casts_down) { Both b(i); Named* n = &b; Both* back = static_cast<Both*>(n); back->side += 2; Shape& s = b; return static_cast<Both&>(s).side + b.tag(); }

CASE(placement_new) { alignas(8) unsigned char room[sizeof(Point)]; Point* p = new (room) Point{x[i], 3}; p->scale(2); return p->x + p->y * 10; }
CASE(placement_new_and_destructor) { int log = 1; alignas(8) unsigned char room[sizeof(Tracked)]; Tracked* t = new (room) Tracked(&log, 4); log += t->id; t->~Tracked(); return log; }
CASE(rows_of_an_array) { int m[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, i}}; int (*row)[4] = m + 1; int (&last)[4] = m[2]; return row[0][i % 4] + row[1][3] + last[1] + sizeof(*row) + (*(row - 1))[2]; }
DEVICE int sum_of(int m[][4], int rows) { int s = 0; for (int j = 0; j < rows; ++j) for (int k = 0; k < 4; ++k) s = s * 2 % 10007 + m[j][k]; return s; }
DEVICE int cube_of(const int (*m)[2][2]) { return m[0][0][0] + m[1][1][0] * 10 + m[1][0][1] * 100; }
CASE(arrays_as_parameters) { int m[3][4]; for (int j = 0; j < 12; ++j) m[j / 4][j % 4] = j * i; int c[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, i}}}; return sum_of(m, 3) + cube_of(c); }
CASE(function_name) { return __func__[0] + sizeof(__func__); }
DEVICE int even(int n);
DEVICE int odd(int n) { return n == 0 ? 0 : even(n - 1); }
DEVICE int even(int n) { return n == 0 ? 1 : odd(n - 1); }
DEVICE int deepest(const int* next, int at, int steps) { if (steps == 0 || at < 0) return steps; int one = deepest(next, next[at % 64] % 64, steps - 1); int two = deepest(next, at / 2 - 1, steps / 2); return one + two * 3; }
CASE(recursion_of_two) { return even(i) * 10 + odd(i); }
CASE(recursion_branches) { return deepest(a, i, i % 6); }
CASE(choices_with_effects) { int z = 3; volatile int seen = i; bool b = i > 1 && new (&z) int(9); bool d = i % 2 || (z += 1, true); return z + b * 100 + d * 1000 + (i > 5 ? seen : 0) + (i > 7 ? int{i} : 1); }
DEVICE bool is_null(Named* n) { return n == nullptr; }
DEVICE bool is_whole_null(Named* n) { return static_cast<Both*>(n) == nullptr; }
CASE(null_pointers_to_bases) { Both b(i); Both* p = i % 2 ? &b : nullptr; Named* n = p; Named* m = &b; return is_null(p) + 2 * (n == nullptr) + 4 * is_whole_null(i % 3 ? n : m) + 8 * is_whole_null(nullptr) + 16 * is_null(static_cast<Both*>(n)) + 100 * (n ? n->tag() : 7); }
struct Defaults { int n; int next = n + 1; };
struct Outer { int n = 5; Defaults inner = {n * 10}; int last = inner.next + this->n; DEVICE int local(int v) { Defaults d{v + n}; Outer o{v}; return d.next * 100 + o.inner.next + o.last + n; } };
CASE(default_members_of_aggregates) { Defaults s{i}; Outer o{i + 2}; Outer rest[2] = {{i}}; Outer whole; return s.next + o.inner.next * 10 + o.last * 100 + rest[0].last * 1000 + rest[1].last * 7 + whole.local(i) * 1e5; }
CASE(bit_fields_chosen) { Bits b = {1, 2, true, -5, 3}; b.low = i % 4; b.high = i % 32; int v = i & 1 ? b.low : b.tail; v += (i % 3 ? b.low : i % 2 ? b.low : b.low) * 10; const Bits& c = b; int w = (i & 2 ? c.high : b.high) + 1; const int& r = i & 1 ? b.tail : b.low; b.tail = b.low = 0; return v + w * 100 + r * 10000; }

struct Guard : Tracked { int left; DEVICE Guard(int* log, int id, int left) : Tracked(log, id), left(left) {} DEVICE explicit operator bool() const { return left > 0; } };
CASE(objects_in_tests_of_while) { int log = 1, j = i % 5; while (Guard g{&log, j, j}) { Tracked t(&log, 9); if (j == 4) { j -= 2; continue; } if (i % 7 == 3) break; log += --j; } while (Guard g{&log, 2, log % 3}) if (i % 4) return log * 10; else log += 1; return log; }
CASE(objects_in_tests_of_for) { int log = 1; for (int j = i % 6; Guard g{&log, j, j}; --j) { Tracked t(&log, 9); if (j == 4) continue; if (i % 7 == 3) break; if (i % 11 == 5) return log; log += 20; } for (int j = i % 3; Guard g{&log, j, j};) { if (j-- == 2) continue; log += 2; } return log; }
CASE(objects_in_tests_of_nested_loops) { int log = 1; for (int j = 3; Guard g{&log, j, j}; --j) { for (int k = 2; Guard h{&log, 5 + k, k}; --k) { if (k == i % 3) continue; switch (j) { case 2: log += 1; break; default: if (i % 5 == j) goto next; } } next: log += 100; } return log; }
CASE(temporaries_in_steps) { int log = 1; for (int j = 0; j < i % 5; j += Tracked(&log, 2).value() - 1) log += j; int k = 0; do { if (k == 2) continue; log += 3; } while (Tracked(&log, ++k).value() < i % 4); while (Tracked(&log, k++).value() < 6) { if (k % 2) continue; log += 1; } return log; }

CASE(switch_declares_before_its_cases) { switch (i % 4) { int t, h[3]; case 0: t = 5; return t + i; case 1: h[i % 3] = 6; t = h[i % 3]; return t * 10; default: t = 7; h[0] = t; return h[0] + t; } }
CASE(switch_shares_declarations) { int s = 0; for (int j = 0; j < 3; ++j) switch ((i + j) % 4) { case 0: int t[4]; Point p; t[i % 4] = 5; p.x = t[i % 4]; s += p.x; break; case 1: t[i & 3] = 6; s += t[i & 3] * 10; case 2: struct Local { int n; } l; l.n = i; p = Point{2, 3}; s += p.y * l.n; break; default: l.n = 3; int k; k = l.n * 100; s += k; } return s; }

struct Copied { int n; DEVICE Copied(int n = 1) : n(n) {} DEVICE Copied(const Copied& other) : n(other.n + 100) {} };
struct Rows { Copied row[3]; int tag; };
struct Table { Copied cells[2][3]; Tracked ends[2]; };
struct Many { Copied all[70]; };
CASE(copies_of_array_members) { Rows r; r.row[1].n = i; r.tag = 4; Rows s = r, t(s); Copied h[2] = {i, 3}; auto f = [h](int j) { return h[j].n; }; auto [p, q] = h; return s.row[1].n + t.row[0].n * 3 + t.row[2].n * 5 + t.tag + f(1) * 1000 + f(0) * 7000 + (p.n + q.n) * 1e5; }
CASE(copies_of_arrays_of_arrays) { int log = 1, n; { Table t{{}, {{&log, 1}, {&log, i}}}; t.cells[1][2].n = i; Table u = t; n = u.cells[1][2].n + u.cells[0][1].n * 1000 + u.ends[1].id; } Many m; m.all[i].n = i; Many k = m; return log + n * 1e5 + k.all[i].n + k.all[69].n * 3; }

struct Root { int v; DEVICE virtual int get() { return v; } DEVICE virtual int kind() { return 1; } };
struct Left : Root { int l = 3; DEVICE int kind() override { return v * 10 + l; } };
struct Right : Root { int r = 4; };
struct Join : Left, Right { DEVICE Join(int i) { Left::v = i; Right::v = i + 50; } };
struct Last : Join { int w = 6; DEVICE Last(int i) : Join(i) {} DEVICE int get() override { return w * 1000 + Left::v; } };
DEVICE int get_of(Root* p) { return p->get() + 1000 * p->kind(); }
CASE(virtual_of_repeated_bases) { Join d(i); Last e(i + 1); Right* r = &d; Root* p = i % 2 ? static_cast<Root*>(r) : static_cast<Root*>(static_cast<Left*>(&d)); Root* q = i % 3 ? static_cast<Root*>(static_cast<Right*>(&e)) : static_cast<Root*>(static_cast<Left*>(&e)); return get_of(p) + get_of(q) * 1e6 + r->kind() * 3; }
