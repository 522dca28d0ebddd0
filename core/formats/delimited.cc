#include "formats/delimited.hh"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "base/error.hh"
#include "base/utf8.hh"
#include "engine/parallel.hh"

namespace tunesmith::formats {
namespace {

constexpr char kQuote = '"';
constexpr std::size_t kBlockRows = 32768;

const char* find_in(const char* begin, const char* end, char wanted) {
  const auto* found =
      static_cast<const char*>(std::memchr(begin, wanted, static_cast<std::size_t>(end - begin)));
  return found == nullptr ? end : found;
}

// Where a cell that begins with a quote at `p` ends: after its closing quote. nullptr if there is
// none. `special` is set if there is more in it than plain text.
const char* end_of_quoted(const char* p, const char* end, char separator, bool& special) {
  const char* const begin = p + 1;
  for (++p;;) {
    p = find_in(p, end, kQuote);
    if (p == end) return nullptr;
    if (p + 1 < end && p[1] == kQuote) {
      special = true;
      p += 2;
      continue;
    }
    special = special || find_in(begin, p, separator) != p || find_in(begin, p, '\n') != p;
    return p + 1;
  }
}

bool at_end_of_cell(const char* p, const char* end, char separator) {
  return p == end || *p == separator || *p == '\n' || (*p == '\r' && p + 1 < end && p[1] == '\n');
}

void check_record_utf8(std::string_view record) {
  const std::size_t bad = find_invalid_utf8(record);
  if (bad == std::string_view::npos) return;
  char byte[8];
  std::snprintf(byte, sizeof byte, "0x%02x", static_cast<unsigned char>(record[bad]));
  const std::size_t newline = bad == 0 ? std::string_view::npos : record.rfind('\n', bad - 1);
  const std::size_t line = newline == std::string_view::npos ? 0 : newline + 1;
  throw BadLine{"byte " + std::string(byte) + " at column " + std::to_string(bad - line + 1),
                "UTF-8", "convert the file, for example with `iconv -t utf-8`"};
}

std::string counted_columns(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " column" : " columns");
}

bool is_whole_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Quoting quoting_of(std::string_view data, char separator) {
  Quoting found;
  const char *p = data.data(), *const end = p + data.size();
  const char* const header = find_in(p, end, '\n');
  for (bool begins = true; p < end;) {
    if (begins && *p == kQuote) {
      bool special = false;
      const char* const close = end_of_quoted(p, end, separator, special);
      if (close == nullptr || !at_end_of_cell(close, end, separator)) {
        found.broken = static_cast<std::uint64_t>(std::count(data.data(), p, '\n')) + 1;
        return found;
      }
      ++found.quoted;
      found.special += special;
      found.header = found.header || p < header;
      p = close;
      begins = false;
      continue;
    }
    // To the next cell that begins with a quote: nothing else matters.
    const char* const quote = find_in(p, end, kQuote);
    if (quote == end) break;
    begins = quote == data.data() || quote[-1] == separator || quote[-1] == '\n';
    p = begins ? quote : quote + 1;
  }
  return found;
}

// What one thread makes of some rows.
struct DelimitedTable::Block {
  std::vector<std::int64_t> ids;
  StringArray id_texts;  // if ids are names
  StringArray texts;
  std::vector<StringArray> more;
  std::vector<double> totals;
  std::vector<std::int64_t> lines;
  std::uint64_t skipped = 0;
  // Of the record that is being parsed.
  std::string decoded, id_text, text;
  std::vector<std::string> more_texts;
  std::vector<std::string_view> more_views;
};

DelimitedTable::DelimitedTable(std::string path, std::string_view data, char separator, bool quoted)
    : path_(std::move(path)), data_(data), separator_(separator), quoted_(quoted) {
  find_records(0, 1);
  if (records_.empty() || records_.front().begin == records_.front().end)
    refuse(0, {"an empty file", "an n-best list", {}});
  const Record header = records_.front();
  records_.erase(records_.begin());
  const std::string_view line = data_.substr(header.begin, header.end - header.begin);
  std::string decoded;
  try {
    check_record_utf8(line);
    each_cell(line, decoded, [&](std::size_t, std::string_view name) {
      if (!name.empty()) check_feature_name(name);  // no column that anybody asks for
      if (std::find(names_.begin(), names_.end(), name) != names_.end())
        throw BadLine{"column " + tunesmith::quoted(name) + " twice", "every column once", {}};
      names_.emplace_back(name);
    });
  } catch (const BadLine& bad) {
    refuse(header.line, bad);
  }
}

void DelimitedTable::refuse(std::uint64_t line, const BadLine& bad) const {
  throw InputError(path_, line, bad.found, bad.expected, bad.remedy);
}

void DelimitedTable::find_records(std::size_t begin, std::uint64_t line) {
  const char *const data = data_.data(), *const end = data + data_.size();
  for (const char* p = data + begin; p < end;) {
    const char* const start = p;
    const char* newline = find_in(p, end, '\n');
    std::uint64_t lines = 1;
    if (quoted_ && find_in(p, newline, kQuote) != newline) {
      // Cell by cell: line ends inside quotes end nothing.
      for (const char* cell = p;;) {
        if (cell < end && *cell == kQuote) {
          bool special = false;
          const char* const close = end_of_quoted(cell, end, separator_, special);
          if (close == nullptr)
            refuse(line + static_cast<std::uint64_t>(std::count(start, cell, '\n')),
                   {"a cell whose quotes are not closed", "a quote at its end",
                    "a quote inside a cell is written twice"});
          cell = close;
        }
        newline = find_in(cell, end, '\n');
        const char* const next = find_in(cell, newline, separator_);
        if (next == newline) break;
        cell = next + 1;
      }
      lines += static_cast<std::uint64_t>(std::count(start, newline, '\n'));
    }
    const char* last = newline;
    if (last > start && last[-1] == '\r') --last;
    records_.push_back(
        {static_cast<std::size_t>(start - data), static_cast<std::size_t>(last - data), line});
    line += lines;
    p = newline == end ? end : newline + 1;
  }
}

template <typename Visit>
std::size_t DelimitedTable::each_cell(std::string_view record, std::string& decoded,
                                      const Visit& visit) const {
  const char *p = record.data(), *const end = p + record.size();
  for (std::size_t column = 0;; ++column) {
    const char* next;
    if (quoted_ && p < end && *p == kQuote) {
      bool special = false;
      const char* const close = end_of_quoted(p, end, separator_, special);
      if (close == nullptr || (close < end && *close != separator_))
        throw BadLine{
            close == nullptr
                ? "a cell whose quotes are not closed"
                : tunesmith::quoted({close, static_cast<std::size_t>(end - close)}, 20) +
                      " after the quotes of a cell",
            close == nullptr ? "a quote at its end" : "a separator or the end of the line",
            "a quote inside a cell is written twice"};
      std::string_view cell(p + 1, static_cast<std::size_t>(close - p) - 2);
      if (special && cell.find(kQuote) != std::string_view::npos) {
        decoded.clear();
        for (std::size_t i = 0; i < cell.size(); ++i) {
          decoded += cell[i];
          if (cell[i] == kQuote) ++i;
        }
        cell = decoded;
      }
      visit(column, cell);
      next = close;
    } else {
      next = find_in(p, end, separator_);
      visit(column, std::string_view(p, static_cast<std::size_t>(next - p)));
    }
    if (next == end) return column + 1;
    p = next + 1;
  }
}

std::vector<std::string> DelimitedTable::cells(std::size_t row) const {
  const Record& record = records_[row];
  std::vector<std::string> found;
  std::string decoded;
  try {
    each_cell(data_.substr(record.begin, record.end - record.begin), decoded,
              [&](std::size_t, std::string_view cell) { found.emplace_back(cell); });
  } catch (const BadLine&) {
    found.clear();  // refused, or skipped and counted, when its turn comes
  }
  return found;
}

// Adds a row to the block, and its numbers where they belong, or throws BadLine.
void DelimitedTable::parse(const Record& record, const DelimitedColumns& columns, bool names,
                           float* numbers, Block& block) const {
  const std::string_view line = data_.substr(record.begin, record.end - record.begin);
  check_record_utf8(line);
  const auto one_line = [](std::string_view cell, const char* what) {
    if (cell.find('\n') != std::string_view::npos)
      throw BadLine{std::string("a line break in the ") + what, "text on one line", {}};
  };
  // A cell that differs from its bytes is in memory that the next one takes.
  const auto kept = [&](std::string_view cell, std::string& place) -> std::string_view {
    if (cell.data() != block.decoded.data()) return cell;
    place = cell;
    return place;
  };
  std::int64_t id = 0;
  double total = 0;
  std::string_view text, id_text;
  block.more_texts.resize(columns.more.size());
  block.more_views.resize(columns.more.size());
  std::size_t number = 0, more = 0;
  const auto visit = [&](std::size_t at, std::string_view cell) {
    const int column = static_cast<int>(at);
    if (number < columns.numbers.size() && columns.numbers[number] == column) {
      const double value = parse_feature_value(cell, names_[at]);
      const auto narrow = static_cast<float>(value);
      if (!std::isfinite(narrow)) bad_value(cell, names_[at]);
      numbers[number++] = narrow + 0.0f;  // no negative zero: equal features are equal bytes
      return;
    }
    if (column == columns.text) {
      one_line(cell, "text of a hypothesis");
      text = kept(cell, block.text);
    }
    if (column == columns.id) {
      one_line(cell, "id of a sentence");
      if (names && cell.empty()) throw BadLine{"an empty id", "the id of a sentence", {}};
      if (names)
        id_text = kept(cell, block.id_text);
      else
        id = parse_sentence_id(cell);
    }
    if (column == columns.total) total = parse_feature_value(cell, names_[at]);
    if (more < columns.more.size() && columns.more[more] == column) {
      block.more_views[more] = kept(cell, block.more_texts[more]);
      ++more;
    }
  };
  const std::size_t cells = each_cell(line, block.decoded, visit);
  if (cells != names_.size())
    throw BadLine{counted_columns(cells), std::to_string(names_.size()) + ", as in the header", {}};
  block.texts.add(text);
  if (names) block.id_texts.add(id_text);
  block.ids.push_back(id);
  if (columns.total >= 0) block.totals.push_back(total);
  for (std::size_t i = 0; i < block.more.size(); ++i) block.more[i].add(block.more_views[i]);
  block.lines.push_back(static_cast<std::int64_t>(record.line));
}

DelimitedParts DelimitedTable::read(const DelimitedColumns& columns, bool skip_bad_lines,
                                    int threads) const {
  DelimitedParts out;
  for (std::size_t row = 0; row < rows() && !out.ids_are_names; ++row) {
    const std::vector<std::string> first = cells(row);
    if (first.size() != names_.size()) continue;
    out.ids_are_names = !is_whole_number(first[static_cast<std::size_t>(columns.id)]);
    break;
  }
  const std::size_t width = columns.numbers.size();
  std::vector<Block> blocks((rows() + kBlockRows - 1) / kBlockRows);
  // Every block has room for the numbers of all its rows; what bad ones leave is closed below.
  out.numbers.resize(rows() * width);
  engine::parallel_for(blocks.size(), threads, [&](std::size_t i) {
    Block& block = blocks[i];
    block.more.resize(columns.more.size());
    const std::size_t end = std::min(rows(), (i + 1) * kBlockRows);
    float* numbers = out.numbers.data() + i * kBlockRows * width;
    for (std::size_t row = i * kBlockRows; row < end; ++row) {
      try {
        parse(records_[row], columns, out.ids_are_names, numbers, block);
        numbers += width;
      } catch (const BadLine& bad) {
        if (!skip_bad_lines) refuse(records_[row].line, bad);
        ++block.skipped;
      }
    }
  });
  std::size_t filled = 0;
  for (std::size_t i = 0; i < blocks.size() && width > 0; ++i) {
    const std::size_t count = blocks[i].ids.size() * width;
    std::memmove(out.numbers.data() + filled, out.numbers.data() + i * kBlockRows * width,
                 count * sizeof(float));
    filled += count;
  }
  out.numbers.resize(filled);
  out.more.resize(columns.more.size());
  const auto add_all = [](StringArray& to, const StringArray& from) {
    const auto shift = static_cast<std::int64_t>(to.bytes.size());
    to.bytes.append(from.bytes.data(), from.bytes.size());
    for (const std::int64_t offset : from.offsets.span().subspan(1))
      to.offsets.push_back(offset + shift);
  };
  for (Block& block : blocks) {
    for (std::size_t row = 0; row < block.ids.size(); ++row)
      out.ids.push_back(out.ids_are_names ? out.id_names.add(block.id_texts[row]) : block.ids[row]);
    add_all(out.texts, block.texts);
    for (std::size_t i = 0; i < out.more.size(); ++i) add_all(out.more[i], block.more[i]);
    out.totals.append(block.totals.data(), block.totals.size());
    out.lines.append(block.lines.data(), block.lines.size());
    out.skipped += block.skipped;
    block = Block();
  }
  return out;
}

}  // namespace tunesmith::formats
