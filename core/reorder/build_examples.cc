#include "reorder/build_examples.hh"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/array_file.hh"
#include "base/error.hh"
#include "base/spilled_array.hh"
#include "engine/parallel.hh"
#include "grammar/spilled_parts.hh"
#include "reorder/key_index.hh"

namespace tunesmith::reorder {
namespace {

constexpr std::size_t kBlockSentences = 1024;

struct KeyCount {
  std::uint64_t key;
  std::uint64_t count;
};

// What a block of sentences adds to the file.
struct BlockRows {
  std::vector<std::uint32_t> features;
  std::vector<std::uint32_t> ends;  // of rows, in this block
  std::vector<std::uint8_t> previous, next;
};

class ExampleBuilder {
 public:
  ExampleBuilder(const grammar::AlignedCorpus& corpus, const ExampleWords& words,
                 const ExampleOptions& options, const std::string& path,
                 const std::function<void(std::size_t)>& done)
      : corpus_(corpus),
        words_(words),
        options_(options),
        path_(path),
        done_(done),
        threads_(engine::resolve_threads(options.threads)),
        features_(words.source_classes, words.target_classes, options.choice) {}

  std::vector<std::uint64_t> frequent_keys() const;
  ExampleReport write(std::span<const std::uint64_t> keys, std::string_view meta) const;

 private:
  // visit(pair, keys) for the phrase pairs of sentences [first, last); keys ascend.
  template <typename Visit>
  void each_pair(std::size_t first, std::size_t last, const Visit& visit) const;
  // take(work(first, last)) for all blocks, in their order.
  template <typename Work, typename Take>
  void each_block(const Work& work, const Take& take) const;

  const grammar::AlignedCorpus& corpus_;
  const ExampleWords& words_;
  const ExampleOptions& options_;
  const std::string& path_;
  const std::function<void(std::size_t)>& done_;
  int threads_;
  PhraseFeatures features_;
};

template <typename Visit>
void ExampleBuilder::each_pair(std::size_t first, std::size_t last, const Visit& visit) const {
  grammar::PhraseExtractor extractor(options_.extraction);
  std::vector<grammar::PhrasePair> pairs;
  std::vector<std::uint64_t> keys;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
  for (std::size_t s = first; s < last; ++s) {
    const auto source = corpus_.source(s), target = corpus_.target(s);
    if (source.size() > 0xFFFF || target.size() > 0xFFFF) continue;
    const auto from = corpus_.link_sources(s), to = corpus_.link_targets(s);
    pairs.clear();
    extractor.extract(static_cast<int>(source.size()), static_cast<int>(target.size()), from, to,
                      pairs);
    links.clear();
    for (std::size_t i = 0; i < from.size(); ++i) links.emplace_back(from[i], to[i]);
    std::sort(links.begin(), links.end());
    for (const grammar::PhrasePair& pair : pairs) {
      const std::uint32_t begin = pair.source_begin, end = begin + pair.source_length;
      keys.clear();
      // No link leaves the pair, so all of its source words' links are inside.
      for (auto link = std::lower_bound(links.begin(), links.end(), std::pair(begin, 0U));
           link != links.end() && link->first < end; ++link)
        features_.of_link(source[link->first], target[link->second], keys);
      const SpanWords words{begin == 0 ? kBorder : source[begin - 1], source[begin],
                            source[end - 1], end == source.size() ? kBorder : source[end]};
      const auto translated = target.subspan(pair.target_begin, pair.target_length);
      features_.of_span(words, keys);
      features_.of_edges(words, translated.front(), translated.back(), keys);
      features_.of_phrase(source.subspan(begin, pair.source_length), translated, keys);
      std::sort(keys.begin(), keys.end());
      keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
      visit(pair, keys);
    }
  }
}

template <typename Work, typename Take>
void ExampleBuilder::each_block(const Work& work, const Take& take) const {
  const std::size_t sentences = corpus_.sentences();
  const std::size_t wave = kBlockSentences * static_cast<std::size_t>(threads_);
  for (std::size_t begin = 0; begin < sentences; begin += wave) {
    const std::size_t end = std::min(sentences, begin + wave);
    std::vector<decltype(work(begin, end))> found((end - begin + kBlockSentences - 1) /
                                                  kBlockSentences);
    engine::parallel_for(found.size(), threads_, [&](std::size_t b) {
      const std::size_t first = begin + b * kBlockSentences;
      found[b] = work(first, std::min(end, first + kBlockSentences));
    });
    for (auto& block : found) take(block);
    if (done_) done_(end - begin);
  }
}

std::vector<std::uint64_t> ExampleBuilder::frequent_keys() const {
  grammar::SpilledParts<KeyCount> spilled(path_);
  using Parts = std::vector<std::vector<KeyCount>>;
  each_block(
      [&](std::size_t first, std::size_t last) {
        std::vector<std::uint64_t> all;
        each_pair(first, last, [&](const grammar::PhrasePair&, const auto& keys) {
          all.insert(all.end(), keys.begin(), keys.end());
        });
        std::sort(all.begin(), all.end());
        Parts parts(grammar::kParts);
        for (std::size_t i = 0; i < all.size();) {
          std::size_t end = i;
          while (end < all.size() && all[end] == all[i]) ++end;
          parts[grammar::part_of(mix64(all[i]))].push_back({all[i], end - i});
          i = end;
        }
        return parts;
      },
      [&](Parts& parts) {
        for (int p = 0; p < grammar::kParts; ++p) spilled.append(p, parts[p]);
      });
  std::vector<std::uint64_t> kept;
  for (int p = 0; p < grammar::kParts; ++p) {
    auto part = spilled.load(p);
    std::sort(part.begin(), part.end(),
              [](const KeyCount& a, const KeyCount& b) { return a.key < b.key; });
    for (std::size_t i = 0; i < part.size();) {
      std::uint64_t count = 0;
      const std::uint64_t key = part[i].key;
      for (; i < part.size() && part[i].key == key; ++i) count += part[i].count;
      if (count > options_.cutoff) kept.push_back(key);
    }
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

ExampleReport ExampleBuilder::write(std::span<const std::uint64_t> keys,
                                    std::string_view meta) const {
  const KeyIndex index(keys);
  ArrayFileWriter file(path_, kExamplesKind, kExamplesVersion);
  SpilledArray offsets(path_), previous(path_), next(path_);
  ExampleReport report;
  report.features = keys.size();
  offsets.append(&report.entries, sizeof report.entries);
  file.begin("features", type_code<std::uint32_t>(), sizeof(std::uint32_t));
  each_block(
      [&](std::size_t first, std::size_t last) {
        BlockRows rows;
        each_pair(first, last, [&](const grammar::PhrasePair& pair, const auto& found) {
          for (const std::uint64_t key : found)
            if (const std::uint32_t id = index.find(key); id != KeyIndex::kMissing)
              rows.features.push_back(id);
          rows.ends.push_back(static_cast<std::uint32_t>(rows.features.size()));
          rows.previous.push_back(pair.previous);
          rows.next.push_back(pair.next);
        });
        return rows;
      },
      [&](const BlockRows& rows) {
        file.append(rows.features.data(), rows.features.size() * sizeof(std::uint32_t));
        std::vector<std::uint64_t> ends;
        for (const std::uint32_t end : rows.ends) ends.push_back(report.entries + end);
        offsets.append(ends.data(), ends.size() * sizeof(std::uint64_t));
        previous.append(rows.previous.data(), rows.previous.size());
        next.append(rows.next.data(), rows.next.size());
        report.entries += rows.features.size();
        report.examples += rows.ends.size();
      });
  file.end();
  const auto replay = [&](std::string_view name, std::string_view type, std::uint32_t size,
                          SpilledArray& spilled) {
    file.begin(name, type, size);
    spilled.replay([&](const char* data, std::size_t bytes) { file.append(data, bytes); });
    file.end();
  };
  replay("offsets", type_code<std::uint64_t>(), sizeof(std::uint64_t), offsets);
  replay("previous", type_code<std::uint8_t>(), sizeof(std::uint8_t), previous);
  replay("next", type_code<std::uint8_t>(), sizeof(std::uint8_t), next);
  file.add("keys", keys);
  file.add("source_bytes", words_.source.bytes());
  file.add("source_ends", words_.source.ends());
  file.add("target_bytes", words_.target.bytes());
  file.add("target_ends", words_.target.ends());
  file.add("source_classes", words_.source_classes);
  file.add("target_classes", words_.target_classes);
  file.add_text("meta", meta);
  file.finish();
  return report;
}

void check(const grammar::AlignedCorpus& corpus, const ExampleWords& words,
           const ExampleOptions& options) {
  if (options.choice > kAllChoices) throw OptionError("features that there are not");
  const int length = options.extraction.max_source_length;
  if (length < 1 || length > grammar::kMaxExtractedLength)
    throw OptionError("phrase length " + std::to_string(length) + ", expected 1 to " +
                      std::to_string(grammar::kMaxExtractedLength));
  grammar::check_links(corpus);
  const auto check_side = [](std::span<const std::uint32_t> ids, const StringIndex& vocabulary,
                             std::span<const std::uint32_t> classes) {
    if (vocabulary.size() >= kBorder) throw OptionError("more words than features can tell apart");
    if (!classes.empty() && classes.size() != vocabulary.size())
      throw OptionError("classes that are not those of the words");
    for (const std::uint32_t its : classes)
      if (its != StringIndex::kMissing && its >= kBorder)
        throw OptionError("class " + std::to_string(its) + ", expected a smaller number");
    for (const std::uint32_t id : ids)
      if (id != StringIndex::kMissing && id >= vocabulary.size())
        throw OptionError("a word that the vocabulary does not have");
  };
  check_side(corpus.source_ids, words.source, words.source_classes);
  check_side(corpus.target_ids, words.target, words.target_classes);
}

}  // namespace

ExampleReport build_examples(const grammar::AlignedCorpus& corpus, const ExampleWords& words,
                             const ExampleOptions& options, std::span<const std::uint64_t> keys,
                             const std::string& path, std::string_view meta,
                             const std::function<void(std::size_t)>& done) {
  check(corpus, words, options);
  const ExampleBuilder builder(corpus, words, options, path, done);
  if (!keys.empty()) return builder.write(keys, meta);
  const auto counted = builder.frequent_keys();
  if (counted.size() >= KeyIndex::kMissing) throw OptionError("more than 2^32 - 1 features");
  return builder.write(counted, meta);
}

}  // namespace tunesmith::reorder
