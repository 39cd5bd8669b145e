// phalanx_golden: runs one command over a file, or checks a directory of golden files.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "golden.h"

namespace {

int usage() {
  fmt::print(
      stderr,
      "phalanx_golden check [--update] DIRECTORY\n"
      "phalanx_golden COMMAND [ARGUMENT...] FILE     commands: {}\n"
      "    passes NAME[=CHECK,CHECK]...              `standard` is all of them\n"
      "    llvm-cpu [lanes=N] [shape=one_dimensional|rows|general] [optimized] [debug] "
      "[no-contract]\n"
      "    llvm-ptx [sm=N] [optimized], ptx [sm=N]\n",
      fmt::join(phalanx::golden::mode_names(), " "));
  return 2;
}

}  // namespace

int main(int count, char** arguments) {
  using namespace phalanx;
  setenv("PHALANX_LIBDEVICE", PHX_LIBDEVICE_FILE, /*overwrite=*/0);
  std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() < 2)
    return usage();
  const std::string file = words.back();
  words.pop_back();
  try {
    if (words.front() == "check") {
      const bool is_updating = words.back() == "--update";
      const int differing = golden::check(file, is_updating);
      return differing > 0 && !is_updating ? 1 : 0;
    }
    fmt::print("{}", golden::run(words, golden::read_file(file)));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
