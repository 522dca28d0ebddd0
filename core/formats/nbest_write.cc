#include "formats/nbest_write.hh"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.hh"
#include "base/string_index.hh"
#include "formats/json.hh"
#include "formats/nbest_pipes.hh"

namespace tunesmith::formats {
namespace {

constexpr std::string_view kLabel = "label:";

bool is_pipes(NbestDialect dialect) {
  return dialect == NbestDialect::kMoses || dialect == NbestDialect::kMarian ||
         dialect == NbestDialect::kCdec || dialect == NbestDialect::kJoshua ||
         dialect == NbestDialect::kLabels;
}

bool is_columns(NbestDialect dialect) {
  return dialect == NbestDialect::kSockeye || dialect == NbestDialect::kCtranslate2 ||
         dialect == NbestDialect::kHuggingface;
}

bool is_table(NbestDialect dialect) {
  return dialect == NbestDialect::kTsv || dialect == NbestDialect::kCsv;
}

char separator_of(NbestDialect dialect) { return dialect == NbestDialect::kTsv ? '\t' : ','; }

// A cell of a table, in quotes where it would be read as something else. Quotes inside a cell mean
// nothing in TSV, so that other programs find most texts there as they are.
void append_cell(std::string& out, std::string_view text, char separator) {
  const bool quoted = separator == '\t' ? text.starts_with('"')
                                        : text.find_first_of("\",\r") != std::string_view::npos;
  if (!quoted) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

// The shortest text that is read back as the same number.
template <typename Number>
void append_number(std::string& out, Number value) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, static_cast<std::size_t>(end - digits));
}

[[noreturn]] void cannot_hold(NbestDialect dialect, const std::string& what) {
  throw OptionError("format '" + std::string(nbest_dialect_name(dialect)) + "' cannot hold " +
                    what);
}

std::string_view texts_key(NbestDialect dialect) {
  return dialect == NbestDialect::kSockeye       ? "translations"
         : dialect == NbestDialect::kCtranslate2 ? "hypotheses"
                                                 : "sequences";
}

std::string_view scores_key(NbestDialect dialect) {
  return dialect == NbestDialect::kHuggingface ? "sequences_scores" : "scores";
}

}  // namespace

NbestWriter::NbestWriter(NbestDialect dialect, NbestView list)
    : dialect_(dialect), list_(std::move(list)) {
  if (dialect_ == NbestDialect::kAuto) throw OptionError("name the n-best format to write");
  check_names();
  if (is_pipes(dialect_)) make_blocks();
  // A column has a value in every row.
  has_totals_ =
      !list_.totals.empty() && std::none_of(list_.totals.begin(), list_.totals.end(),
                                            [](double total) { return std::isnan(total); });
}

void NbestWriter::check_names() const {
  using D = NbestDialect;
  const bool sparse = !list_.sparse_ids.empty();
  if (sparse && (is_table(dialect_) || dialect_ == D::kFairseq || dialect_ == D::kMarian ||
                 is_columns(dialect_)))
    cannot_hold(dialect_, "sparse features such as " +
                              quoted(list_.sparse_names[list_.sparse_ids.front()]) +
                              "; take moses, cdec or tunesmith");
  std::vector<std::string_view> names(list_.dense_names.begin(), list_.dense_names.end());
  if (sparse) names.insert(names.end(), list_.sparse_names.begin(), list_.sparse_names.end());
  for (const std::string_view name : names) {
    bool good = !name.empty();
    for (const char c : name) {
      const auto byte = static_cast<unsigned char>(c);
      good = good && byte >= 0x20 && byte != 0x7F && !(is_pipes(dialect_) && c == ' ');
    }
    if (is_table(dialect_)) good = good && name != "id" && name != "text" && name != "total";
    if (is_columns(dialect_))
      good = good && name != texts_key(dialect_) && name != "scores" &&
             name != "sequences_scores" && name != "id" && name != "sentence_id";
    if (dialect_ == D::kFairseq) good = name == "score" || name == "logprob";
    if (!good) cannot_hold(dialect_, "a feature called " + quoted(name));
  }
  if (dialect_ == D::kFairseq && std::find(names.begin(), names.end(), "score") == names.end())
    cannot_hold(dialect_, "a list without the feature 'score'");
  // Under another name a reader takes it for a dense one that other lines lack.
  for (const std::string& name : list_.sparse_names)
    if (dialect_ == D::kMoses && !is_moses_sparse(name))
      cannot_hold(dialect_, "a sparse feature called " + quoted(name) +
                                ", only one called 'function_what'; read the list with --dense " +
                                name);
  if (dialect_ == D::kLabels && !list_.dense_names.empty())
    cannot_hold(dialect_, "the feature " + quoted(list_.dense_names.front()));
}

// Moses writes Name_0, Name_1, … as one block, unless there is a feature Name.
void NbestWriter::make_blocks() {
  const auto& names = list_.dense_names;
  const auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end() ||
           std::find(list_.sparse_names.begin(), list_.sparse_names.end(), name) !=
               list_.sparse_names.end();
  };
  for (std::size_t i = 0; i < names.size();) {
    std::size_t count = 1;
    std::string_view base = names[i];
    if (dialect_ == NbestDialect::kMoses && base.size() > 2 && base.ends_with("_0")) {
      base.remove_suffix(2);
      if (has(base)) {
        base = names[i];
      } else {
        while (i + count < names.size() &&
               names[i + count] == std::string(base) + "_" + std::to_string(count))
          ++count;
        // A block that goes on elsewhere would be read with the wrong number of values.
        if (count == 1 || has(std::string(base) + "_" + std::to_string(count))) {
          base = names[i];
          count = 1;
        }
      }
    }
    blocks_.push_back({std::string(base) + "=", i, count});
    i += count;
  }
}

std::string NbestWriter::header() const {
  if (!is_table(dialect_)) return {};
  const char separator = separator_of(dialect_);
  std::string out = std::string("id") + separator + "text";
  for (const std::string& name : list_.dense_names) {
    out += separator;
    append_cell(out, name, separator);
  }
  if (has_totals_) out += separator + std::string("total");
  return out + "\n";
}

std::string NbestWriter::lines(std::size_t begin, std::size_t end) const {
  std::string out;
  for (std::size_t s = begin; s < end; ++s) {
    const auto first = static_cast<std::size_t>(list_.offsets[s]);
    const auto last = static_cast<std::size_t>(list_.offsets[s + 1]);
    if (first == last)
      throw OptionError("sentence " + std::to_string(s) +
                        " has no hypotheses, and a list needs some of every sentence");
    for (std::size_t row = first; row < last; ++row) {
      check_text(s, row);
      switch (dialect_) {
        case NbestDialect::kTsv:
        case NbestDialect::kCsv:
          table_row(out, s, row);
          break;
        case NbestDialect::kFairseq:
          fairseq(out, s, row);
          break;
        case NbestDialect::kLabels:
          labels(out, s, row);
          break;
        case NbestDialect::kTunesmith:
          json(out, s, row);
          break;
        default:
          if (is_pipes(dialect_)) pipes(out, s, row);
      }
    }
    if (is_columns(dialect_)) json_columns(out, s);
  }
  return out;
}

void NbestWriter::check_text(std::size_t sentence, std::size_t row) const {
  const std::string_view text = list_.text(row);
  const char* found = nullptr;
  if (text.find('\n') != std::string_view::npos) found = "a line break";
  if (dialect_ == NbestDialect::kTsv && text.find('\t') != std::string_view::npos) found = "a tab";
  if ((is_pipes(dialect_) || dialect_ == NbestDialect::kTsv ||
       dialect_ == NbestDialect::kFairseq) &&
      text.find('\r') != std::string_view::npos)
    found = "a carriage return";
  if (is_pipes(dialect_) && split_pipes(text).count > 1) found = "'|||'";
  if (found != nullptr)
    cannot_hold(dialect_,
                std::string(found) + " in the text of hypothesis " +
                    std::to_string(row - static_cast<std::size_t>(list_.offsets[sentence])) +
                    " of sentence " + std::to_string(sentence));
}

void NbestWriter::pipes(std::string& out, std::size_t sentence, std::size_t row) const {
  const bool spaced = dialect_ == NbestDialect::kMoses || dialect_ == NbestDialect::kMarian;
  const std::string_view extra = list_.extra(row);
  append_number(out, sentence);
  out += " ||| ";
  out += list_.text(row);
  if (dialect_ == NbestDialect::kMarian && !extra.empty()) {
    out += " ||| ";
    out += extra;
  }
  out += " |||";
  const auto dense = list_.dense_row(row);
  for (const Block& block : blocks_) {
    out += ' ';
    out += block.token;
    for (std::size_t i = 0; i < block.values; ++i) {
      if (spaced) out += ' ';
      append_number(out, dense[block.column + i]);
    }
  }
  for (std::int64_t i = list_.sparse_offsets[row]; i < list_.sparse_offsets[row + 1]; ++i) {
    out += ' ';
    out += list_.sparse_names[list_.sparse_ids[i]];
    out += spaced ? "= " : "=";
    append_number(out, list_.sparse_values[i]);
  }
  const bool total = !list_.totals.empty() && !std::isnan(list_.totals[row]);
  const bool alignment = dialect_ != NbestDialect::kMarian && !extra.empty();
  if (total || alignment) out += " ||| ";
  if (total) append_number(out, list_.totals[row]);
  if (alignment) {
    out += " ||| ";
    out += extra;
  }
  out += '\n';
}

void NbestWriter::labels(std::string& out, std::size_t sentence, std::size_t row) const {
  const std::int64_t i = list_.sparse_offsets[row];
  const std::string_view name = i + 1 == list_.sparse_offsets[row + 1]
                                    ? std::string_view(list_.sparse_names[list_.sparse_ids[i]])
                                    : std::string_view();
  if (!name.starts_with(kLabel) || list_.sparse_values[i] != 1.0f)
    cannot_hold(dialect_, "sentence " + std::to_string(sentence) +
                              ": every hypothesis needs one feature 'label:…' of value 1");
  append_number(out, sentence);
  out += " ||| ";
  out += list_.text(row);
  out += " ||| ";
  out += name.substr(kLabel.size());
  out += '\n';
}

void NbestWriter::table_row(std::string& out, std::size_t sentence, std::size_t row) const {
  const char separator = separator_of(dialect_);
  append_number(out, sentence);
  out += separator;
  append_cell(out, list_.text(row), separator);
  for (const float value : list_.dense_row(row)) {
    out += separator;
    append_number(out, value);
  }
  if (has_totals_) {
    out += separator;
    append_number(out, list_.totals[row]);
  }
  out += '\n';
}

void NbestWriter::fairseq(std::string& out, std::size_t sentence, std::size_t row) const {
  const auto dense = list_.dense_row(row);
  const auto line = [&](char kind, const char* name) {
    const auto& names = list_.dense_names;
    const auto place = std::find(names.begin(), names.end(), name);
    if (place == names.end()) return;
    out += kind;
    out += '-';
    append_number(out, sentence);
    out += '\t';
    append_number(out, dense[static_cast<std::size_t>(place - names.begin())]);
    if (kind == 'H') {
      out += '\t';
      out += list_.text(row);
    }
    out += '\n';
  };
  line('H', "score");
  line('P', "logprob");
}

void NbestWriter::json(std::string& out, std::size_t sentence, std::size_t row) const {
  out += "{\"id\": ";
  append_number(out, sentence);
  out += ", \"text\": ";
  append_json_string(out, list_.text(row));
  out += ", \"features\": {";
  bool first = true;
  const auto feature = [&](const std::string& name, float value) {
    if (!first) out += ", ";
    first = false;
    append_json_string(out, name);
    out += ": ";
    append_number(out, value);
  };
  const auto dense = list_.dense_row(row);
  for (std::size_t i = 0; i < dense.size(); ++i) feature(list_.dense_names[i], dense[i]);
  for (std::int64_t i = list_.sparse_offsets[row]; i < list_.sparse_offsets[row + 1]; ++i)
    feature(list_.sparse_names[list_.sparse_ids[i]], list_.sparse_values[i]);
  out += '}';
  if (!list_.totals.empty() && !std::isnan(list_.totals[row])) {
    out += ", \"total\": ";
    append_number(out, list_.totals[row]);
  }
  if (!list_.extra(row).empty()) {
    out += ", \"alignment\": ";
    append_json_string(out, list_.extra(row));
  }
  out += "}\n";
}

// A sentence: the texts, then a list of values per feature.
void NbestWriter::json_columns(std::string& out, std::size_t sentence) const {
  const auto begin = static_cast<std::size_t>(list_.offsets[sentence]);
  const auto end = static_cast<std::size_t>(list_.offsets[sentence + 1]);
  out += '{';
  if (dialect_ == NbestDialect::kSockeye) {
    out += "\"sentence_id\": ";
    append_number(out, sentence + 1);
    out += ", ";
  }
  append_json_string(out, texts_key(dialect_));
  out += ": [";
  for (std::size_t row = begin; row < end; ++row) {
    if (row > begin) out += ", ";
    std::string_view text = list_.text(row);
    if (dialect_ != NbestDialect::kCtranslate2) {
      append_json_string(out, text);
      continue;
    }
    out += '[';
    for (bool more = !text.empty(); more;) {
      const std::size_t space = text.find(' ');
      more = space != std::string_view::npos;
      append_json_string(out, text.substr(0, space));
      if (more) {
        text.remove_prefix(space + 1);
        out += ", ";
      }
    }
    out += ']';
  }
  out += ']';
  for (std::size_t i = 0; i < list_.dense_names.size(); ++i) {
    const bool score = list_.dense_names[i] == "score";
    const bool nested = score && dialect_ == NbestDialect::kSockeye;
    out += ", ";
    append_json_string(out, score ? scores_key(dialect_) : std::string_view(list_.dense_names[i]));
    out += ": [";
    for (std::size_t row = begin; row < end; ++row) {
      if (row > begin) out += ", ";
      if (nested) out += '[';
      append_number(out, list_.dense_row(row)[i]);
      if (nested) out += ']';
    }
    out += ']';
  }
  out += "}\n";
}

}  // namespace tunesmith::formats
