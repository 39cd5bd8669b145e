// The typed failures: the caller's mistakes, the device's failures, and our own bugs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/base/fault.h"
#include "phalanx/base/source_text.h"

namespace phalanx {

class PHX_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The kernel's source is wrong or uses what is not supported. `what()` is the whole message: file,
// line, source line and caret, the sentence, advice and callers.
class PHX_API CompileError : public Error {
 public:
  enum class Kind { typing, unsupported, lowering, kernel_result };
  struct Message {
    std::string sentence;                   // what is wrong
    std::string advice = {};                // what to write instead
    std::optional<Excerpt> at = {};         // where; nothing: no line of the program is known
    std::string found_in = {};              // "file:line" in our own library, which `at` calls
    std::vector<std::string> callers = {};  // of the function of `at`, the nearest first
  };

  CompileError(Kind kind, Message message);
  CompileError(Kind kind, std::string sentence)
      : CompileError(kind, Message{.sentence = std::move(sentence)}) {}

  Kind kind() const { return kind_; }
  const Message& message() const { return *message_; }

 private:
  Kind kind_;
  std::shared_ptr<const Message> message_;  // shared: copies of exceptions must not throw
};

PHX_API std::string to_string(const CompileError::Message& message);

class PHX_API TypeError : public Error {  // an argument of the wrong type
 public:
  using Error::Error;
};

class PHX_API ValueError : public Error {  // an argument of the right type and an impossible value
 public:
  using Error::Error;
};

class PHX_API ShapeError : public ValueError {  // shapes that do not fit each other
 public:
  using ValueError::ValueError;
};

class PHX_API DeviceError
    : public Error {  // the device or its driver failed; `code` is the driver's
 public:
  explicit DeviceError(const std::string& message, int code = 0) : Error(message), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

class PHX_API OutOfMemoryError : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

// What one location in a kernel raised, or reported in check mode, first.
struct KernelFault {
  FaultSite site;
  std::array<std::uint32_t, 3> block = {};
  std::array<std::uint32_t, 3> thread = {};
  std::uint32_t count = 1;           // reports of the site
  std::vector<std::int64_t> values;  // of the first: indices, then extents

  // races: the access before.
  struct Other {
    FaultSite site;  // its line is 0 where it is not known
    std::optional<std::array<std::uint32_t, 3>> block;
    std::optional<std::array<std::uint32_t, 3>> thread;
  };
  std::optional<Other> other;
};

class PHX_API KernelError
    : public Error {  // an exception raised inside a kernel, or faults found in it
 public:
  explicit KernelError(const std::string& message, std::vector<KernelFault> faults = {})
      : Error(message), faults_(std::move(faults)) {}
  const std::vector<KernelFault>& faults() const { return faults_; }  // in order

 private:
  std::vector<KernelFault> faults_;
};

class PHX_API Interrupted : public Error {  // the user pressed Ctrl-C during a launch
 public:
  using Error::Error;
};

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace phalanx

// Our own bugs. Active in every build but release.
#ifdef NDEBUG
#define PHX_ASSERT(condition) static_cast<void>(0)
#else
#define PHX_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::phalanx::assertion_failed(#condition, __FILE__, __LINE__))
#endif
