#include "phalanx/frontend/item_kernels.h"

#include <string>
#include <string_view>
#include <utility>

#include "phalanx/frontend/python/declared_calls.h"
#include "phalanx/frontend/python/entry.h"
#include "phalanx/frontend/python/item_calls.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/numpy/reduction_kernel.h"

namespace phalanx::frontend {
namespace python {
namespace {

constexpr int most_widenings = 4;

// A kernel while it is made. Errors are told of the line where the function is defined; the loops
// around it have no line, as no advice for the user belongs there.
class ItemKernel {
 public:
  ItemKernel(const FunctionEntity& function, const KernelHead& head)
      : function_(function),
        source_(function.function->source()),
        session_(head.options),
        kernel_(ir::add_function(
            session_.module(),
            session_.unique_name(head.name),
            ir::FunctionKind::kernel,
            numbered_parameters(head.types),
            {},
            source_->file)),
        emitter_(session_, kernel_, Diagnostics(source_->file, head.name, CodeKind::kernel)) {}

  Emitter& emitter() { return emitter_; }
  ir::Builder& builder() { return emitter_.builder(); }

  Value call(std::vector<Value> arguments) {
    const AtLocation here(builder(), source_->tree->location);
    return call_declared(emitter_, function_, *source_, std::move(arguments));
  }

  ir::Operation* convert(const Value& value, const ir::Type& type, std::string_view what) {
    const AtLocation here(builder(), source_->tree->location);
    return emitter_.convert(value, type, what);
  }

  std::unique_ptr<ir::Module> finished() {
    builder().return_();
    remove_unused(session_.module(), kernel_);
    return session_.take();
  }

 private:
  const FunctionEntity& function_;
  std::shared_ptr<const FunctionSource> source_;
  Session session_;
  ir::Function& kernel_;
  Emitter emitter_;
};

// What a reduction keeps of elements: the function may give a wider type than that of its
// arguments, and has to take it again.
ir::Type state_of(ItemKernel& kernel, const ir::Type& element) {
  ir::Builder& builder = kernel.builder();
  ir::Type state = element;
  for (int round = 0; round < most_widenings; ++round) {
    ir::Region unused;
    const auto inside = builder.enter(unused);
    const auto given = type_of(kernel.call({builder.undefined(state), builder.undefined(state)}));
    const auto wide = given ? infer::unify(state, *given) : std::nullopt;
    if (!wide || *wide == state)
      break;
    state = *wide;
  }
  return state;
}

}  // namespace
}  // namespace python

std::unique_ptr<ir::Module> compile_elementwise(
    const FunctionEntity& function, const KernelHead& head, numpy::Traversal traversal) {
  python::ItemKernel kernel(function, head);
  const ir::Type& element = head.types.back().element();
  numpy::emit_elementwise(
      kernel.builder(),
      traversal,
      head.types.size() - 1,
      [&](ir::Builder&, const numpy::Values& inputs) {
        const python::Value result = kernel.call({inputs.begin(), inputs.end()});
        return numpy::Values{kernel.convert(result, element, "what is returned")};
      });
  return kernel.finished();
}

std::unique_ptr<ir::Module> compile_stacked(
    const FunctionEntity& function, const ItemCalls& items, const KernelHead& head) {
  python::ItemKernel kernel(function, head);
  python::Emitter& emitter = kernel.emitter();
  ir::Builder& builder = kernel.builder();
  const std::vector<ItemCalls::Operand>& operands = items.operands;
  const std::size_t count = operands.size();
  ir::Operation* last = builder.parameter(count - 1);
  numpy::Values stack;
  for (unsigned i = 0; i < last->type.ndim() - operands.back().core.size(); ++i)
    stack.push_back(builder.array_shape(last, i));
  numpy::for_each_item(builder, numpy::Traversal::items, stack, [&](const numpy::Values& indices) {
    std::vector<python::Value> arguments;
    for (std::size_t i = 0; i < count; ++i) {
      ir::Operation* value = builder.parameter(i);
      arguments.emplace_back(
          value->type.is_array() ? python::item_of(emitter, value, operands[i], indices)
                                 : kernel.convert(value, operands[i].element, "an argument"));
    }
    kernel.call(std::move(arguments));
  });
  return kernel.finished();
}

std::unique_ptr<ir::Module> compile_reduction(
    const FunctionEntity& function, const KernelHead& head, ReductionForm form) {
  python::ItemKernel kernel(function, head);
  const ir::Type& element = head.types.at(form == ReductionForm::rows ? 1 : 3).element();
  const ir::Type state = python::state_of(kernel, head.types.front().element());
  const auto converted = [&kernel](const python::Value& value, const ir::Type& type) {
    return kernel.convert(value, type, "what is returned");
  };
  const numpy::Fold fold = {
      .state = state,
      .first = [&](ir::Builder&, numpy::Value value) { return converted(value, state); },
      .join = [&](ir::Builder&,
                  numpy::Value left,
                  numpy::Value right) { return converted(kernel.call({left, right}), state); },
      .element = [&](ir::Builder&, numpy::Value value) { return converted(value, element); }};
  if (form == ReductionForm::rows)
    numpy::emit_row_reduction(kernel.builder(), fold);
  else
    numpy::emit_reduction(kernel.builder(), fold);
  return kernel.finished();
}

}  // namespace phalanx::frontend
