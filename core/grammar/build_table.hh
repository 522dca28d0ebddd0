// From a corpus with word links to a scored phrase table, in bounded memory.
//
// 1. Extract: every phrase pair instance is 32 bytes (two keys, where it stands, orientations),
//    put into one of 64 parts by the key of its source phrase; parts grow on disk.
// 2. Count: a part is sorted; equal pairs become one rule with its count, its most frequent links
//    (first of equals) and counts of orientations. Rules wait on disk too.
// 3. Turn round: rules regrouped by target phrase give p(f|e).
// 4. Score, prune and write part by part; keys of parts ascend, so the table is sorted.
// The order of instances is total, so the result does not depend on threads or memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_index.hh"
#include "grammar/aligned_corpus.hh"
#include "grammar/extract.hh"

namespace tunesmith::grammar {

enum class CountSmoothing { kNone, kGoodTuring, kKneserNey };

// Which orientation classes are kept and what they are conditioned on.
struct ReorderingOptions {
  bool previous = true, next = true;
  bool mslr = false;       // four classes instead of three
  bool on_pair = true;     // conditioned on f and e; otherwise on f alone
  double smoothing = 0.5;  // added to the count of every class
};

struct TableOptions {
  ExtractionOptions extraction;
  CountSmoothing smoothing = CountSmoothing::kNone;
  ReorderingOptions reordering;
  // Rules kept for each source phrase, by count and then lexical weight; 0 keeps all.
  int limit = 0;
  // Pairs seen less often are dropped.
  int min_count = 1;
  std::size_t memory = std::size_t{1} << 30;  // bytes for instances before they go to disk
  int threads = 1;
};

struct TableReport {
  std::uint64_t instances = 0, pairs = 0, sources = 0, rules = 0;
};

// Scores of a rule: log p(f|e), lex(f|e), p(e|f), lex(e|f).
constexpr int kTableScores = 4;
// Behind these, where there are several corpora, one for each.
constexpr int table_scores(int corpora) { return kTableScores + (corpora > 1 ? corpora : 0); }

// Step 1 for sentences [first, last): their phrase pairs go to the file `path`.
void extract_phrase_pairs(const AlignedCorpus& corpus, const TableOptions& options,
                          std::size_t first, std::size_t last, const std::string& path);

// `shards` are files of extract_phrase_pairs that together have all sentences; without any the
// pairs are extracted here.
TableReport build_phrase_table(const AlignedCorpus& corpus, const StringIndex& source_vocabulary,
                               const StringIndex& target_vocabulary, const TableOptions& options,
                               const std::string& path, std::string_view meta,
                               const std::function<void(std::size_t sentences)>& extracted = {},
                               const std::vector<std::string>& shards = {});

}  // namespace tunesmith::grammar
