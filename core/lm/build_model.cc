// From linked lists of n-grams to the automaton: choose the n-grams that are nodes, number them by
// length, fill the table.
#include <algorithm>

#include "lm/ngrams.hh"

namespace tunesmith::lm {
namespace {

// Entries per place of the table: low enough that most lookups end in their own cache line.
constexpr double kTableLoad = 0.62;

class Builder {
 public:
  explicit Builder(Ngrams&& ngrams) : in_(std::move(ngrams)), order_(in_.order()) {}

  ModelArrays build() {
    find_extensions();
    choose_nodes();
    fill();
    return std::move(out_);
  }

 private:
  void find_extensions() {
    extends_left_.resize(order_);
    extends_right_.resize(order_);
    for (int n = 0; n < order_; ++n) {
      extends_left_[n].assign(in_.orders[n].size(), false);
      extends_right_[n].assign(in_.orders[n].size(), false);
    }
    for (int n = 1; n < order_; ++n) {
      for (const std::uint32_t context : in_.orders[n].context)
        extends_right_[n - 1][context] = true;
      for (const std::uint32_t suffix : in_.orders[n].suffix) extends_left_[n - 1][suffix] = true;
    }
  }

  void choose_nodes() {
    out_.nodes.push_back({0.0f, 0});
    next_.resize(order_);
    for (int n = 0; n < order_; ++n) {
      const OrderNgrams& list = in_.orders[n];
      out_.node_begin.push_back(static_cast<std::uint32_t>(out_.nodes.size()));
      next_[n].resize(list.size());
      for (std::size_t i = 0; i < list.size(); ++i) {
        const std::uint32_t shorter = n == 0 ? 0 : next_[n - 1][list.suffix[i]];
        const float backoff = n + 1 < order_ ? list.backoff[i] : 0.0f;
        if (!extends_right_[n][i] && backoff == 0.0f) {
          next_[n][i] = shorter;
        } else {
          next_[n][i] = static_cast<std::uint32_t>(out_.nodes.size());
          out_.nodes.push_back({backoff, shorter});
        }
      }
    }
  }

  void fill() {
    const OrderNgrams& unigrams = in_.orders[0];
    for (std::size_t i = 0; i < unigrams.size(); ++i)
      out_.unigrams.push_back(
          {FlaggedLog::make(unigrams.log10[i], extends_left_[0][i]), next_[0][i]});
    std::size_t longer = 0;
    for (int n = 1; n < order_; ++n) longer += in_.orders[n].size();
    out_.buckets.resize(static_cast<std::size_t>(longer / (Bucket::kSize * kTableLoad)) + 1);
    for (int n = 1; n < order_; ++n) fill_order(n);
    std::sort(out_.blanks.begin(), out_.blanks.end());
    const auto bytes = in_.vocabulary.bytes();
    const auto ends = in_.vocabulary.ends();
    out_.vocabulary_bytes.assign(bytes.begin(), bytes.end());
    out_.vocabulary_ends.assign(ends.begin(), ends.end());
    out_.vocabulary_slots = vocabulary_slots(bytes, ends);
    if (in_.layer.words.size() > 0) {
      const auto word_bytes = in_.layer.words.bytes();
      const auto word_ends = in_.layer.words.ends();
      out_.word_bytes.assign(word_bytes.begin(), word_bytes.end());
      out_.word_ends.assign(word_ends.begin(), word_ends.end());
      out_.word_slots = vocabulary_slots(word_bytes, word_ends);
      out_.classed_words = std::move(in_.layer.classes);
    }
    out_.counts = in_.counts;
    out_.has_unknown = in_.has_unknown;
  }

  void fill_order(int n) {
    const OrderNgrams& list = in_.orders[n];
    // Places of the table are far apart: the next ones are fetched while one is filled.
    constexpr std::size_t kAhead = 16;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i + kAhead < list.size()) {
        const std::size_t soon = i + kAhead;
        __builtin_prefetch(&out_.buckets[Model::bucket_of(next_[n - 1][list.context[soon]],
                                                          list.word[soon], out_.buckets.size())],
                           1);
      }
      const std::uint32_t context = next_[n - 1][list.context[i]];
      *free_place(context, list.word[i]) = {
          context, list.word[i], FlaggedLog::make(list.log10[i], extends_left_[n][i]), next_[n][i]};
      if (i >= in_.counts[n])
        out_.blanks.push_back((static_cast<std::uint64_t>(context) << 32) | list.word[i]);
    }
  }

  Entry* free_place(std::uint32_t context, WordId word) {
    const std::size_t size = out_.buckets.size();
    for (std::size_t i = Model::bucket_of(context, word, size);; i = i + 1 == size ? 0 : i + 1)
      for (Entry& entry : out_.buckets[i].entries)
        if (entry.context == Entry::kEmpty) return &entry;
  }

  Ngrams in_;
  int order_;
  std::vector<std::vector<bool>> extends_left_, extends_right_;
  std::vector<std::vector<std::uint32_t>> next_;  // the state after each n-gram
  ModelArrays out_;
};

}  // namespace

StringIndex marker_vocabulary() {
  StringIndex vocabulary;
  for (const std::string_view marker : {"<unk>", "<s>", "</s>"}) vocabulary.add(marker);
  return vocabulary;
}

std::shared_ptr<const Model> build_model(Ngrams&& ngrams) {
  return std::make_shared<const Model>(Builder(std::move(ngrams)).build());
}

}  // namespace tunesmith::lm
