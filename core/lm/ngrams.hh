// The n-grams of a model as plain lists: what an ARPA file says, what the estimator makes, and
// what the builder turns into a Model.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/string_index.hh"
#include "lm/model.hh"

namespace tunesmith::lm {

// All n-grams of one order: n-gram i has the words [i·n, (i+1)·n).
struct OrderNgrams {
  std::vector<WordId> words;
  std::vector<float> log10;
  std::vector<float> backoff;  // empty for the highest order
  std::size_t size() const { return log10.size(); }
};

struct Ngrams {
  // <unk>, <s>, </s> are words 0, 1, 2; the list of unigrams is in the order of the ids.
  StringIndex vocabulary;
  std::vector<OrderNgrams> orders;
  bool has_unknown = true;
  // Where they come from, for messages: n-gram i of order n stands on line first_line[n − 1] + i.
  std::string path;
  std::vector<std::uint64_t> first_line;
  int order() const { return static_cast<int>(orders.size()); }
  std::uint64_t line(int order, std::size_t index) const {
    return first_line.empty() ? 0 : first_line[order - 1] + index;
  }
};

// A vocabulary that starts with the three markers.
StringIndex marker_vocabulary();

// Throws InputError for a repeated n-gram, or one whose context is not an n-gram.
std::shared_ptr<const Model> build_model(Ngrams&& ngrams);

}  // namespace tunesmith::lm
