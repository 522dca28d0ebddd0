#include "grammar/build_table.hh"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "base/error.hh"
#include "base/spilled_array.hh"
#include "engine/parallel.hh"
#include "grammar/count_smoothing.hh"
#include "grammar/lexicon.hh"
#include "grammar/phrase_table.hh"
#include "grammar/phrase_table_writer.hh"

namespace tunesmith {
namespace {

constexpr int kPartBits = 6;
constexpr int kParts = 1 << kPartBits;
constexpr std::size_t kBlockSentences = 4096;
constexpr int kOrientations = 4;

int part_of(std::uint64_t key) { return static_cast<int>(key >> (64 - kPartBits)); }

// One occurrence of a phrase pair.
struct Instance {
  std::uint64_t source_key, target_key;
  std::uint32_t sentence;
  PhrasePair pair;

  bool operator<(const Instance& other) const {
    if (source_key != other.source_key) return source_key < other.source_key;
    if (target_key != other.target_key) return target_key < other.target_key;
    if (sentence != other.sentence) return sentence < other.sentence;
    if (pair.source_begin != other.pair.source_begin)
      return pair.source_begin < other.pair.source_begin;
    return pair.target_begin < other.pair.target_begin;
  }
};
static_assert(sizeof(Instance) == 32);

// All occurrences of a phrase pair, represented by one with the most frequent links.
struct CountedPair {
  std::uint64_t source_key, target_key;
  std::uint32_t sentence;
  PhrasePair pair;
  std::uint32_t count;
  std::uint32_t previous[kOrientations], next[kOrientations];
};

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

template <typename T>
class SpilledParts {
 public:
  explicit SpilledParts(const std::string& beside) {
    for (int p = 0; p < kParts; ++p) parts_.emplace_back(beside);
  }
  void append(int part, const std::vector<T>& items) {
    parts_[part].append(items.data(), items.size() * sizeof(T));
  }
  std::vector<T> load(int part) {
    std::vector<T> items(parts_[part].bytes() / sizeof(T));
    char* at = reinterpret_cast<char*>(items.data());
    parts_[part].replay([&](const char* data, std::size_t bytes) {
      std::memcpy(at, data, bytes);
      at += bytes;
    });
    return items;
  }
  std::size_t size(int part) const { return parts_[part].bytes() / sizeof(T); }

 private:
  std::vector<SpilledArray> parts_;
};

// Bit (8 · source position + target position) of each link inside the pair.
std::uint64_t link_mask(const AlignedCorpus& corpus, std::uint32_t sentence,
                        const PhrasePair& pair) {
  std::uint64_t mask = 0;
  for (std::uint64_t i = corpus.links.offsets[sentence]; i < corpus.links.offsets[sentence + 1];
       ++i) {
    const int f = static_cast<int>(corpus.links.source[i]) - pair.source_begin;
    const int e = static_cast<int>(corpus.links.target[i]) - pair.target_begin;
    if (f >= 0 && f < pair.source_length && e >= 0 && e < pair.target_length)
      mask |= 1ULL << (kMaxExtractedLength * f + e);
  }
  return mask;
}

class TableBuilder {
 public:
  TableBuilder(const AlignedCorpus& corpus, const StringIndex& source_vocabulary,
               const StringIndex& target_vocabulary, const TableOptions& options,
               const std::string& path)
      : corpus_(corpus),
        source_vocabulary_(source_vocabulary),
        target_vocabulary_(target_vocabulary),
        options_(options),
        path_(path),
        instances_(path),
        pairs_(path) {}

  TableReport run(std::string_view meta, const std::function<void(std::size_t)>& extracted) {
    extract(extracted);
    count();
    view_from_target();
    write(meta);
    return report_;
  }

 private:
  using Parts = std::vector<std::vector<Instance>>;

  void extract(const std::function<void(std::size_t)>& extracted);
  void extract_block(std::size_t first, std::size_t last, Parts& parts) const;
  void flush(Parts& parts);
  void count();
  std::vector<CountedPair> counted(std::vector<Instance> instances) const;
  void view_from_target();
  void write(std::string_view meta);
  void write_source(std::span<const CountedPair> rules, std::uint64_t first_rule,
                    const SmoothedFrequency& frequency, const Lexicon& lexicon,
                    PhraseTableWriter& writer) const;
  std::vector<float> reordering_of(const std::uint32_t* previous, const std::uint32_t* next) const;

  const AlignedCorpus& corpus_;
  const StringIndex &source_vocabulary_, &target_vocabulary_;
  const TableOptions& options_;
  const std::string& path_;
  SpilledParts<Instance> instances_;
  Parts held_{Parts(kParts)};  // instances that have not gone to disk
  std::size_t held_count_ = 0;
  bool spilled_ = false;
  SpilledParts<CountedPair> pairs_;
  std::vector<std::uint64_t> first_pair_ = std::vector<std::uint64_t>(kParts + 1, 0);
  CountsOfCounts counts_of_counts_;
  std::vector<TargetView> target_views_;
  TableReport report_;
};

void TableBuilder::extract_block(std::size_t first, std::size_t last, Parts& parts) const {
  PhraseExtractor extractor(options_.extraction);
  std::vector<PhrasePair> pairs;
  std::vector<std::uint64_t> source_keys, target_keys;
  // Keys of all spans of a side: [begin × max length + length − 1].
  const auto fill_keys = [](std::span<const std::uint32_t> words, int max_length,
                            std::vector<std::uint64_t>& keys) {
    keys.resize(words.size() * max_length);
    for (std::size_t begin = 0; begin < words.size(); ++begin) {
      std::uint64_t key = kEmptyPhrase;
      for (int k = 0; k < max_length && begin + k < words.size(); ++k) {
        key = extend_phrase(key, words[begin + k]);
        keys[begin * max_length + k] = key;
      }
    }
  };
  const int max_source = options_.extraction.max_source_length;
  const int max_target = options_.extraction.max_target_length;
  for (std::size_t s = first; s < last; ++s) {
    const auto source = corpus_.source(s), target = corpus_.target(s);
    if (source.size() > 0xFFFF || target.size() > 0xFFFF) continue;
    pairs.clear();
    extractor.extract(static_cast<int>(source.size()), static_cast<int>(target.size()),
                      corpus_.link_sources(s), corpus_.link_targets(s), pairs);
    fill_keys(source, max_source, source_keys);
    fill_keys(target, max_target, target_keys);
    for (const PhrasePair& pair : pairs) {
      Instance instance;
      instance.source_key = source_keys[pair.source_begin * max_source + pair.source_length - 1];
      instance.target_key = target_keys[pair.target_begin * max_target + pair.target_length - 1];
      instance.sentence = static_cast<std::uint32_t>(s);
      instance.pair = pair;
      parts[part_of(instance.source_key)].push_back(instance);
    }
  }
}

void TableBuilder::flush(Parts& parts) {
  for (int p = 0; p < kParts; ++p) {
    instances_.append(p, parts[p]);
    parts[p] = {};
  }
  spilled_ = true;
}

void TableBuilder::extract(const std::function<void(std::size_t)>& extracted) {
  const std::size_t sentences = corpus_.sentences();
  const int threads = resolve_threads(options_.threads);
  const std::size_t wave = kBlockSentences * threads;
  for (std::size_t begin = 0; begin < sentences; begin += wave) {
    const std::size_t end = std::min(sentences, begin + wave);
    const std::size_t blocks = (end - begin + kBlockSentences - 1) / kBlockSentences;
    std::vector<Parts> found(blocks, Parts(kParts));
    parallel_for(blocks, threads, [&](std::size_t b) {
      const std::size_t first = begin + b * kBlockSentences;
      extract_block(first, std::min(end, first + kBlockSentences), found[b]);
    });
    for (Parts& block : found) {
      for (int p = 0; p < kParts; ++p) {
        held_[p].insert(held_[p].end(), block[p].begin(), block[p].end());
        held_count_ += block[p].size();
        report_.instances += block[p].size();
        block[p] = {};
      }
    }
    if (held_count_ * sizeof(Instance) > options_.memory) {
      flush(held_);
      held_count_ = 0;
    }
    if (extracted) extracted(end - begin);
  }
  if (spilled_) flush(held_);
}

std::vector<CountedPair> TableBuilder::counted(std::vector<Instance> instances) const {
  std::sort(instances.begin(), instances.end());
  std::vector<CountedPair> out;
  std::vector<std::pair<std::uint64_t, std::size_t>> masks;  // links and the instance's place
  for (std::size_t i = 0; i < instances.size();) {
    std::size_t end = i + 1;
    while (end < instances.size() && instances[end].source_key == instances[i].source_key &&
           instances[end].target_key == instances[i].target_key)
      ++end;
    CountedPair pair{};
    pair.source_key = instances[i].source_key;
    pair.target_key = instances[i].target_key;
    pair.count = static_cast<std::uint32_t>(end - i);
    for (std::size_t j = i; j < end; ++j) {
      ++pair.previous[instances[j].pair.previous];
      ++pair.next[instances[j].pair.next];
    }
    std::size_t chosen = i;
    if (end - i > 1) {
      masks.clear();
      for (std::size_t j = i; j < end; ++j)
        masks.emplace_back(link_mask(corpus_, instances[j].sentence, instances[j].pair), j);
      std::sort(masks.begin(), masks.end());
      std::size_t longest = 0;
      for (std::size_t a = 0; a < masks.size();) {
        std::size_t b = a;
        while (b < masks.size() && masks[b].first == masks[a].first) ++b;
        if (b - a > longest || (b - a == longest && masks[a].second < chosen)) {
          longest = b - a;
          chosen = masks[a].second;
        }
        a = b;
      }
    }
    pair.sentence = instances[chosen].sentence;
    pair.pair = instances[chosen].pair;
    out.push_back(pair);
    i = end;
  }
  return out;
}

void TableBuilder::count() {
  const int threads = resolve_threads(options_.threads);
  for (int begin = 0; begin < kParts; begin += threads) {
    const int size = std::min(threads, kParts - begin);
    std::vector<std::vector<Instance>> loaded(size);
    for (int i = 0; i < size; ++i)
      loaded[i] = spilled_ ? instances_.load(begin + i) : std::move(held_[begin + i]);
    std::vector<std::vector<CountedPair>> results(size);
    parallel_for(size, threads, [&](std::size_t i) { results[i] = counted(std::move(loaded[i])); });
    for (int i = 0; i < size; ++i) {
      for (const CountedPair& pair : results[i]) counts_of_counts_.add(pair.count);
      pairs_.append(begin + i, results[i]);
      report_.pairs += results[i].size();
      first_pair_[begin + i + 1] = report_.pairs;
    }
  }
  if (report_.pairs >= 0xFFFFFFFFULL) throw Error("more than 4,294,967,294 phrase pairs");
}

void TableBuilder::view_from_target() {
  SpilledParts<TargetEntry> entries(path_);
  for (int p = 0; p < kParts; ++p) {
    const auto pairs = pairs_.load(p);
    std::vector<std::vector<TargetEntry>> found(kParts);
    for (std::size_t i = 0; i < pairs.size();) {
      std::size_t end = i;
      while (end < pairs.size() && pairs[end].source_key == pairs[i].source_key) ++end;
      for (std::size_t j = i; j < end; ++j)
        found[part_of(pairs[j].target_key)].push_back(
            {pairs[j].target_key, static_cast<std::uint32_t>(first_pair_[p] + j), pairs[j].count,
             static_cast<std::uint32_t>(end - i)});
      i = end;
    }
    for (int q = 0; q < kParts; ++q) entries.append(q, found[q]);
  }
  target_views_.resize(report_.pairs);
  const SmoothedFrequency frequency(options_.smoothing, counts_of_counts_,
                                    static_cast<double>(report_.pairs));
  const int threads = resolve_threads(options_.threads);
  for (int begin = 0; begin < kParts; begin += threads) {
    const int size = std::min(threads, kParts - begin);
    std::vector<std::vector<TargetEntry>> loaded(size);
    for (int i = 0; i < size; ++i) loaded[i] = entries.load(begin + i);
    parallel_for(size, threads, [&](std::size_t part) {
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
    double classes[kOrientations];
    int size = kOrientations;
    for (int o = 0; o < kOrientations; ++o) classes[o] = counts[o];
    if (!how.mslr) {
      classes[2] += classes[3];
      size = 3;
    }
    double total = 0.0;
    for (int o = 0; o < size; ++o) total += classes[o] + how.smoothing;
    for (int o = 0; o < size; ++o)
      out.push_back(static_cast<float>(std::log((classes[o] + how.smoothing) / total)));
  };
  if (how.previous) add(previous);
  if (how.next) add(next);
  return out;
}

void TableBuilder::write_source(std::span<const CountedPair> rules, std::uint64_t first_rule,
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
  std::vector<std::uint16_t> links;
  for (const Scored& item : scored) {
    const CountedPair& rule = rules[item.index];
    const TargetView& view = target_views_[first_rule + item.index];
    const float scores[kTableScores] = {
        view.log_source_given_target, item.lexical.source_given_target,
        static_cast<float>(std::log(frequency(rule.count, given, view.target_partners))),
        item.lexical.target_given_source};
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

void TableBuilder::write(std::string_view meta) {
  const Lexicon lexicon(corpus_, source_vocabulary_.size(), target_vocabulary_.size());
  const SmoothedFrequency frequency(options_.smoothing, counts_of_counts_,
                                    static_cast<double>(report_.pairs));
  const ReorderingOptions& how = options_.reordering;
  const int classes = how.mslr ? 4 : 3;
  PhraseTableWriter writer(path_, kTableScores, (how.previous + how.next) * classes);
  for (int p = 0; p < kParts; ++p) {
    const auto pairs = pairs_.load(p);
    for (std::size_t i = 0; i < pairs.size();) {
      std::size_t end = i;
      while (end < pairs.size() && pairs[end].source_key == pairs[i].source_key) ++end;
      write_source(std::span(pairs).subspan(i, end - i), first_pair_[p] + i, frequency, lexicon,
                   writer);
      i = end;
    }
  }
  report_.sources = writer.sources();
  report_.rules = writer.rules();
  writer.finish(source_vocabulary_, target_vocabulary_, meta);
}

void check(const AlignedCorpus& corpus, const TableOptions& options) {
  const ExtractionOptions& extraction = options.extraction;
  for (const int length : {extraction.max_source_length, extraction.max_target_length})
    if (length < 1 || length > kMaxExtractedLength)
      throw OptionError("phrase length " + std::to_string(length) + ", expected 1 to " +
                        std::to_string(kMaxExtractedLength));
  if (corpus.target_offsets.size() != corpus.source_offsets.size() ||
      corpus.links.offsets.size() != corpus.source_offsets.size())
    throw OptionError("corpus and links have different numbers of sentences");
  for (std::size_t s = 0; s < corpus.sentences(); ++s) {
    const std::size_t source = corpus.source(s).size(), target = corpus.target(s).size();
    const auto from = corpus.link_sources(s), to = corpus.link_targets(s);
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i] >= source || to[i] >= target)
        throw OptionError("sentence " + std::to_string(s + 1) + ": link " +
                          std::to_string(from[i]) + "-" + std::to_string(to[i]) + " outside its " +
                          std::to_string(source) + " and " + std::to_string(target) + " words");
  }
}

}  // namespace

TableReport build_phrase_table(const AlignedCorpus& corpus, const StringIndex& source_vocabulary,
                               const StringIndex& target_vocabulary, const TableOptions& options,
                               const std::string& path, std::string_view meta,
                               const std::function<void(std::size_t)>& extracted) {
  check(corpus, options);
  return TableBuilder(corpus, source_vocabulary, target_vocabulary, options, path)
      .run(meta, extracted);
}

}  // namespace tunesmith
