// goto: blocks that a jump forward leaves, loops that a jump back continues, and both.
extern "C" __global__ void jumps(int* x, int n) {
  int i = 0;
next:
  if (x[i] < 0)
    goto done;
  for (int j = 0; j < n; ++j) {
    if (x[j] == 7)
      goto skip;
    x[j] += 1;
  }
  x[i] = 5;
skip:
  if (++i < n)
    goto next;
done:
  x[i] = 0;
}
