#include "grammar/build_table.hh"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.hh"
#include "engine/parallel.hh"
#include "grammar/count_pairs.hh"
#include "grammar/count_smoothing.hh"
#include "grammar/lexicon.hh"
#include "grammar/phrase_table.hh"
#include "grammar/phrase_table_writer.hh"

namespace tunesmith::grammar {
namespace {

// What the view from the target side gives back for a rule.
struct TargetView {
  float log_source_given_target;
  std::uint32_t target_count;
  std::uint32_t target_partners;
};

// A phrase pair on its way to the view from the target side.
struct TargetEntry {
  std::uint64_t target_key;
  std::uint32_t rule;
  std::uint32_t count;
  std::uint32_t source_partners;

  bool operator<(const TargetEntry& other) const {
    return target_key != other.target_key ? target_key < other.target_key : rule < other.rule;
  }
};

// What the corpora say of the rules of a source phrase: for each of them log p(e|f) by its own
// counts, and as far as it has none by those of all.
class OriginScores {
 public:
  // `counts`: of every rule how often each corpus has it; nothing where there is one.
  OriginScores(std::span<const std::uint32_t> counts, int corpora)
      : counts_(counts), totals_(counts.empty() ? 0 : corpora) {
    for (std::size_t i = 0; i < counts.size(); ++i) totals_[i % corpora] += counts[i];
  }
  // `probability`: p(e|f) of all corpora.
  void append(std::size_t rule, double probability, std::vector<float>& scores) const {
    for (std::size_t k = 0; k < totals_.size(); ++k) {
      const std::uint32_t count = counts_[rule * totals_.size() + k];
      scores.push_back(static_cast<float>(log_in_corpus(count, totals_[k], probability)));
    }
  }

 private:
  std::span<const std::uint32_t> counts_;
  std::vector<double> totals_;
};

class TableBuilder {
 public:
  TableBuilder(const AlignedCorpus& corpus, const StringIndex& source_vocabulary,
               const StringIndex& target_vocabulary, const TableOptions& options,
               const std::string& path, CountedPairs pairs)
      : corpus_(corpus),
        source_vocabulary_(source_vocabulary),
        target_vocabulary_(target_vocabulary),
        options_(options),
        path_(path),
        pairs_(std::move(pairs)) {}

  TableReport run(std::string_view meta) {
    view_from_target();
    return write(meta);
  }

 private:
  void view_from_target();
  TableReport write(std::string_view meta);
  // `origins`: how often each corpus has each of the rules, if there are several.
  void write_source(std::span<const CountedPair> rules, std::span<const std::uint32_t> origins,
                    std::uint64_t first_rule, const SmoothedFrequency& frequency,
                    const Lexicon& lexicon, PhraseTableWriter& writer) const;
  std::vector<float> reordering_of(const std::uint32_t* previous, const std::uint32_t* next) const;

  const AlignedCorpus& corpus_;
  const StringIndex &source_vocabulary_, &target_vocabulary_;
  const TableOptions& options_;
  const std::string& path_;
  CountedPairs pairs_;
  std::vector<TargetView> target_views_;
};

void TableBuilder::view_from_target() {
  SpilledParts<TargetEntry> entries(path_);
  for (int p = 0; p < kParts; ++p) {
    const auto pairs = pairs_.parts.load(p);
    std::vector<std::vector<TargetEntry>> found(kParts);
    for (std::size_t i = 0; i < pairs.size();) {
      std::size_t end = i;
      while (end < pairs.size() && pairs[end].source_key == pairs[i].source_key) ++end;
      for (std::size_t j = i; j < end; ++j)
        found[part_of(pairs[j].target_key)].push_back(
            {pairs[j].target_key, static_cast<std::uint32_t>(pairs_.first[p] + j), pairs[j].count,
             static_cast<std::uint32_t>(end - i)});
      i = end;
    }
    for (int q = 0; q < kParts; ++q) entries.append(q, found[q]);
  }
  target_views_.resize(pairs_.pairs);
  const SmoothedFrequency frequency(options_.smoothing, pairs_.counts_of_counts,
                                    static_cast<double>(pairs_.pairs));
  const int threads = engine::resolve_threads(options_.threads);
  for (int begin = 0; begin < kParts; begin += threads) {
    const int size = std::min(threads, kParts - begin);
    std::vector<std::vector<TargetEntry>> loaded(size);
    for (int i = 0; i < size; ++i) loaded[i] = entries.load(begin + i);
    engine::parallel_for(size, threads, [&](std::size_t part) {
      auto& group = loaded[part];
      std::sort(group.begin(), group.end());
      for (std::size_t i = 0; i < group.size();) {
        std::size_t end = i;
        ConditionCounts given;
        while (end < group.size() && group[end].target_key == group[i].target_key)
          given.add(group[end++].count);
        for (std::size_t j = i; j < end; ++j)
          target_views_[group[j].rule] = {
              static_cast<float>(
                  std::log(frequency(group[j].count, given, group[j].source_partners))),
              static_cast<std::uint32_t>(given.total), static_cast<std::uint32_t>(end - i)};
        i = end;
      }
    });
  }
}

std::vector<float> TableBuilder::reordering_of(const std::uint32_t* previous,
                                               const std::uint32_t* next) const {
  const ReorderingOptions& how = options_.reordering;
  std::vector<float> out;
  const auto add = [&](const std::uint32_t* counts) {
    const auto kind = how.mslr ? OrientationClasses::kMslr : OrientationClasses::kMsd;
    const int size = static_cast<int>(kind);
    double classes[kOrientations] = {};
    for (int o = 0; o < kOrientations; ++o)
      classes[class_of(static_cast<Orientation>(o), kind)] += counts[o];
    double total = 0.0;
    for (int o = 0; o < size; ++o) total += classes[o] + how.smoothing;
    for (int o = 0; o < size; ++o)
      out.push_back(static_cast<float>(std::log((classes[o] + how.smoothing) / total)));
  };
  if (how.previous) add(previous);
  if (how.next) add(next);
  return out;
}

void TableBuilder::write_source(std::span<const CountedPair> rules,
                                std::span<const std::uint32_t> origins, std::uint64_t first_rule,
                                const SmoothedFrequency& frequency, const Lexicon& lexicon,
                                PhraseTableWriter& writer) const {
  ConditionCounts given;
  std::uint32_t previous[kOrientations] = {}, next[kOrientations] = {};
  for (const CountedPair& rule : rules) {
    given.add(rule.count);
    for (int o = 0; o < kOrientations; ++o) {
      previous[o] += rule.previous[o];
      next[o] += rule.next[o];
    }
  }
  struct Scored {
    std::uint32_t index;
    LexicalWeights lexical;
  };
  std::vector<Scored> scored;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const CountedPair& rule = rules[i];
    if (rule.count < static_cast<std::uint32_t>(options_.min_count)) continue;
    scored.push_back({static_cast<std::uint32_t>(i),
                      lexical_weights(corpus_, lexicon, rule.sentence, rule.pair.source_begin,
                                      rule.pair.source_length, rule.pair.target_begin,
                                      rule.pair.target_length)});
  }
  if (scored.empty()) return;
  std::sort(scored.begin(), scored.end(), [&](const Scored& a, const Scored& b) {
    if (rules[a.index].count != rules[b.index].count)
      return rules[a.index].count > rules[b.index].count;
    const float x = a.lexical.target_given_source, y = b.lexical.target_given_source;
    return x != y ? x > y : rules[a.index].target_key < rules[b.index].target_key;
  });
  if (options_.limit > 0 && scored.size() > static_cast<std::size_t>(options_.limit))
    scored.resize(options_.limit);

  const CountedPair& first = rules[0];
  const auto source =
      corpus_.source(first.sentence).subspan(first.pair.source_begin, first.pair.source_length);
  writer.add_source(first.source_key, source);
  const OriginScores by_origin(origins, corpus_.corpora);
  std::vector<float> scores;
  std::vector<std::uint16_t> links;
  for (const Scored& item : scored) {
    const CountedPair& rule = rules[item.index];
    const TargetView& view = target_views_[first_rule + item.index];
    const double probability = frequency(rule.count, given, view.target_partners);
    scores = {view.log_source_given_target, item.lexical.source_given_target,
              static_cast<float>(std::log(probability)), item.lexical.target_given_source};
    by_origin.append(item.index, probability, scores);
    links.clear();
    const std::uint64_t mask = link_mask(corpus_, rule.sentence, rule.pair);
    for (int f = 0; f < rule.pair.source_length; ++f)
      for (int e = 0; e < rule.pair.target_length; ++e)
        if (mask >> (kMaxExtractedLength * f + e) & 1) links.push_back(pack_link(f, e));
    const auto reordering = options_.reordering.on_pair ? reordering_of(rule.previous, rule.next)
                                                        : reordering_of(previous, next);
    RuleData data;
    data.target =
        corpus_.target(rule.sentence).subspan(rule.pair.target_begin, rule.pair.target_length);
    data.scores = scores;
    data.links = links;
    data.counts[0] = static_cast<float>(view.target_count);
    data.counts[1] = static_cast<float>(given.total);
    data.counts[2] = static_cast<float>(rule.count);
    data.reordering = reordering;
    writer.add_rule(data);
  }
}

TableReport TableBuilder::write(std::string_view meta) {
  const Lexicon lexicon(corpus_, source_vocabulary_.size(), target_vocabulary_.size());
  const SmoothedFrequency frequency(options_.smoothing, pairs_.counts_of_counts,
                                    static_cast<double>(pairs_.pairs));
  const ReorderingOptions& how = options_.reordering;
  const int classes = how.mslr ? 4 : 3;
  PhraseTableWriter writer(path_, table_scores(corpus_.corpora),
                           (how.previous + how.next) * classes);
  for (int p = 0; p < kParts; ++p) {
    const auto pairs = pairs_.parts.load(p);
    const auto origins = pairs_.origins ? pairs_.origins->load(p) : std::vector<std::uint32_t>();
    const std::size_t each = pairs_.origins ? corpus_.corpora : 0;
    for (std::size_t i = 0; i < pairs.size();) {
      std::size_t end = i;
      while (end < pairs.size() && pairs[end].source_key == pairs[i].source_key) ++end;
      write_source(std::span(pairs).subspan(i, end - i),
                   std::span(origins).subspan(i * each, (end - i) * each), pairs_.first[p] + i,
                   frequency, lexicon, writer);
      i = end;
    }
  }
  const TableReport report{pairs_.instances, pairs_.pairs, writer.sources(), writer.rules()};
  writer.finish(source_vocabulary_, target_vocabulary_, meta);
  return report;
}

void check(const AlignedCorpus& corpus, const TableOptions& options) {
  const ExtractionOptions& extraction = options.extraction;
  for (const int length : {extraction.max_source_length, extraction.max_target_length})
    if (length < 1 || length > kMaxExtractedLength)
      throw OptionError("phrase length " + std::to_string(length) + ", expected 1 to " +
                        std::to_string(kMaxExtractedLength));
  check_links(corpus);
}

}  // namespace

void extract_phrase_pairs(const AlignedCorpus& corpus, const TableOptions& options,
                          std::size_t first, std::size_t last, const std::string& path) {
  check(corpus, options);
  Instances instances(corpus, options.extraction, path, options.memory);
  instances.extract(first, last, options.threads, {});
  instances.save(path);
}

TableReport build_phrase_table(const AlignedCorpus& corpus, const StringIndex& source_vocabulary,
                               const StringIndex& target_vocabulary, const TableOptions& options,
                               const std::string& path, std::string_view meta,
                               const std::function<void(std::size_t)>& extracted,
                               const std::vector<std::string>& shards) {
  check(corpus, options);
  Instances instances(corpus, options.extraction, path, options.memory);
  for (const std::string& shard : shards) instances.add(shard);
  if (shards.empty()) instances.extract(0, corpus.sentences(), options.threads, extracted);
  CountedPairs pairs = count_pairs(corpus, std::move(instances), path, options.threads);
  return TableBuilder(corpus, source_vocabulary, target_vocabulary, options, path, std::move(pairs))
      .run(meta);
}

}  // namespace tunesmith::grammar
