#include "formats/nbest_json.hh"

#include <cmath>

#include "base/error.hh"

namespace tunesmith::formats {
namespace {

using Type = JsonNode::Type;

constexpr std::string_view kTextKeys[] = {"generated_text", "translation_text", "summary_text",
                                          "text"};

std::string shown(const JsonNode& node) {
  switch (node.type) {
    case Type::kNull:
      return "null";
    case Type::kTrue:
    case Type::kFalse:
      return std::string(node.text);
    case Type::kNumber:
      return std::string(node.text);
    case Type::kString:
      return quoted(node.text);
    case Type::kArray:
      return "a list";
    default:
      return "an object";
  }
}

double number_of(const JsonNode& node, std::string_view name) {
  if (!node.is(Type::kNumber) || !std::isfinite(node.number)) {
    if (node.is(Type::kNumber) || node.is(Type::kString)) bad_value(node.text, name);
    throw BadLine{shown(node) + " as value of feature " + quoted(name), "a finite number", {}};
  }
  return node.number;
}

bool all_numbers(const JsonTree& tree, const JsonNode& list) {
  for (const JsonNode* one = tree.child(list); one != nullptr; one = tree.sibling(*one))
    if (!one->is(Type::kNumber)) return false;
  return list.is(Type::kArray) && list.children > 0;
}

bool all_number_lists(const JsonTree& tree, const JsonNode& list) {
  for (const JsonNode* one = tree.child(list); one != nullptr; one = tree.sibling(*one))
    if (!all_numbers(tree, *one)) return false;
  return list.is(Type::kArray) && list.children > 0;
}

std::string numbered(std::string_view name, std::size_t i) {
  return std::string(name) + "_" + std::to_string(i);
}

}  // namespace

NbestDialect detect_json_dialect(std::string_view line) {
  JsonTree tree;
  std::deque<std::string> decoded;
  try {
    const JsonNode& root = tree.parse(line, decoded);
    if (root.is(Type::kArray) || tree.member(root, "sequences")) return NbestDialect::kHuggingface;
    if (tree.member(root, "translations") || tree.member(root, "translation"))
      return NbestDialect::kSockeye;
    if (tree.member(root, "hypotheses")) return NbestDialect::kCtranslate2;
  } catch (const BadLine&) {
    // Our own parser says what is wrong.
  }
  return NbestDialect::kTunesmith;
}

void JsonParser::read_header(std::string_view line, NbestSchema& schema) {
  JsonTree tree;
  std::deque<std::string> decoded;
  const JsonNode& root = tree.parse(line, decoded);
  const JsonNode* kind = tree.member(root, "tunesmith");
  if (kind == nullptr) return;
  const JsonNode* version = tree.member(root, "version");
  if (!kind->is(Type::kString) || kind->text != "nbest")
    throw BadLine{"a file of kind " + shown(*kind), "\"tunesmith\": \"nbest\"", {}};
  if (version == nullptr || !version->is(Type::kNumber) || version->number != 1)
    throw BadLine{"version " + (version ? shown(*version) : "none"), "version 1",
                  "the list was written by another version of this program"};
  header_ = std::string(line);
  header_lines_ = 1;
  const JsonNode* features = tree.member(root, "features");
  if (features == nullptr || schema.fixed) return;
  if (!features->is(Type::kObject))
    throw BadLine{shown(*features) + " as \"features\"", "an object", {}};
  for (const JsonNode* one = tree.child(*features); one != nullptr; one = tree.sibling(*one)) {
    const JsonNode* dense = tree.member(*one, "dense");
    check_feature_name(one->key);
    if (dense != nullptr && dense->is(Type::kTrue)) schema.add(one->key, true);
  }
}

void JsonParser::find_dense(std::string_view head, NbestSchema& schema) {
  const NbestSchema none;
  schema_ = &none;
  NbestPart part;
  part.clear(none);
  // Absent may be 0 in our own lines; the others give all features with every hypothesis, so the
  // first ones tell.
  const bool lenient = dialect_ == NbestDialect::kTunesmith;
  for (std::uint32_t number = 0; !head.empty() && (lenient || part.rows() == 0); ++number) {
    const std::size_t rows = part.rows();
    try {
      parse(take_line(head), number, part);
    } catch (const BadLine&) {
      part.cut(rows);  // refused, or skipped and counted, when its turn comes
    }
  }
  std::vector<std::size_t> counts(part.names.size());
  for (const std::uint32_t id : part.sparse_ids) ++counts[id];
  for (std::uint32_t id = 0; id < counts.size(); ++id)
    if (counts[id] > 0 && (!lenient || counts[id] * kLenientShare >= part.rows()))
      schema.add(part.names.text(id), !lenient);
}

void JsonParser::prepare(std::string_view head, NbestSchema& schema) {
  if (dialect_ == NbestDialect::kTunesmith) {
    std::string_view rest = head;
    const std::string_view first = take_line(rest);
    if (first.find("\"tunesmith\"") != std::string_view::npos) read_header(first, schema);
    if (header_lines_ > 0) header_bytes_ = head.size() - rest.size();
    head = header_lines_ > 0 ? rest : head;
  }
  if (!schema.fixed && header_lines_ == 0) find_dense(head, schema);
  schema_ = &schema;
}

std::string_view JsonParser::text_of(const JsonTree& tree, const JsonNode& node,
                                     NbestPart& part) const {
  std::string_view text;
  if (node.is(Type::kString)) {
    text = node.text;
  } else if (node.is(Type::kArray)) {
    std::string& joined = part.decoded.emplace_back();
    for (const JsonNode* one = tree.child(node); one != nullptr; one = tree.sibling(*one)) {
      if (!one->is(Type::kString))
        throw BadLine{shown(*one) + " among the tokens of a hypothesis", "strings", {}};
      if (one != tree.child(node)) joined += ' ';
      joined += one->text;
    }
    text = joined;
  } else {
    throw BadLine{shown(node) + " as text of a hypothesis", "a string or a list of tokens", {}};
  }
  if (text.find('\n') != std::string_view::npos)
    throw BadLine{"a line break in the text of a hypothesis", "text on one line", {}};
  return text;
}

// By its key, or else the number of the line.
std::uint32_t JsonParser::id_of(const JsonTree& tree, const JsonNode& root, std::uint32_t number,
                                const NbestPart& part) const {
  const JsonNode* id = tree.member(root, "id");
  if (id == nullptr) id = tree.member(root, "sentence_id");
  if (id == nullptr || (!id->is(Type::kNumber) && !id->is(Type::kString))) {
    if (dialect_ == NbestDialect::kTunesmith)
      throw BadLine{id == nullptr ? "no \"id\"" : shown(*id) + " as \"id\"",
                    "the number of the sentence, from 0",
                    {}};
    return static_cast<std::uint32_t>(part.first_line + number);
  }
  const std::uint32_t from = first_id(), value = parse_sentence_id(id->text);
  if (value < from) throw BadLine{"sentence id " + quoted(id->text), "a whole number from 1", {}};
  return value - from;
}

void JsonParser::parse(std::string_view line, std::uint32_t number, NbestPart& part) const {
  const JsonNode& root = part.json.parse(line, part.decoded);
  if (dialect_ == NbestDialect::kTunesmith)
    parse_hypothesis(part.json, root, number, part);
  else if (dialect_ == NbestDialect::kHuggingface && root.is(Type::kArray))
    parse_objects(part.json, root, number, part);
  else
    parse_columns(part.json, root, number, part);
}

void JsonParser::parse_hypothesis(const JsonTree& tree, const JsonNode& root, std::uint32_t number,
                                  NbestPart& part) const {
  if (!root.is(Type::kObject)) throw BadLine{shown(root), "an object with \"id\" and \"text\"", {}};
  const JsonNode* text = tree.member(root, "text");
  if (text == nullptr) throw BadLine{"no \"text\"", "the text of a hypothesis", {}};
  part.begin_row(id_of(tree, root, number, part), text_of(tree, *text, part), number);
  const auto feature = [&](const JsonNode& node) {
    check_feature_name(node.key);
    part.set(node.key, number_of(node, node.key), node.text, *schema_);
  };
  for (const JsonNode* one = tree.child(root); one != nullptr; one = tree.sibling(*one)) {
    if (one->key == "id" || one->key == "text") continue;
    if (one->key == "features") {
      if (!one->is(Type::kObject)) throw BadLine{shown(*one) + " as \"features\"", "an object", {}};
      for (const JsonNode* f = tree.child(*one); f != nullptr; f = tree.sibling(*f)) feature(*f);
    } else if (one->key == "total") {
      part.set_total(number_of(*one, "total"), one->text, *schema_);
    } else if (one->key == "alignment" && one->is(Type::kString)) {
      part.extras.back() = one->text;
    } else if (one->is(Type::kNumber)) {
      feature(*one);  // {"id": 0, "text": "…", "score": -1.5}
    }
  }
  part.end_row(*schema_);
}

// One object per hypothesis: its text under one of the pipelines' keys, every number a feature.
void JsonParser::parse_objects(const JsonTree& tree, const JsonNode& root, std::uint32_t number,
                               NbestPart& part) const {
  if (root.children == 0) throw BadLine{"an empty list", "at least one hypothesis", {}};
  for (const JsonNode* one = tree.child(root); one != nullptr; one = tree.sibling(*one)) {
    const JsonNode* text = nullptr;
    for (const std::string_view key : kTextKeys)
      if (text == nullptr) text = tree.member(*one, key);
    if (text == nullptr)
      throw BadLine{"a hypothesis without text",
                    "the key \"generated_text\" or "
                    "\"translation_text\"",
                    {}};
    part.begin_row(static_cast<std::uint32_t>(part.first_line + number), text_of(tree, *text, part),
                   number);
    for (const JsonNode* f = tree.child(*one); f != nullptr; f = tree.sibling(*f)) {
      if (!f->is(Type::kNumber)) continue;
      check_feature_name(f->key);
      part.set(f->key, number_of(*f, f->key), f->text, *schema_);
    }
    part.end_row(*schema_);
  }
}

// One list of texts and one list of values per feature.
void JsonParser::parse_columns(const JsonTree& tree, const JsonNode& root, std::uint32_t number,
                               NbestPart& part) const {
  const std::string_view key = dialect_ == NbestDialect::kSockeye       ? "translations"
                               : dialect_ == NbestDialect::kCtranslate2 ? "hypotheses"
                                                                        : "sequences";
  const JsonNode* texts = tree.member(root, key);
  const JsonNode* single = dialect_ == NbestDialect::kSockeye && texts == nullptr
                               ? tree.member(root, "translation")
                               : nullptr;
  const std::uint32_t id = id_of(tree, root, number, part);
  if (single != nullptr) {
    part.begin_row(id, text_of(tree, *single, part), number);
    for (const JsonNode* one = tree.child(root); one != nullptr; one = tree.sibling(*one))
      if (one->key == "score") part.set("score", number_of(*one, "score"), one->text, *schema_);
    part.end_row(*schema_);
    return;
  }
  if (texts == nullptr || !texts->is(Type::kArray) || texts->children == 0)
    throw BadLine{texts == nullptr ? "no \"" + std::string(key) + "\""
                                   : shown(*texts) + " without hypotheses",
                  "a list of at least one hypothesis under \"" + std::string(key) + "\"",
                  {}};
  struct Column {
    std::string name;
    const JsonNode* value;  // of the row
    bool nested;
  };
  std::vector<Column> columns;
  for (const JsonNode* list = tree.child(root); list != nullptr; list = tree.sibling(*list)) {
    const bool score = list->key == "scores" || list->key == "sequences_scores";
    const bool nested = all_number_lists(tree, *list);
    if (list == texts) continue;
    if (!nested && !all_numbers(tree, *list)) {
      for (const JsonNode* v = tree.child(*list); score && v != nullptr; v = tree.sibling(*v))
        number_of(*v, "score");  // says which one is no number
      continue;
    }
    if (list->children != texts->children)
      throw BadLine{std::to_string(list->children) + " values of " + quoted(list->key),
                    std::to_string(texts->children) + ", one per hypothesis",
                    {}};
    check_feature_name(list->key);
    columns.push_back({score ? "score" : std::string(list->key), tree.child(*list), nested});
  }
  for (const JsonNode* text = tree.child(*texts); text != nullptr; text = tree.sibling(*text)) {
    part.begin_row(id, text_of(tree, *text, part), number);
    for (Column& column : columns) {
      const JsonNode& value = *column.value;
      const JsonNode* first = column.nested ? tree.child(value) : &value;
      std::size_t i = 0;
      for (const JsonNode* v = first; v != nullptr; v = column.nested ? tree.sibling(*v) : nullptr)
        part.set(!column.nested || value.children == 1 ? column.name : numbered(column.name, i++),
                 number_of(*v, column.name), v->text, *schema_);
      column.value = tree.sibling(value);
    }
    part.end_row(*schema_);
  }
}

}  // namespace tunesmith::formats
