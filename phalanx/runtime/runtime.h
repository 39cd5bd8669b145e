// Owner of the devices of a process. Made once by the bindings and handed down.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/base/target.h"
#include "phalanx/runtime/device.h"
#include "phalanx/runtime/device_family.h"

namespace phalanx::runtime {

namespace cuda {
struct Driver;
class Platform;
}  // namespace cuda
namespace cpu {
class Interrupt;
}  // namespace cpu

struct PHX_API RuntimeOptions {
  // "", "cpu", "cuda" or "cuda:N": the default device. "auto": as without one, but arrays are where
  // they take least time.
  std::string device;
  unsigned threads = 0;      // of a CPU device; 0: an equal part of what the affinity mask allows
  unsigned cpu_devices = 1;  // of which the others are for tests of what several devices do
  // A table to use instead of the system's driver of NVIDIA's GPUs; it outlives the runtime.
  const cuda::Driver* driver = nullptr;

  bool is_automatic() const { return device == "auto"; }
  // From PHALANX_DEVICE, PHALANX_NUM_THREADS and PHALANX_CPU_DEVICES. Throws ValueError for what
  // cannot be understood.
  static RuntimeOptions from_environment();
};

// What `phalanx info` shows of the GPU driver.
struct DriverInfo {
  bool usable = false;
  int version = 0;  // as cuDriverGetVersion says: 12040 for 12.4; 0 without a driver
  int device_count = 0;
  std::string path;     // of the loaded library
  std::string problem;  // why it is not usable; empty when it is
};

// Constructing one creates no context, no thread and no file: each device starts at its first use.
class PHX_API Runtime {
 public:
  explicit Runtime(RuntimeOptions options = RuntimeOptions::from_environment());
  ~Runtime();

  // Throws DeviceError or ValueError when there is no such device or no usable driver.
  Device& device(DeviceKind kind, int ordinal);
  Device& cpu() { return device(DeviceKind::cpu, 0); }
  Device& cuda(int ordinal) { return device(DeviceKind::cuda, ordinal); }
  Device& default_device();        // as PHALANX_DEVICE says; else the first of devices()
  std::vector<Device*> devices();  // all that can be used: GPUs, and last the CPU

  int cuda_device_count() { return family(DeviceKind::cuda).count(); }
  DriverInfo driver_info();  // of NVIDIA's driver
  const RuntimeOptions& options() const { return options_; }

  // Polled now and then by the thread that launched, while a CPU kernel runs. When it returns true
  // the launch stops between two blocks and throws Interrupted.
  void set_interrupt_check(std::function<bool()> check);
  // Asks it, for long work of many launches.
  bool is_interrupted();

 private:
  DeviceFamily& family(DeviceKind kind) { return *families_[static_cast<std::size_t>(kind)]; }

  RuntimeOptions options_;
  std::shared_ptr<cpu::Interrupt> interrupt_;
  std::shared_ptr<cuda::Platform> platform_;                                 // of `families_`
  std::array<std::shared_ptr<DeviceFamily>, device_table.size()> families_;  // by DeviceKind
};

}  // namespace phalanx::runtime
