// What chart search leaves of a sentence: items (a span, a label and language-model states) and the
// edges that lead to them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.hh"
#include "lm/fragment.hh"

namespace tunesmith::decode {

constexpr std::uint32_t kNothing = 0xFFFFFFFF;

struct ChartEdge {
  std::uint32_t rule = 0;  // of ScoredRules
  std::uint32_t tails[2] = {kNothing, kNothing};
  std::uint32_t next = kNothing;  // another edge to the same item
  std::int32_t begin = 0, end = 0;
  double score = 0.0;  // of the whole derivation, with the best of its tails
};

struct ChartItem {
  double score = 0.0;
  std::uint32_t best = kNothing;   // the edge with that score
  std::uint32_t edges = kNothing;  // the edge that was found last
};

// The words of a lattice that a rule has read: the last one, and those before it.
struct ReadArcs {
  std::uint32_t before = kNothing;
  std::uint32_t edge = 0;  // of the input
  double score = 0.0;      // of all of them
};

struct ChartForest {
  int language_models = 0;
  // What an item keeps: one for each language model, and one if forbidden phrases are watched.
  int state_size = 0;
  std::vector<ChartItem> items;  // tails before heads; the last one is the goal …
  bool reached = false;          // … if the input has words
  std::vector<ChartEdge> edges;
  // Of a lattice: the words that the rule of each edge read itself, a place in `read` or kNothing.
  std::vector<std::uint32_t> edge_arcs;
  std::vector<ReadArcs> read;
  std::vector<lm::Fragment> states;  // of every item, state_size of them
  std::uint64_t pops = 0;
  bool timed_out = false;
  bool glued = false;  // no rule of the grammar spans all of the input

  void clear(int models, bool watches_phrases) {
    language_models = models;
    state_size = models + static_cast<int>(watches_phrases);
    items.clear();
    reached = false;
    edges.clear();
    edge_arcs.clear();
    read.clear();
    states.clear();
    pops = 0;
    timed_out = glued = false;
  }

  // A new item with its first edge and its state_size states; its number.
  std::uint32_t add_item(const ChartEdge& edge, const lm::Fragment* kept) {
    const auto number = static_cast<std::uint32_t>(edges.size());
    items.push_back({edge.score, number, number});
    states.insert(states.end(), kept, kept + state_size);
    edges.push_back(edge);
    return static_cast<std::uint32_t>(items.size() - 1);
  }

  // Another edge to an item that is there.
  void add_edge(std::uint32_t to, ChartEdge edge) {
    const auto number = static_cast<std::uint32_t>(edges.size());
    ChartItem& item = items[to];
    edge.next = item.edges;
    item.edges = number;
    if (edge.score > item.score) {
      item.score = edge.score;
      item.best = number;
    }
    edges.push_back(edge);
  }
  // Whether a time is over; the forest remembers.
  bool out_of_time(double deadline) {
    if (!timed_out && seconds_now() > deadline) timed_out = true;
    return timed_out;
  }
  const lm::Fragment* state(std::uint32_t item) const {
    return states.data() + static_cast<std::size_t>(item) * state_size;
  }
};

}  // namespace tunesmith::decode
