#include "phalanx/frontend/python/session.h"

#include <algorithm>

namespace phalanx::frontend::python {

const Names& Session::names(const tree::Function& function) {
  const auto found = names_.find(&function);
  if (found != names_.end())
    return found->second;
  Names& names = names_.emplace(&function, analyze_names(function)).first->second;
  if (options_.finds_unassigned)
    add_flags(names);
  return names;
}

std::size_t Session::constant(const ArrayEntity& array) {
  for (const auto& [known, index] : constants_) {
    if (known.identity == array.identity)
      return index;
  }
  module_->constants.push_back(*array.array);
  constants_.emplace_back(array, module_->constants.size() - 1);
  return module_->constants.size() - 1;
}

std::string Session::unique_name(const std::string& name) {
  std::string unique = name;
  for (int count = 2; !used_names_.insert(unique).second; ++count)
    unique = name + "." + std::to_string(count);
  return unique;
}

bool Session::is_compiling(const tree::Function& function) const {
  return std::ranges::find(compiling_, &function) != compiling_.end();
}

Session::Round::Round(Session& session, Instance& instance, bool is_again) : session_(&session) {
  session.round_ += is_again ? 1 : 0;
  instance.is_emitting = true;
  instance.waits = false;
  instance.round = session.round_;
  session.emitting_.push_back(&instance);
}

Session::Round::~Round() {
  session_->emitting_.back()->is_emitting = false;
  session_->emitting_.pop_back();
}

void Session::call_again(Instance& instance) {
  instance.is_recursive = true;
  const auto found = std::ranges::find(emitting_, &instance);
  for (auto later = found + 1; later < emitting_.end(); ++later) (*later)->waits = true;
}

const FunctionUnit& Session::keep(FunctionUnit unit) {
  units_.push_back(std::move(unit));
  return units_.back();
}

const Entity& Session::extension(Environment& environment, std::string_view name) {
  const auto [row, is_new] = extensions_.try_emplace(std::string(name));
  if (is_new)
    row->second = environment.extension(name);
  return row->second;
}

}  // namespace phalanx::frontend::python
