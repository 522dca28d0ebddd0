// N-best lists of any dialect as rows of features: what parsers fill and sinks take.
//
//   1. NbestReader (nbest_reader.hh) cuts a file into parts of whole lines and finds the dialect;
//   2. an NbestParser turns the lines of a part into the rows of an NbestPart, on any thread;
//   3. an NbestSink takes the parts in the order of the file.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_index.hh"
#include "formats/json.hh"

namespace tunesmith::formats {

// Why a line is refused: the parts of an InputError without its place.
struct BadLine {
  std::string found, expected, remedy;
};

// The dense features of all files that are read together, matched by name.
struct NbestSchema {
  StringIndex dense;
  // Per dense feature: a line without it is refused; otherwise it counts as 0.
  std::vector<std::uint8_t> required;
  // The name under which a system's own total score is a feature; empty if it is none.
  std::string total;
  // Set when the first file has been looked at; later files add no dense features.
  bool fixed = false;

  int size() const { return static_cast<int>(dense.size()); }
  void add(std::string_view name, bool is_required);
};

// The hypotheses of one part of a file. Kept by a thread and used again for its next part.
class NbestPart {
 public:
  // One entry per hypothesis.
  std::vector<std::uint32_t> ids;
  std::vector<std::uint32_t> lines;      // within the part, from 0
  std::vector<std::string_view> texts;   // into the part's text or `decoded`
  std::vector<std::string_view> extras;  // alignment fields, as they stand
  std::vector<double> totals;            // NaN where a line has none
  std::vector<float> dense;              // rows × dense features
  std::vector<std::size_t> sparse_ends;
  std::vector<std::uint8_t> keep;  // 0 for rows that came out of order
  // All sparse entries; ids are positions in `names`.
  std::vector<std::uint32_t> sparse_ids;
  std::vector<float> sparse_values;
  StringIndex names;

  std::uint64_t first_line = 0;  // lines before the part, after the header, if the parser needs it
  std::uint64_t line_count = 0;
  std::uint64_t bad_lines = 0;
  bool skip_bad_lines = false;
  bool unfinished = false;  // the last row goes on on the next line
  bool failed = false;      // at `failed_line`, because of `failure`; nothing after it is parsed
  std::uint64_t failed_line = 0;
  BadLine failure;

  // Memory for text that differs from the file's bytes (unescaped JSON), and for the part's own.
  std::deque<std::string> decoded;
  std::vector<char> buffer;
  JsonTree json;

  std::size_t rows() const { return ids.size(); }
  std::span<const float> dense_row(std::size_t row) const {
    return {dense.data() + row * width_, width_};
  }
  std::size_t sparse_begin(std::size_t row) const { return row == 0 ? 0 : sparse_ends[row - 1]; }

  void clear(const NbestSchema& schema);

  // A row is begun, filled and ended; all but begin_row throw BadLine.
  void begin_row(std::uint32_t id, std::string_view text, std::uint32_t line);
  void set_dense(int column, double value, std::string_view text, const NbestSchema& schema);
  // A feature by its name, dense or not.
  void set(std::string_view name, double value, std::string_view text, const NbestSchema& schema);
  // The system's total score; also a feature if the schema says so.
  void set_total(double value, std::string_view text, const NbestSchema& schema);
  void end_row(const NbestSchema& schema);
  // Takes back everything from row `rows` on.
  void cut(std::size_t rows);
  // Counts a line as bad, or throws what is bad of it.
  void refuse(BadLine bad);

 private:
  std::size_t width_ = 0;
  std::vector<std::uint32_t> name_rows_;  // per name the last row + 1 that has it
};

enum class NbestDialect {
  kAuto,
  kMoses,
  kMarian,
  kCdec,
  kJoshua,
  kLabels,
  kTsv,
  kCsv,
  kFairseq,
  kSockeye,
  kCtranslate2,
  kHuggingface,
  kTunesmith,
};

NbestDialect nbest_dialect(std::string_view name);  // throws OptionError
std::string_view nbest_dialect_name(NbestDialect dialect);
std::vector<std::string_view> nbest_dialect_names();

// Where a line need not have all features, one is dense if so few as one in this many of the first
// lines have it.
constexpr std::size_t kLenientShare = 10;

class NbestParser {
 public:
  virtual ~NbestParser() = default;

  // Looks at the first complete lines of a file: its layout, and the dense features unless the
  // schema is fixed. Throws BadLine for a header that cannot be used.
  virtual void prepare(std::string_view head, NbestSchema& schema) = 0;
  // The bytes and lines at the front that are not hypotheses; known after prepare().
  std::size_t header_bytes() const { return header_bytes_; }
  std::uint64_t header_lines() const { return header_lines_; }

  // Adds the hypotheses of a line to the part, or throws BadLine.
  virtual void parse(std::string_view line, std::uint32_t number, NbestPart& part) const = 0;
  // After the last line of a part.
  virtual void end(NbestPart&) const {}
  // May a part begin with this line?
  virtual bool begins_row(std::string_view) const { return true; }
  // Are the sentences of a file in order?
  virtual bool ordered() const { return true; }
  // Does a line's number say which sentence it is?
  virtual bool needs_line_numbers() const { return false; }
  // The header of our own schema, for whoever knows what its fields mean.
  virtual std::string_view header() const { return {}; }
  // The id of the first sentence.
  virtual std::uint32_t first_id() const { return 0; }

 protected:
  std::size_t header_bytes_ = 0;
  std::uint64_t header_lines_ = 0;
};

// What the dialect of a file is, from its first lines; throws BadLine.
NbestDialect detect_nbest_dialect(std::string_view head);
std::unique_ptr<NbestParser> make_nbest_parser(NbestDialect dialect);

// Helpers of the parsers. All throw BadLine.
std::uint32_t parse_sentence_id(std::string_view text);
// A finite number; `name` is for the message.
double parse_feature_value(std::string_view text, std::string_view name);
void check_feature_name(std::string_view name);
[[noreturn]] void bad_value(std::string_view text, std::string_view name);

// The next line of `text`, which loses it; no '\n', and no '\r' before it.
std::string_view take_line(std::string_view& text);
std::string_view strip_spaces(std::string_view text);

}  // namespace tunesmith::formats
