// Lets the module run on glibc 2.28, though it is built with a newer one. The linker binds a name
// to its newest version in the C library that it finds; here, names that have got a newer version
// since are defined once more, hidden, on top of the oldest one, and those that came later are
// written with what there was. tools/check_wheel.py tells when one is missing from this list.
//
// No header of the C library is included: their declarations say what is new.
#include <cstddef>
#include <cstdint>

// NOLINTBEGIN: the names, reserved ones among them, are the C library's.

// The function `name` of the C library, in its version `version` of long ago.
#define OLD(version, result, name, parameters, arguments) \
  extern "C" result old_##name parameters;                \
  asm(".symver old_" #name "," #name "@GLIBC_" version);  \
  extern "C" result name parameters { return old_##name arguments; }

// 2.29: without the wrappers that set errno.
OLD("2.2.5", double, exp, (double x), (x))
OLD("2.2.5", double, log, (double x), (x))
OLD("2.2.5", double, log2, (double x), (x))
OLD("2.2.5", double, pow, (double x, double y), (x, y))

// 2.32 and 2.34: moved from libdl and libpthread into libc.
OLD("2.2.5", void*, dlopen, (const char* file, int mode), (file, mode))
OLD("2.2.5", int, dlclose, (void* library), (library))
OLD("2.2.5", void*, dlsym, (void* library, const char* name), (library, name))
OLD("2.2.5", char*, dlerror, (), ())
OLD("2.2.5", int, dladdr, (const void* address, void* info), (address, info))
OLD("2.2.5",
    int,
    pthread_create,
    (void* thread, const void* attributes, void* (*start)(void*), void* argument),
    (thread, attributes, start, argument))
OLD("2.2.5",
    int,
    pthread_attr_setstacksize,
    (void* attributes, std::size_t bytes),
    (attributes, bytes))
OLD("2.2.5",
    int,
    pthread_getattr_np,
    (unsigned long thread, void* attributes),
    (thread, attributes))
OLD("2.2.5",
    int,
    pthread_attr_getstack,
    (const void* attributes, void** start, std::size_t* bytes),
    (attributes, start, bytes))
OLD("2.2.5", int, pthread_join, (unsigned long thread, void** result), (thread, result))
OLD("2.2.5", int, pthread_detach, (unsigned long thread), (thread))
OLD("2.2.5", int, pthread_once, (void* control, void (*routine)()), (control, routine))
OLD("2.2.5", int, pthread_key_create, (void* key, void (*destroy)(void*)), (key, destroy))
OLD("2.2.5", int, pthread_key_delete, (unsigned key), (key))
OLD("2.2.5", void*, pthread_getspecific, (unsigned key), (key))
OLD("2.2.5", int, pthread_setspecific, (unsigned key, const void* value), (key, value))
OLD("2.2.5", int, pthread_mutex_trylock, (void* mutex), (mutex))
OLD("2.2.5", int, pthread_rwlock_rdlock, (void* lock), (lock))
OLD("2.2.5", int, pthread_rwlock_wrlock, (void* lock), (lock))
OLD("2.2.5", int, pthread_rwlock_unlock, (void* lock), (lock))
OLD("2.2.5", int, pthread_sigmask, (int how, const void* set, void* old), (how, set, old))

// 2.33: before, inline functions of the headers. 1 is the layout of `struct stat` on x86-64.
extern "C" {

int old_xstat(int layout, const char* path, void* result);
int old_lxstat(int layout, const char* path, void* result);
int old_fxstat(int layout, int file, void* result);
int old_fxstatat(int layout, int folder, const char* path, void* result, int flags);
asm(".symver old_xstat,__xstat@GLIBC_2.2.5");
asm(".symver old_lxstat,__lxstat@GLIBC_2.2.5");
asm(".symver old_fxstat,__fxstat@GLIBC_2.2.5");
asm(".symver old_fxstatat,__fxstatat@GLIBC_2.4");

int stat(const char* path, void* result) { return old_xstat(1, path, result); }
int lstat(const char* path, void* result) { return old_lxstat(1, path, result); }
int fstat(int file, void* result) { return old_fxstat(1, file, result); }
int fstat64(int file, void* result) { return old_fxstat(1, file, result); }
int fstatat(int folder, const char* path, void* result, int flags) {
  return old_fxstatat(1, folder, path, result, flags);
}

// 2.32: 1 would allow to leave out atomic operations; it never says so here.
char __libc_single_threaded = 0;

// 2.30: a wait with a clock of the caller's choice. Before, a condition variable had its own, which
// is the clock of the day (0) where nobody chose another.
struct Time {
  std::int64_t seconds;
  std::int64_t nanoseconds;
};
int clock_gettime(int clock, Time* result);
int pthread_cond_timedwait(void* condition, void* mutex, const Time* until);
int pthread_cond_clockwait(void* condition, void* mutex, int clock, const Time* until) {
  constexpr std::int64_t second = 1'000'000'000;
  Time now;
  Time today;
  clock_gettime(clock, &now);
  clock_gettime(0, &today);
  const std::int64_t nanoseconds = until->nanoseconds - now.nanoseconds + today.nanoseconds;
  Time end{today.seconds + until->seconds - now.seconds, nanoseconds};
  while (end.nanoseconds < 0) end = {end.seconds - 1, end.nanoseconds + second};
  while (end.nanoseconds >= second) end = {end.seconds + 1, end.nanoseconds - second};
  return pthread_cond_timedwait(condition, mutex, &end);
}

// 2.36: LLVM asks it for a seed.
std::ptrdiff_t getrandom(void* bytes, std::size_t count, unsigned flags);
std::uint32_t arc4random() {
  std::uint32_t number = 0;
  getrandom(&number, sizeof number, 0);
  return number;
}

// 2.33: LLVM's statistics of its memory, which we do not ask for: 0 everywhere.
struct MemoryUse {
  std::size_t fields[10];
};
MemoryUse mallinfo2() { return {}; }

}  // extern "C"

// NOLINTEND
