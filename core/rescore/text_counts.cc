#include "rescore/text_counts.hh"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "engine/parallel.hh"
#include "metrics/text.hh"

namespace tunesmith::rescore {
namespace {

using Words = std::vector<std::string_view>;

// Lists, or rows, that a thread takes at a time.
constexpr std::size_t kGrain = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_word_byte(char c) {
  return is_digit(c) || is_ascii_letter(c) || static_cast<unsigned char>(c) >= 0x80;
}

// Without ASCII punctuation at both ends.
std::string_view bare(std::string_view word) {
  while (!word.empty() && !is_word_byte(word.front())) word.remove_prefix(1);
  while (!word.empty() && !is_word_byte(word.back())) word.remove_suffix(1);
  return word;
}

bool is_url(std::string_view word) {
  if (word.find("://") != word.npos || word.starts_with("www.")) return true;
  const std::size_t at = word.find('@');
  return at != word.npos && at > 0 && word.find('.', at) != word.npos;
}

// A capital letter of ASCII, Latin-1, Greek or Cyrillic at the start.
bool is_capitalised(std::string_view word) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(word[i]); };
  if (word.empty()) return false;
  if (byte(0) < 0x80) return word[0] >= 'A' && word[0] <= 'Z';
  if (word.size() < 2) return false;
  if (byte(0) == 0xC3) return byte(1) >= 0x80 && byte(1) <= 0x9E && byte(1) != 0x97;
  if (byte(0) == 0xCE) return byte(1) >= 0x86 && byte(1) <= 0xAB;
  return byte(0) == 0xD0 && byte(1) >= 0x80 && byte(1) <= 0xAF;
}

std::string digits_of(std::string_view word) {
  std::string out;
  std::copy_if(word.begin(), word.end(), std::back_inserter(out), is_digit);
  return out;
}

// What a word must find in the other text; empty if it may be translated.
std::string wanted(std::string_view whole, bool first, CopyKinds kinds) {
  const std::string_view word = bare(whole);
  if (is_url(word)) return kinds.urls ? std::string(word) : std::string();
  if (std::any_of(word.begin(), word.end(), is_digit))
    return kinds.numbers ? digits_of(word) : std::string();
  if (kinds.names && !first && is_capitalised(word)) return std::string(word);
  return {};
}

bool ends_sentence(std::string_view word) {
  return !word.empty() &&
         (word.back() == '.' || word.back() == '!' || word.back() == '?' || word.back() == ':');
}

using Counts = std::unordered_map<std::string, int>;

Counts wanted_of(std::string_view source, CopyKinds kinds, Words& words) {
  Counts counts;
  metrics::split_words(source, words);
  bool first = true;
  for (const std::string_view word : words) {
    if (std::string form = wanted(word, first, kinds); !form.empty()) ++counts[std::move(form)];
    // Quotes and brackets before the first word leave it the first.
    first = ends_sentence(word) || (first && bare(word).empty());
  }
  return counts;
}

std::uint32_t missing_in(std::string_view text, const Counts& counts, Words& words) {
  if (counts.empty()) return 0;
  Counts left = counts;
  metrics::split_words(text, words);
  const auto take = [&](const std::string& form) {
    const auto found = left.find(form);
    if (found != left.end() && found->second > 0) --found->second;
  };
  for (const std::string_view whole : words) {
    const std::string_view word = bare(whole);
    if (!is_url(word) && std::any_of(word.begin(), word.end(), is_digit))
      take(digits_of(word));
    else
      take(std::string(word));
  }
  std::uint32_t missing = 0;
  for (const auto& [form, count] : left) missing += static_cast<std::uint32_t>(count);
  return missing;
}

}  // namespace

std::vector<std::uint32_t> lengths(Texts texts, bool characters, int threads) {
  std::vector<std::uint32_t> out(texts.size());
  engine::parallel_for(
      texts.size(), threads,
      [&](std::size_t t) {
        thread_local Words symbols;
        if (characters)
          metrics::split_characters(texts[t], false, symbols);
        else
          metrics::split_words(texts[t], symbols);
        out[t] = static_cast<std::uint32_t>(symbols.size());
      },
      kGrain);
  return out;
}

std::vector<std::int64_t> first_equals(Texts texts, Offsets lists, int threads) {
  std::vector<std::int64_t> out(texts.size());
  engine::parallel_for(lists.size() - 1, threads, [&](std::size_t l) {
    std::unordered_map<std::string, std::int64_t> firsts;
    Words words;
    for (std::int64_t row = lists[l]; row < lists[l + 1]; ++row) {
      metrics::split_words(texts[static_cast<std::size_t>(row)], words);
      std::string joined;
      for (const std::string_view word : words) joined.append(word) += ' ';
      out[static_cast<std::size_t>(row)] = firsts.emplace(std::move(joined), row).first->second;
    }
  });
  return out;
}

std::vector<std::uint32_t> missing_copies(Texts texts, Offsets lists, Texts sources,
                                          CopyKinds kinds, int threads) {
  std::vector<std::uint32_t> out(texts.size());
  engine::parallel_for(lists.size() - 1, threads, [&](std::size_t l) {
    Words words;
    const Counts counts = wanted_of(sources[l], kinds, words);
    for (std::int64_t row = lists[l]; row < lists[l + 1]; ++row)
      out[static_cast<std::size_t>(row)] =
          missing_in(texts[static_cast<std::size_t>(row)], counts, words);
  });
  return out;
}

}  // namespace tunesmith::rescore
