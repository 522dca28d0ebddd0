// The words of a model's phrase tables as lexical features see them, looked up once for each word.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "features/lexical_model.hh"
#include "grammar/phrase_table.hh"

namespace tunesmith::decode {

// What lexical features see of a hypothesis: its last rule and its last two target words.
struct RuleHistory {
  std::uint64_t rule = 0;
  const std::uint64_t* before = nullptr;
  const std::uint64_t* last = nullptr;
};

class LexicalTables {
 public:
  LexicalTables(std::shared_ptr<const features::LexicalModel> model,
                const std::vector<std::shared_ptr<const grammar::PhraseTable>>& tables);
  // The first `count` tables of `base`, with what it has looked up, and one more.
  LexicalTables(const LexicalTables& base, std::size_t count, const grammar::PhraseTable& table);

  const features::LexicalModel& model() const { return *model_; }
  const features::LexicalTemplates& templates() const { return model_->templates(); }

  // A source phrase of a table, to be completed by with_target.
  features::RuleWords source_words(int table, std::span<const std::uint32_t> words) const;
  features::RuleWords with_target(features::RuleWords rule, int table,
                                  std::span<const std::uint32_t> words) const;
  // A target word of a table as seen from its right.
  const std::uint64_t* target_word(int table, std::uint32_t word) const {
    return tables_[table]->target.right(word, levels_);
  }
  // The value of the features that a rule of this id has behind others; `keys` is scratch.
  double history_value(std::uint64_t rule, const RuleHistory& history,
                       std::vector<std::uint64_t>& keys) const;

 private:
  struct Side {
    std::vector<std::uint64_t> hashes;                 // of the words' texts
    std::vector<std::uint64_t> from_left, from_right;  // [word × level]
    const std::uint64_t* left(std::uint32_t word, int levels) const {
      return from_left.data() + static_cast<std::size_t>(word) * levels;
    }
    const std::uint64_t* right(std::uint32_t word, int levels) const {
      return (from_right.empty() ? from_left : from_right).data() +
             static_cast<std::size_t>(word) * levels;
    }
  };
  struct Table {
    Side source, target;
  };

  void look_up(const grammar::PhraseTable& table);
  Side side_of(const StringIndex& vocabulary, const features::WordAtoms& atoms) const;

  std::shared_ptr<const features::LexicalModel> model_;
  int levels_;
  std::vector<std::shared_ptr<const Table>> tables_;
};

// The source words of a sentence and what stands around it.
class SentenceAtoms {
 public:
  // `after` is the word behind the last one; null means that the sentence ends there.
  SentenceAtoms(const features::LexicalModel& model, const std::vector<std::string>& words,
                const std::string* after);

  features::SpanContext around(int begin, int end) const {
    return {&right_[static_cast<std::size_t>(begin) * levels_],
            &left_[static_cast<std::size_t>(end + 1) * levels_]};
  }

 private:
  int levels_;
  std::vector<std::uint64_t> left_, right_;  // [position + 1 × level], from before the first word
};

}  // namespace tunesmith::decode
