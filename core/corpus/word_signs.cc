#include "corpus/word_signs.hh"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "base/character_kind.hh"
#include "base/code_points.hh"

namespace tunesmith::corpus {

bool is_apostrophe(char32_t c) { return c == U'\'' || c == 0x2019 || c == 0x2BC; }

bool is_of_unspaced_script(char32_t c) {
  if (c < 0xE00) return false;
  return c < 0xF00 || (c >= 0x1000 && c < 0x10A0) || (c >= 0x1780 && c < 0x1800) ||
         (c >= 0x3040 && c < 0x3100 && c != 0x30FB) || (c >= 0x31F0 && c < 0x3200) ||
         (c >= 0x3005 && c < 0x3008) || (c >= 0xA9E0 && c < 0xAA00) ||
         (c >= 0xAA60 && c < 0xAA80) || (c >= 0xFF66 && c < 0xFFA0) ||
         character_kind(c) == CharacterKind::kIdeograph;
}

namespace {

EdgeClass find_class(char32_t c) {
  constexpr std::u32string_view kOpenings = U"([{⟨⟦⟪¿¡", kClosings = U")]}⟩⟧⟫",
                                kCurrencies = U"$€£¥¢₩₪₫₹₺₽₴₦฿";
  if (kOpenings.find(c) != kOpenings.npos) return kOpening;
  if (kClosings.find(c) != kClosings.npos) return kClosing;
  if (kCurrencies.find(c) != kCurrencies.npos) return kCurrency;
  const CharacterKind kind = character_kind(c);
  if (kind == CharacterKind::kPunctuation)
    return (c >= 0x3000 && c < 0x3040) || c == 0x30FB || (c >= 0xFF01 && c < 0xFF66) ? kWide
                                                                                     : kSymbol;
  if (is_of_unspaced_script(c)) return kUnspaced;
  if (kind == CharacterKind::kDigit) return kDigits;
  return kind == CharacterKind::kLetter ? kLetters : kSymbol;
}

EdgeClass class_of(char32_t c) {
  static const std::vector<std::uint8_t> table = [] {
    std::vector<std::uint8_t> classes(0x10000);
    for (char32_t point = 0; point < classes.size(); ++point) classes[point] = find_class(point);
    return classes;
  }();
  return c < table.size() ? static_cast<EdgeClass>(table[c]) : find_class(c);
}

// Of Latin, Greek and Cyrillic; that a rare one is missing costs little.
bool is_capital(char32_t c) {
  return (c >= U'A' && c <= U'Z') || (c >= 0xC0 && c <= 0xDE) ||
         (c >= 0x100 && c < 0x180 && c % 2 == 0) || (c >= 0x386 && c <= 0x3AB) ||
         (c >= 0x400 && c <= 0x42F);
}

bool is_part_of_word(char32_t c) {
  const EdgeClass found = class_of(c);
  return found == kLetters || found == kDigits || found == kUnspaced;
}

// Which quotes close one that opened.
std::u32string_view closers(char32_t quote) {
  constexpr std::pair<char32_t, std::u32string_view> kQuotes[] = {
      {U'"', U"\""}, {U'\'', U"'"}, {U'`', U"`'"}, {U'„', U"“”\""}, {U'“', U"”"},
      {U'”', U"”"},  {U'‚', U"‘’"}, {U'‘', U"’"},  {U'’', U"’"},    {U'«', U"»"},
      {U'»', U"«»"}, {U'‹', U"›"},  {U'›', U"‹›"}};
  const auto* const found =
      std::ranges::find(kQuotes, quote, [](const auto& q) { return q.first; });
  return found == std::end(kQuotes) ? std::u32string_view() : found->second;
}

// What each quote of a line does: o(pen), c(lose), s(ingle); 0 for other words.
std::vector<char> roles_of(std::span<const std::u32string_view> words) {
  std::vector<char> roles(words.size(), 0);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].size() != 1 || closers(words[i][0]).empty()) continue;
    roles[i] = 's';
    std::size_t depth = open.size();
    while (depth > 0 &&
           closers(words[open[depth - 1]][0]).find(words[i][0]) == std::u32string_view::npos)
      --depth;
    if (depth == 0) {
      open.push_back(i);
      continue;
    }
    roles[open[depth - 1]] = 'o';
    roles[i] = 'c';
    open.resize(depth - 1);
  }
  return roles;
}

// The sign of a mark; long runs of one character are like shorter ones.
std::string mark_sign(std::u32string_view mark, char role) {
  std::string sign;
  for (std::size_t i = 0; i < mark.size(); ++i)
    if (i < 3 || mark[i] != mark[i - 1]) append_utf8(sign, mark[i]);
  if (role != 0) sign += role;
  return sign;
}

}  // namespace

EdgeClass class_of_sign(std::uint32_t number, std::string_view sign, bool left_edge) {
  if (number == kDigit || number == kDigits) return kDigits;
  if (number == kUnspaced) return kUnspaced;
  if (number < kFirstMark) return kLetters;
  if (sign.back() == 'o') return kOpening;
  if (sign.back() == 'c') return kClosing;
  if (sign.back() == 's') sign.remove_suffix(1);
  char32_t c = 0;
  for (std::size_t at = 0; at < sign.size() && (c == 0 || !left_edge);)
    c = next_code_point(sign, at);
  return class_of(c);
}

std::vector<WordSign> signs_of(std::span<const std::u32string_view> words,
                               const std::function<std::uint32_t(std::string_view)>& number) {
  const std::vector<char> roles = roles_of(words);
  std::vector<WordSign> signs(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::u32string_view word = words[i];
    WordSign& sign = signs[i];
    if (word.empty()) continue;
    sign.first = word.front(), sign.last = word.back();
    if (std::ranges::none_of(word, is_part_of_word)) {
      sign.is_mark = true, sign.role = roles[i];
      sign.left_class = class_of(sign.first), sign.right_class = class_of(sign.last);
      if (sign.role == 'o') sign.left_class = sign.right_class = kOpening;
      if (sign.role == 'c') sign.left_class = sign.right_class = kClosing;
      sign.left = sign.right = number(mark_sign(word, sign.role)) & kNoSign;
      continue;
    }
    const auto edge = [&](char32_t c) {
      EdgeClass found = class_of(c);
      if (!is_part_of_word(c)) found = kLetters;
      if (word.size() == 1 && found == kLetters) found = kLetter;
      if (found == kLetters && std::ranges::all_of(word, is_capital)) found = kCapitals;
      if (word.size() == 1 && found == kDigits) found = kDigit;
      return found;
    };
    sign.left = sign.left_class = edge(sign.first);
    sign.right = sign.right_class = edge(sign.last);
    // All that is known of these is their sign.
    if (is_apostrophe(sign.first) || sign.first == U'-')
      sign.left = sign.first == U'-' ? kHyphenFirst : kApostropheFirst, sign.left_class = kLetters;
    const bool before_apostrophe =
        i + 1 < words.size() && words[i + 1].size() == 1 && is_apostrophe(words[i + 1][0]);
    if (is_apostrophe(sign.last) || sign.last == U'-')
      sign.right = sign.last == U'-' ? kHyphenLast : kApostropheLast, sign.right_class = kLetters;
    else if (before_apostrophe && (sign.last == U's' || sign.last == U'S'))
      sign.right = kLastS, sign.right_class = kLetters;
  }
  return signs;
}

}  // namespace tunesmith::corpus
