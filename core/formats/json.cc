#include "formats/json.hh"

#include <cmath>
#include <cstdio>
#include <limits>

#include "base/error.hh"
#include "base/number.hh"
#include "formats/nbest.hh"

namespace tunesmith::formats {
namespace {

constexpr int kMaxDepth = 64;

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Where a number in JSON's grammar ends, or nullptr: no leading zeros, no bare point, no '+'.
const char* number_end(const char* p, const char* end) {
  const auto digits = [&] {
    const char* const first = p;
    while (p < end && is_digit(*p)) ++p;
    return p > first;
  };
  if (p < end && *p == '-') ++p;
  if (p < end && *p == '0')
    ++p;
  else if (!digits())
    return nullptr;
  if (p < end && *p == '.') {
    ++p;
    if (!digits()) return nullptr;
  }
  if (p < end && (*p == 'e' || *p == 'E')) {
    ++p;
    if (p < end && (*p == '+' || *p == '-')) ++p;
    if (!digits()) return nullptr;
  }
  return p;
}

}  // namespace

const JsonNode& JsonTree::parse(std::string_view text, std::deque<std::string>& decoded) {
  nodes_.assign(1, {});  // number 0 is nobody
  decoded_ = &decoded;
  begin_ = p_ = text.data();
  end_ = p_ + text.size();
  const std::uint32_t root = value(0);
  skip_spaces();
  if (p_ != end_) fail("the end of the line");
  return nodes_[root];
}

void JsonTree::fail(const std::string& expected) const {
  const std::string at = " at column " + std::to_string(p_ - begin_ + 1);
  if (p_ == end_) throw BadLine{"the end of the line" + at, expected, "is the line cut off?"};
  throw BadLine{quoted({p_, static_cast<std::size_t>(end_ - p_)}, 20) + at, expected, {}};
}

void JsonTree::skip_spaces() {
  while (p_ < end_ && (*p_ == ' ' || *p_ == '\t' || *p_ == '\r')) ++p_;
}

void JsonTree::expect(char wanted, const char* what) {
  skip_spaces();
  if (p_ == end_ || *p_ != wanted) fail(what);
  ++p_;
}

std::uint32_t JsonTree::value(int depth) {
  if (depth > kMaxDepth) fail("JSON of less depth");
  skip_spaces();
  if (p_ == end_) fail("a JSON value");
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  const std::string_view rest(p_, static_cast<std::size_t>(end_ - p_));
  const auto word = [&](std::string_view text, JsonNode::Type type, double number = 0.0) {
    if (!rest.starts_with(text)) return false;
    nodes_[id].type = type;
    nodes_[id].text = rest.substr(0, text.size());
    nodes_[id].number = number;
    p_ += text.size();
    return true;
  };
  using Type = JsonNode::Type;
  if (*p_ == '"') {
    const std::string_view text = string();
    nodes_[id].type = Type::kString;
    nodes_[id].text = text;
  } else if (*p_ == '{' || *p_ == '[') {
    const bool object = *p_ == '{';
    const char close = object ? '}' : ']';
    nodes_[id].type = object ? Type::kObject : Type::kArray;
    ++p_;
    skip_spaces();
    if (p_ < end_ && *p_ == close) {
      ++p_;
      return id;
    }
    std::uint32_t last = 0;
    for (;;) {
      std::string_view key;
      if (object) {
        skip_spaces();
        if (p_ == end_ || *p_ != '"') fail("a key in quotes");
        key = string();
        expect(':', "':' after a key");
      }
      const std::uint32_t child = value(depth + 1);
      nodes_[child].key = key;
      ++nodes_[id].children;
      (last == 0 ? nodes_[id].first : nodes_[last].next) = child;
      last = child;
      skip_spaces();
      if (p_ < end_ && *p_ == ',') {
        ++p_;
        continue;
      }
      expect(close, object ? "',' or '}'" : "',' or ']'");
      return id;
    }
  } else if (const char* stop = number_end(p_, end_)) {
    nodes_[id].type = Type::kNumber;
    nodes_[id].text = {p_, static_cast<std::size_t>(stop - p_)};
    if (parse_number(p_, stop, nodes_[id].number) != stop) fail("a number");
    p_ = stop;
  } else if (!word("true", Type::kTrue) && !word("false", Type::kFalse) &&
             !word("null", Type::kNull) && !word("NaN", Type::kNumber, std::nan("")) &&
             !word("Infinity", Type::kNumber, std::numeric_limits<double>::infinity()) &&
             !word("-Infinity", Type::kNumber, -std::numeric_limits<double>::infinity())) {
    fail("a JSON value");
  }
  return id;
}

std::string_view JsonTree::string() {
  const char* const first = ++p_;
  for (; p_ < end_ && *p_ != '"'; ++p_) {
    if (static_cast<unsigned char>(*p_) < 0x20) fail("control characters as \\u00XX");
    if (*p_ != '\\') continue;
    std::string& out = decoded_->emplace_back(first, static_cast<std::size_t>(p_ - first));
    unescape(out);
    return out;
  }
  if (p_ == end_) fail("'\"' at the end of a string");
  return {first, static_cast<std::size_t>(p_++ - first)};
}

// The rest of a string, from its first backslash on.
void JsonTree::unescape(std::string& out) {
  for (;;) {
    if (p_ == end_) fail("'\"' at the end of a string");
    const char c = *p_;
    if (static_cast<unsigned char>(c) < 0x20) fail("control characters as \\u00XX");
    if (c == '"') {
      ++p_;
      return;
    }
    if (c != '\\') {
      out += c;
      ++p_;
      continue;
    }
    static constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
    const char kind = p_ + 1 < end_ ? p_[1] : '\0';
    const std::size_t simple = kind == '\0' ? std::string_view::npos : kFrom.find(kind);
    if (simple != std::string_view::npos) {
      out += kTo[simple];
      p_ += 2;
      continue;
    }
    if (kind != 'u') fail("an escape such as \\n or \\u00e4");
    std::uint32_t code = code_unit();
    if (code >= 0xD800 && code < 0xDC00 && end_ - p_ >= 2 && p_[0] == '\\' && p_[1] == 'u') {
      const std::uint32_t low = code_unit();
      if (low < 0xDC00 || low > 0xDFFF) fail("the second half of a surrogate pair");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code == 0 || (code >= 0xD800 && code < 0xE000)) fail("no NUL and no half surrogate pair");
    append_utf8(out, code);
  }
}

std::uint32_t JsonTree::code_unit() {
  std::uint32_t code = 0;
  for (int i = 2; i < 6; ++i) {
    if (p_ + i >= end_) fail("four hexadecimal digits after \\u");
    const char c = p_[i];
    const int digit = is_digit(c)              ? c - '0'
                      : (c >= 'a' && c <= 'f') ? c - 'a' + 10
                      : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                               : -1;
    if (digit < 0) fail("four hexadecimal digits after \\u");
    code = code * 16 + static_cast<std::uint32_t>(digit);
  }
  p_ += 6;
  return code;
}

const JsonNode* JsonTree::member(const JsonNode& node, std::string_view key) const {
  if (!node.is(JsonNode::Type::kObject)) return nullptr;
  for (const JsonNode* one = child(node); one != nullptr; one = sibling(*one))
    if (one->key == key) return one;
  return nullptr;
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace tunesmith::formats
