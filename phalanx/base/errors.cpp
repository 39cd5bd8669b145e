#include "phalanx/base/errors.h"

#include <cstdio>
#include <cstdlib>

namespace phalanx {

CompileError::CompileError(Kind kind, Message message)
    : Error(to_string(message)),
      kind_(kind),
      message_(std::make_shared<const Message>(std::move(message))) {}

std::string to_string(const CompileError::Message& message) {
  std::string text = message.at ? to_string(*message.at) + "\n" : "";
  text += message.sentence;
  if (!message.advice.empty())
    text += "\n" + message.advice;
  if (!message.found_in.empty())
    text += "\n  found in " + message.found_in;
  for (const std::string& caller : message.callers) text += "\n  called from " + caller;
  return text;
}

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: phalanx bug: assertion failed: %s\n", file, line, condition);
  std::abort();
}

}  // namespace phalanx
