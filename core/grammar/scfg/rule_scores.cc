#include "grammar/scfg/rule_scores.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/hash.hh"

namespace tunesmith::grammar {
namespace {

enum HieroFeature : std::uint32_t {
  kCoherent,
  kSampleCount,
  kPairCount,
  kLexSource,
  kLexTarget,
  kSingletonSource,
  kSingletonPair,
  kTargetGivenSource,
  kSourceGivenTarget,
  kOneGap,
  kTwoGaps,
  kSwapped,
  kMoved,
  kDeleted,
  kFirstCountBin,
};

// Upper bounds of the counts of a pair, as those of the phrase tables' count_bin.
constexpr std::array<std::uint32_t, 7> kCountBounds{
    1, 2, 4, 8, 16, 32, std::numeric_limits<std::uint32_t>::max()};
constexpr auto kFirstOrigin = static_cast<std::uint32_t>(kFirstCountBin + kCountBounds.size());

}  // namespace

std::vector<std::string> hiero_feature_names(int corpora) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"coherent_e_given_f",
                                 "sample_count_f",
                                 "count_ef",
                                 "max_lex_f_given_e",
                                 "max_lex_e_given_f",
                                 "singleton_f",
                                 "singleton_fe",
                                 "p_e_given_f",
                                 "p_f_given_e",
                                 "gaps:1",
                                 "gaps:2",
                                 "swapped",
                                 "moved",
                                 "deleted"};
    for (const std::uint32_t bound : kCountBounds)
      all.push_back("count_bin:" + (bound == kCountBounds.back() ? "inf" : std::to_string(bound)));
    return all;
  }();
  std::vector<std::string> all = names;
  if (corpora > 1)
    for (int k = 1; k <= corpora; ++k) all.push_back("corpus" + std::to_string(k));
  return all;
}

namespace {

// What becomes of the gaps of a source side.
struct TargetGaps {
  // `side`: lead + 2 * trail.
  TargetGaps(int side, std::span<const Symbol> target) {
    for (const Symbol symbol : target)
      if (is_nonterminal(symbol)) {
        swapped = swapped || label_or_place(symbol) < count;
        ++count;
      }
    moved = count == 1 && ((side == 1 && is_nonterminal(target.back())) ||
                           (side == 2 && is_nonterminal(target.front())));
  }
  int count = 0;
  bool swapped = false;  // two gaps
  bool moved = false;    // the only one, from one end to the other
};

}  // namespace

RuleScores::RuleScores(const HieroIndex& index, const LeftOut& left_out)
    : index_(index),
      left_out_(left_out),
      frequency_(index.options().smoothing, index.counts_of_counts(), 1.0) {}

void RuleScores::append(const PatternSample& sample, const RuleCounts& counts, ScfgRules& out) {
  const auto rules = counts.rules();
  std::array<ConditionCounts, 4> given;
  order_.clear();
  const std::size_t corpora = index_.corpora() > 1 ? index_.corpora() : 0;
  std::vector<double> of_corpus(4 * corpora);  // what each has of a source side
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    order_.push_back(i);
    given[rules[i].side].add(rules[i].count);
    for (std::size_t k = 0; k < corpora; ++k)
      of_corpus[rules[i].side * corpora + k] += counts.origins(i)[k];
  }
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (rules[a].side != rules[b].side) return rules[a].side < rules[b].side;
    if (rules[a].count != rules[b].count) return rules[a].count > rules[b].count;
    return std::ranges::lexicographical_compare(counts.target(rules[a]), counts.target(rules[b]));
  });
  for (const std::uint32_t i : order_) {
    const RuleCount& rule = rules[i];
    const auto target = counts.target(rule);
    // A word that is always unlinked is copied rather than lost.
    if (target.empty() && given[rule.side].total <= rule.count) continue;
    if ((rule.side & 1) != 0) out.source.push_back(nonterminal(0));
    out.source.append(sample.symbols);
    if ((rule.side & 2) != 0) out.source.push_back(nonterminal(0));
    out.target.append(target);
    const auto links = counts.links(rule);
    out.links.append(links);
    const auto feature = [&](std::uint32_t id, double value) {
      if (value == 0.0) return;
      out.feature_ids.push_back(id);
      out.feature_values.push_back(static_cast<float>(value));
    };
    const Lexical lex = lexical(sample.symbols, target);
    ConditionCounts of_target;
    of_target.total = target.empty() ? 0.0 : target_count(target) / sample.weight;
    feature(kCoherent, std::log(rule.count / static_cast<double>(sample.places)));
    feature(kSampleCount, std::log1p(static_cast<double>(sample.places)));
    feature(kPairCount, std::log1p(static_cast<double>(rule.count)));
    feature(kLexSource, lex.source_given_target);
    feature(kLexTarget, lex.target_given_source);
    feature(kSingletonSource, counts.places(rule.side) == 1 ? 1.0 : 0.0);
    feature(kSingletonPair, rule.count == 1 ? 1.0 : 0.0);
    const double probability = frequency_(rule.count, given[rule.side], 0.0);
    feature(kTargetGivenSource, std::log(probability));
    feature(kSourceGivenTarget,
            target.empty() ? lex.source_given_target
                           : std::log(std::min(1.0, frequency_(rule.count, of_target, 0.0))));
    const TargetGaps gaps(rule.side, target);
    feature(kOneGap, gaps.count == 1 ? 1.0 : 0.0);
    feature(kTwoGaps, gaps.count == 2 ? 1.0 : 0.0);
    feature(kSwapped, gaps.swapped ? 1.0 : 0.0);
    feature(kMoved, gaps.moved ? 1.0 : 0.0);
    feature(kDeleted, target.empty() ? 1.0 : 0.0);
    const auto bin = std::lower_bound(kCountBounds.begin(), kCountBounds.end(), rule.count);
    feature(kFirstCountBin + static_cast<std::uint32_t>(bin - kCountBounds.begin()), 1.0);
    for (std::size_t k = 0; k < corpora; ++k)
      feature(kFirstOrigin + static_cast<std::uint32_t>(k),
              log_in_corpus(counts.origins(i)[k], of_corpus[rule.side * corpora + k], probability));
    out.close(0);
  }
}

RuleScores::Lexical RuleScores::lexical(const std::vector<Symbol>& source,
                                        std::span<const Symbol> target) {
  Lexical sum;
  std::array<float, kMaxHieroSymbols> best_source{};
  for (std::size_t i = 0; i < source.size(); ++i)
    if (!is_nonterminal(source[i]))
      best_source[i] = index_.source_given_null(static_cast<std::uint32_t>(source[i]));
  for (const Symbol word : target) {
    if (is_nonterminal(word)) continue;
    float best = index_.target_given_null(static_cast<std::uint32_t>(word));
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (is_nonterminal(source[i])) continue;
      const auto pair =
          word_pair(static_cast<std::uint32_t>(source[i]), static_cast<std::uint32_t>(word));
      best = std::max(best, pair.target_given_source);
      best_source[i] = std::max(best_source[i], pair.source_given_target);
    }
    if (best <= 0.0F) index_.source().begins.refuse();
    sum.target_given_source += std::log(static_cast<double>(best));
  }
  for (std::size_t i = 0; i < source.size(); ++i)
    if (!is_nonterminal(source[i])) {
      if (best_source[i] <= 0.0F) index_.source().begins.refuse();
      sum.source_given_target += std::log(static_cast<double>(best_source[i]));
    }
  return sum;
}

HieroIndex::WordPair RuleScores::word_pair(std::uint32_t source, std::uint32_t target) {
  const std::uint64_t key = static_cast<std::uint64_t>(source) << 32 | target;
  const auto [place, is_new] = word_pairs_.try_emplace(key);
  if (is_new) place->second = index_.word_pair(source, target);
  return place->second;
}

double RuleScores::target_count(std::span<const Symbol> target) {
  double rarest = std::numeric_limits<double>::infinity();
  for (std::size_t begin = 0; begin < target.size(); ++begin) {
    if (is_nonterminal(target[begin])) continue;
    std::size_t end = begin + 1;
    while (end < target.size() && !is_nonterminal(target[end])) ++end;
    const auto part = target.subspan(begin, end - begin);
    const auto [place, is_new] =
        part_counts_.try_emplace(hash_bytes(part.data(), part.size_bytes()));
    if (is_new) place->second = part_count(part);
    rarest = std::min(rarest, place->second);
    begin = end;
  }
  return rarest;
}

double RuleScores::part_count(std::span<const Symbol> words) const {
  const SuffixText& text = index_.target();
  SuffixRange range = text.find(static_cast<std::uint32_t>(words[0]));
  for (std::size_t i = 1; i < words.size() && !range.empty(); ++i)
    range = text.narrow(range, static_cast<int>(i), static_cast<std::uint32_t>(words[i]));
  if (range.empty()) text.first.refuse();
  if (!left_out_.any()) return static_cast<double>(range.size());
  const Stride stride(range.size(), static_cast<std::uint64_t>(index_.options().samples));
  std::uint64_t left = 0;
  for (std::uint64_t i = 0; i < stride.kept; ++i)
    if (!left_out_(text.sentence_of(text.suffixes[range.begin + stride[i]]))) ++left;
  // A rule was seen in a pair that counts, and its target words with it; by a stride they may be
  // missed.
  return static_cast<double>(std::max<std::uint64_t>(left, 1)) * stride.weight();
}

}  // namespace tunesmith::grammar
