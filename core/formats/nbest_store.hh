// An n-best list in memory: every hypothesis with its text and features, grouped by sentence.
#pragma once

#include "base/mapped_array.hh"
#include "formats/nbest_reader.hh"

namespace tunesmith::formats {

// Strings back to back; string i is [offsets[i], offsets[i + 1]).
struct StringArray {
  MappedArray<char> bytes;
  MappedArray<std::int64_t> offsets;

  StringArray() { offsets.push_back(0); }
  void add(std::string_view text) {
    bytes.append(text.data(), text.size());
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  std::string_view operator[](std::size_t i) const {
    return {bytes.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
  }
};

class NbestStore final : public NbestSink {
 public:
  NbestSchema schema;
  StringIndex sparse_names;
  MappedArray<std::uint32_t> ids;
  StringArray texts, extras;
  MappedArray<double> totals;
  MappedArray<float> dense;
  MappedArray<std::int64_t> sparse_offsets;
  MappedArray<std::uint32_t> sparse_ids;  // ascending within a row after finish()
  MappedArray<float> sparse_values;
  MappedArray<std::int64_t> offsets;  // by sentence, after finish()
  bool has_extras = false, has_totals = false;

  NbestStore() { sparse_offsets.push_back(0); }
  void take(NbestPart& part, int worker) override;
  // Groups by sentence; a sentence without hypotheses has an empty range.
  void finish(const NbestReport& report);

 private:
  void sort_rows();
  std::vector<std::uint32_t> name_map_;
};

// Sorts the sparse entries of every row by id.
void sort_sparse_rows(std::span<const std::int64_t> offsets, std::uint32_t* ids, float* values,
                      int threads);

}  // namespace tunesmith::formats
