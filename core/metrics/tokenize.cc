#include "metrics/tokenize.hh"

#include <array>
#include <cstdint>

namespace tunesmith::metrics {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_period_or_comma(char c) { return c == '.' || c == ','; }

// ASCII punctuation and symbols other than the apostrophe, comma, dash and period. The space is
// among them and only gets more space.
constexpr std::array<bool, 256> kAlwaysApart = [] {
  std::array<bool, 256> table{};
  for (int c = ' '; c <= '&'; ++c) table[c] = true;
  for (int c = '('; c <= '+'; ++c) table[c] = true;
  for (int c = ':'; c <= '@'; ++c) table[c] = true;
  for (int c = '['; c <= '`'; ++c) table[c] = true;
  for (int c = '{'; c <= '~'; ++c) table[c] = true;
  table['/'] = true;
  return table;
}();

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

}  // namespace

// The four substitutions run one after the other, each from left to right without overlap, as the
// regular expressions of mteval do: "1.,2" depends on it. Bytes will do for characters, because
// all that is looked for is ASCII and "not a digit" holds for any byte of a longer character.
void tokenize_13a(std::string_view text, std::string& out, std::string& scratch) {
  scratch.assign(" ").append(text).append(" ");
  if (scratch.find('<') != std::string::npos) replace_all(scratch, "<skipped>", "");
  if (scratch.find('\n') != std::string::npos) {
    replace_all(scratch, "-\n", "");
    replace_all(scratch, "\n", " ");
  }
  if (scratch.find('&') != std::string::npos) {
    replace_all(scratch, "&quot;", "\"");
    replace_all(scratch, "&amp;", "&");
    replace_all(scratch, "&lt;", "<");
    replace_all(scratch, "&gt;", ">");
  }

  out.clear();
  for (const char c : scratch) {
    if (kAlwaysApart[static_cast<unsigned char>(c)]) {
      out += ' ';
      out += c;
      out += ' ';
    } else {
      out += c;
    }
  }

  // A period or comma after anything but a digit.
  scratch.clear();
  for (std::size_t i = 0; i < out.size(); ++i) {
    scratch += out[i];
    if (!is_digit(out[i]) && i + 1 < out.size() && is_period_or_comma(out[i + 1])) {
      scratch += ' ';
      scratch += out[++i];
      scratch += ' ';
    }
  }

  // A period or comma before anything but a digit.
  out.clear();
  for (std::size_t i = 0; i < scratch.size(); ++i) {
    if (is_period_or_comma(scratch[i]) && i + 1 < scratch.size() && !is_digit(scratch[i + 1])) {
      out += ' ';
      out += scratch[i];
      out += ' ';
      ++i;
    }
    out += scratch[i];
  }

  // A dash after a digit.
  scratch.clear();
  for (std::size_t i = 0; i < out.size(); ++i) {
    scratch += out[i];
    if (is_digit(out[i]) && i + 1 < out.size() && out[i + 1] == '-') {
      scratch += " - ";
      ++i;
    }
  }
  out.swap(scratch);
}

}  // namespace tunesmith::metrics
