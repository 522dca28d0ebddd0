#include "decode/rule_cache.hh"

#include <algorithm>

#include "base/hash.hh"

namespace tunesmith::decode {
namespace {

// Rules kept ready at most; a rule takes about 200 bytes.
constexpr std::size_t kMaxPrepared = 2'000'000;

// The language models look at this many times the table limit, chosen by the table's own scores.
constexpr int kLookAhead = 4;

// The first of joined tables that has a phrase pair.
int first_table(std::span<const std::uint32_t> pair) {
  const auto has = [](std::uint32_t rule) { return rule != grammar::kNoRule; };
  return static_cast<int>(std::ranges::find_if(pair, has) - pair.begin());
}

}  // namespace

RuleCache::RuleCache(const PhraseModel& model, std::span<const double> weights, int table_limit)
    : model_(model), weights_(weights), table_limit_(table_limit), groups_(model.groups()) {}

const std::vector<PreparedRule>& RuleCache::rules(int g, std::span<const std::uint64_t> keys) {
  std::uint64_t phrase = keys[0];
  for (const std::uint64_t key : keys.subspan(1)) phrase = hash_combine(phrase, key);
  const auto [place, is_new] = groups_[g].try_emplace(phrase);
  std::vector<PreparedRule>& prepared = place->second;
  if (!is_new) return prepared;
  const TableGroup group = model_.group(g);
  for (int t = group.begin; t < group.end; ++t) {
    const std::uint64_t source = model_.table(t).find_source(keys[t - group.begin]);
    if (source < model_.table(t).sources()) add_rules(t, source, prepared);
  }
  if (prepared.empty()) return prepared;
  const auto limit = static_cast<std::size_t>(table_limit_ > 0 ? table_limit_ : prepared.size());
  if (prepared.size() > kLookAhead * limit) {
    std::stable_sort(prepared.begin(), prepared.end(),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    prepared.resize(kLookAhead * limit);
  }
  if (model_.lexical() != nullptr) add_lexical(prepared);
  for (PreparedRule& rule : prepared) look_at(rule, arena_);
  std::stable_sort(prepared.begin(), prepared.end(),
                   [](const auto& a, const auto& b) { return a.estimate > b.estimate; });
  if (prepared.size() > limit) prepared.resize(limit);
  prepared.shrink_to_fit();
  prepared_ += prepared.size();
  return prepared;
}

void RuleCache::add_rules(int t, std::uint64_t source, std::vector<PreparedRule>& prepared) {
  const grammar::PhraseTable& table = model_.table(t);
  const bool alone = model_.group_of(t).size() == 1;
  const double word_penalty = weights_[model_.word_penalty_index()];
  const grammar::RuleRange range = table.rules_of(source);
  for (std::uint64_t r = range.begin; r < range.end; ++r) {
    PreparedRule rule;
    rule.table = t;
    rule.rule = static_cast<std::uint32_t>(r);
    if (alone) {
      rule.scores = table.scores(r);
      rule.reordering = table.reordering(r);
    } else {
      const auto pair = model_.pair_rules(t, r);
      if (first_table(pair) < t - model_.group_of(t).begin) continue;  // it is there already
      set_scores(rule, pair, arena_);
    }
    rule.target_size = static_cast<int>(table.target(r).size());
    rule.score = static_cast<float>(add_table_score(-rule.target_size * word_penalty, rule));
    prepared.push_back(rule);
  }
}

void RuleCache::set_scores(PreparedRule& rule, std::span<const std::uint32_t> pair,
                           Arena& arena) const {
  const TableGroup group = model_.group_of(rule.table);
  const int first = first_table(pair);
  rule.table = group.begin + first;
  rule.rule = pair[first];
  auto* rules = arena.make<std::uint32_t>(pair.size());
  std::copy(pair.begin(), pair.end(), rules);
  rule.pair = rules;
  auto* scores = arena.make<float>(model_.scores(group));
  model_.read_scores(group, pair, scores);
  rule.scores = scores;
  rule.reordering = model_.reordering(group, pair);
}

double RuleCache::add_table_score(double score, const PreparedRule& rule) const {
  const TableGroup group = model_.group_of(rule.table);
  const double* weights = &weights_[model_.table_begin(group.begin)];
  for (int i = 0; i < model_.scores(group); ++i) score += weights[i] * rule.scores[i];
  return score + model_.sparse(rule.table, rule.rule).dot(weights_.data() + model_.features());
}

PreparedRule RuleCache::reduced(const PreparedRule& rule, std::span<const std::uint32_t> pair,
                                Arena& arena) const {
  PreparedRule less = rule;
  set_scores(less, pair, arena);
  const auto change = static_cast<float>(add_table_score(0.0, less) - add_table_score(0.0, rule));
  less.score += change;
  less.estimate += change;
  return less;
}

void RuleCache::add_lexical(std::vector<PreparedRule>& rules) {
  const LexicalTables& lexical = *model_.lexical();
  const double weight = weights_[model_.lexical_index()];
  int t = -1;
  features::RuleWords words;
  for (PreparedRule& rule : rules) {
    const grammar::PhraseTable& table = model_.table(rule.table);
    if (rule.table != t) {
      t = rule.table;
      words = lexical.source_words(t, table.source(table.source_of(rule.rule)));
    }
    const features::RuleWords pair = lexical.with_target(words, t, table.target(rule.rule));
    keys_.clear();
    lexical.templates().rule_keys(pair, keys_);
    rule.lexical = static_cast<float>(lexical.model().weights().sum(keys_));
    rule.score += static_cast<float>(weight * rule.lexical);
    rule.id = pair.id;
  }
}

PreparedRule RuleCache::literal(const std::vector<std::string>& words, int unknown,
                                Arena& arena) const {
  PreparedRule rule;
  rule.literal = &words;
  rule.target_size = static_cast<int>(words.size());
  rule.unknown = unknown;
  rule.score = static_cast<float>(-unknown * weights_[model_.unknown_index()] -
                                  rule.target_size * weights_[model_.word_penalty_index()]);
  const LexicalTables* lexical = model_.lexical();
  if (lexical != nullptr && lexical->templates().sees_history()) {
    const features::WordAtoms& target = lexical->model().target();
    auto* atoms = arena.make<std::uint64_t>(words.size() * target.levels());
    std::vector<std::uint64_t> left(target.levels());
    for (std::size_t i = 0; i < words.size(); ++i)
      target.read(words[i], left.data(), atoms + i * target.levels());
    rule.literal_atoms = atoms;
  }
  look_at(rule, arena);
  return rule;
}

void RuleCache::look_at(PreparedRule& rule, Arena& arena) const {
  double score = rule.score + weights_[model_.phrase_penalty_index()];
  double open_estimate = 0.0;
  auto* views = arena.make<PhraseLm>(model_.language_models());
  rule.lms = views;
  for (int m = 0; m < model_.language_models(); ++m) {
    const lm::Model& model = model_.language_model(m);
    PhraseLm& view = views[m];
    auto* words = arena.make<lm::WordId>(rule.target_size);
    view.words = words;
    // What a class-based model adds for the word itself needs no context.
    const auto take = [&](lm::ClassedWord word) {
      *words++ = word.id;
      view.closed += word.log10 * lm::kLn10;
    };
    if (rule.literal != nullptr) {
      for (const std::string& word : *rule.literal) take(model.lookup(word));
    } else {
      for (const std::uint32_t word : model_.table(rule.table).target(rule.rule))
        take(model_.lm_word(rule.table, m, word));
    }
    // Without context the state after k words has length k as long as words before the phrase
    // could still matter; when it is shorter, the phrase has closed itself to the left.
    lm::State state = model.null_state();
    float open_score = 0.0F;
    for (int i = 0; i < rule.target_size; ++i) {
      lm::State next;
      const float s = model.score(state, view.words[i], next) * lm::kLn10;
      if (view.closes) {
        view.closed += s;
      } else {
        open_score += s;
        view.open = i + 1;
        view.closes = model.length(next) < i + 1;
      }
      state = next;
    }
    view.right = state;
    const double weight = weights_[model_.lm_begin() + m];
    score += weight * view.closed;
    open_estimate += weight * open_score;
  }
  rule.score = static_cast<float>(score);
  rule.estimate = static_cast<float>(score + open_estimate);
}

void RuleCache::trim() {
  if (prepared_ < kMaxPrepared) return;
  for (auto& group : groups_) group.clear();
  arena_.clear();
  prepared_ = 0;
}

void append_words(const PhraseModel& model, const PreparedRule& rule,
                  std::vector<std::string_view>& out) {
  if (rule.literal != nullptr) {
    out.insert(out.end(), rule.literal->begin(), rule.literal->end());
    return;
  }
  const grammar::PhraseTable& table = model.table(rule.table);
  for (const std::uint32_t word : table.target(rule.rule))
    out.push_back(table.target_vocabulary().text(word));
}

void add_rule_features(const PhraseModel& model, const PreparedRule& rule, double* features,
                       SparseVector& sparse) {
  if (rule.rule != grammar::kNoRule) {
    const TableGroup group = model.group_of(rule.table);
    double* own = features + model.table_begin(group.begin);
    for (int i = 0; i < model.scores(group); ++i) own[i] += rule.scores[i];
    sparse.add(model.sparse(rule.table, rule.rule));
  }
  if (model.lexical() != nullptr) features[model.lexical_index()] += rule.lexical;
  features[model.unknown_index()] -= rule.unknown;
  features[model.word_penalty_index()] -= rule.target_size;
  features[model.phrase_penalty_index()] += 1;
}

}  // namespace tunesmith::decode
