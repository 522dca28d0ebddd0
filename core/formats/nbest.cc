#include "formats/nbest.hh"

#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/error.hh"
#include "base/number.hh"

namespace tunesmith::formats {
namespace {

constexpr std::array<std::pair<NbestDialect, std::string_view>, 13> kDialects{{
    {NbestDialect::kAuto, "auto"},
    {NbestDialect::kMoses, "moses"},
    {NbestDialect::kMarian, "marian"},
    {NbestDialect::kCdec, "cdec"},
    {NbestDialect::kJoshua, "joshua"},
    {NbestDialect::kLabels, "labels"},
    {NbestDialect::kTsv, "tsv"},
    {NbestDialect::kCsv, "csv"},
    {NbestDialect::kFairseq, "fairseq"},
    {NbestDialect::kSockeye, "sockeye"},
    {NbestDialect::kCtranslate2, "ctranslate2"},
    {NbestDialect::kHuggingface, "huggingface"},
    {NbestDialect::kTunesmith, "tunesmith"},
}};

[[noreturn]] void repeated(std::string_view name) {
  throw BadLine{"feature " + quoted(name) + " twice", "every feature once", {}};
}

float finite_float(double value, std::string_view text, std::string_view name) {
  const auto narrow = static_cast<float>(value);
  if (!std::isfinite(narrow)) bad_value(text, name);
  return narrow + 0.0f;  // no negative zero: equal features are equal bytes
}

}  // namespace

NbestDialect nbest_dialect(std::string_view name) {
  std::string known;
  for (const auto& [dialect, text] : kDialects) {
    if (text == name) return dialect;
    known += (known.empty() ? "" : ", ") + std::string(text);
  }
  throw OptionError("unknown n-best format " + quoted(name) + ", expected one of: " + known);
}

std::string_view nbest_dialect_name(NbestDialect dialect) {
  for (const auto& [known, text] : kDialects)
    if (known == dialect) return text;
  return "auto";
}

std::vector<std::string_view> nbest_dialect_names() {
  std::vector<std::string_view> names;
  for (const auto& [dialect, text] : kDialects) names.push_back(text);
  return names;
}

void NbestSchema::add(std::string_view name, bool is_required) {
  if (dense.find(name) != StringIndex::kMissing) return;
  dense.add(name);
  required.push_back(is_required ? 1 : 0);
}

void NbestPart::clear(const NbestSchema& schema) {
  ids.clear();
  lines.clear();
  texts.clear();
  extras.clear();
  totals.clear();
  dense.clear();
  sparse_ends.clear();
  keep.clear();
  sparse_ids.clear();
  sparse_values.clear();
  if (names.size() > 0) names = StringIndex();
  name_rows_.clear();
  decoded.clear();
  line_count = bad_lines = 0;
  failed = unfinished = false;
  width_ = schema.dense.size();
}

void NbestPart::begin_row(std::uint32_t id, std::string_view text, std::uint32_t line) {
  ids.push_back(id);
  lines.push_back(line);
  texts.push_back(text);
  extras.emplace_back();
  totals.push_back(std::numeric_limits<double>::quiet_NaN());
  keep.push_back(1);
  dense.resize(dense.size() + width_, std::numeric_limits<float>::quiet_NaN());
  sparse_ends.push_back(sparse_ids.size());
}

void NbestPart::set_dense(int column, double value, std::string_view text,
                          const NbestSchema& schema) {
  float& place = dense[dense.size() - width_ + static_cast<std::size_t>(column)];
  if (!std::isnan(place)) repeated(schema.dense.text(static_cast<std::uint32_t>(column)));
  place = finite_float(value, text, schema.dense.text(static_cast<std::uint32_t>(column)));
}

void NbestPart::set(std::string_view name, double value, std::string_view text,
                    const NbestSchema& schema) {
  const std::uint32_t column = schema.dense.find(name);
  if (column != StringIndex::kMissing) {
    set_dense(static_cast<int>(column), value, text, schema);
    return;
  }
  const float narrow = finite_float(value, text, name);
  const std::uint32_t id = names.add(name);
  if (id == name_rows_.size()) name_rows_.push_back(0);
  const auto row = static_cast<std::uint32_t>(rows());
  if (name_rows_[id] == row) repeated(name);
  name_rows_[id] = row;
  sparse_ids.push_back(id);
  sparse_values.push_back(narrow);
  sparse_ends.back() = sparse_ids.size();
}

void NbestPart::set_total(double value, std::string_view text, const NbestSchema& schema) {
  if (!std::isnan(totals.back())) repeated("total");
  totals.back() = value;
  if (!schema.total.empty()) set(schema.total, value, text, schema);
}

void NbestPart::end_row(const NbestSchema& schema) {
  float* row = dense.data() + dense.size() - width_;
  for (std::size_t i = 0; i < width_; ++i) {
    if (!std::isnan(row[i])) continue;
    if (schema.required[i])
      throw BadLine{"no feature " + quoted(schema.dense.text(static_cast<std::uint32_t>(i))),
                    "it on every line", "if lines may lack it, name it with --dense"};
    row[i] = 0.0f;
  }
}

void NbestPart::cut(std::size_t rows) {
  for (std::size_t i = sparse_begin(rows); rows < this->rows() && i < sparse_ids.size(); ++i)
    name_rows_[sparse_ids[i]] = 0;
  ids.resize(rows);
  lines.resize(rows);
  texts.resize(rows);
  extras.resize(rows);
  totals.resize(rows);
  keep.resize(rows);
  dense.resize(rows * width_);
  sparse_ends.resize(rows);
  const std::size_t entries = rows == 0 ? 0 : sparse_ends.back();
  sparse_ids.resize(entries);
  sparse_values.resize(entries);
}

void NbestPart::refuse(BadLine bad) {
  if (!skip_bad_lines) throw bad;
  ++bad_lines;
}

std::uint32_t parse_sentence_id(std::string_view text) {
  std::uint64_t id = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || id > 0x7FFFFFFF) {
      id = 0x80000000;
      break;
    }
    id = id * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (text.empty() || id > 0x7FFFFFFF)
    throw BadLine{"sentence id " + quoted(text), "a whole number from 0", {}};
  return static_cast<std::uint32_t>(id);
}

void bad_value(std::string_view text, std::string_view name) {
  throw BadLine{"value " + quoted(text) + " of feature " + quoted(name), "a finite number", {}};
}

double parse_feature_value(std::string_view text, std::string_view name) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  if (parse_number(text.data(), end, value) != end || !std::isfinite(value)) bad_value(text, name);
  return value;
}

void check_feature_name(std::string_view name) {
  bool good = !name.empty();
  for (const char c : name) good = good && static_cast<unsigned char>(c) >= 0x20 && c != 0x7F;
  if (!good) throw BadLine{"feature name " + quoted(name), "a name without control characters", {}};
}

std::string_view take_line(std::string_view& text) {
  const auto* newline = static_cast<const char*>(std::memchr(text.data(), '\n', text.size()));
  std::string_view line = text;
  if (newline == nullptr) {
    text = {};
  } else {
    line = text.substr(0, static_cast<std::size_t>(newline - text.data()));
    text.remove_prefix(line.size() + 1);
  }
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::string_view strip_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace tunesmith::formats
