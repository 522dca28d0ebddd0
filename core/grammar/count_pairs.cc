#include "grammar/count_pairs.hh"

#include <algorithm>

#include "base/error.hh"
#include "engine/parallel.hh"
#include "grammar/phrase_table.hh"

namespace tunesmith::grammar {
namespace {

constexpr std::size_t kBlockSentences = 4096;

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

class PairCounter {
 public:
  PairCounter(const AlignedCorpus& corpus, const ExtractionOptions& options,
              const std::string& path, std::size_t memory, int threads)
      : corpus_(corpus),
        options_(options),
        memory_(memory),
        threads_(engine::resolve_threads(threads)),
        instances_(path),
        out_(path) {}

  CountedPairs run(const std::function<void(std::size_t)>& extracted) {
    extract(extracted);
    count();
    return std::move(out_);
  }

 private:
  using Parts = std::vector<std::vector<Instance>>;

  void extract(const std::function<void(std::size_t)>& extracted);
  void extract_block(std::size_t first, std::size_t last, Parts& parts) const;
  void flush(Parts& parts);
  void count();
  std::vector<CountedPair> counted(std::vector<Instance> instances) const;

  const AlignedCorpus& corpus_;
  const ExtractionOptions& options_;
  const std::size_t memory_;
  const int threads_;
  SpilledParts<Instance> instances_;
  Parts held_{Parts(kParts)};  // instances that have not gone to disk
  std::size_t held_count_ = 0;
  bool spilled_ = false;
  CountedPairs out_;
};

void PairCounter::extract_block(std::size_t first, std::size_t last, Parts& parts) const {
  PhraseExtractor extractor(options_);
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
  const int max_source = options_.max_source_length;
  const int max_target = options_.max_target_length;
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

void PairCounter::flush(Parts& parts) {
  for (int p = 0; p < kParts; ++p) {
    instances_.append(p, parts[p]);
    parts[p] = {};
  }
  spilled_ = true;
}

void PairCounter::extract(const std::function<void(std::size_t)>& extracted) {
  const std::size_t sentences = corpus_.sentences();
  const std::size_t wave = kBlockSentences * threads_;
  for (std::size_t begin = 0; begin < sentences; begin += wave) {
    const std::size_t end = std::min(sentences, begin + wave);
    const std::size_t blocks = (end - begin + kBlockSentences - 1) / kBlockSentences;
    std::vector<Parts> found(blocks, Parts(kParts));
    engine::parallel_for(blocks, threads_, [&](std::size_t b) {
      const std::size_t first = begin + b * kBlockSentences;
      extract_block(first, std::min(end, first + kBlockSentences), found[b]);
    });
    for (Parts& block : found) {
      for (int p = 0; p < kParts; ++p) {
        held_[p].insert(held_[p].end(), block[p].begin(), block[p].end());
        held_count_ += block[p].size();
        out_.instances += block[p].size();
        block[p] = {};
      }
    }
    if (held_count_ * sizeof(Instance) > memory_) {
      flush(held_);
      held_count_ = 0;
    }
    if (extracted) extracted(end - begin);
  }
  if (spilled_) flush(held_);
}

std::vector<CountedPair> PairCounter::counted(std::vector<Instance> instances) const {
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

void PairCounter::count() {
  for (int begin = 0; begin < kParts; begin += threads_) {
    const int size = std::min(threads_, kParts - begin);
    std::vector<std::vector<Instance>> loaded(size);
    for (int i = 0; i < size; ++i)
      loaded[i] = spilled_ ? instances_.load(begin + i) : std::move(held_[begin + i]);
    std::vector<std::vector<CountedPair>> results(size);
    engine::parallel_for(size, threads_,
                         [&](std::size_t i) { results[i] = counted(std::move(loaded[i])); });
    for (int i = 0; i < size; ++i) {
      for (const CountedPair& pair : results[i]) out_.counts_of_counts.add(pair.count);
      out_.parts.append(begin + i, results[i]);
      out_.pairs += results[i].size();
      out_.first[begin + i + 1] = out_.pairs;
    }
  }
  if (out_.pairs >= 0xFFFFFFFFULL) throw Error("more than 4,294,967,294 phrase pairs");
}

}  // namespace

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

CountedPairs count_pairs(const AlignedCorpus& corpus, const ExtractionOptions& options,
                         const std::string& path, std::size_t memory, int threads,
                         const std::function<void(std::size_t)>& extracted) {
  return PairCounter(corpus, options, path, memory, threads).run(extracted);
}

}  // namespace tunesmith::grammar
