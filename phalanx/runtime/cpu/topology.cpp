#include "phalanx/runtime/cpu/topology.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <thread>

namespace phalanx::runtime::cpu {

namespace {

unsigned cpus_of_affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
    return static_cast<unsigned>(CPU_COUNT(&set));
  return std::max(1U, std::thread::hardware_concurrency());
}

// "150000 100000" is one and a half CPUs; "max 100000" is no limit.
unsigned cpus_of_quota(unsigned otherwise) {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  double quota = 0;
  double period = 0;
  if (!(file >> quota >> period) || quota <= 0 || period <= 0)
    return otherwise;
  return std::max(1U, static_cast<unsigned>(quota / period + 0.5));
}

}  // namespace

unsigned available_cpus() {
  const unsigned affinity = cpus_of_affinity();
  return std::min(affinity, cpus_of_quota(affinity));
}

std::size_t last_cache_bytes() {
  constexpr std::size_t usual_kib = std::size_t{32} << 10;
  // sysconf() gives all of a machine's L3 caches together where each serves a few cores.
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
  std::size_t kib = 0;
  char unit = 0;
  if (!(file >> kib >> unit) || unit != 'K' || kib == 0)
    kib = usual_kib;
  return kib << 10;
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with("model name"))
      continue;
    const std::size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
    if (start != std::string::npos)
      return line.substr(start);
  }
  return "CPU";
}

}  // namespace phalanx::runtime::cpu
