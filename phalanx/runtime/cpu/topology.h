// What is known of the host's processor without asking the compiler.
#pragma once

#include <cstddef>
#include <string>

namespace phalanx::runtime::cpu {

// CPUs that the calling thread may run on, by its affinity mask and the control group's quota.
unsigned available_cpus();

// Bytes of the last cache before memory; a usual size where the system does not tell.
std::size_t last_cache_bytes();

// As in /proc/cpuinfo; "CPU" where it says nothing.
std::string cpu_name();

}  // namespace phalanx::runtime::cpu
