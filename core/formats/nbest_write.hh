// N-best lists as text, in any dialect that can hold them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/nbest.hh"

namespace tunesmith::formats {

// A list that somebody else owns: the arrays of NbestList in Python.
struct NbestView {
  std::span<const std::int64_t> offsets;  // by sentence
  std::string_view text_bytes;
  std::span<const std::int64_t> text_offsets;
  std::string_view extra_bytes;
  std::span<const std::int64_t> extra_offsets;  // empty if there are none
  std::span<const double> totals;               // empty if there are none
  const float* dense = nullptr;
  std::vector<std::string> dense_names;
  std::span<const std::int64_t> sparse_offsets;
  std::span<const std::uint32_t> sparse_ids;
  std::span<const float> sparse_values;
  std::vector<std::string> sparse_names;

  std::size_t rows() const { return static_cast<std::size_t>(offsets.back()); }
  std::string_view text(std::size_t row) const {
    return text_bytes.substr(static_cast<std::size_t>(text_offsets[row]),
                             static_cast<std::size_t>(text_offsets[row + 1] - text_offsets[row]));
  }
  std::string_view extra(std::size_t row) const {
    if (extra_offsets.empty()) return {};
    return extra_bytes.substr(
        static_cast<std::size_t>(extra_offsets[row]),
        static_cast<std::size_t>(extra_offsets[row + 1] - extra_offsets[row]));
  }
  std::span<const float> dense_row(std::size_t row) const {
    return {dense + row * dense_names.size(), dense_names.size()};
  }
};

class NbestWriter {
 public:
  // Throws OptionError if the dialect cannot hold the list's features under their names.
  NbestWriter(NbestDialect dialect, NbestView list);

  // What stands before the hypotheses (not the header of our own schema).
  std::string header() const;
  // The lines of the sentences [begin, end); throws OptionError for text that cannot be held.
  std::string lines(std::size_t begin, std::size_t end) const;

 private:
  struct Block {
    std::string token;
    std::size_t column, values;
  };

  void check_names() const;
  void make_blocks();
  void check_text(std::size_t sentence, std::size_t row) const;
  void pipes(std::string& out, std::size_t sentence, std::size_t row) const;
  void labels(std::string& out, std::size_t sentence, std::size_t row) const;
  void table_row(std::string& out, std::size_t sentence, std::size_t row) const;
  void fairseq(std::string& out, std::size_t sentence, std::size_t row) const;
  void json(std::string& out, std::size_t sentence, std::size_t row) const;
  void json_columns(std::string& out, std::size_t sentence) const;

  NbestDialect dialect_;
  NbestView list_;
  bool has_totals_ = false;  // of every row
  std::vector<Block> blocks_;
};

}  // namespace tunesmith::formats
