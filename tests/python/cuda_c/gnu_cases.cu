// GNU's `?:` without the operand in the middle, which NVRTC does not know; see cases.cu.
DEVICE int counted(int* n) { return ++*n % 4; }
CASE(shared_operand_is_found_once) { int c = i % 3 - 1; int v = (++c) ?: 5; int n = 0; int w = counted(&n) ?: 7; int h[2] = {i % 2, 9}, j = 0; (h[j++] ?: h[1]) += 3; int m = i % 2, k = 4; (m ?: k) += 1; const int* p = (i % 2 ? a + i : nullptr) ?: a; return c + v * 10 + n * 100 + w * 1000 + h[0] * 10000.0 + h[1] * 1e6 + j * 1e8 + *p + m * 3e8 + k * 5e8; }
CASE(shared_operand_of_structs) { struct S { int n; DEVICE explicit operator bool() const { return n > 20; } }; int k = i; S s = S{++k} ?: S{7}; return s.n + k * 100; }
