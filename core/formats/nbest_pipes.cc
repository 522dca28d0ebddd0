#include "formats/nbest_pipes.hh"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.hh"
#include "base/number.hh"

namespace tunesmith::formats {
namespace {

constexpr std::string_view kFields = "id ||| text ||| features ||| total";

std::string_view take_token(std::string_view& text) {
  std::size_t begin = 0;
  while (begin < text.size() && text[begin] == ' ') ++begin;
  std::size_t end = begin;
  while (end < text.size() && text[end] != ' ') ++end;
  const std::string_view token = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return token;
}

std::string numbered(std::string_view name, int i) {
  return std::string(name) + "_" + std::to_string(i);
}

}  // namespace

bool is_moses_sparse(std::string_view name) {
  const std::size_t underscore = name.find('_');
  if (underscore == std::string_view::npos) return false;
  if (name == "word_penalty" || name == "phrase_penalty") return false;
  return name.substr(0, underscore).find('.') == std::string_view::npos;
}

PipeFields split_pipes(std::string_view line) {
  PipeFields fields;
  std::size_t begin = 0, from = 0;
  while (fields.count + 1 < kPipeFields) {
    const auto* bar = static_cast<const char*>(
        from < line.size() ? std::memchr(line.data() + from, '|', line.size() - from) : nullptr);
    if (bar == nullptr) break;
    const auto at = static_cast<std::size_t>(bar - line.data());
    const bool separator = line.compare(at, 3, "|||") == 0 && (at == 0 || line[at - 1] == ' ') &&
                           (at + 3 == line.size() || line[at + 3] == ' ');
    if (!separator) {
      from = at + 1;
      continue;
    }
    fields.field[fields.count++] = strip_spaces(line.substr(begin, at - begin));
    begin = from = at + 3;
  }
  fields.field[fields.count++] = strip_spaces(line.substr(begin));
  return fields;
}

void for_each_block(std::string_view features,
                    const std::function<void(std::string_view, std::string_view, int)>& block) {
  std::string_view rest = features;
  std::string_view token = take_token(rest);
  while (!token.empty()) {
    const std::size_t equals = token.rfind('=');
    if (equals == std::string_view::npos || equals == 0)
      throw BadLine{quoted(token) + " among the features", "'name= value' or 'name=value'",
                    "is there a '|||' in the text?"};
    const std::string_view name = token.substr(0, equals);
    if (equals + 1 < token.size()) {
      block(name, token.substr(equals + 1), 1);
      token = take_token(rest);
      continue;
    }
    int count = 0;
    const char *first = rest.data(), *last = first;
    for (token = take_token(rest); !token.empty() && token.find('=') == std::string_view::npos;
         token = take_token(rest)) {
      if (count++ == 0) first = token.data();
      last = token.data() + token.size();
    }
    if (count == 0) throw BadLine{"no value after '" + std::string(name) + "='", "a number", {}};
    block(name, {first, static_cast<std::size_t>(last - first)}, count);
  }
}

std::size_t PipesParser::features_field(const PipeFields& fields) const {
  // Marian puts alignments before the features.
  const bool alignment_first = marian() && fields.count > 3 &&
                               fields.field[2].find('=') == std::string_view::npos &&
                               fields.field[3].find('=') != std::string_view::npos;
  return alignment_first ? 3 : 2;
}

std::optional<std::vector<PipesParser::BlockName>> PipesParser::blocks_of(
    std::string_view line) const {
  const PipeFields fields = split_pipes(line);
  if (fields.count < 3) return std::nullopt;
  std::vector<BlockName> blocks;
  StringIndex names;
  bool repeated = false;
  const auto add = [&](std::string_view name) {
    const std::size_t known = names.size();
    repeated = repeated || names.add(name) < known;
  };
  try {
    for_each_block(fields.field[features_field(fields)],
                   [&](std::string_view name, std::string_view, int count) {
                     blocks.push_back({name, count});
                     if (count == 1) add(name);
                     for (int i = 0; count > 1 && i < count; ++i) add(numbered(name, i));
                   });
  } catch (const BadLine&) {
    return std::nullopt;
  }
  if (repeated) return std::nullopt;
  return blocks;
}

void PipesParser::find_dense(std::string_view head, NbestSchema& schema) const {
  struct Seen {
    int values;
    std::size_t lines;
  };
  StringIndex names;
  std::vector<Seen> seen;
  std::size_t lines = 0;
  // Absent is 0 in cdec and Joshua, so what is dense is a matter of how many lines have it. The
  // others write every dense feature on every line, so the first line tells.
  const bool lenient = dialect_ == NbestDialect::kCdec || dialect_ == NbestDialect::kJoshua;
  while (!head.empty() && (lenient || lines == 0)) {
    const auto blocks = blocks_of(take_line(head));
    if (!blocks) continue;
    for (const auto& [name, count] : *blocks) {
      const std::uint32_t id = names.add(name);
      if (id == seen.size()) seen.push_back({count, 0});
      ++seen[id].lines;
    }
    ++lines;
  }
  for (std::uint32_t id = 0; id < names.size(); ++id) {
    const std::string_view name = names.text(id);
    const auto [values, count] = seen[id];
    const bool sparse = dialect_ == NbestDialect::kMoses && values == 1 && is_moses_sparse(name);
    if (lenient ? count * kLenientShare < lines : sparse) continue;
    if (values == 1)
      schema.add(name, !lenient);
    else
      for (int i = 0; i < values; ++i) schema.add(numbered(name, i), !lenient);
  }
}

void PipesParser::prepare(std::string_view head, NbestSchema& schema) {
  schema_ = &schema;
  if (dialect_ == NbestDialect::kLabels) return;
  if (!schema.fixed) find_dense(head, schema);
  for (std::string_view rest = head; !rest.empty() && first_line_.empty();)
    if (const auto blocks = blocks_of(take_line(rest)))
      for (const auto& [name, count] : *blocks) learn_block(name, count);
}

void PipesParser::learn_block(std::string_view name, int count) {
  const StringIndex& dense = schema_->dense;
  const std::uint32_t column = dense.find(count == 1 ? std::string(name) : numbered(name, 0));
  if (column == StringIndex::kMissing) return;
  if (count > 1 && block_names_.find(name) == StringIndex::kMissing) {
    block_names_.add(name);
    block_sizes_.push_back(count);
  }
  bool in_order = true;
  for (int i = 1; i < count; ++i)
    in_order = in_order && dense.find(numbered(name, i)) == column + static_cast<std::uint32_t>(i);
  if (in_order) first_line_.push_back({std::string(name) + "=", count, static_cast<int>(column)});
}

std::string_view PipesParser::parse_as_first(std::string_view features, NbestPart& part) const {
  const char* p = features.data();
  const char* const end = p + features.size();
  const std::size_t width = schema_->dense.size();
  float* row = part.dense.data() + part.dense.size() - width;
  for (const Block& block : first_line_) {
    while (p < end && *p == ' ') ++p;
    const std::size_t length = block.token.size();
    bool same = static_cast<std::size_t>(end - p) > length &&
                std::memcmp(p, block.token.data(), length) == 0;
    if (same) p += length;
    for (int i = 0; same && i < block.values; ++i) {
      while (p < end && *p == ' ') ++p;
      double value = 0.0;
      p = parse_number(p, end, value);
      const auto narrow = static_cast<float>(value);
      same = p != nullptr && (p == end || *p == ' ') && std::isfinite(narrow);
      row[block.column + i] = narrow + 0.0f;
    }
    // One more value of this block would be seen as a token without '=' below.
    if (!same) {
      std::fill_n(row, width, std::numeric_limits<float>::quiet_NaN());
      return features;
    }
  }
  std::string_view rest(p, static_cast<std::size_t>(end - p));
  std::string_view next = rest;
  if (take_token(next).find('=') == std::string_view::npos && !strip_spaces(rest).empty()) {
    std::fill_n(row, width, std::numeric_limits<float>::quiet_NaN());
    return features;
  }
  return rest;
}

void PipesParser::set_block(std::string_view name, std::string_view values, int count,
                            NbestPart& part) const {
  const std::uint32_t known = block_names_.find(name);
  const int expected = known == StringIndex::kMissing ? 0 : block_sizes_[known];
  const bool single = schema_->dense.find(name) != StringIndex::kMissing;
  if ((expected != 0 && count != expected && !(single && count == 1)) || (single && count != 1))
    throw BadLine{
        std::to_string(count) + (count == 1 ? " value" : " values") + " of " + quoted(name),
        std::to_string(single ? 1 : expected) + ", as on the first line",
        {}};
  check_feature_name(name);
  for (int i = 0; i < count; ++i) {
    const std::string_view text = take_token(values);
    const double value = parse_feature_value(text, name);
    if (count == 1)
      part.set(name, value, text, *schema_);
    else
      part.set(numbered(name, i), value, text, *schema_);
  }
}

void PipesParser::parse_features(std::string_view features, NbestPart& part) const {
  const std::string_view rest = first_line_.empty() ? features : parse_as_first(features, part);
  if (!rest.empty())
    for_each_block(rest, [&](std::string_view name, std::string_view values, int count) {
      set_block(name, values, count, part);
    });
}

void PipesParser::parse(std::string_view line, std::uint32_t number, NbestPart& part) const {
  const PipeFields fields = split_pipes(line);
  if (fields.count < 2) throw BadLine{quoted(line) + " without '|||'", std::string(kFields), {}};
  const std::uint32_t id = parse_sentence_id(fields.field[0]);
  part.begin_row(id, fields.field[1], number);
  if (dialect_ == NbestDialect::kLabels) {
    if (fields.count != 3 || fields.field[2].empty() ||
        fields.field[2].find(' ') != std::string_view::npos)
      throw BadLine{std::to_string(fields.count) + " fields", "id ||| text ||| one label", {}};
    part.set("label:" + std::string(fields.field[2]), 1.0, "1", *schema_);
    part.end_row(*schema_);
    return;
  }
  const std::size_t at = features_field(fields);
  if (fields.count > at) parse_features(fields.field[at], part);
  if (fields.count > at + 1 && !fields.field[at + 1].empty())
    part.set_total(parse_feature_value(fields.field[at + 1], "total"), fields.field[at + 1],
                   *schema_);
  part.end_row(*schema_);
  if (at == 3)
    part.extras.back() = fields.field[2];
  else if (fields.count > at + 2)
    part.extras.back() = {
        fields.field[at + 2].data(),
        static_cast<std::size_t>(line.data() + line.size() - fields.field[at + 2].data())};
}

}  // namespace tunesmith::formats
