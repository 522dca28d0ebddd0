#include "corpus/moses_tokenizer.hh"

#include <algorithm>
#include <vector>

#include "base/code_points.hh"
#include "corpus/word_signs.hh"

namespace tunesmith::corpus {

namespace {

using Classes = CharacterClasses;

// A run of n full stops is one symbol, kDots + n, while the rules are applied.
constexpr char32_t kDots = 0x110000;

bool is_regional_indicator(char32_t c) { return c >= 0x1F1E6 && c <= 0x1F1FF; }

bool is_hebrew(char32_t c) { return c >= 0x5D0 && c <= 0x5EA; }

// The length of an arrow or comparison (-> <-- <=> != ==) at `at`, 0 if there is none.
std::size_t operator_size(std::u32string_view text, std::size_t at, const Classes& classes) {
  const auto run = [&](std::size_t i) {
    while (i < text.size() && (text[i] == U'-' || text[i] == U'=')) ++i;
    return i;
  };
  const bool left = text[at] == U'<';
  const std::size_t end = run(at + left);
  if (end > at + left && end < text.size() && text[end] == U'>') return end + 1 - at;
  if (left && end > at + 1 && (end == text.size() || !classes.is(text[end], Classes::kAlnum)))
    return end - at;
  return text[at] != U'-' && at + 1 < text.size() && text[at + 1] == U'=' ? 2 : 0;
}

// White space to single spaces, control characters out, nothing at the ends.
void read(std::string_view line, const Classes& classes, std::u32string& out) {
  out.clear();
  bool after_space = false;
  for (std::size_t at = 0; at < line.size();) {
    const char32_t c = next_code_point(line, at);
    const bool space = classes.is(c, Classes::kSpace);
    if (space) {
      if (!after_space && !out.empty()) out += U' ';
    } else if (c >= 0x20) {
      out += c;
    }
    after_space = space;
  }
  while (!out.empty() && out.back() == U' ') out.pop_back();
}

void split_hyphens_of(const Classes& classes, const std::u32string& in, std::u32string& out) {
  out.clear();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const bool split = in[i] == U'-' && i > 0 && i + 1 < in.size() &&
                       classes.is(in[i - 1], Classes::kAlnum) &&
                       classes.is(in[i + 1], Classes::kAlnum);
    if (split)
      out += U" @-@ ";
    else
      out += in[i];
  }
}

void join_dots(const std::u32string& in, std::u32string& out) {
  out.clear();
  for (std::size_t i = 0; i < in.size();) {
    std::size_t end = i;
    while (end < in.size() && in[end] == U'.') ++end;
    if (end - i < 2) {
      out += in[i++];
      continue;
    }
    out += U' ';
    out += static_cast<char32_t>(kDots + (end - i));
    if (end < in.size()) out += U' ';
    i = end;
  }
}

// The first word at or behind a place; empty at the end.
std::u32string_view next_word(std::u32string_view text, std::size_t at) {
  while (at < text.size() && text[at] == U' ') ++at;
  const std::size_t begin = at;
  while (at < text.size() && text[at] != U' ') ++at;
  return text.substr(begin, at - begin);
}

void append_word(std::string& out, std::u32string_view word) {
  for (const char32_t c : word) {
    if (c >= kDots)
      out.append(c - kDots, '.');
    else
      append_utf8(out, c);
  }
}

}  // namespace

void MosesTokenizer::set_apart(const std::u32string& in, std::u32string& out) const {
  out.clear();
  const auto is_at = [&](std::size_t i, int flags) {
    return i < in.size() && classes.is(in[i], flags);
  };
  for (std::size_t i = 0; i < in.size();) {
    const char32_t c = in[i];
    if (c == U'-' || c == U'<' || c == U'>' || c == U'=' || c == U'!') {
      std::size_t size = operator_size(in, i, classes);
      if (size == 0 && c == U'-' && i > 0 && classes.is(in[i - 1], Classes::kAlnum)) {
        while (in.compare(i + size, 1, U"-") == 0) ++size;  // word--word, but not --word
        if (size < 2 || !is_at(i + size, Classes::kAlnum)) size = 0;
      }
      if (size > 0) {
        out += U' ';
        out.append(in, i, size);
        out += U' ';
        i += size;
        continue;
      }
    }
    if (c == U' ' || c == U'.' || c == U'`' || c == U',' || c == U'-' || is_apostrophe(c)) {
      out += c;
      ++i;
      continue;
    }
    const bool apart = !classes.is(c, Classes::kAlnum) && !is_inside_word(in, i);
    if (apart) out += U' ';
    out += c;
    ++i;
    if (is_regional_indicator(c) && i < in.size() && is_regional_indicator(in[i])) out += in[i++];
    while (i < in.size() && classes.is(in[i], Classes::kExtend)) {
      const bool joiner = in[i] == 0x200D;
      out += in[i++];
      // A zero-width joiner between two symbols makes one of them.
      if (apart && joiner && i < in.size() && !classes.is(in[i], Classes::kAlnum) && in[i] != U' ')
        out += in[i++];
    }
    if (apart) out += U' ';
  }
}

// Whether the mark at `i` belongs to a word: hyphens of other shapes and the Catalan dot between
// letters, the Hebrew sign of an acronym, the colon before a Finnish or Swedish ending.
bool MosesTokenizer::is_inside_word(const std::u32string& in, std::size_t i) const {
  if (i == 0 || i + 1 == in.size()) return false;
  const char32_t c = in[i], before = in[i - 1], after = in[i + 1];
  if (c == 0x2010 || c == 0x2011 || c == 0xB7)
    return classes.is(before, Classes::kAlpha) && classes.is(after, Classes::kAlpha);
  if (c == U'"' || c == 0x5F4) return is_hebrew(before) && is_hebrew(after);
  return c == U':' && colons_inside && classes.is(before, Classes::kAlnum) &&
         classes.is(after, Classes::kLower);
}

void MosesTokenizer::set_commas_apart(std::u32string& text, std::u32string& other) const {
  if (text.find(U',') == std::u32string::npos) return;
  const auto number = [&](char32_t c) { return classes.is(c, Classes::kNumber); };
  other.clear();
  for (std::size_t i = 0; i < text.size();) {
    if (i + 1 < text.size() && text[i + 1] == U',' && !number(text[i])) {
      other += text[i];
      other += U" , ";
      i += 2;
    } else {
      other += text[i++];
    }
  }
  text.clear();
  for (std::size_t i = 0; i < other.size();) {
    if (other[i] == U',' && i + 1 < other.size() && !number(other[i + 1])) {
      text += U" , ";
      text += other[i + 1];
      i += 2;
    } else {
      text += other[i++];
    }
  }
  if (text.size() >= 2 && text.back() == U',' && number(text[text.size() - 2])) {
    text.pop_back();
    text += U" , ";
  }
}

void MosesTokenizer::set_apostrophes_apart(std::u32string& text, std::u32string& other) const {
  if (std::ranges::none_of(text, is_apostrophe)) return;
  const auto letter_or_number = [&](char32_t c) {
    return classes.is(c, Classes::kAlpha | Classes::kNumber);
  };
  other.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t c = text[i];
    if (!is_apostrophe(c)) {
      other += c;
      continue;
    }
    const char32_t before = i > 0 ? text[i - 1] : U' ';
    const char32_t after = i + 1 < text.size() ? text[i + 1] : U' ';
    const bool between_letters =
        classes.is(before, Classes::kAlpha) && classes.is(after, Classes::kAlpha);
    if (apostrophes == Apostrophes::kEnglish &&
        (between_letters || (classes.is(before, Classes::kNumber) && after == U's'))) {
      other += U' ';
      other += c;
    } else if (apostrophes == Apostrophes::kFrench && between_letters) {
      other += c;
      other += U' ';
    } else if (letter_or_number(before) && classes.is(after, Classes::kAlpha)) {
      other += c;
    } else {
      other += U' ';
      other += c;
      other += U' ';
    }
  }
  text.swap(other);
}

bool MosesTokenizer::keeps_full_stop(std::u32string_view prefix, std::u32string_view next,
                                     std::string& buffer) const {
  bool has_stop = false, has_alpha = false;
  for (const char32_t c : prefix) {
    has_stop |= c == U'.';
    has_alpha |= classes.is(c, Classes::kAlpha);
  }
  if (has_stop && has_alpha) return true;
  buffer.clear();
  append_word(buffer, prefix);
  if (abbreviations.find(buffer) != StringIndex::kMissing) return true;
  if (next.empty()) return false;
  if (classes.is(next[0], Classes::kLower)) return true;
  return next[0] >= U'0' && next[0] <= U'9' &&
         numeric_abbreviations.find(buffer) != StringIndex::kMissing;
}

std::string MosesTokenizer::finish(std::u32string_view text, std::string& buffer) const {
  std::string out;
  out.reserve(text.size() + text.size() / 4);
  std::u32string_view next = next_word(text, 0);
  while (!next.empty()) {
    const std::u32string_view word = next;
    next = next_word(text, static_cast<std::size_t>(word.data() - text.data()) + word.size());
    if (!out.empty()) out += ' ';
    const std::u32string_view prefix = word.substr(0, word.size() - 1);
    if (word.size() > 1 && word.back() == U'.' && !keeps_full_stop(prefix, next, buffer)) {
      append_word(out, prefix);
      out += " .";
    } else {
      append_word(out, word);
    }
  }
  return out;
}

std::string MosesTokenizer::operator()(std::string_view line, Scratch& scratch) const {
  std::u32string &text = scratch.text, &other = scratch.other;
  read(line, classes, other);
  set_apart(other, text);
  if (split_hyphens) {
    split_hyphens_of(classes, text, other);
    text.swap(other);
  }
  join_dots(text, other);
  text.swap(other);
  set_commas_apart(text, other);
  set_apostrophes_apart(text, other);
  return finish(text, scratch.prefix);
}

}  // namespace tunesmith::corpus
