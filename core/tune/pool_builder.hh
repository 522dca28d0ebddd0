// A pool from n-best lists: statistics are counted while the text is in memory, then it is dropped,
// unless it is to be kept; lists are merged sentence by sentence without duplicates.
//
//   1. begin_list(), the rows of a list (from a reader, or add()), end_list(); for every list;
//   2. finish() gives the arrays of the pool.
// Rows lie outside the heap (MappedArray), and the merge gives back what it has copied, so that
// building takes little more memory than the finished pool.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/mapped_array.hh"
#include "base/pool.hh"
#include "formats/nbest_reader.hh"
#include "formats/nbest_store.hh"
#include "metrics/scorer.hh"

namespace tunesmith::tune {

// The rows of a list or a pool, ascending by sentence.
struct PoolRows {
  MappedArray<std::int64_t> offsets;  // [sentences + 1], or less while sentences are being added
  MappedArray<float> dense;
  MappedArray<float> columns;  // features that are statistics of the metric
  MappedArray<std::int64_t> sparse_offsets;
  MappedArray<std::uint32_t> sparse_ids;
  MappedArray<float> sparse_values;
  MappedArray<std::int32_t> stats;
  MappedArray<std::uint64_t> keys;
  formats::StringArray texts;           // if they are kept
  MappedArray<std::int64_t> sentences;  // the numbers of those that have rows, when all is done

  PoolRows() { sparse_offsets.push_back(0); }
  std::size_t rows() const { return keys.size(); }
  void shrink();
};

// The keys of a sentence's hypotheses.
class KeySet {
 public:
  void clear();
  // False if the key was there.
  bool insert(std::uint64_t key);

 private:
  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(256);
  std::size_t size_ = 0;
};

struct PoolBuilderOptions {
  // Features that the metric takes as ready scores; they are no features of the pool.
  std::vector<std::string> columns;
  // Names that are dense whatever the first list looks like; a line without one has 0.
  std::vector<std::string> dense;
  // The name under which a system's own total score is a feature; empty if it is none.
  std::string total;
  bool drop_sparse = false;
  bool keep_texts = false;
  bool skip_bad_lines = false;
  int threads = 1;
};

// Hypotheses in memory, ascending by sentence.
struct HypothesisBatch {
  std::span<const std::uint32_t> sentences;
  std::vector<std::string_view> texts;
  const float* dense = nullptr;  // [rows, dense_names]
  std::vector<std::string> dense_names;
  std::span<const std::int64_t> sparse_offsets;  // empty if there are no sparse features
  std::span<const std::uint32_t> sparse_ids;
  std::span<const float> sparse_values;
  std::vector<std::string> sparse_names;
};

class PoolBuilder final : public formats::NbestSink {
 public:
  // `scorer` may be null when only finished pools are added.
  PoolBuilder(std::shared_ptr<const metrics::SegmentScorer> scorer, PoolBuilderOptions options);

  formats::NbestSchema& schema() { return schema_; }
  const PoolBuilderOptions& options() const { return options_; }
  // How many sentences the references have, or the first list if the metric needs no references;
  // kAnyNumber before that is known.
  static constexpr std::uint32_t kAnyNumber = 0x80000000;
  std::uint32_t sentences() const { return sentences_; }

  void begin_list();
  // Refuses a list that does not have all sentences, unless bad lines are skipped.
  void end_list(const formats::NbestReport& report, const std::string& path);

  // A list that is in memory.
  void add(const HypothesisBatch& batch);
  // A finished pool, with its statistics and keys, and its texts if they are kept.
  void add_pool(const PoolView& pool, std::span<const std::uint64_t> keys,
                const std::vector<std::string_view>& texts,
                const std::vector<std::string>& dense_names,
                const std::vector<std::string>& sparse_names);

  // Sentences without any hypothesis are left out. Call once.
  PoolRows finish();

  std::vector<std::string> dense_names() const;  // without the metric's columns
  const StringIndex& sparse_names() const { return sparse_names_; }
  std::uint64_t duplicates() const { return duplicates_; }
  std::uint32_t empty_sentences() const { return empty_sentences_; }
  int stats_size() const { return stats_size_; }

  // As a sink of a reader.
  void begin(const formats::NbestReport& report) override;
  void work(formats::NbestPart& part, int worker) override;
  void take(formats::NbestPart& part, int worker) override;

 private:
  struct Scratch {
    std::vector<std::int32_t> stats;
    std::vector<std::uint64_t> keys, name_hashes;
    std::vector<std::uint32_t> name_map;
    std::vector<std::uint32_t> ids;
    std::vector<float> values;
  };
  struct Row {
    std::uint32_t sentence;
    const float* dense;  // in the order of the schema
    std::span<const std::uint32_t> ids;
    std::span<const float> values;
    const std::int32_t* stats;
    std::uint64_t key;
    std::string_view text;
  };

  void fix_schema();
  void add_row(const Row& row);
  void open_sentence(std::uint32_t sentence);
  void append(PoolRows& rows, const Row& row) const;
  PoolRows merge();

  std::shared_ptr<const metrics::SegmentScorer> scorer_;
  PoolBuilderOptions options_;
  int stats_size_;
  std::uint32_t sentences_;
  formats::NbestSchema schema_;
  bool fixed_ = false;
  std::vector<int> dense_places_, column_places_;  // in the schema
  std::vector<std::uint64_t> dense_hashes_;
  StringIndex sparse_names_;
  std::vector<Scratch> scratch_;
  std::vector<PoolRows> lists_;
  bool ordered_ = true;
  PoolRows unordered_;  // the rows of a list whose sentences come in any order, all features dense
  std::vector<std::uint32_t> unordered_ids_;
  std::int64_t sentence_ = -1;  // whose keys are in seen_
  KeySet seen_;
  std::uint64_t duplicates_ = 0;
  std::uint32_t empty_sentences_ = 0;
};

}  // namespace tunesmith::tune
