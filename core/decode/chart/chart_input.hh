// What a chart is filled for: a sentence or a lattice, and what a caller prescribes of it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "decode/forbidden_phrases.hh"

namespace tunesmith::decode {

// A word between two nodes of the input, or several that no rule looks into.
struct InputEdge {
  int begin = 0, end = 0;
  std::string word;
  // What it becomes where no rule translates it.
  std::vector<std::string> copy;
  // The word itself is forbidden, so that there is nothing in its copy.
  bool forbidden_copy = false;
  // No rule may look at it: the copy is what the caller wants.
  bool prescribed = false;
  // What a lattice says of it, one value for each arc feature of the model.
  std::vector<float> scores;
  // How many unknown words it is, if it is unknown.
  int unknown = 1;
};

// Nodes are numbered from left to right, every edge leads to a higher number, every node is on a
// way from the first to the last. A sentence is a lattice with one edge between neighbours.
struct ChartInput {
  int nodes = 1;
  std::vector<InputEdge> edges;
  // There may be several ways; spans are then as long as the shortest way through them.
  bool is_lattice = false;
  // Only glue rules stand over a wall, so what is before it is translated first.
  std::vector<int> walls;
  // Spans [begin, end) whose words stay together.
  std::vector<std::pair<int, int>> zones;
  // Phrases that no translation has but in prescribed words; null: there are none.
  const ForbiddenPhrases* forbidden = nullptr;
  // They may not stand in several rules either: otherwise in one alone.
  bool watches_borders = false;
  // Every word that is not prescribed may be left out, as an unknown one.
  bool may_drop = false;
  // The text goes on behind the last node: no end of a sentence.
  bool goes_on = false;
};

}  // namespace tunesmith::decode
