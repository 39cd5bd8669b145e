// What perf reads of code that was made while a program ran: a map of names, and a jitdump.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace phalanx::jit {

struct PerfLine {
  std::uint64_t address = 0;  // of the first instruction
  std::uint32_t line = 0;
  std::string file = {};
};

struct PerfCode {
  std::string name;
  std::uint64_t address = 0;
  std::span<const char> code;
  std::vector<PerfLine> lines;  // by address
};

// The files of this process: /tmp/perf-PID.map, and jit-PID.dump in the folder that JITDUMPDIR
// names, else the current one. Where one cannot be written, it is left out. A forked child adds
// nothing: its code is not told of. Thread-safe.
class PerfFiles {
 public:
  static PerfFiles& instance();

  void add(const PerfCode& code);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, Close>;

  PerfFiles();
  void open_dump();
  void add_to_dump(const PerfCode& code);

  std::mutex mutex_;
  int process_;
  File map_;
  File dump_;
  std::uint64_t count_ = 0;  // of what is in the dump
};

}  // namespace phalanx::jit
