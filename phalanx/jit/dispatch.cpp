#include "phalanx/jit/dispatch.h"

#include <algorithm>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/jit/advice.h"
#include "phalanx/jit/context.h"

namespace phalanx::jit {

namespace {

std::shared_ptr<runtime::Executable> build_here(
    const std::shared_ptr<const Plan>& plan,
    runtime::Device& device,
    const runtime::LaunchConfig& config) {
  return plan->kernel().executable(device, config.block, config.grid);
}

}  // namespace

std::shared_ptr<runtime::Executable> build_or_substitute(
    const std::shared_ptr<const Plan>& plan,
    runtime::Device& device,
    const runtime::LaunchConfig& config) {
  return plan->kernel().ready(device, config.block, config.grid);
}

// Dropping a kernel may run code of its owner, which takes locks: never under one of ours.
struct Dispatch::Dropped {
  std::vector<Entry> entries;
  std::vector<std::shared_ptr<const Plan>> plans;
};

Dispatch::Dispatch(EngineSource engine, std::string name, Make make, Build build)
    : engine_(std::move(engine)),
      name_(std::move(name)),
      make_(std::move(make)),
      build_(build ? std::move(build) : build_here) {}

std::shared_ptr<Kernel> Dispatch::find_locked(const std::vector<ir::Type>& types) const {
  const auto known =
      std::ranges::find_if(entries_, [&](const Entry& entry) { return entry.types == types; });
  return known == entries_.end() ? nullptr : known->kernel;
}

std::shared_ptr<Kernel> Dispatch::kernel_for(const std::vector<ir::Type>& types) {
  return kernel_for(types, generation());
}

std::shared_ptr<Kernel> Dispatch::kernel_for(
    const std::vector<ir::Type>& types, std::uint64_t generation) {
  {
    const std::lock_guard lock(mutex_);
    if (auto known = find_locked(types))
      return known;
  }
  auto made = make_(types);
  const std::lock_guard lock(mutex_);
  if (auto known = find_locked(types))
    return known;
  // What was made of what has been forgotten meanwhile serves this call only.
  if (generation == generation_)
    entries_.push_back({types, made});
  return made;
}

std::shared_ptr<const Plan> Dispatch::plan_for(std::span<const Argument> arguments) {
  std::vector<Signature> signatures;
  std::uint64_t generation = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto known =
        std::ranges::find_if(plans_, [&](const auto& plan) { return plan->fits(arguments); });
    if (known != plans_.end())
      return *known;
    signatures = signatures_;
    generation = generation_;
  }
  std::vector<ir::TypeKey> keys;
  for (const Argument& argument : arguments) keys.push_back(argument.key);
  std::vector<ir::Type> types = engine().types().decode(keys);
  if (!signatures.empty())
    types = signatures[choose_signature(name_, types, signatures)];
  auto plan = std::make_shared<const Plan>(std::move(keys), kernel_for(types, generation));
  const std::lock_guard lock(mutex_);
  if (generation == generation_)
    plans_.push_back(plan);
  return plan;
}

std::shared_ptr<runtime::Executable> Dispatch::build(
    const std::shared_ptr<const Plan>& plan,
    runtime::Device& device,
    const runtime::LaunchConfig& config) const {
  return build_(plan, device, config);
}

std::vector<Dispatch::Entry> Dispatch::kernels() const {
  const std::lock_guard lock(mutex_);
  return entries_;
}

Dispatch::Dropped Dispatch::drop_locked() {
  ++generation_;
  return {std::exchange(entries_, {}), std::exchange(plans_, {})};
}

void Dispatch::set_signatures(std::vector<Signature> signatures) {
  Dropped dropped;
  const std::lock_guard lock(mutex_);
  dropped = drop_locked();
  signatures_ = std::move(signatures);
}

void Dispatch::forget() {
  Dropped dropped;
  const std::lock_guard lock(mutex_);
  dropped = drop_locked();
}

// numba.cuda's words and numba.cuda's limit, whatever GPU it is.
std::optional<std::string> Dispatch::advise_on_occupancy(
    const runtime::Device& device, const runtime::LaunchConfig& config) {
  constexpr std::uint64_t enough_blocks = 128;
  const std::uint64_t blocks = config.grid.count();
  if (!advises_ || device.is_host() || blocks >= enough_blocks || !advice().low_occupancy ||
      told_of_occupancy_.exchange(true))
    return std::nullopt;
  return "Grid size " + std::to_string(blocks) +
         " will likely result in GPU under-utilization due to low occupancy";
}

std::optional<std::string> Dispatch::advise_on_copies() {
  if (!advice().implicit_copies || told_of_copies_.exchange(true))
    return std::nullopt;
  return "Host array used in CUDA kernel will incur copy overhead to/from device";
}

// ---- One configuration ----

ConfiguredDispatch::ConfiguredDispatch(
    std::shared_ptr<Dispatch> dispatch,
    const runtime::LaunchConfig& config,
    std::shared_ptr<runtime::Stream> stream)
    : dispatch_(std::move(dispatch)),
      config_(config),
      is_cooperative_(config.cooperative),
      stream_(std::move(stream)),
      last_(std::make_shared<const PreparedLaunch>()) {}

runtime::LaunchConfig ConfiguredDispatch::config() const {
  runtime::LaunchConfig config = config_;
  config.cooperative = is_cooperative_;
  return config;
}

runtime::Device& ConfiguredDispatch::device() const {
  return stream_ ? stream_->device() : current_device(dispatch_->engine());
}

[[gnu::hot]] bool ConfiguredDispatch::is_current(const PreparedLaunch& launch) const {
  const LaunchSite& site = launch.site;
  const Recording* const into = recording();
  // For a graph the stream is compared, which the site keeps alive: a new graph may have the
  // address of one that is gone.
  const bool is_same_graph = into == nullptr ? site.graph == nullptr : site.stream == into->stream;
  return site.device == &device() && is_same_graph && site.config.cooperative == is_cooperative_ &&
         launch.generation == dispatch_->generation() &&
         launch.changes == launch.plan->kernel().changes();
}

LaunchSite ConfiguredDispatch::site() const {
  runtime::Device& where = device();
  const Recording* const into = recording();
  return {
      .config = config(),
      .device = &where,
      .stream = recorded_or(stream_or_default(where, stream_)),
      .graph = into == nullptr ? nullptr : into->graph.get()};
}

[[gnu::hot]] std::shared_ptr<const PreparedLaunch> ConfiguredDispatch::last() const {
  if (dispatch_->callers_take_turns())
    return last_;
  const std::lock_guard lock(mutex_);
  return last_;
}

// What is replaced is dropped without the lock: that may run code of its owner.
void ConfiguredDispatch::set_last(std::shared_ptr<const PreparedLaunch> launch) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!dispatch_->callers_take_turns())
    lock.lock();
  last_.swap(launch);
}

std::shared_ptr<const PreparedLaunch> ConfiguredDispatch::prepared_anew(
    const PreparedLaunch& last, std::span<const Argument> arguments) const {
  PreparedLaunch made = {.site = site(), .generation = dispatch_->generation()};
  const bool has_plan = last.generation == made.generation && last.plan->fits(arguments);
  made.plan = has_plan ? last.plan : dispatch_->plan_for(arguments);
  made.changes = made.plan->kernel().changes();
  const bool has_code = made.plan == last.plan && made.site.device == last.site.device &&
                        made.changes == last.changes;
  made.executable =
      has_code ? last.executable : dispatch_->build(made.plan, *made.site.device, made.site.config);
  return std::make_shared<const PreparedLaunch>(std::move(made));
}

[[gnu::hot]] std::shared_ptr<const PreparedLaunch> ConfiguredDispatch::prepare(
    std::span<const Argument> arguments) {
  std::shared_ptr<const PreparedLaunch> launch = last();
  while (!is_current(*launch) || !launch->plan->fits(arguments)) {
    // Python, and other threads, may change what is current meanwhile: look again then.
    launch = prepared_anew(*launch, arguments);
    set_last(launch);
  }
  return launch;
}

}  // namespace phalanx::jit
