#include "grammar/scfg/hiero_extractor.hh"

#include <algorithm>

#include "engine/parallel.hh"
#include "grammar/scfg/occurrence_rules.hh"
#include "grammar/scfg/pattern_search.hh"
#include "grammar/scfg/rule_scores.hh"

namespace tunesmith::grammar {
namespace {

// Sentences of a batch are looked up at the same time, each without what earlier batches had; what
// they share is dropped as they are put together. So threads change nothing.
constexpr std::size_t kBatch = 32;

// Calls use(pattern number, sample, counts) for every pattern that has rules.
template <typename Use>
void each_pattern(const HieroIndex& index, const SourcePatterns& patterns, const LeftOut& left_out,
                  const DoneSides& done, Use use) {
  const auto samples = static_cast<std::uint64_t>(index.options().samples);
  PatternSearch search(index, patterns);
  OccurrenceRules extraction(index);
  RuleCounts counts(index.corpora());
  PatternSample sample;
  std::vector<Occurrence> places;
  for (std::uint32_t i = 1; i < patterns.size(); ++i) {
    const PatternPlaces& found = search.next();
    const Sides wanted = done.rest(patterns[i]);
    if (found.empty() || wanted == 0) continue;
    counts.clear();
    sample.symbols = patterns.symbols(i);
    sample.places = 0;
    const Stride stride(found.size(), samples);
    sample.weight = found.weight * stride.weight();
    const PatternShape shape(sample.symbols);
    // Most of the time is waiting for memory: each round asks for what the next one reads.
    places.clear();
    for (std::uint64_t k = 0; k < stride.kept; ++k) {
      places.push_back(found.is_range
                           ? Occurrence{index.source().suffixes[found.range.begin + stride[k]]}
                           : found.places[stride[k]]);
      index.prefetch_sentence_of(places.back().begin);
    }
    for (const Occurrence& place : places) index.prefetch_begins(place.begin);
    for (const Occurrence& place : places) index.prefetch_target(place.begin);
    for (const Occurrence& place : places) {
      if (left_out(index.sentence_of(place.begin))) continue;
      ++sample.places;
      extraction.extract(shape, place, wanted, counts);
    }
    if (!counts.rules().empty()) use(i, sample, counts);
  }
}

ScfgRules undone_rules(const HieroIndex& index, const SourcePatterns& patterns,
                       const LeftOut& left_out, const DoneSides& done) {
  ScfgRules rules;
  RuleScores scores(index, left_out);
  each_pattern(index, patterns, left_out, done,
               [&](std::uint32_t, const PatternSample& sample, const RuleCounts& counts) {
                 scores.append(sample, counts, rules);
               });
  return rules;
}

}  // namespace

std::vector<std::string> HieroExtractor::feature_names() { return hiero_feature_names(); }

SourcePatterns HieroExtractor::patterns_of(const RuleInput& input) const {
  std::vector<std::uint32_t> ids;
  ids.reserve(input.words.size());
  for (const std::string& word : input.words) ids.push_back(source_words().find(word));
  const SuffixText& text = index_->source();
  const auto follows = [&](std::uint32_t word, std::uint32_t next) {
    return text.narrow(text.find(word), 1, next).size() != 0;
  };
  SourcePatterns patterns;
  if (input.arcs.empty())
    add_patterns(ids, index_->options(), patterns);
  else
    add_patterns(ids, input.arcs, follows, index_->options(), patterns);
  return patterns;
}

ScfgRules HieroExtractor::rules_for(const RuleInput& input, const LeftOut& left_out) const {
  return rules_of(patterns_of(input), left_out);
}

ScfgRules HieroExtractor::rules_of(const SourcePatterns& patterns, const LeftOut& left_out) const {
  return undone_rules(*index_, patterns, left_out, {});
}

ScfgRules HieroExtractor::rules_for_text(std::span<const RuleInput> sentences,
                                         const LeftOut& left_out, int threads) const {
  DoneSides done;
  ScfgRules all;
  for (std::size_t begin = 0; begin < sentences.size(); begin += kBatch) {
    const std::size_t size = std::min(kBatch, sentences.size() - begin);
    std::vector<SourcePatterns> patterns(size);
    std::vector<ScfgRules> rules(size);
    engine::parallel_for(size, threads, [&](std::size_t i) {
      patterns[i] = patterns_of(sentences[begin + i]);
      rules[i] = undone_rules(*index_, patterns[i], left_out, done);
    });
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t r = 0; r < rules[i].size(); ++r) {
        const PatternSide found = find_side(patterns[i], rules[i].source_of(r));
        if ((done.rest(patterns[i][found.pattern]) & found.side) != 0) all.append(rules[i], r);
      }
      done.add(patterns[i]);
    }
  }
  return all;
}

ScfgRules HieroExtractor::filtered(const ScfgRules& rules, const RuleInput& input) const {
  const SourcePatterns patterns = patterns_of(input);
  ScfgRules out;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const PatternSide found = find_side(patterns, rules.source_of(r));
    if (found.pattern != 0 && (patterns[found.pattern].sides & found.side) != 0)
      out.append(rules, r);
  }
  return out;
}

CountsOfCounts count_hiero_rules(const HieroIndex& index, std::size_t sentences, int threads) {
  struct Seen {
    std::uint32_t pattern;
    std::uint8_t side;
    std::uint32_t count;
  };
  const Stride stride(index.sentences(), sentences);
  DoneSides done;
  CountsOfCounts all;
  for (std::size_t begin = 0; begin < stride.kept; begin += kBatch) {
    const std::size_t size = std::min(kBatch, stride.kept - begin);
    std::vector<SourcePatterns> patterns(size);
    std::vector<std::vector<Seen>> seen(size);
    engine::parallel_for(size, threads, [&](std::size_t i) {
      const auto text = index.source().sentence(stride[begin + i]);
      std::vector<std::uint32_t> ids;
      for (const std::uint32_t word : text) ids.push_back(word - 1);
      add_patterns(ids, index.options(), patterns[i]);
      each_pattern(index, patterns[i], {}, done,
                   [&](std::uint32_t pattern, const PatternSample&, const RuleCounts& counts) {
                     for (const RuleCount& rule : counts.rules())
                       seen[i].push_back({pattern, rule.side, rule.count});
                   });
    });
    for (std::size_t i = 0; i < size; ++i) {
      for (const Seen& one : seen[i])
        if ((done.rest(patterns[i][one.pattern]) & (1U << one.side)) != 0) all.add(one.count);
      done.add(patterns[i]);
    }
  }
  return all;
}

}  // namespace tunesmith::grammar
