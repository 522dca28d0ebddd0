#include "decode/rule_cache.hh"

#include <algorithm>
#include <utility>

#include "base/hash.hh"
#include "decode/rule_worth.hh"

namespace tunesmith::decode {
namespace {

// Rules kept ready at most; a rule takes about 200 bytes.
constexpr std::size_t kMaxPrepared = 2'000'000;

// The language models look at this many times the table limit, chosen by the table's own scores.
constexpr int kLookAhead = 4;

}  // namespace

RuleCache::RuleCache(const PhraseModel& model, std::span<const double> weights, int table_limit)
    : model_(model), weights_(weights), table_limit_(table_limit), groups_(model.groups()) {}

const std::vector<PreparedRule>& RuleCache::rules(int g, std::span<const std::uint64_t> keys) {
  std::uint64_t phrase = keys[0];
  for (const std::uint64_t key : keys.subspan(1)) phrase = hash_combine(phrase, key);
  const auto known = groups_[g].find(phrase);
  if (known != groups_[g].end()) return known->second;
  std::vector<PreparedRule> rules = prepared(g, keys, nullptr, arena_);
  // Phrases of the text that no table has are without end: to keep them would take memory for
  // every line.
  if (rules.empty()) return none_;
  prepared_ += rules.size();
  return groups_[g].emplace(phrase, std::move(rules)).first->second;
}

std::vector<PreparedRule> RuleCache::allowed_rules(int g, std::span<const std::uint64_t> keys,
                                                   const ForbiddenPhrases& forbidden,
                                                   Arena& arena) {
  return prepared(g, keys, &forbidden, arena);
}

std::vector<PreparedRule> RuleCache::prepared(int g, std::span<const std::uint64_t> keys,
                                              const ForbiddenPhrases* forbidden, Arena& arena) {
  std::vector<PreparedRule> prepared;
  const TableGroup group = model_.group(g);
  for (int t = group.begin; t < group.end; ++t) {
    const std::uint64_t source = model_.table(t).find_source(keys[t - group.begin]);
    if (source < model_.table(t).sources()) add_rules(t, source, arena, prepared);
  }
  if (forbidden != nullptr)
    std::erase_if(prepared, [&](const PreparedRule& rule) {
      return !has_allowed_words(model_, rule, *forbidden);
    });
  if (prepared.empty()) return prepared;
  const auto limit = static_cast<std::size_t>(table_limit_ > 0 ? table_limit_ : prepared.size());
  if (prepared.size() > kLookAhead * limit) {
    std::stable_sort(prepared.begin(), prepared.end(),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    prepared.resize(kLookAhead * limit);
  }
  if (model_.lexical() != nullptr) add_lexical(prepared);
  for (PreparedRule& rule : prepared) look_at(rule, arena);
  std::stable_sort(prepared.begin(), prepared.end(),
                   [](const auto& a, const auto& b) { return a.estimate > b.estimate; });
  if (prepared.size() > limit) prepared.resize(limit);
  prepared.shrink_to_fit();
  return prepared;
}

void RuleCache::add_rules(int t, std::uint64_t source, Arena& arena,
                          std::vector<PreparedRule>& prepared) {
  const grammar::PhraseTable& table = model_.table(t);
  const TableGroup group = model_.group_of(t);
  const auto source_size = static_cast<int>(table.source(source).size());
  const grammar::RuleRange range = table.rules_of(source);
  for (std::uint64_t r = range.begin; r < range.end; ++r) {
    PreparedRule rule;
    if (group.size() == 1) {
      const auto own = static_cast<std::uint32_t>(r);
      read_tables(model_, group, {&own, 1}, arena, rule);
    } else {
      const auto pair = model_.pair_rules(t, r);
      const auto before = std::span(pair).first(t - group.begin);
      if (!std::ranges::all_of(before, [](auto one) { return one == grammar::kNoRule; }))
        continue;  // it is there already
      read_tables(model_, group, pair, arena, rule);
    }
    rule.source_size = source_size;
    rule.target_size = static_cast<int>(table.target(r).size());
    const double words = add_words_score(0.0, model_, weights_, rule);
    rule.score = static_cast<float>(add_table_score(words, model_, weights_, rule));
    prepared.push_back(rule);
  }
}

PreparedRule RuleCache::reduced(const PreparedRule& rule, std::span<const std::uint32_t> pair,
                                Arena& arena) const {
  PreparedRule less = rule;
  read_tables(model_, model_.group_of(rule.table), pair, arena, less);
  const auto change = static_cast<float>(add_table_score(0.0, model_, weights_, less) -
                                         add_table_score(0.0, model_, weights_, rule));
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

PreparedRule RuleCache::literal(const std::vector<std::string>& words, int source_size, int unknown,
                                Arena& arena) const {
  PreparedRule rule;
  rule.literal = &words;
  rule.source_size = source_size;
  rule.target_size = static_cast<int>(words.size());
  rule.unknown = unknown;
  rule.reordering = model_.reordering().of_rule(rule);
  rule.score = static_cast<float>(add_words_score(0.0, model_, weights_, rule));
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
  double score = add_phrase_score(rule.score, model_, weights_, rule);
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

bool has_allowed_words(const PhraseModel& model, const PreparedRule& rule,
                       const ForbiddenPhrases& forbidden) {
  std::vector<std::string_view> words;
  append_words(model, rule, words);
  return forbidden.allows(words);
}

}  // namespace tunesmith::decode
