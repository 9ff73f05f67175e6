//===- TrialJson.cpp - A trial for programs: trial.json -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/TrialText.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace nvmove {

namespace {

json::Value nullIfEmpty(const std::string &text) {
  return text.empty() ? json::Value(nullptr) : json::Value(json::fixUTF8(text));
}

json::Array describe(const TrialResult &r, ArrayRef<TrialDifference> list) {
  json::Array result;
  for (const TrialDifference &d : list) {
    const StaticVariable &v = r.statics[d.variable];
    json::Array told;
    for (const ToldFinding &f : d.told)
      told.push_back(json::Object{{"id", f.id}, {"severity", f.severity}});
    result.push_back(json::Object{
        {"static", v.name},
        {"location", v.file.empty()
                         ? json::Value(nullptr)
                         : json::Object{{"file", json::fixUTF8(shownFile(v))},
                                        {"line", int64_t(v.line)}}},
        {"path", d.path},
        {"undisturbed", json::fixUTF8(d.undisturbed)},
        {"afterKill", json::fixUTF8(d.killed)},
        {"places", int64_t(d.places)},
        {"lasting", d.lasting},
        {"certain", d.certain},
        {"asAtStart", d.asAtStart},
        {"kept", d.kept},
        {"killedAfter", int64_t(d.killedAfter)},
        {"findings", std::move(told)},
        {"command", nullIfEmpty(d.command)}});
  }
  return result;
}

json::Object describe(const TrialLoss &loss) {
  const char *kind = loss.kind == TrialLoss::Kind::Hang    ? "hang"
                     : loss.kind == TrialLoss::Kind::Death ? "death"
                                                           : "answer";
  return json::Object{{"kind", kind},
                      {"killedAfter", int64_t(loss.killedAfter)},
                      {"event", int64_t(loss.event)},
                      {"atStart", loss.atStart},
                      {"ended", loss.ended},
                      {"line", int64_t(loss.line)},
                      {"undisturbed", json::fixUTF8(loss.want)},
                      {"afterKill", json::fixUTF8(loss.got)},
                      {"how", json::fixUTF8(loss.how)}};
}

json::Array strings(ArrayRef<std::string> texts) {
  json::Array result;
  for (const std::string &text : texts)
    result.push_back(json::fixUTF8(text));
  return result;
}

} // namespace

std::string trialJson(const TrialResult &r, const Options &options) {
  json::Array losses;
  for (const TrialLoss &loss : r.losses)
    losses.push_back(describe(loss));
  json::Value smallest = nullptr;
  if (!r.smallest.empty())
    smallest =
        json::Object{{"lines", strings(r.smallest)},
                     {"killedAfter", int64_t(r.smallestLoss.killedAfter)},
                     {"event", int64_t(r.smallestLoss.event)}};
  return formatv("{0:2}\n",
                 json::Value(json::Object{
                     {"schemaVersion", 1},
                     {"tool", json::Object{{"name", "nvmove"},
                                           {"version", NVMOVE_VERSION}}},
                     {"program", strings(*options.flags)},
                     {"input", nullIfEmpty(options.trialInput)},
                     {"driver", nullIfEmpty(options.driver)},
                     {"lines", int64_t(r.lines.size())},
                     {"endsAtLine", int64_t(r.endsAtLine)},
                     {"memory", !r.waits   ? "none"
                                : r.byType ? "types"
                                           : "bytes"},
                     {"memoryComplete", r.complete},
                     {"answersLate", r.late},
                     {"answersNothing", r.silent},
                     {"cutShort", r.cutShort},
                     {"killedAtRest", int64_t(r.killedAtRest)},
                     {"killedInside", int64_t(r.killedInside)},
                     {"killedAtStart", int64_t(r.killedAtStart)},
                     {"ended", int64_t(r.ended)},
                     {"events", int64_t(r.events)},
                     {"lost", !r.losses.empty()},
                     {"losses", std::move(losses)},
                     {"differences", describe(r, r.differences)},
                     {"questions", describe(r, r.questions)},
                     {"told", r.told},
                     {"findingsToActOn", strings(r.acts)},
                     {"findingsToCheck", strings(r.checks)},
                     {"smallestInput", std::move(smallest)},
                     {"differByThemselves", strings(r.ownDifferences)},
                     {"answersDiffer", strings(r.changingAnswers)},
                     {"notLookedAt", strings(r.notLookedAt)}}))
      .str();
}

} // namespace nvmove
