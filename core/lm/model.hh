// A back-off n-gram model as an automaton, the form that decoders query.
//
// 1. A node is a context: an n-gram shorter than the order that some longer n-gram continues, or
//    whose back-off weight is not zero. Node 0 is the empty context. Nodes are numbered by length.
// 2. A State is the node of the longest context that can still matter: two hypotheses with equal
//    states have equal futures, and a state is one integer.
// 3. The table holds every n-gram of two words or more under the exact key (context node, word):
//    its log-probability and the node that follows. Single words have an array of their own.
// 4. To score a word, look it up under the state's node; where it is missing, add the node's
//    back-off weight, go to the node's suffix (its longest proper suffix that is a node), repeat.
//    Under node 0 every word is found.
// The builder adds what a pruned ARPA file may leave out (an n-gram whose suffix is missing) with
// the score that back-off gives it, so that an n-gram of the model always has its suffix there.
//
// A class-based model is a model of classes, p(class | classes before), and a list of words: each
// word is one of a class and has p(word | class), which does not depend on the context.
//
// Scores are log10, as in ARPA files; kLn10 turns them into natural logs.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/array_file.hh"
#include "base/hash.hh"
#include "lm/vocabulary.hh"

namespace tunesmith::lm {

constexpr float kLn10 = 2.302585093f;
// The longest order of a model that can be queried.
constexpr int kMaxOrder = 12;

struct State {
  std::uint32_t node = 0;
  friend bool operator==(State, State) = default;
};

struct WordScore {
  float log10;
  // How many words the n-gram has that gave the probability.
  int length;
  // Whether a longer n-gram ends in this one: only then can more words on the left change the
  // probability other than by back-off weights.
  bool extends_left;
};

// A log-probability (≤ 0) and one bit in four bytes: the sign is the bit.
struct FlaggedLog {
  float stored;
  static FlaggedLog make(float log10, bool flag) {
    return {std::copysign(log10, flag ? -1.0f : 1.0f)};
  }
  float log10() const { return -std::fabs(stored); }
  bool flag() const { return std::signbit(stored); }
};

struct Unigram {
  FlaggedLog prob;  // flag: extends_left
  std::uint32_t next;
};

struct Node {
  float backoff;
  std::uint32_t suffix;
};

struct Entry {
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;
  std::uint32_t context = kEmpty;
  WordId word = 0;
  FlaggedLog prob{0.0f};  // flag: extends_left
  std::uint32_t next = 0;
};

// One cache line. An entry stands in the first free place of its bucket or of those behind it.
struct alignas(64) Bucket {
  static constexpr int kSize = 4;
  Entry entries[kSize];
};

// A word of a class-based model: its class (a word of the model's vocabulary), log10 p(word|class).
struct ClassedWord {
  WordId id = kUnknown;
  float log10 = 0.0f;
};

// What a model is made of; the builder fills it, a file holds it.
struct ModelArrays {
  std::vector<char> vocabulary_bytes;
  std::vector<std::uint64_t> vocabulary_ends;
  std::vector<Vocabulary::Slot> vocabulary_slots;
  std::vector<Unigram> unigrams;
  std::vector<Node> nodes;
  std::vector<Bucket> buckets;
  // n-grams of each order in the ARPA file; blanks not counted.
  std::vector<std::uint64_t> counts;
  // First node of length 1, 2, …, order − 1, and the number of nodes.
  std::vector<std::uint32_t> node_begin;
  // The n-grams (context, word) that the builder added, sorted; an ARPA file omits them.
  std::vector<std::uint64_t> blanks;
  // Whether the ARPA file had an <unk>; else it has probability 10^−100, as in KenLM.
  bool has_unknown = true;
  // The words of a class-based model; empty for a model of words.
  std::vector<char> word_bytes;
  std::vector<std::uint64_t> word_ends;
  std::vector<Vocabulary::Slot> word_slots;
  std::vector<ClassedWord> classed_words;
};

constexpr float kMissingUnknownLog10 = -100.0f;

class Model {
 public:
  explicit Model(ModelArrays&& arrays);
  // Maps a binary model. All of it is checked, so that queries need not look out.
  static std::shared_ptr<const Model> map(const std::string& path);
  Model(const Model&) = delete;
  void save(const std::string& path) const;

  // The file it was mapped from; empty for a model that was made in memory.
  const std::string& path() const { return path_; }
  // See MappedFile; a model that was made in memory stays there.
  void give_back() const;
  int order() const { return static_cast<int>(counts_.size()); }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  std::span<const std::uint64_t> counts() const { return counts_; }
  bool has_unknown() const { return has_unknown_; }

  bool has_classes() const { return words_.size() > 0; }
  // What score() takes for a word of a text, and what its score gets besides: 0 in a model of
  // words, log10 p(word|class) in a class-based one.
  ClassedWord lookup(std::string_view word) const {
    if (!has_classes()) return {vocabulary_.word(word), 0.0f};
    const WordId place = words_.find_or(word, Vocabulary::kMissing);
    return place == Vocabulary::kMissing ? ClassedWord{} : classed_words_[place];
  }
  // Appends the ids of the words of `line`, and in a class-based model their own log10.
  void encode(std::string_view line, std::vector<WordId>& ids, std::vector<float>& own) const;

  // The state at the start of a sentence, and the one that knows nothing of the left.
  State begin_state() const { return {unigrams_[kBegin].next}; }
  static State null_state() { return {}; }

  // log10 p(word | in); `out` may be `in`. `word` must be an id of the vocabulary.
  float score(State in, WordId word, State& out) const {
    float backoff = 0.0f;
    std::uint32_t node = in.node;
    while (node != 0) {
      if (const Entry* entry = find(node, word)) {
        out.node = entry->next;
        return entry->prob.log10() + backoff;
      }
      backoff += nodes_[node].backoff;
      node = nodes_[node].suffix;
    }
    out.node = unigrams_[word].next;
    return unigrams_[word].prob.log10() + backoff;
  }

  WordScore full_score(State in, WordId word, State& out) const {
    float backoff = 0.0f;
    std::uint32_t node = in.node;
    while (node != 0) {
      if (const Entry* entry = find(node, word)) {
        out.node = entry->next;
        return {entry->prob.log10() + backoff, length({node}) + 1, entry->prob.flag()};
      }
      backoff += nodes_[node].backoff;
      node = nodes_[node].suffix;
    }
    const Unigram& unigram = unigrams_[word];
    out.node = unigram.next;
    return {unigram.prob.log10() + backoff, 1, unigram.prob.flag()};
  }

  // Starts loading what score(in, word) will read first.
  void prefetch(State in, WordId word) const {
    if (in.node != 0) {
      __builtin_prefetch(&buckets_[bucket_of(in.node, word)]);
      __builtin_prefetch(&nodes_[in.node]);
    } else {
      __builtin_prefetch(&unigrams_[word]);
    }
  }

  // How many words a state remembers.
  int length(State state) const {
    int length = 0;
    for (int n = 1; n < order(); ++n) length += state.node >= node_begin_[n - 1];
    return length;
  }

  // The back-off weights from `state` down to the longest context of at most `length` words.
  float backoff_to(State state, int length) const {
    float sum = 0.0f;
    if (length + 1 >= order()) return sum;
    const std::uint32_t first_longer = node_begin_[length];
    for (std::uint32_t node = state.node; node >= first_longer; node = nodes_[node].suffix)
      sum += nodes_[node].backoff;
    return sum;
  }

  // The n-gram (context node, word), or null; the context must not be node 0.
  const Entry* find(std::uint32_t node, WordId word) const {
    for (const Bucket* bucket = &buckets_[bucket_of(node, word)];;) {
      for (const Entry& entry : bucket->entries) {
        if (entry.word == word && entry.context == node) return &entry;
        if (entry.context == Entry::kEmpty) return nullptr;
      }
      if (++bucket == buckets_.data() + buckets_.size()) bucket = buckets_.data();
    }
  }

  std::size_t bucket_of(std::uint32_t node, WordId word) const {
    return bucket_of(node, word, buckets_.size());
  }
  static std::size_t bucket_of(std::uint32_t node, WordId word, std::size_t buckets) {
    std::uint64_t h = ((static_cast<std::uint64_t>(node) << 32) | word) * 0x9e3779b97f4a7c15ULL;
    h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ULL;
    return static_cast<std::size_t>((static_cast<unsigned __int128>(h) * buckets) >> 64);
  }

  std::span<const Unigram> unigrams() const { return unigrams_; }
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Bucket> buckets() const { return buckets_; }
  std::span<const std::uint64_t> blanks() const { return blanks_; }

 private:
  Model() = default;
  // That the arrays fit together, and that no query can leave them or run for ever, whoever wrote
  // the file.
  void check() const;

  Vocabulary vocabulary_, words_;
  std::span<const ClassedWord> classed_words_;
  std::span<const Unigram> unigrams_;
  std::span<const Node> nodes_;
  std::span<const Bucket> buckets_;
  std::span<const std::uint64_t> counts_;
  std::span<const std::uint32_t> node_begin_;
  std::span<const std::uint64_t> blanks_;
  bool has_unknown_ = true;
  std::string path_;
  std::shared_ptr<const void> storage_;  // the ModelArrays or the mapped file
  const ArrayFile* file_ = nullptr;      // the latter
};

}  // namespace tunesmith::lm
