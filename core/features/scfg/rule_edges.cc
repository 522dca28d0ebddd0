// WordEdges of hierarchical rules: combinations of the first and last words of both sides at some
// levels of detail, and of the length of the source side. What stands around a rule is not known
// to it. A non-terminal is a word of its own, <X>, at every level.
#include <tuple>

#include "base/error.hh"
#include "features/scfg/name_sinks.hh"

namespace tunesmith::features {

using grammar::is_nonterminal;
using grammar::Symbol;

namespace {

using Place = LexicalTemplates::Place;
using Combinations = std::vector<std::vector<LexicalTemplates::Atom>>;

constexpr int kRulePlaces = 4;
constexpr const char* kRulePlaceNames[kRulePlaces] = {"source_first", "source_last", "target_first",
                                                      "target_last"};
constexpr int kNamedLengths = 16;

constexpr bool is_source(int place) {
  return place == Place::kSourceFirst || place == Place::kSourceLast;
}
constexpr bool is_first(int place) {
  return place == Place::kSourceFirst || place == Place::kTargetFirst;
}

// The combinations that rules have alone, and the parts of names that all grammars share.
struct EdgeShape {
  EdgeShape(std::shared_ptr<const LexicalModel> lexical, const std::vector<std::string>& names)
      : model(std::move(lexical)),
        levels(static_cast<int>(names.size())),
        combinations(model->templates().combinations(LexicalTemplates::Part::kRule)) {
    if (names.size() != model->templates().options().levels.size())
      throw OptionError("names of another number of levels than the features have");
    for (const char* place : kRulePlaceNames)
      for (const std::string& level : names)
        places.emplace_back(std::string(place) + "." + level + "=");
    for (int size = 0; size <= kNamedLengths; ++size)
      lengths.emplace_back("length=" + std::to_string(size));
  }

  std::shared_ptr<const LexicalModel> model;
  int levels;
  Combinations combinations;
  std::vector<NamePart> places;  // [place × level]
  std::vector<NamePart> lengths;
  NamePart prefix{"edges:"}, bar{"|"}, nothing{"<none>"};
};

class RuleEdges final : public WrittenTemplate<RuleEdges> {
 public:
  RuleEdges(const RuleParts& parts, const std::shared_ptr<const EdgeShape>& shape)
      : parts_(parts), shape_(shape) {
    const grammar::ScfgGrammar& grammar = parts.grammar();
    for (int place = 0; place < kRulePlaces; ++place)
      words_[place] = is_source(place) ? read(place, grammar.rules.source_offsets.all(),
                                              grammar.rules.source.all(), grammar.source_words)
                                       : read(place, grammar.rules.target_offsets.all(),
                                              grammar.rules.target.all(), grammar.target_words);
  }

  template <typename Sink>
  void fire(const ScfgRuleView& rule, Sink& sink) const {
    for (const auto& combination : shape_->combinations) {
      bool is_begun = false;
      for (const LexicalTemplates::Atom& atom : combination) {
        sink.add(is_begun ? shape_->bar : shape_->prefix);
        is_begun = true;
        if (atom.place == Place::kPlaces) {
          add_length(rule.source.size(), sink);
        } else {
          sink.add(shape_->places[atom.place * shape_->levels + atom.level]);
          sink.add(word_at(rule, atom.place, atom.level));
        }
      }
      sink.end();
    }
  }

 private:
  // The words that stand at this edge of rules, at all levels.
  std::vector<NamePart> read(int place, std::span<const std::uint64_t> offsets,
                             std::span<const Symbol> symbols, const StringIndex& words) const {
    std::vector<bool> used(words.size());
    for (std::size_t rule = 0; rule + 1 < offsets.size(); ++rule) {
      if (offsets[rule] == offsets[rule + 1]) continue;
      const Symbol symbol = symbols[is_first(place) ? offsets[rule] : offsets[rule + 1] - 1];
      if (!is_nonterminal(symbol)) used[symbol] = true;
    }
    const WordAtoms& atoms = is_source(place) ? shape_->model->source() : shape_->model->target();
    std::vector<NamePart> out(static_cast<std::size_t>(words.size()) * shape_->levels);
    for (std::uint32_t word = 0; word < words.size(); ++word)
      for (int level = 0; used[word] && level < shape_->levels; ++level)
        out[static_cast<std::size_t>(word) * shape_->levels + level] =
            NamePart(atoms.text(words.text(word), level, is_first(place)));
    return out;
  }

  template <typename Sink>
  void add_length(std::size_t length, Sink& sink) const {
    if (length < shape_->lengths.size())
      sink.add(shape_->lengths[length]);
    else
      sink.add(NamePart("length=" + std::to_string(length)));
  }

  const NamePart& word_at(const ScfgRuleView& rule, int place, int level) const {
    const auto symbols = is_source(place) ? rule.source : rule.target;
    if (symbols.empty()) return shape_->nothing;
    const Symbol symbol = is_first(place) ? symbols.front() : symbols.back();
    if (is_nonterminal(symbol)) {
      const int number = grammar::label_or_place(symbol);
      return parts_.gap(is_source(place) ? number : rule.labels[number]);
    }
    return words_[place][static_cast<std::size_t>(symbol) * shape_->levels + level];
  }

  const RuleParts& parts_;
  std::shared_ptr<const EdgeShape> shape_;
  std::vector<NamePart> words_[kRulePlaces];  // [word × level]
};

}  // namespace

std::shared_ptr<const ScfgTemplate> rule_edges(std::shared_ptr<const LexicalModel> model,
                                               const std::vector<std::string>& levels) {
  return std::make_shared<PlainTemplate<RuleEdges, std::shared_ptr<const EdgeShape>>>(
      std::make_shared<const EdgeShape>(std::move(model), levels));
}

}  // namespace tunesmith::features
