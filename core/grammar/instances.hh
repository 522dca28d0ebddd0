// Where phrase pairs occur in a corpus: step 1 of build_table.hh.
//
// The sentences may be shared out: the occurrences in a range of them go to a file, and those of
// all files are taken together. The order of occurrences is total, so it does not matter who found
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/array_file.hh"
#include "grammar/aligned_corpus.hh"
#include "grammar/extract.hh"
#include "grammar/spilled_parts.hh"

namespace tunesmith::grammar {

// One occurrence of a phrase pair.
struct Instance {
  std::uint64_t source_key, target_key;
  std::uint32_t sentence;
  PhrasePair pair;
  std::uint32_t unused = 0;  // files have no bytes that nobody wrote

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

// Occurrences in parts by the key of the source phrase, each of which can be taken once.
class Instances {
 public:
  static constexpr std::string_view kKind = "instances";
  static constexpr std::uint32_t kVersion = 1;

  // They take at most `memory` bytes before they go to disk beside `path`.
  Instances(const AlignedCorpus& corpus, const ExtractionOptions& options, const std::string& path,
            std::size_t memory)
      : corpus_(corpus), options_(options), memory_(memory), spilled_(path) {}

  // Those of sentences [first, last). `extracted(n)` is called as sentences are done.
  void extract(std::size_t first, std::size_t last, int threads,
               const std::function<void(std::size_t sentences)>& extracted);
  // Those of a file that save() wrote, for this corpus and these options.
  void add(const std::string& path);

  std::uint64_t size() const { return size_; }
  std::vector<Instance> take(int part);
  void save(const std::string& path);

 private:
  using Parts = std::vector<std::vector<Instance>>;
  struct Shard {
    std::unique_ptr<ArrayFile> file;
    CheckedRows<Instance> parts;
  };

  void extract_block(std::size_t first, std::size_t last, Parts& parts) const;
  void flush();

  const AlignedCorpus& corpus_;
  const ExtractionOptions& options_;
  const std::size_t memory_;
  SpilledParts<Instance> spilled_;
  Parts held_{Parts(kParts)};  // what has not gone to disk
  std::size_t held_count_ = 0;
  bool is_spilled_ = false;
  std::vector<Shard> shards_;
  std::uint64_t size_ = 0;
};

}  // namespace tunesmith::grammar
