// Loops, jumps and switches, whose IR counts the levels between a jump and its target.
extern "C" __global__ void control(int* x, int n) {
  for (int i = 0; i < n; ++i) {
    if (x[i] < 0)
      continue;
    int j = 0;
    do {
      if (j == 3)
        continue;
      if (j == 7)
        break;
      x[i] += j;
    } while (++j < n);
    switch (x[i]) {
      case 1:
        x[i] = 10;
      case 2:
      case 3:
        x[i] += 1;
        break;
      default:
        x[i] = i && n > 3 ? x[0] : -1;
    }
  }
}
