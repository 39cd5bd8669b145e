/* NCCL's calls between processes over memory of the host: what tests load in the place of libnccl.

   Each process has a part of a file of shared memory, which the identity names. A sum is made when
   all have come to it; until then the state of a communicator is "in progress", as without waiting. */
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 1 << 24, MOST = 8, IN_PROGRESS = 7, INVALID = 4, NEVER = 3 };

struct shared {
  atomic_long joined;
  struct { atomic_long given, taken; size_t count; int type; } of[MOST];
  char bytes[MOST][ROOM];
};
struct id { char bytes[128]; };
struct config { size_t size; unsigned magic, version; int blocking; };
struct comm { struct shared* memory; int rank, size; long sums; void* to; int is_pending; };

int ncclGetUniqueId(struct id* made) {
  static int count;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  memset(made, 0, sizeof *made);
  snprintf(made->bytes, sizeof made->bytes, "%s/nccl-%d-%d-%ld", getenv("FAKE_NCCL"), getpid(), count++, now.tv_nsec);
  return 0;
}

int ncclCommInitRankConfig(void** made, int size, struct id id, int rank, const struct config* config) {
  if (size > MOST || config->magic != 0xcafebeef || config->blocking) return INVALID;
  if (access(getenv("FAKE_NCCL_FAILS") ? getenv("FAKE_NCCL_FAILS") : "", F_OK) == 0) return NEVER;
  int file = open(id.bytes, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, sizeof(struct shared))) return INVALID;
  struct comm* comm = calloc(1, sizeof *comm);
  comm->memory = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  comm->rank = rank, comm->size = size;
  atomic_fetch_add(&comm->memory->joined, 1);
  *made = comm;
  return IN_PROGRESS;
}

static size_t size_of(int type) { return type < 2 ? 1 : type < 4 || type == 7 ? 4 : 8; }

int ncclAllReduce(const void* from, void* to, size_t count, int type, int op, void* given, void* stream) {
  (void)stream;
  struct comm* comm = given;
  if (op || comm->is_pending || count * size_of(type) > ROOM) return INVALID;
  memcpy(comm->memory->bytes[comm->rank], from, count * size_of(type));
  comm->memory->of[comm->rank].count = count, comm->memory->of[comm->rank].type = type;
  comm->to = to, comm->is_pending = 1, ++comm->sums;
  atomic_store(&comm->memory->of[comm->rank].given, comm->sums);
  return IN_PROGRESS;
}

#define ADD(T)                                                 \
  for (size_t i = 0; i < count; ++i) {                         \
    T sum = 0;                                                 \
    for (int k = 0; k < comm->size; ++k)                       \
      sum += ((const T*)memory->bytes[k])[i];                  \
    ((T*)comm->to)[i] = sum;                                   \
  }

static int add(struct comm* comm) {
  struct shared* memory = comm->memory;
  const size_t count = memory->of[0].count;
  const int type = memory->of[0].type;
  for (int k = 0; k < comm->size; ++k)
    if (memory->of[k].count != count || memory->of[k].type != type) return INVALID;
  switch (type) {
    case 1: ADD(uint8_t); return 0;
    case 4: ADD(int64_t); return 0;
    case 8: ADD(double); return 0;
    default: return INVALID;
  }
}

/* Whoever has its sum is done when all have theirs: then the next may be given. */
int ncclCommGetAsyncError(void* given, int* state) {
  struct comm* comm = given;
  *state = IN_PROGRESS;
  if (atomic_load(&comm->memory->joined) < comm->size) return 0;
  for (int k = 0; k < comm->size && comm->is_pending; ++k)
    if (atomic_load(&comm->memory->of[k].given) < comm->sums) return 0;
  if (comm->is_pending == 1) {
    int failed = add(comm);
    if (failed) { *state = failed; return 0; }
    comm->is_pending = 2;
    atomic_store(&comm->memory->of[comm->rank].taken, comm->sums);
  }
  for (int k = 0; k < comm->size && comm->is_pending; ++k)
    if (atomic_load(&comm->memory->of[k].taken) < comm->sums) return 0;
  comm->is_pending = 0;
  *state = 0;
  return 0;
}

int ncclCommAbort(void* given) {
  struct comm* comm = given;
  munmap(comm->memory, sizeof(struct shared));
  free(comm);
  return 0;
}
