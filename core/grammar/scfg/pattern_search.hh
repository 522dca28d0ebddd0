// Where the patterns of an input stand in the corpus.
//
// A pattern without gaps is a range of the suffix array. One with gaps is a list, filtered from
// where its prefix or its suffix stands, whichever is less work; for two of the most frequent words
// the index has the list. What stands in more than `candidates` places is thinned by a fixed
// stride, and each place that is left then stands for several: how many depends on nothing but the
// corpus and the pattern, so a pattern has the same rules in every input.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/scfg/hiero_index.hh"
#include "grammar/scfg/source_patterns.hh"

namespace tunesmith::grammar {

struct PatternPlaces {
  SuffixRange range;               // without gaps
  std::vector<Occurrence> places;  // with gaps
  double weight = 1.0;             // what a place of the list stands for
  bool is_range = true;

  std::uint64_t size() const { return is_range ? range.size() : places.size(); }
  bool empty() const { return size() == 0; }
};

class PatternSearch {
 public:
  PatternSearch(const HieroIndex& index, const SourcePatterns& patterns)
      : index_(index), patterns_(patterns), options_(index.options()) {}

  // Looks up the next pattern, from 1 on.
  const PatternPlaces& next();
  const PatternPlaces& operator[](std::uint32_t pattern) const { return found_[pattern]; }

 private:
  void look_up(const SourcePattern& pattern, PatternPlaces& out) const;
  void from_prefix(const SourcePattern& pattern, PatternPlaces& out) const;
  void from_suffix(const SourcePattern& pattern, PatternPlaces& out) const;
  bool read_collocations(const SourcePattern& pattern, PatternPlaces& out) const;
  // Calls visit(occurrence, end of its last word) for the places of a pattern, thinned; returns
  // what each stands for.
  template <typename Visit>
  double each(std::uint32_t pattern, Visit visit) const;
  // What each candidate of a pattern stands for, and how many there are.
  double weight_of(std::uint32_t pattern) const;
  std::uint64_t cost_of(std::uint32_t pattern) const;

  const HieroIndex& index_;
  const SourcePatterns& patterns_;
  const HieroOptions& options_;
  std::vector<PatternPlaces> found_{1};
};

}  // namespace tunesmith::grammar
