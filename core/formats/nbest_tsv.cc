#include "formats/nbest_tsv.hh"

#include <cstring>

#include "base/error.hh"
#include "base/number.hh"

namespace tunesmith::formats {
namespace {

std::string_view take_cell(std::string_view& line, bool& more) {
  const auto* tab = static_cast<const char*>(std::memchr(line.data(), '\t', line.size()));
  more = tab != nullptr;
  const std::string_view cell = more ? line.substr(0, tab - line.data()) : line;
  line.remove_prefix(cell.size() + (more ? 1 : 0));
  return cell;
}

}  // namespace

void TsvParser::prepare(std::string_view head, NbestSchema& schema) {
  schema_ = &schema;
  const std::size_t size = head.size();
  std::string_view line = take_line(head);
  header_bytes_ = size - head.size();
  header_lines_ = 1;
  int ids = 0, texts = 0;
  StringIndex names;
  for (bool more = true; more;) {
    const std::string_view name = take_cell(line, more);
    if (name == "id") {
      ++ids;
      columns_.push_back({"id", kId});
    } else if (name == "text") {
      ++texts;
      columns_.push_back({"text", kText});
    } else {
      check_feature_name(name);
      if (names.find(name) != StringIndex::kMissing)
        throw BadLine{"column " + quoted(name) + " twice", "every column once", {}};
      names.add(name);
      columns_.push_back({std::string(name), kSparse});
    }
  }
  if (ids != 1 || texts != 1)
    throw BadLine{"a header with " + std::to_string(ids) + " columns 'id' and " +
                      std::to_string(texts) + " columns 'text'",
                  "one of each",
                  {}};
  for (Column& column : columns_) {
    if (column.place != kSparse) continue;
    if (!schema.fixed) schema.add(column.name, true);
    const std::uint32_t place = schema.dense.find(column.name);
    if (place != StringIndex::kMissing) column.place = static_cast<int>(place);
  }
  for (std::uint32_t i = 0; i < schema.dense.size(); ++i)
    if (schema.required[i] && names.find(schema.dense.text(i)) == StringIndex::kMissing)
      throw BadLine{
          "no column " + quoted(schema.dense.text(i)), "the features of the first list", {}};
}

void TsvParser::parse(std::string_view line, std::uint32_t number, NbestPart& part) const {
  part.begin_row(0, {}, number);
  std::size_t cells = 0;
  for (bool more = true; more; ++cells) {
    const std::string_view cell = take_cell(line, more);
    if (cells >= columns_.size()) continue;
    const Column& column = columns_[cells];
    if (column.place == kId) {
      part.ids.back() = parse_sentence_id(cell);
    } else if (column.place == kText) {
      part.texts.back() = cell;
    } else {
      const double value = parse_feature_value(cell, column.name);
      if (column.place == kSparse)
        part.set(column.name, value, cell, *schema_);
      else
        part.set_dense(column.place, value, cell, *schema_);
    }
  }
  if (cells != columns_.size())
    throw BadLine{std::to_string(cells) + (cells == 1 ? " column" : " columns"),
                  std::to_string(columns_.size()) + ", as in the header",
                  {}};
  part.end_row(*schema_);
}

}  // namespace tunesmith::formats
