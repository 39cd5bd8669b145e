/* NCCL's calls over memory of the host: what tests load in the place of libnccl. Here those of one
   process, in fake_nccl_ranks.c those of several. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct comm { int rank, devices, ordinal; };
struct work { const void* from; void* to; size_t count; int type; struct comm* comm; };

static struct work queue[16];
static int queued, in_group;
int fake_sums, fake_communicators, fake_failure;

const char* ncclGetErrorString(int code) { return code == 5 ? "invalid usage" : "unhandled error"; }

int ncclCommInitAll(void** comms, int devices, const int* ordinals) {
  for (int rank = 0; rank < devices; ++rank) {
    struct comm* made = malloc(sizeof *made);
    *made = (struct comm){rank, devices, ordinals[rank]};
    comms[rank] = made;
  }
  ++fake_communicators;
  return 0;
}

int ncclGroupStart(void) {
  in_group = 1, queued = 0;
  return 0;
}

int ncclReduce(const void* from, void* to, size_t count, int type, int op, int root, void* comm,
               void* stream) {
  (void)stream;
  if (fake_failure || !in_group || op != 0 || root != 0) return fake_failure ? fake_failure : 5;
  queue[queued++] = (struct work){from, to, count, type, comm};
  return 0;
}

#define ADD(T)                                                          \
  for (int k = 0; k < queued; ++k)                                      \
    for (size_t i = 0; i < count; ++i)                                  \
      ((T*)to)[i] = (k ? ((T*)to)[i] : 0) + ((const T*)queue[k].from)[i]

int ncclGroupEnd(void) {
  if (!in_group) return 5;
  in_group = 0;
  if (!queued) return 0;
  if (queued != queue[0].comm->devices || !queue[0].to) return 5;
  size_t count = queue[0].count;
  void* to = queue[0].to;
  for (int k = 0; k < queued; ++k)
    if (queue[k].comm->rank != k || queue[k].count != count || queue[k].type != queue[0].type) return 5;
  switch (queue[0].type) {
    case 4: ADD(int64_t); break;
    case 7: ADD(float); break;
    case 8: ADD(double); break;
    default: return 5;
  }
  ++fake_sums;
  return 0;
}
