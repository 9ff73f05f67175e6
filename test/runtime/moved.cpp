//===- moved.cpp - a scenario of statics that lie elsewhere ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "moved.h"
#include "support.h"
#include <cstring>
#include <random>
#include <unistd.h>

NVM_TYPE(Guest);

namespace {
using namespace nvmtest;

struct Room {
  long number;
};
/// A member of a circular list with a static head.
struct Guest {
  Guest *next, *previous;
  Room *room;
  long number;
};
constexpr int RoomCount = 8;

// Where the statics of the processes lie: the one's list where another has its
// rooms.
alignas(64) unsigned char image[1024];
Guest *inn;
Room *rooms, *best; ///< the second is a root
long movedSteps;

void registerMoved() {
  static const nvm_field guest[] = {
      NVM_POINTER(Guest, next), NVM_POINTER(Guest, previous),
      NVM_POINTER(Guest, room), NVM_FIELD(Guest, number)};
  nvm_layout(&nvm_type_Guest, sizeof(Guest), guest, 4);
  size_t place = size_t(getpid()) % 5;
  inn = reinterpret_cast<Guest *>(image + place * 40);
  rooms = reinterpret_cast<Room *>(image + 512 - place * 64);
  memset(image, 0, sizeof(image));
  for (int i = 0; i < RoomCount; i++)
    rooms[i].number = i;
  inn->next = inn->previous = inn;
  best = rooms;
  nvm_root_pointers("inn.next", &inn->next, sizeof(void *));
  nvm_root_pointers("inn.previous", &inn->previous, sizeof(void *));
  NVM_ROOT_POINTERS(best);
  NVM_ROOT(movedSteps);
  nvm_register_static("inn", inn, sizeof(Guest), sizeof(Guest));
  nvm_register_static("rooms", rooms, RoomCount * sizeof(Room), sizeof(Room));
}

struct Arrival {
  bool leaves; ///< the first of the list does
  long number;
};
std::vector<Arrival> arrivals(long step) {
  std::mt19937 random(static_cast<unsigned>(step) + 4000);
  std::vector<Arrival> all(4);
  for (Arrival &a : all)
    a = {random() % 3 == 0, long(random() % 1000)};
  return all;
}

void movedStep() {
  for (const Arrival &a : arrivals(++movedSteps)) {
    if (a.leaves && inn->next != inn) {
      Guest *g = inn->next;
      NVM(g->next->previous) = inn;
      NVM(inn->next) = g->next;
      nvm_free(g);
    } else {
      auto *g = static_cast<Guest *>(nvm_alloc(&nvm_type_Guest, sizeof(Guest)));
      REQUIRE(g);
      *NVM_OBJ(g) = {inn, inn->previous, &rooms[a.number % RoomCount],
                     a.number};
      NVM(inn->previous->next) = g;
      NVM(inn->previous) = g;
      best = g->room;
    }
  }
}

void movedCheck(long steps) {
  std::vector<long> model;
  long last = 0;
  for (long k = 1; k <= steps; k++)
    for (const Arrival &a : arrivals(k))
      if (a.leaves && !model.empty()) {
        model.erase(model.begin());
      } else {
        model.push_back(a.number);
        last = a.number;
      }
  REQUIRE(movedSteps == steps);
  REQUIRE(best == &rooms[last % RoomCount]);
  Guest *previous = inn, *g = inn->next;
  for (long number : model) {
    REQUIRE(g != inn && g->previous == previous && g->number == number);
    REQUIRE(g->room == &rooms[number % RoomCount]);
    previous = g;
    g = g->next;
  }
  REQUIRE(g == inn && inn->previous == previous);
}

} // namespace

namespace nvmtest {

Scenario movedScenario() {
  return {"moved", registerMoved, [] { return movedSteps; }, movedStep,
          movedCheck};
}

} // namespace nvmtest
