#include "phalanx/frontend/item_kernels.h"

#include <string>
#include <utility>

#include "phalanx/frontend/python/declared_calls.h"
#include "phalanx/frontend/python/entry.h"
#include "phalanx/frontend/python/item_calls.h"

namespace phalanx::frontend {
namespace python {
namespace {

// A kernel while it is made. Its operations are at the line where the function is defined.
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
            parameters(head.types),
            {},
            source_->file)),
        emitter_(session_, kernel_, Diagnostics(source_->file, head.name, CodeKind::kernel)) {
    emitter_.builder().at(source_->tree->location);
  }

  Emitter& emitter() { return emitter_; }
  ir::Builder& builder() { return emitter_.builder(); }

  Value call(std::vector<Value> arguments) {
    return call_declared(emitter_, function_, *source_, std::move(arguments));
  }

  std::unique_ptr<ir::Module> finished() {
    builder().return_();
    remove_unused(session_.module(), kernel_);
    return session_.take();
  }

 private:
  static std::vector<ir::Parameter> parameters(const std::vector<ir::Type>& types) {
    std::vector<ir::Parameter> made;
    for (const ir::Type& type : types)
      made.push_back({.name = "a" + std::to_string(made.size()), .type = type});
    return made;
  }

  const FunctionEntity& function_;
  std::shared_ptr<const FunctionSource> source_;
  Session session_;
  ir::Function& kernel_;
  Emitter emitter_;
};

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
        return numpy::Values{kernel.emitter().convert(result, element, "what is returned")};
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
  for (unsigned i = 0; i < last->type.ndim() - operands.back().core; ++i)
    stack.push_back(builder.array_shape(last, i));
  numpy::for_each_item(
      builder, numpy::Traversal::items, stack, [&](const numpy::Values& indices) {
        std::vector<python::Value> arguments;
        for (std::size_t i = 0; i < count; ++i) {
          ir::Operation* value = builder.parameter(i);
          arguments.emplace_back(
              value->type.is_array()
                  ? python::item_of(emitter, value, operands[i], indices)
                  : emitter.convert(value, operands[i].element, "an argument"));
        }
        kernel.call(std::move(arguments));
      });
  return kernel.finished();
}

}  // namespace phalanx::frontend
