#include "grammar/scfg/build_hiero_index.hh"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <vector>

#include "base/array_file.hh"
#include "base/error.hh"
#include "engine/parallel.hh"
#include "grammar/lexicon.hh"
#include "grammar/scfg/collocations.hh"
#include "grammar/scfg/hiero_extractor.hh"

namespace tunesmith::grammar {
namespace {

// Of which the rules are counted for the discounts.
constexpr std::size_t kCountedSentences = 200;
constexpr std::size_t kLongestSentence = 0xFFFE;

struct IndexSide {
  std::vector<std::uint32_t> text, begins, suffixes, first, counts;
};

IndexSide make_side(std::span<const std::uint64_t> offsets, std::span<const std::uint32_t> ids,
                    std::uint32_t words, int depth) {
  IndexSide side;
  side.counts.resize(words);
  side.text.reserve(ids.size() + offsets.size());
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    side.begins.push_back(static_cast<std::uint32_t>(side.text.size()));
    for (std::uint64_t i = offsets[s]; i < offsets[s + 1]; ++i) {
      side.text.push_back(ids[i] + 1);
      ++side.counts[ids[i]];
    }
    side.text.push_back(0);
  }
  side.begins.push_back(static_cast<std::uint32_t>(side.text.size()));
  side.first.push_back(0);
  for (const std::uint32_t count : side.counts) side.first.push_back(side.first.back() + count);
  side.suffixes = sort_suffixes(side.text, words, depth);
  return side;
}

struct IndexLinks {
  std::vector<std::uint32_t> sentence_of, ends;
  std::vector<std::uint16_t> links;
  std::vector<LinkRange> source, target;
};

IndexLinks make_links(const AlignedCorpus& corpus) {
  IndexLinks out;
  std::vector<std::vector<std::uint16_t>> of_word;
  for (std::size_t s = 0; s < corpus.sentences(); ++s) {
    const std::size_t size = corpus.source(s).size(), first = out.target.size();
    of_word.assign(size + 1, {});
    out.target.resize(first + corpus.target(s).size() + 1);
    const auto from = corpus.link_sources(s), to = corpus.link_targets(s);
    for (std::size_t i = 0; i < from.size(); ++i) {
      of_word[from[i]].push_back(static_cast<std::uint16_t>(to[i]));
      LinkRange& range = out.target[first + to[i]];
      range.first = std::min<std::uint16_t>(range.first, static_cast<std::uint16_t>(from[i]));
      range.last = std::max<std::uint16_t>(range.last, static_cast<std::uint16_t>(from[i]));
    }
    for (auto& targets : of_word) {
      std::sort(targets.begin(), targets.end());
      targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
      out.links.insert(out.links.end(), targets.begin(), targets.end());
      out.source.push_back(targets.empty() ? LinkRange{}
                                           : LinkRange{targets.front(), targets.back()});
      out.ends.push_back(static_cast<std::uint32_t>(out.links.size()));
      out.sentence_of.push_back(static_cast<std::uint32_t>(s));
    }
  }
  return out;
}

struct IndexLexicon {
  std::vector<std::uint32_t> ends, targets;
  std::vector<HieroIndex::WordPair> pairs;
};

// The probabilities of all word pairs that are linked somewhere, by the source word.
IndexLexicon make_lexicon(const AlignedCorpus& corpus, const Lexicon& lexicon,
                          std::uint32_t words) {
  struct Linked {
    std::uint32_t source, target;
    std::uint64_t link;
  };
  std::vector<Linked> linked;
  linked.reserve(corpus.links.source.size());
  for (std::size_t s = 0; s < corpus.sentences(); ++s)
    for (std::uint64_t i = corpus.links.offsets[s]; i < corpus.links.offsets[s + 1]; ++i)
      linked.push_back(
          {corpus.source(s)[corpus.links.source[i]], corpus.target(s)[corpus.links.target[i]], i});
  std::sort(linked.begin(), linked.end(), [](const Linked& a, const Linked& b) {
    return a.source != b.source   ? a.source < b.source
           : a.target != b.target ? a.target < b.target
                                  : a.link < b.link;
  });
  IndexLexicon out;
  std::size_t i = 0;
  for (std::uint32_t word = 0; word < words; ++word) {
    for (; i < linked.size() && linked[i].source == word; ++i) {
      if (i > 0 && linked[i - 1].source == word && linked[i - 1].target == linked[i].target)
        continue;
      out.targets.push_back(linked[i].target);
      out.pairs.push_back({lexicon.target_given_source[linked[i].link],
                           lexicon.source_given_target[linked[i].link]});
    }
    out.ends.push_back(static_cast<std::uint32_t>(out.targets.size()));
  }
  return out;
}

void check_sizes(const AlignedCorpus& corpus) {
  for (std::size_t s = 0; s < corpus.sentences(); ++s)
    for (const std::size_t size : {corpus.source(s).size(), corpus.target(s).size()})
      if (size > kLongestSentence)
        throw OptionError("sentence " + std::to_string(s + 1) + " has " + std::to_string(size) +
                          " words, expected at most " + std::to_string(kLongestSentence));
  for (const std::size_t size :
       {corpus.source_ids.size(), corpus.target_ids.size(), corpus.links.source.size()})
    if (size + corpus.sentences() >= 0xFFFFFFFFULL)
      throw OptionError("a corpus of " + std::to_string(size) +
                        " words or links, expected less than 4,294,967,295");
}

void write_side(ArrayFileWriter& writer, const std::string& name, const IndexSide& side,
                const StringIndex& vocabulary) {
  writer.add(name + "_vocabulary", vocabulary.bytes());
  writer.add(name + "_vocabulary_ends", vocabulary.ends());
  writer.add(name + "_text", side.text);
  writer.add(name + "_begins", side.begins);
  writer.add(name + "_suffixes", side.suffixes);
  writer.add(name + "_first", side.first);
}

// The index counts its own rules: it is written without counts first, then again with them.
void add_counts(const std::string& from, const std::string& path, const CountsOfCounts& counts) {
  const ArrayFile file(from, HieroIndex::kKind, HieroIndex::kVersion);
  ArrayFileWriter writer(path, HieroIndex::kKind, HieroIndex::kVersion);
  for (const ArrayEntry& entry : file.entries()) {
    if (entry.name == "counts_of_counts") continue;
    const auto bytes = file.bytes(entry.name);
    writer.begin(entry.name, entry.type, entry.item_size);
    writer.append(bytes.data(), bytes.size());
    writer.end(entry.shape);
  }
  writer.add("counts_of_counts", std::span<const std::uint64_t>(counts.numbers()));
  writer.finish();
}

}  // namespace

void build_hiero_index(const AlignedCorpus& corpus, const StringIndex& source_vocabulary,
                       const StringIndex& target_vocabulary, const HieroOptions& options,
                       const std::string& path, std::string_view meta, int threads) {
  check(options);
  check_links(corpus);
  check_sizes(corpus);
  const std::string uncounted = path + ".uncounted";
  {
    std::array<IndexSide, 2> sides;
    IndexLinks links;
    IndexLexicon lexicon;
    Lexicon words(corpus, source_vocabulary.size(), target_vocabulary.size());
    const std::array<std::function<void()>, 4> tasks{
        [&] {
          sides[0] = make_side(corpus.source_offsets, corpus.source_ids, source_vocabulary.size(),
                               options.max_symbols);
        },
        [&] {
          sides[1] = make_side(corpus.target_offsets, corpus.target_ids, target_vocabulary.size(),
                               options.max_target_span);
        },
        [&] { lexicon = make_lexicon(corpus, words, source_vocabulary.size()); },
        [&] { links = make_links(corpus); }};
    engine::parallel_for(tasks.size(), threads, [&](std::size_t i) { tasks[i](); });
    const FrequentPairs pairs = find_frequent_pairs(sides[0].text, sides[0].counts, options);
    ArrayFileWriter writer(uncounted, HieroIndex::kKind, HieroIndex::kVersion);
    writer.add_text("meta", meta);
    const auto numbers = numbers_of(options);
    writer.add("options", std::span<const std::int32_t>(numbers));
    write_side(writer, "source", sides[0], source_vocabulary);
    write_side(writer, "target", sides[1], target_vocabulary);
    writer.add("sentence_of", links.sentence_of);
    writer.add("link_ends", links.ends);
    writer.add("links", links.links);
    writer.add("source_links", links.source);
    writer.add("target_links", links.target);
    writer.add("lexicon_ends", lexicon.ends);
    writer.add("lexicon_targets", lexicon.targets);
    writer.add("lexicon", lexicon.pairs);
    writer.add("target_given_null", words.target_given_null);
    writer.add("source_given_null", words.source_given_null);
    writer.add("frequent", pairs.words);
    writer.add("collocation_ends", pairs.ends);
    writer.add("collocation_totals", pairs.totals);
    writer.add("collocation_begins", pairs.begins);
    writer.add("collocation_seconds", pairs.seconds);
    if (corpus.corpora > 1) {
      const std::array<std::int32_t, 1> corpora{corpus.corpora};
      writer.add("corpora", std::span<const std::int32_t>(corpora));
      writer.add("origins", corpus.origins);
    }
    const CountsOfCounts none;
    writer.add("counts_of_counts", std::span<const std::uint64_t>(none.numbers()));
    writer.finish();
  }
  try {
    add_counts(uncounted, path,
               count_hiero_rules(HieroIndex(uncounted), kCountedSentences, threads));
  } catch (...) {
    std::remove(uncounted.c_str());
    throw;
  }
  std::remove(uncounted.c_str());
}

}  // namespace tunesmith::grammar
