#include "decode/phrase/phrase_options.hh"

#include <algorithm>
#include <limits>

namespace tunesmith::decode {
namespace {

constexpr float kImpossible = -std::numeric_limits<float>::infinity();

// [table of the group][word]
std::vector<std::vector<std::uint32_t>> source_ids(const PhraseModel& model, int g,
                                                   const std::vector<std::string>& words) {
  std::vector<std::vector<std::uint32_t>> ids;
  const TableGroup group = model.group(g);
  for (int t = group.begin; t < group.end; ++t) {
    const StringIndex& vocabulary = model.table(t).source_vocabulary();
    auto& own = ids.emplace_back();
    for (const std::string& word : words) own.push_back(vocabulary.find(word));
  }
  return ids;
}

// The rules of a layer for the sentence as a whole where it is longer than what is looked up
// otherwise; null if there are none.
const std::vector<PreparedRule>* whole_sentence(RuleCache& cache, const SourceSentence& sentence) {
  const PhraseModel& model = cache.model();
  const int last = model.tables() - 1;
  if (!model.is_layer(last) || static_cast<int>(sentence.words.size()) <= kMaxPhraseLength ||
      !sentence.forced.empty())
    return nullptr;
  std::uint64_t key = grammar::kEmptyPhrase;
  for (const std::string& word : sentence.words) {
    const std::uint32_t id = model.table(last).source_vocabulary().find(word);
    if (id == StringIndex::kMissing) return nullptr;
    key = grammar::extend_phrase(key, id);
  }
  if (model.table(last).find(key).empty()) return nullptr;
  return &cache.rules(model.groups() - 1, {&key, 1});
}

}  // namespace

std::vector<bool> unknown_words(const PhraseModel& model, std::span<const std::string> words) {
  std::vector<bool> unknown(words.size(), model.reordering().keeps_unknown_order());
  for (int t = 0; t < model.tables(); ++t)
    for (std::size_t i = 0; i < words.size(); ++i)
      if (unknown[i])
        unknown[i] = model.table(t).source_vocabulary().find(words[i]) == StringIndex::kMissing;
  return unknown;
}

PhraseOptions::PhraseOptions(RuleCache& cache, const SearchOptions& search,
                             const SourceSentence& sentence, const RuleFilter* filter,
                             const ForbiddenPhrases* forbidden, bool may_drop)
    : words_(static_cast<int>(sentence.words.size())) {
  max_length_ = std::clamp(words_, 1, kMaxPhraseLength);
  for (const ForcedPhrase& phrase : sentence.forced)
    max_length_ = std::max(max_length_, phrase.end - phrase.begin);
  unknown_ = unknown_words(cache.model(), sentence.words);
  const bool keeps_order = cache.model().reordering().keeps_unknown_order();
  for (const ForcedPhrase& phrase : sentence.forced) {
    const auto words = std::span(sentence.words).subspan(phrase.begin, phrase.end - phrase.begin);
    std::fill(unknown_.begin() + phrase.begin, unknown_.begin() + phrase.end,
              keeps_order && std::ranges::equal(words, phrase.target));
  }
  const auto ends = unknown_run_ends(unknown_, sentence);
  for (int i = 0; i < words_; ++i) max_length_ = std::max(max_length_, ends[i] - i);
  const auto* whole = whole_sentence(cache, sentence);
  if (whole != nullptr) max_length_ = words_;
  by_span_.resize(static_cast<std::size_t>(words_) * max_length_);

  std::vector<bool> forced(words_, false);
  for (const ForcedPhrase& phrase : sentence.forced) {
    std::fill(forced.begin() + phrase.begin, forced.begin() + phrase.end, true);
    offer_literal(cache, phrase.begin, phrase.end, phrase.target, 0);
  }

  std::vector<std::uint64_t> keys;
  for (int g = 0; g < cache.model().groups(); ++g) {
    const auto ids = source_ids(cache.model(), g, sentence.words);
    for (int begin = 0; begin < words_; ++begin) {
      keys.assign(ids.size(), grammar::kEmptyPhrase);
      for (int end = begin + 1; end <= std::min(words_, begin + kMaxPhraseLength); ++end) {
        if (forced[end - 1]) break;
        bool known = false;
        for (std::size_t t = 0; t < keys.size(); ++t) {
          const std::uint32_t word = ids[t][end - 1];
          const bool has = keys[t] != kNoPhrase && word != StringIndex::kMissing;
          keys[t] = has ? grammar::extend_phrase(keys[t], word) : kNoPhrase;
          known = known || has;
        }
        if (!known) break;
        std::span<const PreparedRule> rules = cache.rules(g, keys);
        if (forbidden != nullptr) rules = allowed(cache, *forbidden, g, keys, rules);
        if (filter == nullptr || rules.empty()) {
          offer(begin, end, rules);
        } else {
          own_.push_back(
              std::make_unique<std::vector<PreparedRule>>(kept(cache, *filter, g, keys, rules)));
          offer(begin, end, *own_.back());
        }
      }
    }
  }

  if (whole != nullptr) {
    own_.push_back(std::make_unique<std::vector<PreparedRule>>(*whole));
    if (forbidden != nullptr)
      std::erase_if(*own_.back(), [&](const PreparedRule& rule) {
        return !has_allowed_words(cache.model(), rule, *forbidden);
      });
    offer(0, words_, *own_.back());
  }

  // A word without a translation of its own is copied or dropped, so that every sentence has a
  // translation; with its neighbours, if they are unknown too.
  const auto copies = [&](int begin, int end) {
    const auto& words = sentence.copies.empty() ? sentence.words : sentence.copies;
    if (search.drop_unknown) return std::vector<std::string>();
    return std::vector<std::string>(words.begin() + begin, words.begin() + end);
  };
  for (int i = 0, end = 0; i < words_; i = end) {
    end = i + 1;
    if (forced[i] || !at(i, 1).empty()) continue;
    std::vector<std::string> copy = copies(i, ends[i]);
    if (forbidden == nullptr || forbidden->allows(copy)) {
      end = ends[i];
    } else {
      copy = copies(i, end);
      if (!forbidden->allows(copy)) copy.clear();
    }
    offer_literal(cache, i, end, std::move(copy), end - i);
  }
  if (cache.model().lexical() != nullptr && cache.model().lexical()->templates().sees_context())
    add_context(cache, sentence);
  const auto says_nothing = [](const PreparedRule& rule) { return rule.target_size == 0; };
  for (int i = 0; may_drop && i < words_; ++i)
    if (!forced[i] && std::ranges::none_of(at(i, 1), says_nothing))
      offer_literal(cache, i, i + 1, {}, 1);
  if (cache.model().reordering().sees_place()) add_reordering(cache.model(), sentence);
  fill_future();
}

std::vector<PreparedRule> PhraseOptions::kept(const RuleCache& cache, const RuleFilter& filter,
                                              int g, std::span<const std::uint64_t> keys,
                                              std::span<const PreparedRule> rules) {
  const TableGroup group = cache.model().group(g);
  std::vector<PreparedRule> kept;
  std::vector<std::uint32_t> pair;
  bool changed = false;
  for (const PreparedRule& rule : rules) {
    if (rule.pair == nullptr) {
      if (!filter.leaves_out(group.begin, keys[0], rule.rule)) kept.push_back(rule);
      continue;
    }
    pair.assign(rule.pair, rule.pair + group.size());
    for (int t = group.begin; t < group.end; ++t) {
      std::uint32_t& own = pair[t - group.begin];
      if (own != grammar::kNoRule && filter.leaves_out(t, keys[t - group.begin], own))
        own = grammar::kNoRule;
    }
    if (std::equal(pair.begin(), pair.end(), rule.pair)) {
      kept.push_back(rule);
    } else if (std::ranges::any_of(pair, [](std::uint32_t r) { return r != grammar::kNoRule; })) {
      kept.push_back(cache.reduced(rule, pair, arena_));
      changed = true;
    }
  }
  if (changed)
    std::stable_sort(kept.begin(), kept.end(),
                     [](const auto& a, const auto& b) { return a.estimate > b.estimate; });
  return kept;
}

std::span<const PreparedRule> PhraseOptions::allowed(RuleCache& cache,
                                                     const ForbiddenPhrases& forbidden, int g,
                                                     std::span<const std::uint64_t> keys,
                                                     std::span<const PreparedRule> rules) {
  if (std::ranges::all_of(rules, [&](const PreparedRule& rule) {
        return has_allowed_words(cache.model(), rule, forbidden);
      }))
    return rules;
  own_.push_back(
      std::make_unique<std::vector<PreparedRule>>(cache.allowed_rules(g, keys, forbidden, arena_)));
  return *own_.back();
}

void PhraseOptions::offer(int begin, int end, std::span<const PreparedRule> rules) {
  if (rules.empty()) return;
  auto& span = by_span_[begin * max_length_ + (end - begin) - 1];
  if (span.empty()) {
    span = rules;
    return;
  }
  auto merged = std::make_unique<std::vector<PreparedRule>>();
  std::merge(span.begin(), span.end(), rules.begin(), rules.end(), std::back_inserter(*merged),
             [](const auto& a, const auto& b) { return a.estimate > b.estimate; });
  own_.push_back(std::move(merged));
  span = *own_.back();
}

void PhraseOptions::offer_literal(const RuleCache& cache, int begin, int end,
                                  std::vector<std::string> words, int unknown) {
  literals_.push_back(std::make_unique<std::vector<std::string>>(std::move(words)));
  own_.push_back(std::make_unique<std::vector<PreparedRule>>());
  own_.back()->push_back(cache.literal(*literals_.back(), end - begin, unknown, arena_));
  offer(begin, end, *own_.back());
}

void PhraseOptions::add_context(const RuleCache& cache, const SourceSentence& sentence) {
  const PhraseModel& model = cache.model();
  const LexicalTables& lexical = *model.lexical();
  const SentenceAtoms atoms(lexical.model(), sentence.words,
                            sentence.after ? &*sentence.after : nullptr);
  const auto weight = static_cast<float>(cache.weights()[model.lexical_index()]);
  std::vector<std::uint32_t> ids;
  std::vector<std::uint64_t> keys;
  for (int begin = 0; begin < words_; ++begin) {
    for (int length = 1; length <= std::min(max_length_, words_ - begin); ++length) {
      auto& span = by_span_[begin * max_length_ + length - 1];
      if (span.empty() || span[0].rule == grammar::kNoRule) continue;
      const features::SpanContext around = atoms.around(begin, begin + length);
      auto rules = std::make_unique<std::vector<PreparedRule>>(span.begin(), span.end());
      int table = -1;
      features::RuleWords source;
      double of_span = 0.0;
      for (PreparedRule& rule : *rules) {
        if (rule.table != table) {
          // Tables number words in their own ways; to the features the source is the same.
          table = rule.table;
          const StringIndex& vocabulary = model.table(table).source_vocabulary();
          ids.clear();
          for (int i = begin; i < begin + length; ++i)
            ids.push_back(vocabulary.find(sentence.words[i]));
          source = lexical.source_words(table, ids);
          keys.clear();
          lexical.templates().span_keys(source, around, keys);
          of_span = lexical.model().weights().sum(keys);
        }
        keys.clear();
        lexical.templates().context_keys(
            lexical.with_target(source, table, model.table(table).target(rule.rule)), around, keys);
        const auto value = static_cast<float>(of_span + lexical.model().weights().sum(keys));
        rule.lexical += value;
        rule.score += weight * value;
        rule.estimate += weight * value;
      }
      std::stable_sort(rules->begin(), rules->end(),
                       [](const auto& a, const auto& b) { return a.estimate > b.estimate; });
      own_.push_back(std::move(rules));
      span = *own_.back();
    }
  }
}

void PhraseOptions::add_reordering(const PhraseModel& model, const SourceSentence& sentence) {
  const std::string* after = sentence.after ? &*sentence.after : nullptr;
  for (int begin = 0; begin < words_; ++begin) {
    for (int length = 1; length <= std::min(max_length_, words_ - begin); ++length) {
      auto& span = by_span_[begin * max_length_ + length - 1];
      if (span.empty()) continue;
      const PlaceReordering place =
          model.reordering().at({sentence.words, after, begin, begin + length});
      auto rules = std::make_unique<std::vector<PreparedRule>>(span.begin(), span.end());
      for (PreparedRule& rule : *rules)
        rule.reordering = model.reordering().in_place(rule, place, arena_);
      own_.push_back(std::move(rules));
      span = *own_.back();
    }
  }
}

void PhraseOptions::fill_future() {
  const int n = words_;
  future_.assign(static_cast<std::size_t>(n) * (n + 1) + 1, kImpossible);
  for (int begin = 0; begin < n; ++begin) {
    float* row = &future_[static_cast<std::size_t>(begin) * (n + 1)];
    row[begin] = 0.0F;
    for (int middle = begin; middle < n; ++middle) {
      if (row[middle] == kImpossible) continue;
      for (int length = 1; length <= std::min(max_length_, n - middle); ++length) {
        const auto rules = at(middle, length);
        if (rules.empty()) continue;
        row[middle + length] = std::max(row[middle + length], row[middle] + rules[0].estimate);
      }
    }
  }
}

}  // namespace tunesmith::decode
