#include "phalanx/base/print_format.h"

#include <algorithm>

namespace phalanx {

namespace {

void add_text(PrintFormat& format, char c) {
  if (format.parts.empty() || format.parts.back().kind != PrintPart::Kind::text)
    format.parts.push_back({PrintPart::Kind::text, ""});
  format.parts.back().text += c;
}

}  // namespace

PrintFormat parse_print_format(std::string_view text) {
  PrintFormat format;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("{}")) {
      format.parts.push_back({PrintPart::Kind::value, ""});
      ++i;
    } else if (rest == "{%}") {
      format.ends_line = false;
      break;
    } else if (rest.starts_with("{%") && rest.find('}') != std::string_view::npos) {
      const std::size_t end = rest.find('}');
      format.parts.push_back({PrintPart::Kind::converted, std::string(rest.substr(1, end - 1))});
      i += end;
    } else {
      add_text(format, text[i]);
      if (rest.starts_with("{{") || rest.starts_with("}}"))
        ++i;
    }
  }
  return format;
}

std::size_t count_values(const PrintFormat& format) {
  return static_cast<std::size_t>(std::ranges::count_if(
      format.parts, [](const PrintPart& part) { return part.kind != PrintPart::Kind::text; }));
}

bool is_float_conversion(std::string_view conversion) {
  return std::string_view("aAeEfFgG").find(conversion.back()) != std::string_view::npos;
}

std::string widened_conversion(std::string_view conversion) {
  std::string wide(conversion.substr(0, conversion.size() - 1));
  if (!is_float_conversion(conversion) && conversion.back() != 'c')
    wide += "ll";
  return wide + conversion.back();
}

}  // namespace phalanx
