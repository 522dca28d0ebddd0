#include "corpus/moses_detokenizer.hh"

#include <algorithm>
#include <map>

#include "base/code_points.hh"

namespace tunesmith::corpus {

namespace {

using Classes = CharacterClasses;
using Language = DetokenizerLanguage;
using Words = std::vector<std::u32string>;

bool all_in(const std::u32string& word, std::u32string_view set) {
  return word.find_first_not_of(set) == std::u32string::npos;
}

// Words between white space, "a @-@ b" joined to "a-b".
Words split(std::string_view line, const Classes& classes) {
  Words words(1);
  for (std::size_t at = 0; at < line.size();) {
    const char32_t c = next_code_point(line, at);
    if (!classes.is(c, Classes::kSpace))
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();

  Words joined;
  bool open = false;  // a hyphen waits for its right side
  for (std::size_t i = 0; i < words.size(); ++i) {
    // The spaces around a hyphen are its own: of two in a row only the first is one.
    if (!open && words[i] == U"@-@") {
      if (joined.empty()) joined.emplace_back();
      joined.back() += U'-';
      open = true;
    } else if (open) {
      joined.back() += words[i];
      open = false;
    } else {
      joined.push_back(std::move(words[i]));
    }
  }
  return joined;
}

bool is_number(const std::u32string& word) { return all_in(word, U"0123456789"); }

bool is_czech_suffix(const std::u32string& word) {
  const auto starts = [&](std::u32string_view small) {
    return word.size() >= small.size() &&
           std::ranges::equal(
               small, std::u32string_view(word).substr(0, small.size()),
               [](char32_t s, char32_t c) { return s == (c >= U'A' && c <= U'Z' ? c + 32 : c); });
  };
  return (word.size() == 2 && starts(U"li")) || starts(U"mail");
}

}  // namespace

std::string MosesDetokenizer::operator()(std::string_view line) const {
  const Words words = split(line, classes);
  const auto alpha = [&](char32_t c) { return classes.is(c, Classes::kAlpha); };
  const auto cjk = [&](char32_t c) { return classes.is(c, Classes::kCjk); };

  std::string out;
  bool space = false;  // whether the next word wants a space before it
  const auto put = [&](const std::u32string& word, bool before, bool after) {
    if (before && !out.empty() && out.back() != ' ') out += ' ';
    for (const char32_t c : word) append_utf8(out, c);
    space = after;
  };

  std::map<std::u32string, int> quotes;  // how many of each kind came before
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::u32string& word = words[i];
    const bool ends_in_elision =
        word.size() >= 2 && word.back() == U'\'' && alpha(word[word.size() - 2]);
    if (cjk(word.front()) && language != Language::kKorean) {
      put(word, !(i > 0 && cjk(words[i - 1].back())) && space, true);
    } else if (std::ranges::all_of(word,
                                   [&](char32_t c) { return classes.is(c, Classes::kOpening); })) {
      put(word, space, false);
    } else if (all_in(word, U",.?!:;\\%}])")) {
      const bool french_gap =
          language == Language::kFrench && word.size() == 1 && all_in(word, U"?!:;\\%");
      put(word, french_gap, true);
    } else if (language == Language::kEnglish && i > 0 && word.size() >= 2 && word[0] == U'\'' &&
               alpha(word[1])) {
      put(word, false, true);
    } else if (language == Language::kCzech && i > 1 && is_number(words[i - 2]) &&
               (words[i - 1] == U"." || words[i - 1] == U",") && is_number(word)) {
      put(word, false, true);
    } else if ((language == Language::kFrench || language == Language::kItalian) &&
               i + 1 < words.size() && ends_in_elision && alpha(words[i + 1].front())) {
      put(word, space, false);
    } else if (language == Language::kCzech && i + 2 < words.size() && alpha(word.back()) &&
               (words[i + 1] == U"-" || words[i + 1] == U"–") && is_czech_suffix(words[i + 2])) {
      put(word, space, false);
      put(words[++i], false, false);
    } else if (all_in(word, U"'\"„“`")) {
      const std::u32string kind = all_in(word, U"„“”") ? U"\"" : word;
      int& count = quotes[kind];
      if (language == Language::kCzech && word == U"„") count = 0;
      if (language == Language::kCzech && word == U"“") count = 1;
      if (count % 2 == 1) {
        put(word, false, true);
        ++count;
      } else if (language == Language::kEnglish && word == U"'" && i > 0 &&
                 words[i - 1].back() == U's') {
        put(word, false, true);  // a possessive: the Joneses' house
      } else {
        put(word, space, false);
        ++count;
      }
    } else {
      put(word, space, true);
    }
  }
  return out;
}

}  // namespace tunesmith::corpus
