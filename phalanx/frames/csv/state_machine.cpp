#include "phalanx/frames/csv/state_machine.h"

namespace phalanx::frames::csv {

using Step = StateMachine::Step;

Step StateMachine::next() {
  if (place_ == size_)
    return at_end_ ? Step::end : Step::more;
  const char c = text_[place_];
  if (is_line_end(c)) {
    const Step step = end_line();
    return step == Step::more || dialect_.skips_blank_lines ? step : Step::record;
  }
  if (is(c, dialect_.comment))
    return skip_comment();
  if (is_blank_line())
    return place_ == size_ ? (at_end_ ? Step::end : Step::more) : end_line();
  for (;;) {
    const Ending ending = read_field();
    ends_.push_back(static_cast<std::uint32_t>(fields_.size()));
    fields_.push_back('\n');
    if (ending != Ending::separator)
      return ended(ending);
  }
}

Step StateMachine::skip() {
  const std::size_t fields = fields_.size();
  const std::size_t ends = ends_.size();
  Step step = Step::nothing;
  if (place_ == size_)
    return at_end_ ? Step::end : Step::more;
  for (Ending ending = Ending::separator; ending == Ending::separator;) {
    ending = read_field();
    if (ending != Ending::separator)
      step = ended(ending);
  }
  fields_.resize(fields);
  ends_.resize(ends);
  return step == Step::record ? Step::nothing : step;
}

Step StateMachine::ended(Ending ending) {
  if (ending == Ending::failed)
    return Step::failed;
  if (ending == Ending::text)
    return at_end_ ? Step::record : Step::more;
  return end_line() == Step::more ? Step::more : Step::record;
}

// Goes past blanks when they are all that the line has.
bool StateMachine::is_blank_line() {
  if (!dialect_.skips_blank_lines)
    return false;
  std::size_t at = place_;
  while (at < size_ && (text_[at] == ' ' || text_[at] == '\t') &&
         !is(text_[at], dialect_.separator))
    ++at;
  if (at == place_ || (at < size_ && !is_line_end(text_[at])))
    return false;
  place_ = at;
  return true;
}

Step StateMachine::end_line() {
  if (text_[place_++] == '\r') {
    if (place_ == size_ && !at_end_)
      return Step::more;
    if (place_ < size_ && text_[place_] == '\n')
      ++place_;
  }
  return Step::nothing;
}

Step StateMachine::skip_comment() {
  while (place_ < size_ && !is_line_end(text_[place_])) ++place_;
  if (place_ == size_)
    return at_end_ ? Step::end : Step::more;
  return end_line();
}

StateMachine::Ending StateMachine::fail(const char* what) {
  problem_ = what;
  return Ending::failed;
}

StateMachine::Ending StateMachine::read_field() {
  while (dialect_.skips_initial_space && place_ < size_ && text_[place_] == ' ') ++place_;
  if (place_ < size_ && is(text_[place_], dialect_.quote)) {
    ++place_;
    return read_quoted();
  }
  return read_plain();
}

StateMachine::Ending StateMachine::read_plain() {
  while (place_ < size_) {
    const char c = text_[place_];
    if (is_line_end(c))
      return Ending::line;
    ++place_;
    if (is(c, dialect_.escape)) {
      if (place_ == size_)
        return at_end_ ? fail("the file ends after an escape character") : Ending::text;
      fields_.push_back(text_[place_++]);
    } else if (is(c, dialect_.separator)) {
      return Ending::separator;
    } else if (is(c, dialect_.comment)) {
      while (place_ < size_ && !is_line_end(text_[place_])) ++place_;
      return place_ == size_ ? Ending::text : Ending::line;
    } else if (c == '\0') {
      return fail("a NUL byte; the file is binary, or its encoding is another one (UTF-16?)");
    } else {
      fields_.push_back(c);
    }
  }
  return Ending::text;
}

StateMachine::Ending StateMachine::read_quoted() {
  while (place_ < size_) {
    const char c = text_[place_++];
    if (is(c, dialect_.escape)) {
      if (place_ == size_)
        break;
      fields_.push_back(text_[place_++]);
    } else if (!is(c, dialect_.quote)) {
      if (c == '\0')
        return fail("a NUL byte; the file is binary, or its encoding is another one (UTF-16?)");
      fields_.push_back(c);
    } else if (!dialect_.doubles_quotes) {
      return read_plain();
    } else if (place_ < size_ && is(text_[place_], dialect_.quote)) {
      fields_.push_back(text_[place_++]);
    } else {
      return after_quote();
    }
  }
  return at_end_ ? fail("a quote that is not closed before the file ends") : Ending::text;
}

// What follows a closing quote within the field is part of it, the first byte whatever it is.
StateMachine::Ending StateMachine::after_quote() {
  if (place_ == size_)
    return Ending::text;
  const char c = text_[place_];
  if (is_line_end(c))
    return Ending::line;
  ++place_;
  if (is(c, dialect_.separator))
    return Ending::separator;
  if (c == '\0')
    return fail("a NUL byte; the file is binary, or its encoding is another one (UTF-16?)");
  fields_.push_back(c);
  return read_plain();
}

}  // namespace phalanx::frames::csv
