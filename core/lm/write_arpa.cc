#include <algorithm>
#include <charconv>

#include "lm/arpa.hh"

namespace tunesmith::lm {
namespace {

class Writer {
 public:
  Writer(const Model& model, const std::function<void(std::string_view)>& write)
      : model_(model), write_(write) {}

  void run() {
    text_ = "\\data\\\n";
    for (int n = 1; n <= model_.order(); ++n)
      text_ += "ngram " + std::to_string(n) + "=" + std::to_string(model_.counts()[n - 1]) + "\n";
    sort_entries();
    write_unigrams();
    for (int n = 2; n <= model_.order(); ++n) write_order(n);
    text_ += "\n\\end\\\n";
    write_(text_);
  }

 private:
  // Entries by length, sorted by their words. A node's rank is its place among the sorted nodes of
  // its length, so (rank of the context, word) sorts n-grams by all their words.
  void sort_entries() {
    entries_.resize(model_.order() + 1);
    for (const Bucket& bucket : model_.buckets())
      for (const Entry& entry : bucket.entries)
        if (entry.context != Entry::kEmpty)
          entries_[model_.length({entry.context}) + 1].push_back(&entry);
    std::vector<std::uint32_t> rank(model_.nodes().size(), 0);
    parents_.resize(model_.nodes().size());
    std::uint32_t next_rank = 0;
    for (WordId word = 0; word < model_.unigrams().size(); ++word) {
      const std::uint32_t node = model_.unigrams()[word].next;
      if (node == 0) continue;
      parents_[node] = {0, word};
      rank[node] = next_rank++;
    }
    for (int n = 2; n <= model_.order(); ++n) {
      std::vector<const Entry*>& entries = entries_[n];
      const auto key = [&](const Entry* entry) {
        return (static_cast<std::uint64_t>(rank[entry->context]) << 32) | entry->word;
      };
      std::sort(entries.begin(), entries.end(),
                [&](const Entry* a, const Entry* b) { return key(a) < key(b); });
      for (const Entry* entry : entries) {
        if (!is_node(*entry, n)) continue;
        parents_[entry->next] = {entry->context, entry->word};
        rank[entry->next] = next_rank++;
      }
    }
  }

  // Whether the n-gram is itself a context, so that the state after it is its own node.
  bool is_node(const Entry& entry, int n) const { return model_.length({entry.next}) == n; }

  void write_unigrams() {
    text_ += "\n\\1-grams:\n";
    for (WordId word = 0; word < model_.unigrams().size(); ++word) {
      if (word == kUnknown && !model_.has_unknown()) continue;
      const Unigram& unigram = model_.unigrams()[word];
      number(unigram.prob.log10());
      text_ += '\t';
      text_ += model_.vocabulary().text(word);
      if (model_.order() > 1) {
        text_ += '\t';
        number(model_.nodes()[unigram.next].backoff);
      }
      end_line();
    }
  }

  void write_order(int n) {
    text_ += "\n\\" + std::to_string(n) + "-grams:\n";
    const auto blanks = model_.blanks();
    for (const Entry* entry : entries_[n]) {
      if (!blanks.empty() &&
          std::binary_search(blanks.begin(), blanks.end(),
                             (static_cast<std::uint64_t>(entry->context) << 32) | entry->word))
        continue;
      number(entry->prob.log10());
      text_ += '\t';
      words_.assign(1, entry->word);
      for (std::uint32_t node = entry->context; node != 0; node = parents_[node].node)
        words_.push_back(parents_[node].word);
      for (std::size_t i = words_.size(); i-- > 0;) {
        text_ += model_.vocabulary().text(words_[i]);
        text_ += i > 0 ? ' ' : '\t';
      }
      if (n < model_.order()) {
        number(is_node(*entry, n) ? model_.nodes()[entry->next].backoff : 0.0f);
      } else {
        text_.pop_back();
      }
      end_line();
    }
  }

  void number(float value) {
    char digits[64];
    // −0 is 0 for everybody who reads the file.
    const auto end = std::to_chars(digits, digits + sizeof digits, value == 0.0f ? 0.0f : value,
                                   std::chars_format::fixed)
                         .ptr;
    text_.append(digits, end);
  }

  void end_line() {
    text_ += '\n';
    if (text_.size() < kPiece) return;
    write_(text_);
    text_.clear();
  }

  static constexpr std::size_t kPiece = 1 << 20;
  struct Parent {
    std::uint32_t node = 0;
    WordId word = 0;
  };

  const Model& model_;
  const std::function<void(std::string_view)>& write_;
  std::vector<std::vector<const Entry*>> entries_;
  std::vector<Parent> parents_;
  std::vector<WordId> words_;
  std::string text_;
};

}  // namespace

void write_arpa(const Model& model, const std::function<void(std::string_view)>& write) {
  Writer(model, write).run();
}

}  // namespace tunesmith::lm
