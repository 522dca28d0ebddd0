// The rules of a synchronous context-free grammar (Chiang 2007), in arrays: those of one sentence,
// or of a text.
//
//   [X] ||| [X,1] ein [X,2] ||| [X,2] a [X,1]
//
// A symbol is a word, by its id, or below 0 a non-terminal: on the source side by its label, on the
// target side by its place among the non-terminals of the source side, each of which stands there
// exactly once. Whoever owns the rules knows the words, labels and names behind the numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/array_file.hh"
#include "grammar/scfg/rule_column.hh"

namespace tunesmith::grammar {

using Symbol = std::int32_t;

constexpr Symbol nonterminal(int label_or_place) { return -1 - label_or_place; }
constexpr bool is_nonterminal(Symbol symbol) { return symbol < 0; }
constexpr int label_or_place(Symbol symbol) { return -1 - symbol; }

// The most non-terminals of a rule.
constexpr int kMaxNonterminals = 2;

struct ScfgRules {
  RuleColumn<std::int32_t> labels;  // of the left-hand sides
  RuleColumn<std::uint64_t> source_offsets{0}, target_offsets{0};
  RuleColumn<Symbol> source, target;
  RuleColumn<std::uint64_t> feature_offsets{0};
  RuleColumn<std::uint32_t> feature_ids;  // ascending within a rule
  RuleColumn<float> feature_values;
  RuleColumn<std::uint64_t> link_offsets{0};
  RuleColumn<std::uint16_t> links;  // pack_link of places of the two sides, non-terminals counted

  std::shared_ptr<const ArrayFile> file;  // whose arrays these are, if any

  std::size_t size() const { return labels.size(); }
  std::span<const Symbol> source_of(std::size_t rule) const {
    return slice(source, source_offsets, rule);
  }
  std::span<const Symbol> target_of(std::size_t rule) const {
    return slice(target, target_offsets, rule);
  }
  std::span<const std::uint32_t> ids_of(std::size_t rule) const {
    return slice(feature_ids, feature_offsets, rule);
  }
  std::span<const float> values_of(std::size_t rule) const {
    return slice(feature_values, feature_offsets, rule);
  }
  std::span<const std::uint16_t> links_of(std::size_t rule) const {
    return slice(links, link_offsets, rule);
  }
  // Ends the rule whose symbols, features and links have been pushed.
  void close(std::int32_t label) {
    labels.push_back(label);
    source_offsets.push_back(source.size());
    target_offsets.push_back(target.size());
    feature_offsets.push_back(feature_ids.size());
    link_offsets.push_back(links.size());
  }
  // Adds a rule of other rules with the same words, labels and names.
  void append(const ScfgRules& other, std::size_t rule) {
    source.append(other.source_of(rule));
    target.append(other.target_of(rule));
    feature_ids.append(other.ids_of(rule));
    feature_values.append(other.values_of(rule));
    links.append(other.links_of(rule));
    close(other.labels[rule]);
  }

 private:
  template <typename T>
  static std::span<const T> slice(const RuleColumn<T>& items,
                                  const RuleColumn<std::uint64_t>& offsets, std::size_t i) {
    return items.all().subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

}  // namespace tunesmith::grammar
