#include "phalanx/jit/perf_files.h"

#include <elf.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <system_error>

#include "phalanx/base/environment.h"

namespace phalanx::jit {

namespace {

// The jitdump format: tools/perf/Documentation/jitdump-specification.txt of the Linux kernel.
struct DumpHeader {
  std::uint32_t magic = 0x4A695444;  // "JiTD"
  std::uint32_t version = 1;
  std::uint32_t size = 40;
  std::uint32_t machine = EM_X86_64;
  std::uint32_t padding = 0;
  std::uint32_t process = 0;
  std::uint64_t time = 0;
  std::uint64_t flags = 0;
};
static_assert(sizeof(DumpHeader) == 40);

struct RecordHeader {
  std::uint32_t kind = 0;
  std::uint32_t size = 0;  // this header included
  std::uint64_t time = 0;
};
constexpr std::uint32_t code_load = 0;
constexpr std::uint32_t debug_info = 2;

struct CodeLoad {
  std::uint32_t process = 0;
  std::uint32_t thread = 0;
  std::uint64_t virtual_address = 0;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint64_t index = 0;
};

struct DebugInfo {
  std::uint64_t address = 0;
  std::uint64_t lines = 0;
};

struct DebugLine {
  std::uint64_t address = 0;
  std::uint32_t line = 0;
  std::uint32_t discriminator = 0;
};

// perf's clock, with `perf record -k mono`.
std::uint64_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  constexpr std::uint64_t second = 1'000'000'000;
  return static_cast<std::uint64_t>(time.tv_sec) * second +
         static_cast<std::uint64_t>(time.tv_nsec);
}

template <typename Value>
void put(std::string& bytes, const Value& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_text(std::string& bytes, const std::string& text) {
  bytes.append(text.c_str(), text.size() + 1);
}

void write(std::FILE* file, const std::string& bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), file);
}

void write_record(std::FILE* file, std::uint32_t kind, const std::string& content) {
  std::string record;
  const std::size_t size = sizeof(RecordHeader) + content.size();
  put(record, RecordHeader{.kind = kind, .size = static_cast<std::uint32_t>(size), .time = now()});
  write(file, record + content);
}

std::string lines_record(const PerfCode& code) {
  std::string content;
  put(content, DebugInfo{.address = code.address, .lines = code.lines.size()});
  for (const PerfLine& each : code.lines) {
    put(content, DebugLine{.address = each.address, .line = each.line});
    put_text(content, each.file);
  }
  return content;
}

// The user is to know why perf shows nothing; it is no error, as the program can do without.
void report(const char* action, const std::string& path) {
  const std::string reason = std::generic_category().message(errno);
  std::fprintf(
      stderr, "phalanx: PHALANX_PERF: cannot %s %s: %s\n", action, path.c_str(), reason.c_str());
}

std::FILE* opened(const std::string& path, const char* mode) {
  std::FILE* const file = std::fopen(path.c_str(), mode);
  if (file == nullptr)
    report("write", path);
  return file;
}

}  // namespace

PerfFiles& PerfFiles::instance() {
  static auto* const files = new PerfFiles;  // code is made while the process ends, too
  return *files;
}

PerfFiles::PerfFiles()
    : process_(::getpid()), map_(opened("/tmp/perf-" + std::to_string(process_) + ".map", "we")) {
  open_dump();
}

// perf finds the file by the page of it that is mapped as if it were code.
void PerfFiles::open_dump() {
  const std::string folder = environment("JITDUMPDIR").value_or(".");
  dump_.reset(opened(folder + "/jit-" + std::to_string(process_) + ".dump", "w+e"));
  if (!dump_)
    return;
  std::string bytes;
  put(bytes, DumpHeader{.process = static_cast<std::uint32_t>(process_), .time = now()});
  write(dump_.get(), bytes);
  std::fflush(dump_.get());
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const void* const mapped =
      ::mmap(nullptr, page, PROT_READ | PROT_EXEC, MAP_PRIVATE, ::fileno(dump_.get()), 0);
  if (mapped == MAP_FAILED)
    report("map", folder);
}

void PerfFiles::add(const PerfCode& code) {
  const std::lock_guard lock(mutex_);
  if (::getpid() != process_)
    return;
  if (map_) {
    const auto address = static_cast<unsigned long long>(code.address);
    std::fprintf(map_.get(), "%llx %zx %s\n", address, code.code.size(), code.name.c_str());
    std::fflush(map_.get());
  }
  if (dump_)
    add_to_dump(code);
}

// Lines come before the code that they are of.
void PerfFiles::add_to_dump(const PerfCode& code) {
  if (!code.lines.empty())
    write_record(dump_.get(), debug_info, lines_record(code));
  std::string content;
  put(content,
      CodeLoad{
          .process = static_cast<std::uint32_t>(process_),
          .thread = static_cast<std::uint32_t>(::syscall(SYS_gettid)),
          .virtual_address = code.address,
          .address = code.address,
          .size = code.code.size(),
          .index = count_++});
  put_text(content, code.name);
  content.append(code.code.data(), code.code.size());
  write_record(dump_.get(), code_load, content);
  std::fflush(dump_.get());
}

}  // namespace phalanx::jit
