#include "decode/lexical/name_lexical.hh"

#include <algorithm>
#include <atomic>
#include <unordered_map>

#include "base/words.hh"
#include "decode/lexical/lexical_keys.hh"
#include "decode/phrase/phrase_options.hh"
#include "engine/parallel.hh"
#include "features/lexical_names.hh"

namespace tunesmith::decode {
namespace {

using Words = std::vector<std::string_view>;

Words texts_of(const StringIndex& vocabulary, std::span<const std::uint32_t> ids) {
  Words words;
  for (const std::uint32_t id : ids) words.push_back(vocabulary.text(id));
  return words;
}

// The keys that are looked for.
class Wanted {
 public:
  Wanted(const std::vector<std::uint64_t>& keys, const features::WeightTable& weights)
      : weights_(weights) {
    for (const std::uint64_t key : keys) numbers_.emplace(key, numbers_.size());
    named_ = std::vector<std::atomic<bool>>(numbers_.size());
    missing_ = numbers_.size();
  }

  // Whether a name is needed for a feature with this (whole) key; the caller will find it. A key
  // has one feature, but for those that were folded.
  bool take(std::uint64_t key) {
    const auto at = numbers_.find(weights_.fold(key));
    if (at == numbers_.end()) return false;
    if (weights_.bits() > 0) return true;
    if (named_[at->second].exchange(true)) return false;
    --missing_;
    return true;
  }
  bool complete() const { return missing_ == 0; }

 private:
  const features::WeightTable& weights_;
  std::unordered_map<std::uint64_t, std::size_t> numbers_;
  std::vector<std::atomic<bool>> named_;
  std::atomic<std::size_t> missing_;
};

// Looks for the names of some keys; one for each thread.
class NameFinder {
 public:
  NameFinder(const PhraseModel& model, const features::LexicalNames& names, Wanted& wanted)
      : model_(model), lexical_(*model.lexical()), names_(names), wanted_(wanted) {}

  // What rules of a source phrase have wherever they stand.
  void add_rules(int t, std::uint64_t source) {
    if (wanted_.complete()) return;
    const grammar::PhraseTable& table = model_.table(t);
    const features::RuleWords words = lexical_.source_words(t, table.source(source));
    const grammar::RuleRange rules = table.rules_of(source);
    for (std::uint64_t r = rules.begin; r < rules.end; ++r) {
      keys_.clear();
      lexical_.templates().rule_keys(lexical_.with_target(words, t, table.target(r)), keys_);
      take(
          [&](features::RuleTexts& texts) {
            texts.source = texts_of(table.source_vocabulary(), table.source(source));
            texts.target = texts_of(table.target_vocabulary(), table.target(r));
          },
          [&](const features::RuleTexts& texts, auto& names) { names_.rule_names(texts, names); });
    }
  }

  // What rules have in their places in a sentence.
  void add_sentence(const std::vector<std::string>& sentence) {
    if (wanted_.complete()) return;
    const auto size = static_cast<int>(sentence.size());
    const SentenceAtoms atoms(lexical_.model(), sentence, nullptr);
    for (int t = 0; t < model_.tables(); ++t) {
      const grammar::PhraseTable& table = model_.table(t);
      ids_.clear();
      for (const std::string& word : sentence) ids_.push_back(table.source_vocabulary().find(word));
      for (int begin = 0; begin < size; ++begin) {
        std::uint64_t key = grammar::kEmptyPhrase;
        for (int end = begin + 1; end <= std::min(size, begin + kMaxPhraseLength); ++end) {
          if (ids_[end - 1] == StringIndex::kMissing) break;
          key = grammar::extend_phrase(key, ids_[end - 1]);
          add_span(t, table.find(key), sentence, begin, end, atoms.around(begin, end));
        }
      }
    }
  }

  // By their whole keys.
  const std::unordered_map<std::uint64_t, std::string>& found() const { return found_; }

 private:
  void add_span(int t, grammar::RuleRange rules, const std::vector<std::string>& sentence,
                int begin, int end, const features::SpanContext& around) {
    if (rules.begin == rules.end) return;
    const grammar::PhraseTable& table = model_.table(t);
    const features::RuleWords words =
        lexical_.source_words(t, std::span(ids_).subspan(begin, end - begin));
    const auto place = [&](features::RuleTexts& texts) {
      texts.source.assign(sentence.begin() + begin, sentence.begin() + end);
      texts.before = begin == 0 ? features::kSentenceBegin : std::string_view(sentence[begin - 1]);
      texts.after = end == static_cast<int>(sentence.size()) ? features::kSentenceEnd
                                                             : std::string_view(sentence[end]);
    };
    keys_.clear();
    lexical_.templates().span_keys(words, around, keys_);
    take(place,
         [&](const features::RuleTexts& texts, auto& names) { names_.span_names(texts, names); });
    for (std::uint64_t r = rules.begin; r < rules.end; ++r) {
      keys_.clear();
      lexical_.templates().context_keys(lexical_.with_target(words, t, table.target(r)), around,
                                        keys_);
      take(
          [&](features::RuleTexts& texts) {
            place(texts);
            texts.target = texts_of(table.target_vocabulary(), table.target(r));
          },
          [&](const features::RuleTexts& texts, auto& names) {
            names_.context_names(texts, names);
          });
    }
  }

  // Names those of keys_ that are wanted and have none yet.
  template <typename Fill, typename Name>
  void take(const Fill& fill, const Name& name) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (found_.contains(keys_[i]) || !wanted_.take(keys_[i])) continue;
      if (names.empty()) {
        features::RuleTexts texts;
        fill(texts);
        name(texts, names);
      }
      found_.emplace(keys_[i], names.at(i));
    }
  }

  const PhraseModel& model_;
  const LexicalTables& lexical_;
  const features::LexicalNames& names_;
  Wanted& wanted_;
  std::vector<std::uint64_t> keys_;  // scratch
  std::vector<std::uint32_t> ids_;
  std::unordered_map<std::uint64_t, std::string> found_;
};

}  // namespace

std::vector<std::vector<NamedFeature>> derivation_names(const PhraseModel& model,
                                                        const SourceSentence& sentence,
                                                        const std::vector<DerivationStep>& steps,
                                                        const std::string& text,
                                                        const std::vector<std::string>& levels) {
  const features::LexicalModel& lexical = model.lexical()->model();
  const features::WeightTable& weights = lexical.weights();
  const features::LexicalNames namer(lexical, levels);
  const std::string* after = sentence.after ? &*sentence.after : nullptr;
  LexicalKeys walk(model, sentence.words, after);
  walk.start();
  Words target;
  for_each_word(text, [&](std::string_view word) { target.push_back(word); });
  const auto around = [&](int place) {
    if (place < 0) return features::kSentenceBegin;
    if (place < static_cast<int>(sentence.words.size()))
      return std::string_view(sentence.words[place]);
    return after == nullptr ? features::kSentenceEnd : std::string_view(*after);
  };
  std::vector<std::vector<NamedFeature>> out;
  std::vector<std::uint64_t> keys;
  std::vector<std::string> names;
  features::RuleTexts rule, last_rule;
  bool follows_rule = false;
  for (const DerivationStep& step : steps) {
    auto& features = out.emplace_back();
    rule.source.assign(sentence.words.begin() + step.begin, sentence.words.begin() + step.end);
    rule.target.assign(target.begin() + step.target_begin, target.begin() + step.target_end);
    rule.before = around(step.begin - 1);
    rule.after = around(step.end);
    keys.clear();
    names.clear();
    walk.follow(step.table,
                step.rule < 0 ? grammar::kNoRule : static_cast<std::uint32_t>(step.rule),
                step.begin, step.end, rule.target, keys);
    if (step.rule >= 0) {
      namer.rule_names(rule, names);
      namer.span_names(rule, names);
      namer.context_names(rule, names);
      if (lexical.templates().sees_history())
        namer.history_names(rule, follows_rule ? &last_rule : nullptr,
                            step.target_begin > 1 ? &target[step.target_begin - 2] : nullptr,
                            step.target_begin > 0 ? &target[step.target_begin - 1] : nullptr,
                            names);
    }
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (const float weight = weights.weight(keys[i]); weight != 0.0F)
        features.push_back({names.at(i), weights.fold(keys[i]), weight});
    follows_rule = step.rule >= 0;
    last_rule = rule;
  }
  return out;
}

std::vector<NamedFeature> find_names(const PhraseModel& model,
                                     const std::vector<std::uint64_t>& keys,
                                     const std::vector<std::vector<std::string>>& text,
                                     const std::vector<std::string>& levels, int threads,
                                     const std::function<void(std::size_t)>& done) {
  const features::LexicalModel& lexical = model.lexical()->model();
  const features::LexicalNames names(lexical, levels);
  Wanted wanted(keys, lexical.weights());
  threads = engine::resolve_threads(threads);
  std::vector<NameFinder> finders(threads, NameFinder(model, names, wanted));
  for (int t = 0; t < model.tables(); ++t)
    engine::parallel_for_worker(
        model.table(t).sources(), threads,
        [&](std::size_t source, int worker) { finders[worker].add_rules(t, source); }, 1024);
  engine::parallel_for_worker(
      text.size(), threads,
      [&](std::size_t s, int worker) {
        finders[worker].add_sentence(text[s]);
        if (done) done(1);
      },
      16);
  std::unordered_map<std::uint64_t, std::string> all;
  for (const NameFinder& finder : finders) all.insert(finder.found().begin(), finder.found().end());
  std::vector<NamedFeature> out;
  for (auto& [key, name] : all)
    out.push_back({std::move(name), lexical.weights().fold(key), lexical.weights().weight(key)});
  std::sort(out.begin(), out.end(), [](const NamedFeature& a, const NamedFeature& b) {
    return a.key != b.key ? a.key < b.key : a.name < b.name;
  });
  return out;
}

}  // namespace tunesmith::decode
