//===- Diagnostics.cpp - The one channel for messages ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/message/Diagnostics.h"
#include <iterator>

using namespace llvm;

namespace nvmove {

namespace {
struct MessageText {
  StringLiteral id, next;
};
constexpr MessageText messageTexts[] = {
#define MESSAGE(name, id, next) {id, next},
#include "tool/message/Messages.def"
};

struct SeverityText {
  StringLiteral name;
  raw_ostream::Colors colour;
};
constexpr SeverityText severityTexts[] = {
    {"note", raw_ostream::CYAN},
    {"warning", raw_ostream::MAGENTA},
    {"error", raw_ostream::RED},
};
} // namespace

char MessageError::ID = 0;

StringRef messageName(MessageId id) { return messageTexts[size_t(id)].id; }
StringRef messageNext(MessageId id) { return messageTexts[size_t(id)].next; }

Error makeError(MessageId id, std::string text, SourcePlace place,
                std::vector<std::string> details, std::string next) {
  return make_error<MessageError>(Message{MessageSeverity::Error, id,
                                          std::move(text), std::move(place),
                                          std::move(details), std::move(next)});
}

void Diagnostics::report(const Message &message) {
  const SeverityText &severity = severityTexts[size_t(message.severity)];
  auto colour = [&](raw_ostream::Colors c, bool bold) {
    if (colours)
      os.changeColor(c, bold);
  };
  auto plain = [&] {
    if (colours)
      os.resetColor();
  };
  colour(raw_ostream::SAVEDCOLOR, true);
  if (message.place.file.empty()) {
    os << "nvmove: ";
  } else {
    os << message.place.file << ':';
    if (message.place.line)
      os << message.place.line << ':' << message.place.column << ':';
    os << ' ';
  }
  colour(severity.colour, true);
  os << severity.name << ": ";
  plain();
  os << message.text << " [" << messageName(message.id) << "]\n";
  for (const std::string &detail : message.details)
    os << "  " << detail << '\n';
  StringRef next =
      message.next.empty() ? messageNext(message.id) : StringRef(message.next);
  if (!next.empty())
    os << "  -> " << next << '\n';
  os.flush();
}

void Diagnostics::warning(MessageId id, std::string text, SourcePlace place,
                          std::vector<std::string> details) {
  report({MessageSeverity::Warning, id, std::move(text), std::move(place),
          std::move(details), ""});
}

void Diagnostics::note(MessageId id, std::string text, SourcePlace place,
                       std::vector<std::string> details) {
  report({MessageSeverity::Note, id, std::move(text), std::move(place),
          std::move(details), ""});
}

void Diagnostics::report(Error error, MessageId fallback) {
  handleAllErrors(
      std::move(error),
      [&](const MessageError &known) { report(known.message); },
      [&](const ErrorInfoBase &other) {
        report({MessageSeverity::Error, fallback, other.message(), {}, {}, {}});
      });
}

} // namespace nvmove
