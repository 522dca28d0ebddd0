#include "features/scfg/scfg_templates.hh"

#include <algorithm>
#include <tuple>

#include "base/error.hh"
#include "features/scfg/name_sinks.hh"

namespace tunesmith::features {

using grammar::is_nonterminal;
using grammar::label_or_place;
using grammar::Symbol;

namespace {

const NamePart& between() {
  static const NamePart part("_");
  return part;
}

const NamePart& bar() {
  static const NamePart part("|");
  return part;
}

class RuleIds final : public WrittenTemplate<RuleIds> {
 public:
  explicit RuleIds(const RuleParts& parts) : parts_(parts) {}

  template <typename Sink>
  void fire(const ScfgRuleView& rule, Sink& sink) const {
    sink.add(prefix_);
    if (!parts_.is_usual(rule.label)) {
      sink.add(parts_.gap(rule.label));
      sink.add(bar());
    }
    int place = 0;
    for (std::size_t i = 0; i < rule.source.size(); ++i) {
      if (i > 0) sink.add(between());
      const Symbol symbol = rule.source[i];
      if (is_nonterminal(symbol)) {
        sink.add(parts_.numbered_gap(rule.labels[place], place));
        ++place;
      } else {
        sink.add(parts_.source_word(symbol));
      }
    }
    sink.add(bar());
    for (std::size_t i = 0; i < rule.target.size(); ++i) {
      if (i > 0) sink.add(between());
      const Symbol symbol = rule.target[i];
      sink.add(is_nonterminal(symbol) ? parts_.numbered_gap(rule.labels[label_or_place(symbol)],
                                                            label_or_place(symbol))
                                      : parts_.target_word(symbol));
    }
    sink.end();
  }

 private:
  const RuleParts& parts_;
  NamePart prefix_{"rule_id:"};
};

void check_sizes(const std::vector<int>& sizes) {
  for (const int size : sizes)
    if (size < 1) throw OptionError("n-grams of " + std::to_string(size) + " words");
}

class RuleNgrams final : public WrittenTemplate<RuleNgrams> {
 public:
  RuleNgrams(const RuleParts& parts, RuleSide side, std::vector<int> sizes)
      : parts_(parts),
        side_(side),
        sizes_(std::move(sizes)),
        prefix_(side == RuleSide::kSource ? "src_ngram:" : "tgt_ngram:") {}

  bool sees_source_only() const override { return side_ == RuleSide::kSource; }

  template <typename Sink>
  void fire(const ScfgRuleView& rule, Sink& sink) const {
    const auto symbols = side_ == RuleSide::kSource ? rule.source : rule.target;
    for (const int size : sizes_) {
      for (std::size_t begin = 0; begin + size <= symbols.size(); ++begin) {
        sink.add(prefix_);
        for (std::size_t i = begin; i < begin + size; ++i) {
          if (i > begin) sink.add(between());
          sink.add(part_of(rule, symbols[i]));
        }
        sink.end();
      }
    }
  }

 private:
  const NamePart& part_of(const ScfgRuleView& rule, Symbol symbol) const {
    if (side_ == RuleSide::kSource)
      return is_nonterminal(symbol) ? parts_.gap(label_or_place(symbol))
                                    : parts_.source_word(symbol);
    return is_nonterminal(symbol) ? parts_.gap(rule.labels[label_or_place(symbol)])
                                  : parts_.target_word(symbol);
  }

  const RuleParts& parts_;
  RuleSide side_;
  std::vector<int> sizes_;
  NamePart prefix_;
};

class PairNgrams final : public WrittenTemplate<PairNgrams> {
 public:
  PairNgrams(const RuleParts& parts, std::vector<int> sizes)
      : parts_(parts), sizes_(std::move(sizes)) {}

  template <typename Sink>
  void fire(const ScfgRuleView& rule, Sink& sink) const {
    for (const int size : sizes_) {
      for (const std::uint16_t link : rule.links) {
        const std::size_t s = link >> 8, t = link & 0xFF, last = static_cast<std::size_t>(size) - 1;
        if (!words_at(rule.source, s, size) || !words_at(rule.target, t, size)) continue;
        const auto end = grammar::pack_link(static_cast<int>(s + last), static_cast<int>(t + last));
        if (std::ranges::find(rule.links, end) == rule.links.end()) continue;
        sink.add(prefix_);
        for (std::size_t i = s; i <= s + last; ++i) {
          if (i > s) sink.add(between());
          sink.add(parts_.source_word(rule.source[i]));
        }
        sink.add(bar());
        for (std::size_t i = t; i <= t + last; ++i) {
          if (i > t) sink.add(between());
          sink.add(parts_.target_word(rule.target[i]));
        }
        sink.end();
      }
    }
  }

 private:
  static bool words_at(std::span<const Symbol> symbols, std::size_t begin, int size) {
    if (begin + size > symbols.size()) return false;
    return std::ranges::none_of(symbols.subspan(begin, size), is_nonterminal);
  }

  const RuleParts& parts_;
  std::vector<int> sizes_;
  NamePart prefix_{"pair_ngram:"};
};

class RuleShapes final : public WrittenTemplate<RuleShapes> {
 public:
  explicit RuleShapes(const RuleParts& /*parts*/) {}

  template <typename Sink>
  void fire(const ScfgRuleView& rule, Sink& sink) const {
    sink.add(prefix_);
    int place = 0;
    add_side(rule.source, sink, [&](Symbol /*symbol*/) { return place++; });
    sink.add(bar());
    add_side(rule.target, sink, [](Symbol symbol) { return label_or_place(symbol); });
    sink.end();
  }

 private:
  template <typename Sink, typename PlaceOf>
  void add_side(std::span<const Symbol> symbols, Sink& sink, const PlaceOf& place_of) const {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const bool is_gap = is_nonterminal(symbols[i]);
      if (i > 0 && !is_gap && !is_nonterminal(symbols[i - 1])) continue;  // the run goes on
      if (i > 0) sink.add(between());
      sink.add(is_gap ? gaps_[place_of(symbols[i])] : words_);
    }
  }

  NamePart prefix_{"shape:"}, words_{"w"};
  NamePart gaps_[grammar::kMaxNonterminals] = {NamePart("<1>"), NamePart("<2>")};
};

class OfPhrases final : public BoundTemplate {
 public:
  OfPhrases(const RuleParts& parts, const ScfgTemplate& owner, std::unique_ptr<RuleTemplate> own)
      : parts_(parts), owner_(owner), own_(std::move(own)) {
    own_->begin(parts.grammar().source_words, parts.grammar().target_words);
  }

  void features(const ScfgRuleView& rule, FeatureScratch& scratch,
                std::vector<RuleFeature>& out) const override {
    auto& keys = scratch.keys[&owner_];
    scratch.firings.clear();
    fire(rule, scratch);
    for (const Firing& firing : scratch.firings) {
      const auto [place, is_new] = keys.try_emplace(firing.key, 0);
      if (is_new) place->second = name_key(own_->name(firing.key));
      out.push_back({place->second, firing.value});
    }
  }
  void names(const ScfgRuleView& rule, std::vector<std::string>& out) const override {
    FeatureScratch scratch;
    fire(rule, scratch);
    for (const Firing& firing : scratch.firings) out.push_back(own_->name(firing.key));
  }

 private:
  void fire(const ScfgRuleView& rule, FeatureScratch& scratch) const {
    const auto read = [](std::span<const Symbol> symbols, std::uint32_t no_word,
                         std::vector<std::uint32_t>& words) {
      words.clear();
      for (const Symbol symbol : symbols)
        words.push_back(is_nonterminal(symbol) ? no_word : static_cast<std::uint32_t>(symbol));
    };
    read(rule.source, parts_.grammar().source_words.size(), scratch.source);
    read(rule.target, parts_.grammar().target_words.size(), scratch.target);
    const float counts[3] = {0.0F, parts_.source_count(rule.rule), parts_.joint_count(rule.rule)};
    own_->fire({scratch.source, scratch.target, rule.links, counts}, scratch.firings);
  }

  const RuleParts& parts_;
  const ScfgTemplate& owner_;
  std::unique_ptr<RuleTemplate> own_;
};

class PhraseTemplates final : public ScfgTemplate {
 public:
  explicit PhraseTemplates(std::function<std::unique_ptr<RuleTemplate>()> make)
      : make_(std::move(make)) {}
  std::unique_ptr<BoundTemplate> bind(const RuleParts& parts) const override {
    return std::make_unique<OfPhrases>(parts, *this, make_());
  }

 private:
  std::function<std::unique_ptr<RuleTemplate>()> make_;
};

}  // namespace

std::shared_ptr<const ScfgTemplate> rule_ids() {
  return std::make_shared<PlainTemplate<RuleIds>>();
}

std::shared_ptr<const ScfgTemplate> rule_ngrams(RuleSide side, std::vector<int> sizes) {
  check_sizes(sizes);
  return std::make_shared<PlainTemplate<RuleNgrams, RuleSide, std::vector<int>>>(side,
                                                                                 std::move(sizes));
}

std::shared_ptr<const ScfgTemplate> pair_ngrams(std::vector<int> sizes) {
  check_sizes(sizes);
  return std::make_shared<PlainTemplate<PairNgrams, std::vector<int>>>(std::move(sizes));
}

std::shared_ptr<const ScfgTemplate> rule_shapes() {
  return std::make_shared<PlainTemplate<RuleShapes>>();
}

std::shared_ptr<const ScfgTemplate> as_of_phrases(
    std::function<std::unique_ptr<RuleTemplate>()> make) {
  make();  // options that make no sense are refused now
  return std::make_shared<PhraseTemplates>(std::move(make));
}

}  // namespace tunesmith::features
