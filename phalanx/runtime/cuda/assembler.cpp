#include "phalanx/runtime/cuda/assembler.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"

namespace phalanx::runtime::cuda {

namespace {

constexpr int input_type(LinkInput::Kind kind) {
  switch (kind) {
    case LinkInput::Kind::cubin:
      return link_cubin;
    case LinkInput::Kind::ptx:
      return link_ptx;
    case LinkInput::Kind::fatbin:
      return link_fatbin;
    case LinkInput::Kind::object:
      return link_object;
    case LinkInput::Kind::archive:
      return link_archive;
  }
  return link_ptx;
}

// The driver's options: a list of numbers and a list of values, which are pointers or numbers.
class JitOptions {
 public:
  explicit JitOptions(const LoadOptions& options) {
    add(jit_error_log, error_log_.data());
    add_number(jit_error_log_bytes, static_cast<unsigned>(error_log_.size()));
    add(jit_info_log, info_log_.data());
    add_number(jit_info_log_bytes, static_cast<unsigned>(info_log_.size()));
    add_number(jit_optimization, options.debug ? 0 : options.optimization);
    if (options.max_registers != 0)
      add_number(jit_max_registers, options.max_registers);
    if (options.debug)
      add_number(jit_debug, 1);
    if (options.lineinfo)
      add_number(jit_lineinfo, 1);
  }
  JitOptions(const JitOptions&) = delete;  // the lists point into the logs
  JitOptions& operator=(const JitOptions&) = delete;

  unsigned count() const { return static_cast<unsigned>(names_.size()); }
  int* names() { return names_.data(); }
  void** values() { return values_.data(); }
  std::string_view error_log() const { return error_log_.data(); }

 private:
  void add(JitOption name, void* value) {
    names_.push_back(name);
    values_.push_back(value);
  }
  void add_number(JitOption name, unsigned value) {
    add(name, reinterpret_cast<void*>(std::uintptr_t{value}));
  }

  std::array<char, 8192> error_log_{};
  std::array<char, 4096> info_log_{};
  std::vector<int> names_;
  std::vector<void*> values_;
};

class Link {
 public:
  Link(Context& context, JitOptions& options, std::string kernel)
      : context_(context), options_(options), kernel_(std::move(kernel)) {
    CU_IN(context_, link_create(options.count(), options.names(), options.values(), &handle_));
  }
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  ~Link() { context_.driver().link_destroy(handle_); }

  void add(int type, std::span<const std::byte> bytes, const std::string& name) {
    // The driver only reads it, whatever its signature says.
    void* data = const_cast<std::byte*>(bytes.data());
    check(
        context_.driver().link_add(
            handle_, type, data, bytes.size(), name.c_str(), 0, nullptr, nullptr),
        "link_add");
  }

  std::vector<std::byte> complete() {
    void* cubin = nullptr;
    std::size_t bytes = 0;
    check(context_.driver().link_complete(handle_, &cubin, &bytes), "link_complete");
    const auto* first = static_cast<const std::byte*>(cubin);  // the link's own: copied
    return {first, first + bytes};
  }

 private:
  void check(Result outcome, const char* call) {
    if (outcome == result::success)
      return;
    const std::string_view log = options_.error_log();
    if (log.empty())
      context_.fail(outcome, call);
    throw DeviceError(
        fmt::format(
            "kernel {}: the driver cannot assemble its code: {}\n{}",
            kernel_,
            error_text(context_.driver(), outcome),
            log),
        outcome);
  }

  Context& context_;
  JitOptions& options_;
  std::string kernel_;
  LinkHandle handle_ = nullptr;
};

}  // namespace

Binary assemble_ptx(
    Context& context,
    const Binary& ptx,
    const LoadOptions& options,
    std::span<const LinkInput> inputs) {
  if (ptx.kind != BinaryKind::ptx)
    throw TypeError("only PTX can be assembled");
  const auto scope = context.enter();
  JitOptions jit_options(options);
  Link link(context, jit_options, ptx.entry().symbol);
  link.add(link_ptx, ptx.code, ptx.entry().symbol + ".ptx");
  for (const LinkInput& input : inputs) link.add(input_type(input.kind), input.bytes, input.name);
  Binary cubin = ptx;
  cubin.kind = BinaryKind::cubin;
  cubin.code = link.complete();
  return cubin;
}

}  // namespace phalanx::runtime::cuda
