//===- HtmlGraph.cpp - The drawing in report.html ---------------- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Html.h"
#include "tool/report/TypeGraph.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace nvmove {

static constexpr unsigned boxHeight = 28, rowHeight = 92, margin = 24;

namespace {

struct Frame {
  explicit Frame(const TypeGraph::Box &box)
      : left(box.x + margin), top(box.row * rowHeight + margin),
        right(left + box.width), bottom(top + boxHeight),
        middle(left + box.width / 2) {}
  unsigned left, top, right, bottom, middle;
};

/// Down, up along the side, or round a corner: edges bend away from boxes.
std::string route(const TypeGraph::Box &a, const TypeGraph::Box &b,
                  bool itself) {
  Frame from(a), to(b);
  if (itself)
    return formatv("M{0} {1} C{2} {3} {2} {4} {0} {5}", from.right,
                   from.top + 8, from.right + 20, from.top, from.bottom,
                   from.bottom - 8)
        .str();
  int bend = rowHeight / 2;
  if (a.row < b.row)
    return formatv("M{0} {1} C{0} {2} {3} {4} {3} {5}", from.middle,
                   from.bottom, from.bottom + bend, to.middle,
                   int(to.top) - bend, to.top - 1)
        .str();
  if (a.row == b.row)
    return formatv("M{0} {1} C{0} {2} {3} {2} {3} {4}", from.middle,
                   from.bottom, from.bottom + bend, to.middle, to.bottom + 1)
        .str();
  return formatv("M{0} {1} C{0} {2} {3} {4} {3} {5}", from.middle + 8, from.top,
                 int(from.top) - bend, to.middle + 8, to.bottom + bend,
                 to.bottom + 1)
      .str();
}

const char *className(TypeGraph::Edge::Kind kind) {
  switch (kind) {
  case TypeGraph::Edge::Points:
    return "points";
  case TypeGraph::Edge::MayPoint:
    return "may";
  case TypeGraph::Edge::Holds:
    return "holds";
  }
  return "";
}

} // namespace

void drawGraph(const TypeGraph &graph, raw_ostream &os) {
  unsigned width = graph.width + 2 * margin;
  unsigned height = graph.rows * rowHeight + margin;
  os << formatv("<svg role=\"img\" aria-label=\"roots, types, and the pointers "
                "between them\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
                "{1}\">\n",
                width, height)
     << "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
        "markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" "
        "orient=\"auto-start-reverse\"><path d=\"M0 0L8 4L0 "
        "8z\"/></marker></defs>\n";
  for (const TypeGraph::Edge &e : graph.edges)
    os << formatv("<path class=\"edge {0}\" data-from=\"{1}\" "
                  "data-to=\"{2}\" marker-end=\"url(#arrow)\" "
                  "d=\"{3}\"><title>{4}</title></path>\n",
                  className(e.kind), e.from, e.to,
                  route(graph.boxes[e.from], graph.boxes[e.to], e.from == e.to),
                  escape(e.label + " leads to " + graph.boxes[e.to].label));
  size_t roots = 0, types = 0;
  for (size_t i = 0; i < graph.boxes.size(); ++i) {
    const TypeGraph::Box &box = graph.boxes[i];
    bool isRoot = box.record == None;
    Frame frame(box);
    os << formatv("<a href=\"#{0}-{1}\"><g class=\"box {0}\" "
                  "data-box=\"{2}\"><rect x=\"{3}\" y=\"{4}\" width=\"{5}\" "
                  "height=\"{6}\"/><text x=\"{7}\" y=\"{8}\" "
                  "text-anchor=\"middle\">{9}</text></g></a>\n",
                  isRoot ? "root" : "type", isRoot ? roots++ : types++, i,
                  frame.left, frame.top, box.width, boxHeight, frame.middle,
                  frame.top + 18, escape(box.label));
  }
  os << "</svg>\n";
}

} // namespace nvmove
