// NVIDIA's assembler as a judge of our PTX; tests skip where it is not installed.
#pragma once

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "phalanx/base/binary.h"

namespace phalanx::test {

// From CUDA_HOME, /usr/local/cuda or PATH; empty if there is none.
inline std::string ptxas_path() {
  std::string places = "/usr/local/cuda/bin:";
  if (const char* home = std::getenv("CUDA_HOME"))
    places = std::string(home) + "/bin:" + places;
  if (const char* path = std::getenv("PATH"))
    places += path;
  for (std::size_t begin = 0; begin < places.size();) {
    const std::size_t end = std::min(places.find(':', begin), places.size());
    const std::string file = places.substr(begin, end - begin) + "/ptxas";
    if (access(file.c_str(), X_OK) == 0)
      return file;
    begin = end + 1;
  }
  return {};
}

struct Assembly {
  bool succeeded = false;
  std::string messages;  // with the report of registers and spills
};

inline Assembly assemble(std::string_view ptx, std::string_view chip) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("phalanx_ptxas_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto file = folder / "kernel.ptx";
  std::ofstream(file) << ptx;
  const std::string command = ptxas_path() + " -c -v -arch=" + std::string(chip) +
                              " -o /dev/null " + file.string() + " 2>&1";
  Assembly result;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr)
    return result;
  std::array<char, 4096> buffer{};
  while (std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    result.messages.append(buffer.data(), count);
  result.succeeded = pclose(pipe) == 0;
  std::filesystem::remove_all(folder);
  return result;
}

inline std::string text_of(const Binary& binary) {
  return reinterpret_cast<const char*>(binary.code.data());
}

// Points the code generator at the libdevice that the build found.
inline void use_libdevice() { setenv("PHALANX_LIBDEVICE", PHX_LIBDEVICE_FILE, 0); }

}  // namespace phalanx::test
