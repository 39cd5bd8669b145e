#include "phalanx/jit/advice.h"

#include <mutex>

#include "phalanx/base/environment.h"

namespace phalanx::jit {

namespace {

struct Setting {
  std::mutex mutex;
  Advice advice;
};

Setting& setting() {
  static auto* const made = new Setting;  // threads may ask while the process ends
  return *made;
}

}  // namespace

Advice advice() {
  static const bool is_silent = environment("PHALANX_ADVICE") == "0";
  if (is_silent)
    return Advice::none();
  const std::lock_guard lock(setting().mutex);
  return setting().advice;
}

void set_advice(const Advice& given) {
  const std::lock_guard lock(setting().mutex);
  setting().advice = given;
}

}  // namespace phalanx::jit
