// Words into classes such that neighbouring classes tell most of each other: the exchange
// algorithm (Kneser & Ney 1993; Martin, Liermann & Ney 1998) for Brown's objective.
//
// 1. Words are dealt out to the classes in the order of their frequency. (A class for each of the
//    most frequent words and one for all others is a worse start: on Multi30k the sweeps end 0.003
//    to 0.006 nats lower.)
// 2. A sweep goes over all words. Blocks of words find, in parallel and with all classes as they
//    are, the class where each would be best; then, one after the other, a word moves there if
//    that raises the mutual information as the classes are by then.
//
// Blocks do not depend on the number of threads, so neither does the result.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/string_index.hh"
#include "corpus/class_counts.hh"
#include "corpus/neighbours.hh"

namespace tunesmith::corpus {

class WordExchange {
 public:
  // The text is as in EncodedLines, ids below `vocabulary`. Words that occur less often than
  // `min_count` share one class that nothing joins or leaves. With fewer words than `classes`
  // every word has a class of its own. Throws Error when the text has no words to cluster.
  WordExchange(std::span<const std::uint64_t> sentences, std::span<const std::uint32_t> ids,
               std::uint32_t vocabulary, std::uint32_t classes, std::uint32_t min_count,
               int threads);

  // Goes over all words once; returns how many changed their class.
  std::uint64_t sweep();
  // The mutual information of neighbouring classes, in nats.
  double information() const { return counts_.information(h_); }

  // Classes without those of the boundary and of rare words.
  std::uint32_t classes() const { return classes_; }
  // The class of every word of the vocabulary; kMissing for rare words.
  std::vector<std::uint32_t> assignment() const;
  // A path of 0s and 1s for every class: see class_tree.hh.
  std::vector<std::string> paths() const;

 private:
  // What stands around a word, by class.
  struct Context {
    std::vector<std::uint32_t> left, right;            // counts, of all classes
    std::vector<std::uint32_t> left_some, right_some;  // the classes with counts
    std::uint32_t self = 0;                            // the word after itself
    std::vector<double> gains;
  };

  void rank_words(std::span<const std::uint32_t> ids, std::uint32_t vocabulary,
                  std::uint32_t min_count);
  // Fills proposed_ for the words from `begin` to `end`.
  void propose(std::uint32_t begin, std::uint32_t end);
  void gather(std::uint32_t word, Context& context) const;
  void clear(Context& context) const;
  // What T·I gains when the word, taken out of its class, is put into each of the classes …
  void find_gains(std::uint32_t word, Context& context) const;
  // … or into the class `to`.
  double gain(std::uint32_t word, std::uint32_t from, std::uint32_t to,
              const Context& context) const;
  void move(std::uint32_t word, std::uint32_t to, const Context& context);

  CountEntropy h_;
  int threads_;
  std::uint32_t words_ = 0, classes_;
  std::vector<std::uint32_t> rank_of_;    // id → rank by frequency, or that of all rare words
  std::vector<std::uint32_t> frequency_;  // by rank
  std::vector<std::uint32_t> class_of_;   // by rank
  Neighbours left_, right_;
  ClassCounts counts_;
  std::vector<Context> contexts_;        // one a thread
  std::vector<std::uint32_t> proposed_;  // of the words of a block
};

}  // namespace tunesmith::corpus
