#include "grammar/instances.hh"

#include <algorithm>

#include "base/error.hh"
#include "engine/parallel.hh"
#include "grammar/phrase_table.hh"

namespace tunesmith::grammar {
namespace {

constexpr std::size_t kBlockSentences = 4096;

// Whether an occurrence of a file is one in this corpus.
bool is_in(const AlignedCorpus& corpus, const ExtractionOptions& options,
           const Instance& instance) {
  const PhrasePair& pair = instance.pair;
  return instance.sentence < corpus.sentences() && pair.source_length > 0 &&
         pair.target_length > 0 && pair.source_length <= options.max_source_length &&
         pair.target_length <= options.max_target_length &&
         pair.source_begin + pair.source_length <= corpus.source(instance.sentence).size() &&
         pair.target_begin + pair.target_length <= corpus.target(instance.sentence).size() &&
         pair.previous <= kDiscontinuousRight && pair.next <= kDiscontinuousRight;
}

}  // namespace

void Instances::extract_block(std::size_t first, std::size_t last, Parts& parts) const {
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
      Instance instance{};
      instance.source_key = source_keys[pair.source_begin * max_source + pair.source_length - 1];
      instance.target_key = target_keys[pair.target_begin * max_target + pair.target_length - 1];
      instance.sentence = static_cast<std::uint32_t>(s);
      instance.pair = pair;
      parts[part_of(instance.source_key)].push_back(instance);
    }
  }
}

void Instances::flush() {
  for (int p = 0; p < kParts; ++p) {
    spilled_.append(p, held_[p]);
    held_[p] = {};
  }
  held_count_ = 0;
  is_spilled_ = true;
}

void Instances::extract(std::size_t first_sentence, std::size_t last_sentence, int threads,
                        const std::function<void(std::size_t)>& extracted) {
  if (first_sentence > last_sentence || last_sentence > corpus_.sentences())
    throw OptionError("sentences that the corpus does not have");
  threads = engine::resolve_threads(threads);
  const std::size_t wave = kBlockSentences * threads;
  for (std::size_t begin = first_sentence; begin < last_sentence; begin += wave) {
    const std::size_t end = std::min(last_sentence, begin + wave);
    const std::size_t blocks = (end - begin + kBlockSentences - 1) / kBlockSentences;
    std::vector<Parts> found(blocks, Parts(kParts));
    engine::parallel_for(blocks, threads, [&](std::size_t b) {
      const std::size_t first = begin + b * kBlockSentences;
      extract_block(first, std::min(end, first + kBlockSentences), found[b]);
    });
    for (Parts& block : found) {
      for (int p = 0; p < kParts; ++p) {
        held_[p].insert(held_[p].end(), block[p].begin(), block[p].end());
        held_count_ += block[p].size();
        size_ += block[p].size();
        block[p] = {};
      }
    }
    if (held_count_ * sizeof(Instance) > memory_) {
      flush();
    }
    if (extracted) extracted(end - begin);
  }
  if (is_spilled_) flush();
}

void Instances::add(const std::string& path) {
  Shard shard{std::make_unique<ArrayFile>(path, kKind, kVersion), {}};
  shard.parts = {shard.file->checked<Instance>("instances"),
                 shard.file->checked<std::uint64_t>("ends")};
  if (shard.parts.size() != kParts || !shard.parts.fit())
    throw InputError(path, 0, "parts that do not fit together", "occurrences of phrase pairs");
  shard.parts.items.expect_each([&corpus = corpus_, &options = options_](const Instance& instance) {
    return is_in(corpus, options, instance);
  });
  size_ += shard.parts.items.size();
  shards_.push_back(std::move(shard));
}

std::vector<Instance> Instances::take(int part) {
  std::vector<Instance> out = is_spilled_ ? spilled_.load(part) : std::move(held_[part]);
  for (const Shard& shard : shards_) {
    const auto more = shard.parts[part];
    for (const Instance& instance : more)
      if (part_of(instance.source_key) != part) shard.parts.items.refuse();
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

void Instances::save(const std::string& path) {
  ArrayFileWriter writer(path, kKind, kVersion);
  std::vector<std::uint64_t> ends;
  std::uint64_t end = 0;
  writer.begin("instances", type_code<Instance>(), sizeof(Instance));
  for (int p = 0; p < kParts; ++p) {
    const std::vector<Instance> part = take(p);
    writer.append(part.data(), part.size() * sizeof(Instance));
    ends.push_back(end += part.size());
  }
  writer.end();
  writer.add("ends", ends);
  writer.finish();
}

}  // namespace tunesmith::grammar
