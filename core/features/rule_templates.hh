// Templates of rule-local sparse features (Cherry & Foster 2012, §4.2; Hopkins & May 2011): which
// features a phrase pair has, by its words, its links and its counts alone.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grammar/phrase_table.hh"

namespace tunesmith::features {

// What a template sees of a rule.
struct RuleView {
  std::span<const std::uint32_t> source, target;  // words, of the table's vocabularies
  std::span<const std::uint16_t> links;
  const float* counts = nullptr;  // target, source, joint
};

// A feature of a rule: a key that is private to its template, and a value.
struct Firing {
  std::uint64_t key = 0;
  float value = 1.0F;
};

class RuleTemplate {
 public:
  virtual ~RuleTemplate() = default;
  // Rules with words of these vocabularies follow; the id behind the last word is that of a
  // non-terminal.
  virtual void begin(const StringIndex& source, const StringIndex& target) {
    (void)source, (void)target;
  }
  // May be called from several threads at once.
  virtual void fire(const RuleView& rule, std::vector<Firing>& out) const = 0;
  // The name of the feature with this key.
  virtual std::string name(std::uint64_t key) const = 0;
};

// Each of some words that stands in the target phrase without a link: tgt_unal:the.
std::unique_ptr<RuleTemplate> target_unaligned(std::vector<std::string> words);

// The joint count of the pair, by upper bounds in ascending order (the last may be infinite):
// count_bin:4. Without bounds every count is a feature of its own. A pair without a count has none.
std::unique_ptr<RuleTemplate> count_bin(std::vector<double> bounds);

// How frequent words are aligned: 1-1 to a frequent word of the other side (word_pair:der_the), 1-1
// to another word (word_pair:der_<other>), or otherwise (word_pair:der_<none>).
std::unique_ptr<RuleTemplate> word_pair(std::vector<std::string> source_words,
                                        std::vector<std::string> target_words);

// Lengths of both sides, alone and together: length_bin:src_3, length_bin:tgt_2, length_bin:3_2.
std::unique_ptr<RuleTemplate> length_bin();

// The words of a side by how often they occur in the rules, each rule times its joint count (1 if
// it has none); unaligned target words only, where asked. The `size` most frequent, first the most
// frequent, equals by their bytes.
enum class WordKind { kSource, kTarget, kUnalignedTarget };
std::vector<std::string> frequent_words(std::span<const grammar::PhraseTable* const> tables,
                                        WordKind kind, std::size_t size);

}  // namespace tunesmith::features
