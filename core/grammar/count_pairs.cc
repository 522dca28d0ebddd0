#include "grammar/count_pairs.hh"

#include <algorithm>

#include "base/error.hh"
#include "engine/parallel.hh"

namespace tunesmith::grammar {
namespace {

struct CountedPart {
  std::vector<CountedPair> pairs;
  std::vector<std::uint32_t> origins;
};

// One rule for all equal pairs of a part.
CountedPart counted(const AlignedCorpus& corpus, std::vector<Instance> instances) {
  std::sort(instances.begin(), instances.end());
  CountedPart out;
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
    if (corpus.corpora > 1) {
      out.origins.resize(out.origins.size() + corpus.corpora);
      std::uint32_t* of_corpus = &out.origins[out.origins.size() - corpus.corpora];
      for (std::size_t j = i; j < end; ++j) ++of_corpus[corpus.origins[instances[j].sentence]];
    }
    std::size_t chosen = i;
    if (end - i > 1) {
      masks.clear();
      for (std::size_t j = i; j < end; ++j)
        masks.emplace_back(link_mask(corpus, instances[j].sentence, instances[j].pair), j);
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
    out.pairs.push_back(pair);
    i = end;
  }
  return out;
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

CountedPairs count_pairs(const AlignedCorpus& corpus, Instances instances, const std::string& path,
                         int threads) {
  CountedPairs out(path, corpus.corpora);
  out.instances = instances.size();
  threads = engine::resolve_threads(threads);
  for (int begin = 0; begin < kParts; begin += threads) {
    const int size = std::min(threads, kParts - begin);
    std::vector<std::vector<Instance>> loaded(size);
    for (int i = 0; i < size; ++i) loaded[i] = instances.take(begin + i);
    std::vector<CountedPart> results(size);
    engine::parallel_for(
        size, threads, [&](std::size_t i) { results[i] = counted(corpus, std::move(loaded[i])); });
    for (int i = 0; i < size; ++i) {
      for (const CountedPair& pair : results[i].pairs) out.counts_of_counts.add(pair.count);
      out.parts.append(begin + i, results[i].pairs);
      if (out.origins) out.origins->append(begin + i, results[i].origins);
      out.pairs += results[i].pairs.size();
      out.first[begin + i + 1] = out.pairs;
    }
  }
  if (out.pairs >= 0xFFFFFFFFULL) throw Error("more than 4,294,967,294 phrase pairs");
  return out;
}

}  // namespace tunesmith::grammar
