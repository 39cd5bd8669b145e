// Owner of the devices of a process. Made once by the bindings and handed down.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "phalanx/base/export.h"
#include "phalanx/base/target.h"
#include "phalanx/runtime/device.h"

namespace phalanx::runtime {

namespace cuda {
struct Driver;
class Platform;
}  // namespace cuda
namespace cpu {
class Interrupt;
}  // namespace cpu

struct PHX_API RuntimeOptions {
  std::string device;    // "", "cpu", "cuda" or "cuda:N": the default device
  unsigned threads = 0;  // of the CPU device; 0: as many as the affinity mask allows

  // From PHALANX_DEVICE and PHALANX_NUM_THREADS. Throws ValueError for what cannot be understood.
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
  Runtime();  // options from the environment, the system's driver
  // `driver`: a table to use instead of the system's driver; it outlives the runtime.
  explicit Runtime(RuntimeOptions options, const cuda::Driver* driver = nullptr);
  ~Runtime();

  Device& cpu();
  Device& cuda(int ordinal);  // throws DeviceError when there is no such device or no usable driver
  Device& default_device();   // as PHALANX_DEVICE says; else the first GPU; else the CPU
  Device& device(DeviceKind kind, int ordinal);

  int cuda_device_count();  // 0 when there is no usable driver
  DriverInfo driver_info();
  const RuntimeOptions& options() const { return options_; }

  // Polled now and then by the thread that launched, while a CPU kernel runs. When it returns true
  // the launch stops between two blocks and throws Interrupted.
  void set_interrupt_check(std::function<bool()> check);

 private:
  RuntimeOptions options_;
  std::shared_ptr<cpu::Interrupt> interrupt_;
  std::shared_ptr<cuda::Platform> platform_;
  std::mutex mutex_;
  std::shared_ptr<Device> cpu_;
};

}  // namespace phalanx::runtime
