// The n-grams of a model as lists with links between them: what an ARPA file says, what the
// estimator makes, what the builder turns into a Model, and what the ARPA writer prints.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_index.hh"
#include "lm/model.hh"

namespace tunesmith::lm {

// All n-grams of one order. Contexts and suffixes are places in the list of the order below; the
// suffix of a unigram and the context of a unigram are nothing and not listed.
struct OrderNgrams {
  std::vector<std::uint32_t> context;  // all words but the last
  std::vector<WordId> word;            // the last word
  std::vector<std::uint32_t> suffix;   // all words but the first
  std::vector<float> log10;
  std::vector<float> backoff;  // empty for the highest order
  std::size_t size() const { return log10.size(); }
};

// The words of a class-based model.
struct ClassLayer {
  StringIndex words;
  std::vector<ClassedWord> classes;  // by place in `words`
};

struct Ngrams {
  // <unk>, <s>, </s> are words 0, 1, 2; the unigram of a word is at its id.
  StringIndex vocabulary;
  std::vector<OrderNgrams> orders;
  // How many n-grams of each order count: those behind them were added to complete the suffixes
  // and are left out of ARPA files.
  std::vector<std::uint64_t> counts;
  // Without an <unk> of its own a model has one with probability 10^−100 that is not printed.
  bool has_unknown = true;
  // Empty for a model of words.
  ClassLayer layer;
  int order() const { return static_cast<int>(orders.size()); }
};

// A vocabulary that starts with the three markers.
StringIndex marker_vocabulary();

std::shared_ptr<const Model> build_model(Ngrams&& ngrams);

// The n-grams of a model, in no particular order.
Ngrams unpack(const Model& model);

// Puts the n-grams of every order into the order of their last words, then of the words before
// those, and so on (words by id). `keep`, if given, says which n-grams of an order remain; with an
// n-gram its context and suffix must remain.
void sort_ngrams(Ngrams& ngrams, const std::vector<std::vector<bool>>* keep = nullptr);

// Prints an ARPA file, piece by piece, in the order of the lists; numbers have the fewest digits
// that read back to the same float.
void write_arpa(const Ngrams& ngrams, const std::function<void(std::string_view)>& write);

}  // namespace tunesmith::lm
