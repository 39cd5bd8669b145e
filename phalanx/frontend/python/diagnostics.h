// Compile errors with file, line, source line and caret.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "phalanx/base/errors.h"
#include "phalanx/base/source.h"
#include "phalanx/base/warning.h"

namespace phalanx::frontend::python {

enum class CodeKind : std::uint8_t { kernel, device_function, function };

// Where messages point: the function being compiled.
class Diagnostics {
 public:
  Diagnostics(std::shared_ptr<const SourceFile> file, std::string function, CodeKind kind)
      : file_(std::move(file)), function_(std::move(function)), kind_(kind) {}

  // The message of what is wrong at `where`; `advice` says what to write instead.
  CompileError::Message message(
      Location where, std::string_view sentence, std::string_view advice = {}) const;
  // The same error, told of the call at `where`: of our own library, users know the call only.
  CompileError at_call(Location where, const CompileError& error) const;
  // The same error, and where the function is called that it is in.
  CompileError with_caller(Location where, const CompileError& error) const;

  [[noreturn]] void typing(
      Location where, std::string_view text, std::string_view advice = {}) const;
  [[noreturn]] void unsupported(
      Location where, std::string_view text, std::string_view advice = {}) const;

  // A warning of that line.
  Warning warning(Warning::Kind kind, Location where, std::string text) const;

  // "file:line", for a second location in a message.
  std::string file_and_line(Location where) const;
  // The source line itself, without its indentation.
  std::string line_text(Location where) const;
  // "kernel scale", "device function f", "function f".
  std::string function() const;

 private:
  std::shared_ptr<const SourceFile> file_;
  std::string function_;
  CodeKind kind_;
};

}  // namespace phalanx::frontend::python
