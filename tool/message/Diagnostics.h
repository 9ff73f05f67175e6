//===- Diagnostics.h - The one channel for messages -------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_MESSAGE_DIAGNOSTICS_H
#define NVMOVE_TOOL_MESSAGE_DIAGNOSTICS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace nvmove {

enum class MessageId {
#define MESSAGE(name, id, next) name,
#include "tool/message/Messages.def"
};

llvm::StringRef messageName(MessageId id);
/// What the user can do about it; empty where the text says so itself.
llvm::StringRef messageNext(MessageId id);

/// Where a message points to. No file: the run as a whole. Line 0: the file.
struct SourcePlace {
  std::string file;
  unsigned line = 0, column = 0;
};

enum class MessageSeverity { Note, Warning, Error };

struct Message {
  MessageSeverity severity = MessageSeverity::Error;
  MessageId id;
  std::string text;
  SourcePlace place;
  std::vector<std::string> details; ///< printed below, indented
  std::string next; ///< what to do, where that is not what messageNext() says
};

/// A message on its way up to the driver.
class MessageError : public llvm::ErrorInfo<MessageError> {
public:
  static char ID;
  explicit MessageError(Message message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message.text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  const Message message;
};

llvm::Error makeError(MessageId id, std::string text, SourcePlace place = {},
                      std::vector<std::string> details = {},
                      std::string next = "");

/// Prints messages. With a place: "file:line:column: error: text [id]", which
/// editors can jump to; without: "nvmove: error: text [id]". What to do next
/// follows on a line of its own.
class Diagnostics {
public:
  Diagnostics(llvm::raw_ostream &os, bool colours) : os(os), colours(colours) {}

  void report(const Message &message);
  void warning(MessageId id, std::string text, SourcePlace place = {},
               std::vector<std::string> details = {});
  void note(MessageId id, std::string text, SourcePlace place = {},
            std::vector<std::string> details = {});
  /// Prints every message in `error`. An error that is none of ours came from
  /// a pass: it is printed under `fallback`.
  void report(llvm::Error error, MessageId fallback);

private:
  llvm::raw_ostream &os;
  bool colours;
};

} // namespace nvmove

#endif // NVMOVE_TOOL_MESSAGE_DIAGNOSTICS_H
