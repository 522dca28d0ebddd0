// JSON (RFC 8259), one value per line: a small tree, its memory used again for the next line.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace tunesmith::formats {

struct JsonNode {
  enum class Type : std::uint8_t { kNull, kFalse, kTrue, kNumber, kString, kArray, kObject };
  Type type = Type::kNull;
  std::string_view key;   // inside an object
  std::string_view text;  // of a string, unescaped; of a number, as it stands
  double number = 0.0;
  std::uint32_t children = 0;  // how many
  std::uint32_t first = 0;     // child, 0 if there is none
  std::uint32_t next = 0;      // sibling, 0 if there is none

  bool is(Type other) const { return type == other; }
};

class JsonTree {
 public:
  // Throws BadLine. NaN and Infinity, which Python writes, are read as numbers, for the caller to
  // refuse by name. Strings that have escapes are unescaped into `decoded`, which must outlive
  // the nodes; all others point into `text`.
  const JsonNode& parse(std::string_view text, std::deque<std::string>& decoded);

  const JsonNode* child(const JsonNode& node) const {
    return node.first == 0 ? nullptr : &nodes_[node.first];
  }
  const JsonNode* sibling(const JsonNode& node) const {
    return node.next == 0 ? nullptr : &nodes_[node.next];
  }
  // The member of an object, or nullptr.
  const JsonNode* member(const JsonNode& node, std::string_view key) const;

 private:
  std::uint32_t value(int depth);
  std::string_view string();
  void unescape(std::string& out);
  std::uint32_t code_unit();
  void skip_spaces();
  void expect(char wanted, const char* what);
  [[noreturn]] void fail(const std::string& expected) const;

  std::vector<JsonNode> nodes_;
  std::deque<std::string>* decoded_ = nullptr;
  const char *begin_ = nullptr, *p_ = nullptr, *end_ = nullptr;
};

// `text` as a JSON string with its quotes, appended to `out`.
void append_json_string(std::string& out, std::string_view text);

}  // namespace tunesmith::formats
