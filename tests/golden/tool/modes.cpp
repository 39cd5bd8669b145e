// What a golden case can run.
#include <algorithm>
#include <array>
#include <regex>
#include <stdexcept>

#include "golden.h"
#include "phalanx/ir/link.h"
#include "phalanx/ir/parser.h"
#include "phalanx/ir/printer.h"
#include "phalanx/ir/verifier.h"
#include "phalanx/passes/pipeline.h"

#ifdef PHX_GOLDEN_CODEGEN
#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/cpu/backend.h"
#include "phalanx/codegen/nvptx/backend.h"
#endif

namespace phalanx::golden {

namespace {

using Arguments = std::vector<std::string>;

std::unique_ptr<ir::Module> read_module(std::string_view input) {
  auto module = ir::parse(input);
  ir::verify(*module);
  return module;
}

std::string print(std::string_view input, const Arguments&) {
  return ir::print(*read_module(input));
}

// bounds,nan
Checks checks_of(const std::string& names) {
  std::uint32_t bits = 0;
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(',', at), names.size());
    const auto check = check_from_name(std::string_view(names).substr(at, end - at));
    if (!check)
      throw std::invalid_argument("no category is called so: " + names);
    bits |= Checks{*check}.bits();
    at = end + 1;
  }
  return Checks(bits);
}

// inline_calls insert_checks=bounds,nan standard
std::string run_passes(std::string_view input, const Arguments& arguments) {
  auto module = read_module(input);
  for (const std::string& argument : arguments) {
    const std::size_t end = std::min(argument.find('='), argument.size());
    const std::string name = argument.substr(0, end);
    const Checks checks = end == argument.size() ? Checks() : checks_of(argument.substr(end + 1));
    if (name == "standard") {
      passes::run_standard(*module, checks);
      continue;
    }
    const passes::Pass* pass = passes::find_pass(name);
    if (pass == nullptr)
      throw std::invalid_argument("no pass is called " + name);
    passes::run(*pass, *module, checks);
  }
  ir::verify(*module);
  return ir::print(*module);
}

// Modules with a line "# module" between them; the first is linked with the others.
std::string link(std::string_view input, const Arguments&) {
  constexpr std::string_view between = "\n# module\n";
  std::vector<std::shared_ptr<const ir::Module>> others;
  std::unique_ptr<ir::Module> first;
  for (std::size_t at = 0; at <= input.size();) {
    const std::size_t end = std::min(input.find(between, at), input.size());
    auto module = read_module(input.substr(at, end - at));
    if (first == nullptr)
      first = std::move(module);
    else
      others.push_back(std::move(module));
    at = end + between.size();
  }
  ir::link(*first, others);
  ir::verify(*first);
  return ir::print(*first);
}

#ifdef PHX_GOLDEN_CODEGEN

// The value of `name=value` among the arguments.
std::string option(const Arguments& arguments, std::string_view name, std::string_view otherwise) {
  for (const std::string& argument : arguments) {
    if (argument.starts_with(name) && argument.substr(name.size()).starts_with('='))
      return argument.substr(name.size() + 1);
  }
  return std::string(otherwise);
}

bool has(const Arguments& arguments, std::string_view flag) {
  return std::find(arguments.begin(), arguments.end(), flag) != arguments.end();
}

unsigned number(const Arguments& arguments, std::string_view name, std::string_view otherwise) {
  return static_cast<unsigned>(std::stoul(option(arguments, name, otherwise)));
}

codegen::Options options(const Arguments& arguments) {
  codegen::Options options;
  options.contract = !has(arguments, "no-contract");
  if (has(arguments, "fastmath"))
    options.fastmath = FastMath::all();
  options.debug = has(arguments, "debug");
  options.lineinfo = has(arguments, "lineinfo");
  options.checks = checks_of(option(arguments, "checks", ""));
  return options;
}

std::unique_ptr<ir::Module> read_prepared(std::string_view input, const Arguments& arguments) {
  auto module = read_module(input);
  passes::run_standard(*module, options(arguments).checks);
  return module;
}

// The CPU is fixed, so that the text is the same on every machine.
Target golden_cpu() {
  return {
      .kind = DeviceKind::cpu,
      .cpu = "x86-64-v4",
      .features = {},
      .vector_bits = 512,
      .compute_capability = 0};
}

// llvm-cpu lanes=16 shape=one_dimensional optimized debug no-contract
std::string llvm_cpu(std::string_view input, const Arguments& arguments) {
  codegen::CpuVariant variant{.lanes = number(arguments, "lanes", "16")};
  const std::string shape = option(arguments, "shape", "general");
  if (shape == "one_dimensional")
    variant.shape = codegen::BlockShape::one_dimensional;
  else if (shape == "rows")
    variant.shape = codegen::BlockShape::rows;
  else if (shape == "exact_rows")
    variant.shape = codegen::BlockShape::exact_rows;
  return codegen::cpu::backend.llvm_text(
      *read_prepared(input, arguments),
      golden_cpu(),
      options(arguments),
      variant,
      has(arguments, "optimized"));
}

// llvm-ptx sm=90 optimized
std::string llvm_ptx(std::string_view input, const Arguments& arguments) {
  return codegen::nvptx::backend.llvm_text(
      *read_prepared(input, arguments),
      codegen::nvptx::cuda_target(number(arguments, "sm", "90")),
      options(arguments),
      {},
      has(arguments, "optimized"));
}

std::string ptx(std::string_view input, const Arguments& arguments) {
  const Binary binary = codegen::compile(
      *read_prepared(input, arguments),
      codegen::nvptx::cuda_target(number(arguments, "sm", "90")),
      options(arguments));
  std::string text(binary.code.size(), '\0');
  std::transform(binary.code.begin(), binary.code.end(), text.begin(), [](std::byte byte) {
    return static_cast<char>(byte);
  });
  text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
  // LLVM numbers the calls of all modules of a process.
  return std::regex_replace(text, std::regex("// callseq [0-9]+"), "// callseq");
}

#endif

struct Row {
  std::string_view name;
  Mode mode;
};

constexpr std::array modes = {
    Row{"print", print},
    Row{"passes", run_passes},
    Row{"link", link},
#ifdef PHX_GOLDEN_CODEGEN
    Row{"llvm-cpu", llvm_cpu},
    Row{"llvm-ptx", llvm_ptx},
    Row{"ptx", ptx},
#endif
};

}  // namespace

Mode find_mode(std::string_view name) {
  for (const Row& row : modes) {
    if (row.name == name)
      return row.mode;
  }
  return nullptr;
}

std::vector<std::string_view> mode_names() {
  std::vector<std::string_view> names;
  for (const Row& row : modes) names.push_back(row.name);
  return names;
}

std::string run(const std::vector<std::string>& command, std::string_view input) {
  const Mode mode = command.empty() ? nullptr : find_mode(command.front());
  if (mode == nullptr)
    throw std::invalid_argument(
        "unknown command " + (command.empty() ? "(none)" : command.front()));
  return mode(input, {command.begin() + 1, command.end()});
}

}  // namespace phalanx::golden
