//===- TrialPage.cpp - A trial on the page of the report ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Html.h"
#include "tool/trial/TrialText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace nvmove {

namespace {

/// Around all that a trial adds, so that the next one can replace it.
constexpr StringLiteral begins = "<!-- trial -->", ends = "<!-- /trial -->";

std::string marked(const Twine &text) { return (begins + text + ends).str(); }

void removeEarlier(std::string &page) {
  for (size_t at; (at = page.find(begins)) != std::string::npos;) {
    size_t end = page.find(ends, at);
    if (end == std::string::npos)
      return;
    page.erase(at, end + ends.size() - at);
  }
}

/// In the row of the finding, whether it has that alone or with others.
void addToFinding(std::string &page, const ToldFinding &finding,
                  const std::string &text) {
  std::string what = escape(finding.what);
  for (StringRef before : {"</td><td>", "</span> "}) {
    size_t at = page.find(before.str() + what);
    size_t end = at == std::string::npos ? at : page.find("</td></tr>", at);
    if (end == std::string::npos)
      continue;
    page.insert(end, marked("<p class=\"trial\">" + text + "</p>"));
    return;
  }
}

void addToFindings(std::string &page, const TrialResult &r,
                   ArrayRef<TrialDifference> list, StringRef heading) {
  for (const TrialDifference &d : list)
    for (const ToldFinding &finding : d.told)
      addToFinding(
          page, finding,
          (heading + escape(placeOf(r, d) + differenceText(r, d))).str());
}

void row(const std::string &text, const std::string &advice,
         std::string &html) {
  html += "<tr class=\"item\"><td>" + escape(text);
  if (!advice.empty())
    html += "<p class=\"advice\">" + escape(advice) + "</p>";
  html += "</td></tr>\n";
}

std::string section(const TrialResult &r, const Options &options) {
  constexpr size_t shown = 5;
  std::string html = "<section class=\"findings ";
  html += r.losses.empty() ? "notes" : "act";
  html +=
      "\"><h2 id=\"trial\">A trial: " +
      (r.losses.empty() ? "nothing is lost" : "lost after " + timesLost(r)) +
      "</h2>\n<p class=\"soft\">" + escape(whatWasDone(r, options)) + "</p>\n";
  if (!r.losses.empty())
    html += "<table>\n";
  for (const TrialLoss &loss : ArrayRef(r.losses).take_front(shown))
    row(lossText(r, loss), "", html);
  for (const TrialDifference &d : r.differences) {
    bool told = any_of(d.told, [](auto &f) { return f.severity != "note"; });
    std::string next = nextStep(d);
    if (!told)
      next += (next.empty() ? "" : "; ") +
              std::string("no finding says so: please report it");
    row(placeOf(r, d) + differenceText(r, d), next, html);
  }
  if (!r.losses.empty())
    html += "</table>\n";
  return html + "</section>\n";
}

} // namespace

std::string pageWithTrial(std::string page, const TrialResult &r,
                          const Options &options) {
  removeEarlier(page);
  size_t findings = page.find("<section class=\"findings act\">");
  size_t links = page.find("<nav>");
  if (findings == std::string::npos || links > findings)
    return page;
  std::string before = page.substr(0, findings), after = page.substr(findings);
  addToFindings(after, r, r.differences, "seen in a trial: ");
  addToFindings(after, r, r.questions, "seen in a trial, not in its answers: ");
  before.insert(links + StringRef("<nav>").size(),
                marked("<a href=\"#trial\"><b>" + utostr(r.losses.size()) +
                       "</b> lost in a trial</a> "));
  return before + marked(section(r, options)) + after;
}

} // namespace nvmove
