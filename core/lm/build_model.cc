// From lists of n-grams to the automaton, in four steps:
//   1. number all n-grams ("grams"): unigrams by word id, then order by order;
//   2. link every gram to its context and its suffix, adding suffixes that are missing;
//   3. choose the grams that are nodes, number them by length;
//   4. fill the table.
#include <algorithm>
#include <bit>

#include "base/error.hh"
#include "lm/ngrams.hh"

namespace tunesmith::lm {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;
// Entries per place of the table: low enough that most lookups end in their own cache line.
constexpr double kTableLoad = 0.62;

class Builder {
 public:
  explicit Builder(Ngrams&& ngrams) : in_(std::move(ngrams)), order_(in_.order()) {}

  ModelArrays build() {
    number_grams();
    for (int n = 2; n <= order_; ++n) {
      link_contexts(n);
      link_suffixes(n);
    }
    choose_nodes();
    fill();
    return std::move(out_);
  }

 private:
  struct Gram {
    std::uint32_t context = kNone;
    WordId word = 0;
    std::uint32_t suffix = kNone;
    std::uint32_t next = 0;
    float log10 = 0.0f;
    float backoff = 0.0f;
    std::uint8_t length = 1;
    bool extends_left = false;
    bool extends_right = false;
    bool blank = false;
  };

  void number_grams() {
    std::uint64_t total = 0;
    for (const OrderNgrams& ngrams : in_.orders) {
      first_.push_back(static_cast<std::uint32_t>(total));
      out_.counts.push_back(ngrams.size());
      total += ngrams.size();
    }
    if (total >= kNone / 2)
      throw InputError(in_.path, 0, std::to_string(total) + " n-grams", "at most 2,147,483,647",
                       "prune the model");
    if (!in_.has_unknown) --out_.counts[0];
    grams_.resize(total);
    for (int n = 1; n <= order_; ++n) {
      const OrderNgrams& ngrams = in_.orders[n - 1];
      for (std::size_t i = 0; i < ngrams.size(); ++i) {
        Gram& gram = grams_[first_[n - 1] + i];
        gram.word = ngrams.words[i * n + n - 1];
        gram.log10 = ngrams.log10[i];
        gram.backoff = n < order_ ? ngrams.backoff[i] : 0.0f;
        gram.length = static_cast<std::uint8_t>(n);
      }
    }
    slots_.assign(std::bit_ceil(total * 2 + 2), kNone);
  }

  static std::uint64_t hash(std::uint32_t context, WordId word) {
    return mix64((static_cast<std::uint64_t>(context) << 32) | word);
  }

  std::uint32_t find(std::uint32_t context, WordId word) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash(context, word) & mask;; i = (i + 1) & mask) {
      const std::uint32_t id = slots_[i];
      if (id == kNone) return kNone;
      if (grams_[id].word == word && grams_[id].context == context) return id;
    }
  }

  void insert(std::uint32_t id) {
    if (++inserted_ * 3 > slots_.size() * 2) {
      slots_.assign(slots_.size() * 2, kNone);
      for (std::uint32_t other = first_[1]; other < grams_.size(); ++other)
        if (other != id && grams_[other].context != kNone) place(other);
    }
    place(id);
  }

  void place(std::uint32_t id) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash(grams_[id].context, grams_[id].word) & mask;
    while (slots_[i] != kNone) i = (i + 1) & mask;
    slots_[i] = id;
  }

  void link_contexts(int n) {
    const std::vector<WordId>& words = in_.orders[n - 1].words;
    const WordId* known = nullptr;  // the words of the context found last
    std::uint32_t context = kNone;
    for (std::size_t i = 0; i < in_.orders[n - 1].size(); ++i) {
      const WordId* ngram = &words[i * n];
      if (known == nullptr || !std::equal(ngram, ngram + n - 1, known)) {
        known = ngram;
        context = ngram[0];
        for (int k = 1; k < n - 1 && context != kNone; ++k) context = find(context, ngram[k]);
        if (context == kNone)
          throw InputError(in_.path, in_.line(n, i),
                           "the context of " + quoted(text(ngram, n)) + " is missing",
                           "it among the " + std::to_string(n - 1) + "-grams",
                           "prune with a tool that keeps the contexts of what it keeps");
      }
      const auto id = static_cast<std::uint32_t>(first_[n - 1] + i);
      if (find(context, grams_[id].word) != kNone)
        throw InputError(in_.path, in_.line(n, i), quoted(text(ngram, n)) + " for the second time",
                         "every n-gram once");
      grams_[id].context = context;
      grams_[context].extends_right = true;
      insert(id);
    }
  }

  std::string text(const WordId* words, int n) const {
    std::string out;
    for (int k = 0; k < n; ++k) {
      if (k > 0) out += ' ';
      out += in_.vocabulary.text(words[k]);
    }
    return out;
  }

  void link_suffixes(int n) {
    for (std::size_t i = 0; i < in_.orders[n - 1].size(); ++i) {
      const auto id = static_cast<std::uint32_t>(first_[n - 1] + i);
      const std::uint32_t suffix = suffix_of(grams_[id].context, grams_[id].word);
      grams_[id].suffix = suffix;
      grams_[suffix].extends_left = true;
    }
  }

  // The gram (suffix of `context`, word), made if it is missing.
  std::uint32_t suffix_of(std::uint32_t context, WordId word) {
    const std::uint32_t shorter = grams_[context].suffix;
    if (shorter == kNone) return word;
    std::uint32_t id = find(shorter, word);
    if (id != kNone) return id;
    Gram blank;
    blank.suffix = suffix_of(shorter, word);
    blank.context = shorter;
    blank.word = word;
    blank.length = static_cast<std::uint8_t>(grams_[shorter].length + 1);
    blank.log10 = std::min(0.0f, grams_[shorter].backoff + grams_[blank.suffix].log10);
    blank.blank = true;
    grams_[blank.suffix].extends_left = true;
    grams_[shorter].extends_right = true;
    id = static_cast<std::uint32_t>(grams_.size());
    if (id >= kNone / 2) throw Error("more than 2,147,483,647 n-grams with the missing suffixes");
    grams_.push_back(blank);
    insert(id);
    return id;
  }

  void choose_nodes() {
    // Grams in order of length: the lists, each followed by the blanks of its length.
    std::vector<std::vector<std::uint32_t>> blanks(order_ + 1);
    const auto lists_end = static_cast<std::uint32_t>(first_.back() + in_.orders.back().size());
    for (std::uint32_t id = lists_end; id < grams_.size(); ++id)
      blanks[grams_[id].length].push_back(id);
    node_of_.assign(grams_.size(), 0);
    out_.nodes.push_back({0.0f, 0});
    for (int n = 1; n <= order_; ++n) {
      out_.node_begin.push_back(static_cast<std::uint32_t>(out_.nodes.size()));
      const std::uint32_t end = n < order_ ? first_[n] : lists_end;
      for (std::uint32_t id = first_[n - 1]; id < end; ++id) choose(id);
      for (const std::uint32_t id : blanks[n]) choose(id);
    }
  }

  void choose(std::uint32_t id) {
    Gram& gram = grams_[id];
    const std::uint32_t shorter = gram.suffix == kNone ? 0 : grams_[gram.suffix].next;
    if (!gram.extends_right && gram.backoff == 0.0f) {
      gram.next = shorter;
      return;
    }
    gram.next = node_of_[id] = static_cast<std::uint32_t>(out_.nodes.size());
    out_.nodes.push_back({gram.backoff, shorter});
  }

  void fill() {
    for (WordId word = 0; word < in_.vocabulary.size(); ++word) {
      const Gram& gram = grams_[word];
      out_.unigrams.push_back({FlaggedLog::make(gram.log10, gram.extends_left), gram.next});
    }
    const std::size_t longer = grams_.size() - in_.vocabulary.size();
    out_.buckets.resize(static_cast<std::size_t>(longer / (Bucket::kSize * kTableLoad)) + 1);
    for (std::size_t id = in_.vocabulary.size(); id < grams_.size(); ++id) {
      const Gram& gram = grams_[id];
      const std::uint32_t context = node_of_[gram.context];
      *free_place(context, gram.word) = {
          context, gram.word, FlaggedLog::make(gram.log10, gram.extends_left), gram.next};
      if (gram.blank)
        out_.blanks.push_back((static_cast<std::uint64_t>(context) << 32) | gram.word);
    }
    std::sort(out_.blanks.begin(), out_.blanks.end());
    const auto bytes = in_.vocabulary.bytes();
    const auto ends = in_.vocabulary.ends();
    out_.vocabulary_bytes.assign(bytes.begin(), bytes.end());
    out_.vocabulary_ends.assign(ends.begin(), ends.end());
    out_.vocabulary_slots = vocabulary_slots(bytes, ends);
    out_.has_unknown = in_.has_unknown;
  }

  Entry* free_place(std::uint32_t context, WordId word) {
    const std::size_t size = out_.buckets.size();
    for (std::size_t i = Model::bucket_of(context, word, size);; i = i + 1 == size ? 0 : i + 1)
      for (Entry& entry : out_.buckets[i].entries)
        if (entry.context == Entry::kEmpty) return &entry;
  }

  Ngrams in_;
  int order_;
  std::vector<std::uint32_t> first_;  // the first gram of each order
  std::vector<Gram> grams_;
  std::vector<std::uint32_t> slots_;  // open addressing: ids of grams with two words or more
  std::size_t inserted_ = 0;
  std::vector<std::uint32_t> node_of_;
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
