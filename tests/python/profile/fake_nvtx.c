/* NVTX's calls, written to the file that FAKE_NVTX_LOG names: what tests load in the place of
   libnvtx3interop, or what that library loads where NVTX_INJECTION64_PATH names this one. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct event {
  uint16_t version, size;
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type, reserved;
  uint64_t payload;
  int32_t message_type;
  const char* message;
};

static FILE* log_file(void) {
  static FILE* file;
  if (file == NULL) file = fopen(getenv("FAKE_NVTX_LOG"), "w");
  return file;
}

void* nvtxDomainCreateA(const char* name) {
  fprintf(log_file(), "domain %s\n", name);
  fflush(log_file());
  return log_file();
}

void nvtxDomainNameCategoryA(void* domain, uint32_t category, const char* name) {
  fprintf(domain, "category %u %s\n", category, name);
}

/* Without a domain it is the default one, where lines begin so. */
static FILE* begin_line(void* domain) {
  if (domain == NULL) fprintf(log_file(), "default ");
  return log_file();
}

static int write_event(void* domain, const char* what, const struct event* event) {
  if (event->size != sizeof(struct event) || event->message_type != 1) return -1;
  FILE* file = begin_line(domain);
  fprintf(file, "%s %u %s", what, event->category, event->message);
  if (event->color_type == 1) fprintf(file, " #%08x", event->color);
  fprintf(file, "\n");
  fflush(file);
  return 0;
}

void nvtxDomainMarkEx(void* domain, const struct event* event) {
  write_event(domain, "mark", event);
}

int nvtxDomainRangePushEx(void* domain, const struct event* event) {
  return write_event(domain, "push", event);
}

int nvtxDomainRangePop(void* domain) {
  FILE* file = begin_line(domain);
  fprintf(file, "pop\n");
  fflush(file);
  return 0;
}

typedef void (*function)(void);
struct callbacks {
  size_t size;
  int (*table_of)(int module, function*** table, unsigned* size);
};

/* The interface of profilers: the library asks which functions to call in place of its own. */
int InitializeInjectionNvtx2(const void* (*table)(uint32_t id)) {
  const struct callbacks* callbacks = table(1);
  function** functions;
  unsigned count;
  if (callbacks == NULL || !callbacks->table_of(5, &functions, &count) || count < 13) return 0;
  *functions[12] = (function)nvtxDomainCreateA;
  *functions[8] = (function)nvtxDomainNameCategoryA;
  *functions[1] = (function)nvtxDomainMarkEx;
  *functions[4] = (function)nvtxDomainRangePushEx;
  *functions[5] = (function)nvtxDomainRangePop;
  return 1;
}
