#include "decode/chart/scored_rules.hh"

#include <algorithm>
#include <numeric>

#include "base/error.hh"
#include "lm/fragment.hh"

namespace tunesmith::decode {

using grammar::is_nonterminal;
using grammar::Symbol;

TargetWords::TargetWords(const StringIndex& words, const ChartModel& model)
    : words_(model.language_models()) {
  for (int m = 0; m < model.language_models(); ++m) {
    words_[m].reserve(words.size());
    for (std::uint32_t word = 0; word < words.size(); ++word)
      words_[m].push_back(model.language_model(m).lookup(words.text(word)));
  }
}

ScoredRules::ScoredRules(const ChartModel& model, std::span<const double> weights)
    : model_(model),
      weights_(weights.begin(), weights.end()),
      symbols_(model.language_models()),
      own_log10_(model.language_models()),
      scratch_(model.features()) {
  if (weights.size() != static_cast<std::size_t>(model.features()))
    throw OptionError(std::to_string(weights.size()) + " weights for " +
                      std::to_string(model.features()) + " features");
  for (int m = 0; m < model.language_models(); ++m)
    lm_weights_.push_back(weights_[model.lm_begin() + m] * lm::kLn10);
}

void ScoredRules::begin(const ChartGrammar& grammar, int rule_limit,
                        const ForbiddenPhrases* forbidden) {
  grammar_ = &grammar;
  forbidden_ = forbidden;
  watched_.clear();
  rule_limit_ = rule_limit;
  for (const std::uint32_t node : met_) ranges_[node] = {};
  met_.clear();
  ranges_.resize(grammar.trie.nodes());
  rules_.clear();
  for (auto& symbols : symbols_) symbols.clear();
  for (auto& own : own_log10_) own.clear();
}

std::pair<std::uint32_t, std::uint32_t> ScoredRules::rules(std::uint32_t node) {
  Range& range = ranges_[node];
  if (!range.known) {
    met_.push_back(node);
    range = {static_cast<std::uint32_t>(rules_.size()), 0, true};
    const auto numbers = grammar_->trie.rules(node);
    score_sparse(numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::uint32_t number = numbers[i];
      if (forbidden_ != nullptr && !is_allowed(number)) continue;
      ScoredRule rule;
      rule.rule = static_cast<std::int32_t>(number);
      rule.label = grammar_->rules.labels[number];
      const auto target = grammar_->rules.target_of(number);
      rule.size = static_cast<std::uint32_t>(target.size());
      rule.words = static_cast<std::uint32_t>(
          std::ranges::count_if(target, [](Symbol symbol) { return !is_nonterminal(symbol); }));
      for (int m = 0; m < model_.language_models(); ++m) {
        rule.symbols = static_cast<std::uint32_t>(symbols_[m].size());
        for (const Symbol symbol : target)
          append_word(m, is_nonterminal(symbol)
                             ? lm::ClassedWord{static_cast<lm::WordId>(symbol), 0.0F}
                             : grammar_->lm_words.of(m, static_cast<std::uint32_t>(symbol)));
      }
      if (forbidden_ != nullptr) {
        rule.watched = static_cast<std::uint32_t>(watched_.size());
        for (const Symbol symbol : target)
          watched_.push_back(
              is_nonterminal(symbol)
                  ? Watched{true, static_cast<std::uint32_t>(grammar::label_or_place(symbol))}
                  : Watched{false, watched_word(grammar_->target_words.text(
                                       static_cast<std::uint32_t>(symbol)))});
      }
      finish(rule, sparse_scores_.empty() ? 0.0 : sparse_scores_[i]);
    }
    const auto better = [](const ScoredRule& a, const ScoredRule& b) {
      return a.label != b.label ? a.label < b.label : a.estimate > b.estimate;
    };
    std::stable_sort(rules_.begin() + range.begin, rules_.end(), better);
    if (rule_limit_ > 0) {
      std::uint32_t kept = range.begin, of_label = 0;
      for (std::uint32_t i = range.begin; i < rules_.size(); ++i) {
        of_label = i > range.begin && rules_[i].label == rules_[i - 1].label ? of_label + 1 : 0;
        if (of_label < static_cast<std::uint32_t>(rule_limit_)) rules_[kept++] = rules_[i];
      }
      rules_.resize(kept);
    }
    range.end = static_cast<std::uint32_t>(rules_.size());
  }
  return {range.begin, range.end};
}

std::uint32_t ScoredRules::copy(SpecialRule kind, std::int32_t input,
                                std::span<const std::string> words, int unknown) {
  ScoredRule rule;
  rule.rule = kind;
  rule.input = input;
  if (kind == kPassThrough) rule.unknown = unknown;
  rule.size = rule.words = static_cast<std::uint32_t>(words.size());
  for (int m = 0; m < model_.language_models(); ++m) {
    rule.symbols = static_cast<std::uint32_t>(symbols_[m].size());
    for (const std::string& word : words) append_word(m, model_.language_model(m).lookup(word));
  }
  rule.watched = static_cast<std::uint32_t>(watched_.size());
  if (forbidden_ != nullptr)
    for (const std::string& word : words) watched_.push_back({false, watched_word(word)});
  return finish(rule);
}

std::uint32_t ScoredRules::glue(SpecialRule kind) {
  ScoredRule rule;
  rule.rule = kind;
  rule.size = kind == kGlue ? 2 : 1;
  for (int m = 0; m < model_.language_models(); ++m) {
    rule.symbols = static_cast<std::uint32_t>(symbols_[m].size());
    for (std::uint32_t tail = 0; tail < rule.size; ++tail)
      append_word(m, {static_cast<lm::WordId>(grammar::nonterminal(static_cast<int>(tail))), 0.0F});
  }
  rule.watched = static_cast<std::uint32_t>(watched_.size());
  if (forbidden_ != nullptr)
    for (std::uint32_t tail = 0; tail < rule.size; ++tail) watched_.push_back({true, tail});
  return finish(rule);
}

bool ScoredRules::is_allowed(std::uint32_t rule) const {
  std::uint32_t state = ForbiddenPhrases::kStart;
  for (const Symbol symbol : grammar_->rules.target_of(rule)) {
    if (is_nonterminal(symbol)) {
      state = ForbiddenPhrases::kStart;
      continue;
    }
    const auto text = grammar_->target_words.text(static_cast<std::uint32_t>(symbol));
    state = forbidden_->after(state, watched_word(text), false);
    if (state == ForbiddenPhrases::kRefused) return false;
  }
  return true;
}

ForbiddenReader ScoredRules::watch(const ScoredRule& rule,
                                   const lm::Fragment* const (&tails)[2]) const {
  ForbiddenReader reader(*forbidden_);
  if (rule.rule == kFirstGlue) reader.begin_sentence();
  for (const Watched& symbol : std::span(watched_).subspan(rule.watched, rule.size)) {
    if (symbol.is_place)
      reader.fragment(*tails[symbol.word]);
    else
      reader.word(symbol.word, rule.rule == kPrescribed);
  }
  return reader;
}

std::uint32_t ScoredRules::finish(ScoredRule rule, double sparse_score) {
  features(rule, scratch_);
  rule.own = std::inner_product(scratch_.begin(), scratch_.end(), weights_.begin(), 0.0);
  rule.own += sparse_score;
  rule.estimate = rule.own + estimate(rule);
  rules_.push_back(rule);
  return static_cast<std::uint32_t>(rules_.size()) - 1;
}

void ScoredRules::score_sparse(std::span<const std::uint32_t> rules) {
  sparse_scores_.clear();
  if (grammar_->sparse_weights == nullptr || rules.empty()) return;
  sparse_.clear();
  sparse_ends_.clear();
  grammar_->sparse->add_of_source(rules.front(), feature_scratch_, sparse_);
  sparse_ends_.push_back(sparse_.size());
  for (const std::uint32_t rule : rules) {
    grammar_->sparse->add_of_rule(rule, feature_scratch_, sparse_);
    sparse_ends_.push_back(sparse_.size());
  }
  const features::NamedWeights& weights = *grammar_->sparse_weights;
  const std::span<const features::RuleFeature> all = sparse_;
  weights.prefetch(all);
  const double of_source = weights.dot(all.first(sparse_ends_.front()));
  for (std::size_t i = 0; i < rules.size(); ++i)
    sparse_scores_.push_back(
        of_source +
        weights.dot(all.subspan(sparse_ends_[i], sparse_ends_[i + 1] - sparse_ends_[i])));
}

double ScoredRules::estimate(const ScoredRule& rule) const {
  double total = 0.0;
  for (int m = 0; m < model_.language_models(); ++m) {
    const lm::Model& model = model_.language_model(m);
    lm::State state = lm::Model::null_state();
    double log10 = 0.0;
    for (const Symbol symbol : symbols(rule, m)) {
      if (is_nonterminal(symbol))
        state = lm::Model::null_state();
      else
        log10 += model.score(state, static_cast<lm::WordId>(symbol), state);
    }
    total += lm_weights_[m] * log10;
  }
  return total;
}

void ScoredRules::features(const ScoredRule& rule, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  if (rule.rule >= 0) {
    const auto ids = grammar_->rules.ids_of(rule.rule);
    const auto values = grammar_->rules.values_of(rule.rule);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::uint32_t column = grammar_->columns[ids[i]];
      if (column < out.size()) out[column] += values[i];
    }
  }
  double* const plain = &out[model_.plain_begin()];
  visit_chart_rule(rule.rule == kGlue, static_cast<int>(rule.unknown), static_cast<int>(rule.words),
                   [&](ChartFeature feature, int value) { plain[feature] = value; });
  for (int m = 0; m < model_.language_models(); ++m) {
    const auto target = symbols(rule, m);
    double own = 0.0;
    int unknown = 0;
    for (std::uint32_t i = 0; i < rule.size; ++i) {
      if (is_nonterminal(target[i])) continue;
      own += own_log10_[m][rule.symbols + i];
      unknown += static_cast<lm::WordId>(target[i]) == lm::kUnknown;
    }
    out[model_.lm_begin() + m] = own * lm::kLn10;
    out[model_.unknown_begin() + m] = -unknown;
  }
}

}  // namespace tunesmith::decode
