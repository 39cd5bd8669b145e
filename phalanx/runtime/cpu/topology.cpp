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
