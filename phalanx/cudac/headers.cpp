#include "phalanx/cudac/headers.h"

#include <string>
#include <string_view>
#include <vector>

#include <llvm/Support/MemoryBuffer.h>

#include "phalanx/cudac/embedded_headers.h"
#include "phalanx/cudac/library_names.h"
#include "phalanx/ir/libdevice.h"

namespace phalanx::cudac {

namespace {

std::string_view c_name(DType dtype, bool is_unsigned) {
  switch (dtype) {
    case DType::int16:
      return is_unsigned ? "unsigned short" : "short";
    case DType::int32:
      return is_unsigned ? "unsigned" : "int";
    case DType::int64:
      return is_unsigned ? "unsigned long long" : "long long";
    case DType::float32:
      return "float";
    default:
      return "double";
  }
}

// extern "C" __device__ float __expf(float);
std::string declaration(const std::string& name, const ir::LibraryFunction& function) {
  const bool gives_unsigned = is_unsigned_result(function.name);
  const bool takes_unsigned = is_unsigned_operand(function.name);
  const auto results = function.results();
  const bool returns = function.returns_value();
  std::string text = "extern \"C\" __device__ ";
  text += returns ? c_name(results[0], gives_unsigned) : "void";
  text += " " + name + "(";
  std::string separator;
  for (const DType parameter : function.parameters()) {
    text += separator;
    text += c_name(parameter, takes_unsigned);
    separator = ", ";
  }
  for (std::size_t i = returns ? 1 : 0; i < results.size(); ++i) {
    text += separator;
    text += c_name(results[i], false);
    text += "*";
    separator = ", ";
  }
  return text + ");\n";
}

std::string library_declarations() {
  std::string text;
  for (const ir::LibraryFunction& function : ir::library_functions()) {
    const auto name = intrinsic_name(function.name);
    // Halves are structs in CUDA C: cuda_fp16.h.
    if (name && function.signature.find('h') == std::string_view::npos)
      text += declaration(*name, function);
  }
  return text;
}

std::vector<std::string> in_cpp_linkage() {
  std::vector<std::string> texts;
  for (const EmbeddedHeader& header : embedded_headers())
    texts.push_back("extern \"C++\" {\n#line 1\n" + std::string(header.text) + "}\n");
  return texts;
}

}  // namespace

void add_headers(llvm::vfs::InMemoryFileSystem& files) {
  static const std::string declarations = library_declarations();
  const auto add = [&](const std::string& name, std::string_view text) {
    files.addFile(
        std::string(header_folder) + "/" + name,
        0,
        llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(text.data(), text.size()), name, false));
  };
  // They hold templates, and sources include them within extern "C".
  static const std::vector<std::string> texts = in_cpp_linkage();
  std::size_t i = 0;
  for (const EmbeddedHeader& header : embedded_headers()) add(std::string(header.name), texts[i++]);
  add("phalanx_libdevice.h", declarations);
}

}  // namespace phalanx::cudac
