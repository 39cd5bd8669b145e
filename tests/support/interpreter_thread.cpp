#include "interpreter_thread.h"

#include "phalanx/ir/abi.h"

namespace phalanx::test {

using ir::Op;
using ir::Operation;
using ir::Type;

namespace {

// The words of a parameter from its slots, which hold no strides of layouts C and F.
Words take_parameter(const Type& type, const std::byte* block, const ir::Slot*& slot) {
  if (type.is_record() || type.is_pointer() || (type.is_scalar() && !is_complex(type.dtype()))) {
    const ir::Slot& one = *slot++;
    return load(one.type, block + one.offset);
  }
  Words words;
  if (type.is_tuple()) {
    for (const ir::Field& field : type.fields()) {
      const Words element = take_parameter(field.type, block, slot);
      words.insert(words.end(), element.begin(), element.end());
    }
    return words;
  }
  for (std::size_t i = 0; i < ir::flatten(type).size(); ++i) {
    const ir::Slot& one = *slot++;
    words.push_back(load(one.type, block + one.offset)[0]);
  }
  if (type.is_array() && type.layout() != ir::Layout::any)
    append_strides(type, words);
  return words;
}

std::vector<Words> take_parameters(const ir::Function& kernel, const std::byte* block) {
  std::vector<Type> types;
  for (const auto& parameter : kernel.parameters) types.push_back(parameter->type);
  const ir::ParameterLayout layout = ir::layout_parameters(types);
  const ir::Slot* slot = layout.slots.data();
  std::vector<Words> values;
  for (const Type& type : types) values.push_back(take_parameter(type, block, slot));
  return values;
}

}  // namespace

Thread::Thread(
    Machine& machine,
    BlockMemory& memory,
    std::array<std::uint32_t, 3> block,
    std::array<std::uint32_t, 3> thread)
    : machine_(machine), memory_(memory), block_(block), thread_(thread) {
  const ir::Function& kernel = machine.module.kernel();
  enter(kernel, nullptr, take_parameters(kernel, machine.launch.parameters));
}

void Thread::enter(
    const ir::Function& function, const Operation* call, std::vector<Words> arguments) {
  auto frame = std::make_unique<Frame>();
  frame->function = &function;
  frame->call = call;
  frame->values.resize(machine_.counts.at(&function));
  for (std::size_t i = 0; i < arguments.size(); ++i)
    frame->values[machine_.numbers.at(function.parameters[i].get())] = std::move(arguments[i]);
  for (const ir::Variable& variable : function.variables)
    frame->variables.emplace_back(words_of(variable.type));
  frame->cursors.push_back({nullptr, &function.body, 0});
  frames_.push_back(std::move(frame));
}

void Thread::resolve(Words result) {
  if (!waiting_->type.is_none())
    define(*waiting_, std::move(result));
  state_ = State::running;
}

void Thread::run() {
  while (state_ == State::running) {
    Cursor& cursor = frame().cursors.back();
    if (machine_.steps_left == 0) {
      machine_.outcome.is_complete = false;
      state_ = State::finished;
    } else if (cursor.position == cursor.region->size()) {
      --machine_.steps_left;
      leave_region();
    } else {
      --machine_.steps_left;
      execute(*(*cursor.region)[cursor.position++]);
    }
  }
}

// At a region's end: on to the loop's other region, or out.
void Thread::leave_region() {
  Cursor& cursor = frame().cursors.back();
  if (cursor.owner == nullptr) {
    return_value({});
  } else if (cursor.owner->op == Op::loop) {
    const bool was_body = cursor.region == &cursor.owner->regions[0];
    cursor.region = &cursor.owner->regions[was_body ? 1 : 0];
    cursor.position = 0;
  } else {
    frame().cursors.pop_back();
  }
}

void Thread::return_value(Words words) {
  const Operation* call = frame().call;
  frames_.pop_back();
  if (frames_.empty())
    state_ = State::finished;
  else if (!call->type.is_none())
    define(*call, std::move(words));
}

void Thread::jump(const Operation& operation) {
  auto& cursors = frame().cursors;
  std::int64_t levels = operation.index;
  for (;; cursors.pop_back()) {
    if (cursors.back().owner->op == Op::if_)
      continue;
    if (levels-- == 0)
      break;
  }
  if (operation.op == Op::break_)
    cursors.pop_back();
  else
    cursors.back() = {cursors.back().owner, &cursors.back().owner->regions[1], 0};
}

void Thread::print(const Operation& operation) {
  std::string line;
  std::size_t next = 0;
  for (std::size_t i = 0; i < operation.text.size(); ++i) {
    if (operation.text.compare(i, 2, "{}") == 0) {
      const Operation* operand = operation.operands.at(next++);
      line += to_text(operand->type.dtype(), value(operand));
      ++i;
    } else {
      line += operation.text[i];
      const bool is_brace = operation.text[i] == '{' || operation.text[i] == '}';
      if (is_brace && i + 1 < operation.text.size() && operation.text[i + 1] == operation.text[i])
        ++i;
    }
  }
  machine_.outcome.printed.push_back(line);
}

void Thread::raise(const Operation& operation) {
  if (!machine_.outcome.raised)
    machine_.outcome.raised = {to_string(std::get<Raise>(operation.detail)), block_, thread_};
  state_ = State::finished;
}

bool Thread::execute_control(const Operation& operation) {
  switch (operation.op) {
    case Op::if_: {
      const std::size_t taken = value(operation.operands[0])[0] != 0 ? 0 : 1;
      frame().cursors.push_back({&operation, &operation.regions[taken], 0});
      return true;
    }
    case Op::loop:
    case Op::block:
      frame().cursors.push_back({&operation, &operation.regions[0], 0});
      return true;
    case Op::break_:
    case Op::continue_:
      jump(operation);
      return true;
    case Op::return_:
      return_value(operation.operands.empty() ? Words{} : value(operation.operands[0]));
      return true;
    case Op::raise:
      raise(operation);
      return true;
    case Op::barrier:
    case Op::block_vote:
      state_ = State::at_barrier;
      waiting_ = &operation;
      return true;
    case Op::grid_barrier:
      state_ = State::at_grid_barrier;
      return true;
    case Op::vote:
    case Op::shuffle:
    case Op::match:
    case Op::active_mask:
    case Op::warp_barrier:
      state_ = State::at_warp_operation;
      waiting_ = &operation;
      return true;
    case Op::fence:
    case Op::cooperative:
    case Op::launch_memory:
    case Op::sleep:
      return true;
    case Op::print:
      print(operation);
      return true;
    case Op::call: {
      std::vector<Words> arguments;
      for (const Operation* operand : operation.operands) arguments.push_back(value(operand));
      enter(*operation.callee, &operation, std::move(arguments));
      return true;
    }
    default:
      return false;
  }
}

void Thread::execute(const Operation& operation) {
  if (execute_control(operation))
    return;
  switch (operation.op) {
    case Op::set:
      frame().variables[operation.variable] = value(operation.operands[0]);
      break;
    case Op::store:
    case Op::hinted_store:
      store(
          operation.operands[1]->type,
          value(operation.operands[1]),
          as_pointer(value(operation.operands[0])[0]));
      break;
    case Op::array_store: {
      const Operation* stored = operation.operands.back();
      store(stored->type, value(stored), element(operation));
      break;
    }
    default:
      define(operation, compute(operation));
      break;
  }
}

}  // namespace phalanx::test
