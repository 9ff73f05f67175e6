//===- DiagnosticsTest.cpp - What is printed, to the letter ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/message/Diagnostics.h"
#include "tool/message/Progress.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace llvm;
using namespace nvmove;

namespace {

std::string printed(Error error, MessageId fallback, bool colours = false) {
  std::string text;
  raw_string_ostream os(text);
  if (colours)
    os.enable_colors(true);
  Diagnostics(os, colours).report(std::move(error), fallback);
  return text;
}

TEST(Diagnostics, WithAndWithoutAPlace) {
  EXPECT_EQ(printed(makeError(MessageId::NothingToAnalyse, "no such thing"),
                    MessageId::SolveFailed),
            "nvmove: error: no such thing [nothing-to-analyse]\n");
  EXPECT_EQ(printed(makeError(MessageId::SourceChanged, "changed", {"a.c"}),
                    MessageId::SolveFailed),
            "a.c: error: changed [source-changed]\n  -> run nvmove again\n");
  EXPECT_EQ(printed(makeError(MessageId::NothingToAnalyse, "text",
                              {"a.c", 3, 7}, {"one", "two"}),
                    MessageId::SolveFailed),
            "a.c:3:7: error: text [nothing-to-analyse]\n  one\n  two\n");
}

// The passes know no ids of the command's messages: [solve-failed],
// [rewrite-failed].
TEST(Diagnostics, ErrorsOfThePassesGetTheirPassesId) {
  EXPECT_EQ(
      printed(createStringError("two edits overlap"), MessageId::RewriteFailed),
      "nvmove: error: two edits overlap [rewrite-failed]\n");
  EXPECT_EQ(printed(createStringError("out of ids"), MessageId::SolveFailed),
            "nvmove: error: out of ids [solve-failed]\n");
}

TEST(Diagnostics, EveryErrorOfSeveralIsPrinted) {
  Error errors =
      joinErrors(makeError(MessageId::NothingToAnalyse, "first"),
                 joinErrors(createStringError("second"),
                            makeError(MessageId::NothingToAnalyse, "third")));
  EXPECT_EQ(printed(std::move(errors), MessageId::RewriteFailed),
            "nvmove: error: first [nothing-to-analyse]\n"
            "nvmove: error: second [rewrite-failed]\n"
            "nvmove: error: third [nothing-to-analyse]\n");
}

TEST(Diagnostics, UnknownNamesSayWhatToDoNext) {
  for (MessageId id : {MessageId::UnknownLoadFunction,
                       MessageId::UnknownFunction, MessageId::UnknownRoot,
                       MessageId::UnknownType, MessageId::OutputFailed})
    EXPECT_NE(messageNext(id), "") << messageName(id).str();
}

TEST(Diagnostics, ColoursOnlyWhereAsked) {
  auto error = [] { return makeError(MessageId::NothingToAnalyse, "x"); };
  EXPECT_EQ(printed(error(), MessageId::Usage).find('\033'), std::string::npos);
  EXPECT_NE(printed(error(), MessageId::Usage, true).find('\033'),
            std::string::npos);
}

TEST(Diagnostics, IdsAreUnique) {
  std::vector<StringRef> ids{
#define MESSAGE(name, id, next) id,
#include "tool/message/Messages.def"
  };
  llvm::sort(ids);
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST(Progress, ShowsOnlyWhatIsSlowAndOnlyOnATerminal) {
  auto longAgo = std::chrono::steady_clock::now() - std::chrono::minutes(1);
  auto shown = [](bool terminal, Progress::Time begin) {
    std::string text;
    raw_string_ostream os(text);
    Progress progress(os, terminal, begin);
    progress.show("reading", 1, 9);
    progress.clear();
    return text;
  };
  EXPECT_EQ(shown(true, longAgo), "\r\033[Knvmove: reading 1/9  60 s\r\033[K");
  EXPECT_EQ(shown(false, longAgo), "");
  EXPECT_EQ(shown(true, std::chrono::steady_clock::now()), "");
}

TEST(Progress, AStepThatBeganEarlyIsShownLater) {
  std::string text;
  raw_string_ostream os(text);
  {
    auto begin =
        std::chrono::steady_clock::now() - std::chrono::milliseconds(1500);
    Progress progress(os, true, begin);
    progress.show("thinking");
    EXPECT_EQ(text, "");
    std::this_thread::sleep_for(std::chrono::milliseconds(1600));
    progress.clear();
  }
  EXPECT_TRUE(StringRef(text).starts_with("\r\033[Knvmove: thinking  2 s"))
      << text;
  EXPECT_TRUE(StringRef(text).ends_with("\r\033[K")) << text;
}

} // namespace
