//===- ShellLine.cpp - The commands in a line for the shell ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/ShellLine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace nvmove {

namespace {

/// Words that a command may follow.
bool isKeyword(StringRef word) {
  return StringSwitch<bool>(word)
      .Cases("if", "then", "else", "elif", "fi", "do", "done", true)
      .Cases("while", "until", "{", "}", "!", "time", true)
      .Default(false);
}

class ShellLineParser {
public:
  explicit ShellLineParser(StringRef line) : line(line) {}

  std::vector<ShellCommand> parse() {
    while (at < line.size()) {
      char c = line[at];
      if (isSpace(c) && c != '\n')
        ++at;
      else if (line.substr(at).starts_with("\\\n"))
        at += 2;
      else if (c == '#')
        at = std::min(line.find('\n', at), line.size());
      else if (StringRef(";&|\n").contains(c)) {
        endCommand();
        ++at;
      } else if (c == '(' || c == ')') {
        endCommand();
        c == '(' ? ++depth : depth -= depth > 0;
        ++at;
      } else if (c == '<' || c == '>')
        skipRedirection();
      else
        takeWord();
    }
    endCommand();
    return std::move(commands);
  }

private:
  void endCommand() {
    // The words of a loop's head are no command.
    if (!current.words.empty() && current.words[0].raw != "for" &&
        current.words[0].raw != "case") {
      current.depth = depth;
      commands.push_back(std::move(current));
    }
    current = ShellCommand();
  }

  void skipRedirection() {
    while (at < line.size() && StringRef("<>&|").contains(line[at]))
      ++at;
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t'))
      ++at;
    if (at < line.size() && !isEndOfWord(line[at]))
      readWord();
  }

  static bool isEndOfWord(char c) {
    return isSpace(c) || StringRef(";&|()<>").contains(c);
  }

  void takeWord() {
    ShellWord word = readWord();
    // The number of a descriptor in front of its redirection.
    if (at < line.size() && (line[at] == '<' || line[at] == '>') &&
        all_of(word.raw, isDigit))
      return;
    if (current.words.empty() && isKeyword(word.raw))
      return;
    current.words.push_back(std::move(word));
  }

  ShellWord readWord() {
    ShellWord word;
    size_t begin = at;
    while (at < line.size() && !isEndOfWord(line[at]))
      readPart(word);
    word.raw = line.slice(begin, at).str();
    return word;
  }

  void readPart(ShellWord &word) {
    char c = line[at];
    if (c == '\'') {
      size_t end = std::min(line.find('\'', at + 1), line.size());
      word.text += line.slice(at + 1, end);
      at = std::min(end + 1, line.size());
    } else if (c == '"') {
      ++at;
      while (at < line.size() && line[at] != '"')
        readCharacter(word, /*quoted=*/true);
      at = std::min(at + 1, line.size());
    } else {
      readCharacter(word, /*quoted=*/false);
    }
  }

  void readCharacter(ShellWord &word, bool quoted) {
    char c = line[at];
    if (c == '\\' && at + 1 < line.size()) {
      char next = line[at + 1];
      if (quoted && !StringRef("\\\"$`\n").contains(next))
        word.text += c;
      if (next != '\n')
        word.text += next;
      at += 2;
      return;
    }
    if (c == '`' || (c == '$' && line.substr(at).starts_with("$("))) {
      word.expands = true;
      skipSubstitution();
      return;
    }
    word.expands |= c == '$' || (!quoted && StringRef("*?[~").contains(c));
    word.text += c;
    ++at;
  }

  void skipSubstitution() {
    if (line[at] == '`') {
      for (++at; at < line.size() && line[at] != '`'; ++at)
        at += line[at] == '\\';
      at = std::min(at + 1, line.size());
      return;
    }
    unsigned open = 0;
    for (++at; at < line.size();) {
      char c = line[at];
      ShellWord inner;
      if (c == '\'' || c == '"' || c == '\\' || c == '`') {
        readPart(inner);
        continue;
      }
      open += (c == '(') - (c == ')');
      ++at;
      if (!open)
        return;
    }
  }

  StringRef line;
  size_t at = 0;
  unsigned depth = 0;
  ShellCommand current;
  std::vector<ShellCommand> commands;
};

} // namespace

std::vector<ShellCommand> parseShellLine(StringRef line) {
  return ShellLineParser(line).parse();
}

bool isAssignment(StringRef raw) {
  StringRef name = raw.take_until([](char c) { return c == '='; });
  return name.size() < raw.size() && !name.empty() && !isDigit(name[0]) &&
         all_of(name, [](char c) { return isAlnum(c) || c == '_'; });
}

} // namespace nvmove
