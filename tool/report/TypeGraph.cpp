//===- TypeGraph.cpp - Roots and types as a drawing --------------- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/TypeGraph.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <deque>

using namespace llvm;

namespace nvmove {

/// Wide enough for the desktop; a phone scrolls.
static constexpr unsigned widest = 1040;
static constexpr unsigned gap = 22, padding = 20;
/// Of the monospaced font in which boxes are labelled.
static constexpr unsigned letterTenths = 73;

TypeGraph::TypeGraph(const Report &report)
    : facts(report.input.facts), names(report) {
  addBoxes(report);
  addRootEdges(report);
  addTypeEdges(report);
  assignLayers();
  orderLayers();
}

void TypeGraph::addBoxes(const Report &report) {
  auto add = [&](std::string label, Id record) {
    Box box;
    box.width = unsigned(label.size()) * letterTenths / 10 + padding;
    box.label = std::move(label);
    box.record = record;
    boxes.push_back(std::move(box));
  };
  for (const Root &r : report.solution.restored.roots)
    add(r.path, None);
  for (const PersistentType &t : report.solution.records.types) {
    byRecord[t.record] = boxes.size();
    add(names.record(t.record), t.record);
  }
}

void TypeGraph::connect(Edge::Kind kind, size_t from, Id record,
                        std::string label) {
  if (auto to = byRecord.find(record); to != byRecord.end())
    edges.push_back({kind, from, to->second, std::move(label)});
}

namespace {

struct Target {
  Id record = None;
  bool pointer = false, opaque = false; ///< opaque: void *
};

/// The record behind any pointers and arrays.
Target targetOf(const Facts &facts, Id type) {
  Target result;
  while (type != None) {
    const Type &t = facts.types[type];
    if (t.kind == TypeKind::Record) {
      result.record = t.inner;
      break;
    }
    if (t.kind == TypeKind::Void)
      result.opaque = result.pointer;
    if (t.kind != TypeKind::Pointer && t.kind != TypeKind::Array)
      break;
    result.pointer |= t.kind == TypeKind::Pointer;
    type = t.inner;
  }
  return result;
}

} // namespace

void TypeGraph::addRootEdges(const Report &report) {
  for (size_t i = 0; i < report.solution.restored.roots.size(); ++i) {
    const Root &r = report.solution.restored.roots[i];
    std::vector<Id> types{r.slotType};
    for (const std::vector<Id> &way : r.containerFields)
      types.push_back(facts.fields[way.back()].type);
    size_t before = edges.size();
    for (Id type : types) {
      Target target = targetOf(facts, type);
      connect(target.pointer ? Edge::Points : Edge::Holds, i, target.record,
              r.path);
    }
    // The types whose proofs start here, where the declaration says nothing.
    if (edges.size() == before)
      for (const PersistentType &t : report.solution.records.types)
        if (t.witness.chain.size() == 1 && t.witness.chain[0].slot == r.path)
          connect(Edge::MayPoint, i, t.record, r.path);
  }
}

void TypeGraph::addTypeEdges(const Report &report) {
  for (const FieldResult &f : report.solution.records.fields) {
    const Field &field = facts.fields[f.field];
    auto from = byRecord.find(field.record);
    if (from == byRecord.end())
      continue;
    std::string label = names.field(f.field);
    Target target = targetOf(facts, field.type);
    if (target.record != None)
      connect(target.pointer ? Edge::Points : Edge::Holds, from->second,
              target.record, label);
    else if (target.opaque)
      for (Id record : f.targets)
        connect(Edge::MayPoint, from->second, record, label);
  }
}

void TypeGraph::assignLayers() {
  std::vector<std::vector<size_t>> next(boxes.size());
  for (const Edge &e : edges)
    next[e.from].push_back(e.to);
  std::vector<bool> seen(boxes.size());
  std::deque<size_t> open;
  unsigned deepest = 0;
  auto start = [&](size_t i, unsigned layer) {
    seen[i] = true;
    boxes[i].layer = layer;
    deepest = std::max(deepest, layer);
    open.push_back(i);
  };
  auto spread = [&] {
    for (; !open.empty(); open.pop_front())
      for (size_t to : next[open.front()])
        if (!seen[to])
          start(to, boxes[open.front()].layer + 1);
  };
  for (size_t i = 0; i < boxes.size(); ++i)
    if (boxes[i].record == None)
      start(i, 0);
  spread();
  // What no typed pointer leads to, bytes with a layout of their own, below.
  unsigned last = deepest + 1;
  for (size_t i = 0; i < boxes.size(); ++i)
    if (!seen[i]) {
      start(i, last);
      spread();
    }
  layers.resize(deepest + 1);
  for (size_t i = 0; i < boxes.size(); ++i)
    layers[boxes[i].layer].push_back(i);
}

/// Each box under the middle of what leads to it, a few times over; then rows.
void TypeGraph::orderLayers() {
  std::vector<double> middle(boxes.size());
  auto number = [&](const std::vector<size_t> &layer) {
    for (size_t i = 0; i < layer.size(); ++i)
      middle[layer[i]] = (double(i) + 0.5) / double(layer.size());
  };
  for_each(layers, number);
  for (unsigned sweep = 0; sweep < 4; ++sweep)
    for (auto &layer : layers) {
      std::map<size_t, std::pair<double, unsigned>> sums;
      for (const Edge &e : edges)
        if (e.from != e.to) {
          auto &to = sums[e.to], &from = sums[e.from];
          to = {to.first + middle[e.from], to.second + 1};
          from = {from.first + middle[e.to], from.second + 1};
        }
      stable_sort(layer, [&](size_t a, size_t b) {
        auto mean = [&](size_t i) {
          return sums[i].second ? sums[i].first / sums[i].second : middle[i];
        };
        return mean(a) < mean(b);
      });
      number(layer);
    }
  for (const auto &layer : layers) {
    // As many rows as it takes, all about equally full.
    unsigned total = 0;
    for (size_t i : layer)
      total += boxes[i].width + gap;
    unsigned parts = total / widest + 1, fill = total / parts + gap;
    for (size_t i = 0; i < layer.size();) {
      unsigned x = 0;
      size_t first = i;
      for (; i < layer.size() && (i == first || x < fill) &&
             (i == first || x + boxes[layer[i]].width <= widest);
           ++i) {
        boxes[layer[i]].row = rows;
        boxes[layer[i]].x = x;
        x += boxes[layer[i]].width + gap;
      }
      width = std::max(width, x);
      ++rows;
    }
  }
  // Rows stand in the middle.
  std::vector<unsigned> ends(rows);
  for (const Box &b : boxes)
    ends[b.row] = std::max(ends[b.row], b.x + b.width + gap);
  for (Box &b : boxes)
    b.x += (width - ends[b.row]) / 2;
}

} // namespace nvmove
