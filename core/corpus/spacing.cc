#include "corpus/spacing.hh"

#include <algorithm>
#include <initializer_list>
#include <numeric>

#include "base/code_points.hh"
#include "base/error.hh"
#include "base/hash.hh"

namespace tunesmith::corpus {

namespace {

// The number of white space, kFree where other characters stand between the words.
std::uint8_t space_between(std::u32string_view text) {
  std::uint8_t found = Spacing::kNone;
  for (const char32_t c : text) {
    std::uint8_t space = Spacing::kSpace;
    if (c == 0xA0 || c == 0x202F || c == 0x2009 || c == 0x200B || c == 0x3000) {
      while (Spacing::kSpaces[space][0] != c) ++space;
    } else if (c != U' ' && c != U'\t' && c != U'\n' && c != U'\r') {
      if (c < 0x20) continue;  // a control character
      return Spacing::kFree;
    }
    found = std::max(found, space);
  }
  return found;
}

bool between_unspaced(std::u32string_view left, std::u32string_view right) {
  return is_of_unspaced_script(left.back()) && is_of_unspaced_script(right.front());
}

// Whether a word stands for white space between words of scripts that have none.
bool is_blank(std::span<const std::u32string_view> words, std::size_t i) {
  if (words[i].empty()) return true;
  return words[i][0] == U'▁' && words[i].size() == 1 && i > 0 && i + 1 < words.size() &&
         !words[i - 1].empty() && !words[i + 1].empty() &&
         between_unspaced(words[i - 1], words[i + 1]);
}

// A hyphen that the tokeniser has set apart from the words on both sides.
bool is_split_hyphen(std::u32string_view word) { return word == U"@-@"; }

// What of a pair and its surroundings counts are summed over, and which bits of a key say it.
enum Level : std::uint64_t {
  kLeft,
  kLeftGap,
  kRight,
  kRightAfter,
  kPair,
  kPairGap,
  kBefore,
  kFull
};
constexpr std::uint64_t kLeftBits = ~0ULL << 40, kRightBits = 0xFFFFFFULL << 16, kGapBits = 0xF00,
                        kBeforeBits = 0xF0, kAfterBits = 0xF;
constexpr std::uint64_t kBitsOf[] = {kLeftBits,
                                     kLeftBits | kGapBits,
                                     kRightBits,
                                     kRightBits | kAfterBits,
                                     kLeftBits | kRightBits,
                                     kLeftBits | kRightBits | kGapBits,
                                     kLeftBits | kRightBits | kGapBits | kBeforeBits,
                                     kLeftBits | kRightBits | kGapBits | kBeforeBits | kAfterBits};
constexpr std::uint64_t kAnyGap = 2;

std::uint64_t pack(Level level, std::uint64_t left, std::uint64_t right, std::uint64_t gap,
                   std::uint64_t before, std::uint64_t after) {
  return left << 40 | right << 16 | level << 12 | gap << 8 | before << 4 | after;
}

// The part of a key that a level has; those of one mark know whether the other word closes or
// opens.
std::uint64_t at_level(Level level, std::uint64_t full, EdgeClass left, EdgeClass right) {
  std::uint64_t key = (full & kBitsOf[level]) | level << 12;
  if (level == kLeft || level == kLeftGap)
    key |= static_cast<std::uint64_t>(right == kClosing) << 16;
  if (level == kRight || level == kRightAfter)
    key |= static_cast<std::uint64_t>(left == kOpening) << 40;
  return key;
}

// The same with the kinds of words that differ little made one.
std::uint64_t roughly(std::uint64_t key) {
  const auto rough = [](std::uint64_t sign) -> std::uint64_t {
    if (sign == kLetter || sign == kCapitals || sign == kLastS) return 0ULL + kLetters;
    return sign == kDigit ? 0ULL + kDigits : sign;
  };
  constexpr std::uint64_t kRough = 8ULL << 12;
  return rough(key >> 40) << 40 | rough(key >> 16 & kNoSign) << 16 | (key & 0xFF00) | kRough |
         rough(key >> 4 & 15) << 4 | rough(key & 15);
}

// The class of an edge as `class_of_sign` has it.
EdgeClass class_of_edge(const WordSign& sign, EdgeClass edge) {
  if (sign.is_mark || edge == kUnspaced) return edge;
  return edge == kDigit || edge == kDigits ? kDigits : kLetters;
}

}  // namespace

Spacing::Spacing() {
  for (const std::string_view sign : kWordSigns) signs_.add(sign);
}

// The pair of word i and the one before it, in full surroundings.
Spacing::Key Spacing::full_key(const std::vector<WordSign>& signs, std::size_t i,
                               std::uint8_t gap) {
  const WordSign &left = signs[i - 1], &right = signs[i];
  std::uint8_t before = kStart, after = kEnd;
  if (left.is_mark && i > 1) before = signs[i - 2].right_class;
  if (right.is_mark && i + 1 < signs.size()) after = signs[i + 1].left_class;
  return pack(kFull, left.right, right.left, left.is_mark ? gap : kAnyGap, before, after);
}

void Spacing::add(std::u32string_view line, std::span<const std::uint32_t> begins,
                  std::span<const std::uint32_t> ends) {
  std::vector<std::u32string_view> words;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::u32string_view word = line.substr(begins[i], ends[i] - begins[i]);
    if (space_between(word) == kFree) words.push_back(word);
  }
  const std::vector<WordSign> signs =
      signs_of(words, [&](std::string_view sign) { return signs_.add(sign); });
  bool gap = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto mark = std::ranges::find_if(words[i], is_apostrophe);
    if (!signs[i].is_mark && mark != words[i].end())
      ++apostrophes[*mark == U'\'' ? 0 : *mark == 0x2019 ? 1 : 2];
    if (i == 0) continue;
    const char32_t* const end = words[i - 1].data() + words[i - 1].size();
    if (end > words[i].data()) continue;
    const std::uint8_t space = space_between({end, words[i].data()});
    if (space == kFree) continue;
    ++counted_[full_key(signs, i, gap)][space];
    gap = space != kNone;
    constexpr std::u32string_view kStops = U",.،。，";
    if (words[i].size() == 1 && kStops.find(words[i][0]) != kStops.npos && !signs[i - 1].is_mark)
      ++all_stops, spaced_stops += gap;
  }
}

void Spacing::add_row(const Row& row) {
  const auto& [left, right, values] = row;
  if (values.size() != 3 + kSpaces.size() || std::max({values[0], values[1], values[2]}) > 15)
    throw Error("a row of counts is not one");
  const Key key = pack(kFull, signs_.add(left), signs_.add(right), values[0], values[1], values[2]);
  for (std::size_t i = 0; i < kSpaces.size(); ++i) counted_[key][i] += values[3 + i];
}

std::vector<Spacing::Row> Spacing::rows() const {
  std::vector<Row> rows;
  for (const auto& [key, counts] : counted_) {
    std::vector<std::uint32_t> values;
    for (const int shift : {8, 4, 0}) values.push_back(key >> shift & 15);
    values.insert(values.end(), counts.begin(), counts.end());
    rows.emplace_back(signs_.text(key >> 40), signs_.text(key >> 16 & kNoSign), values);
  }
  std::ranges::sort(rows);
  return rows;
}

void Spacing::prepare() {
  counts_.clear();
  for (const auto& [full, counts] : counted_) {
    const std::uint32_t left_sign = full >> 40, right_sign = full >> 16 & kNoSign;
    const EdgeClass left_class = class_of_sign(left_sign, signs_.text(left_sign), false),
                    right_class = class_of_sign(right_sign, signs_.text(right_sign), true);
    const bool left = left_sign >= kFirstMark, right = right_sign >= kFirstMark;
    const auto add = [&](Level level) {
      const Key key = at_level(level, full, left_class, right_class);
      for (const Key which : {key, roughly(key)}) {
        Counts& sum = counts_[which];
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += counts[i];
      }
    };
    if (left) add(kLeft), add(kLeftGap), add(kPairGap), add(kBefore);
    if (right) add(kRight), add(kRightAfter), add(kFull);
    add(kPair);
  }
}

void Spacing::refine(Estimate& estimate, Key key) const {
  constexpr double kPrior = 1.5;
  for (const Key which : {roughly(key), key}) {
    const auto found = counts_.find(which);
    if (found == counts_.end()) break;
    const Counts& counts = found->second;
    const bool is_new = estimate.of == nullptr || *estimate.of != counts;
    estimate.of = &counts;
    if (!is_new) continue;
    const double sum = std::accumulate(counts.begin(), counts.end(), kPrior);
    for (std::size_t i = 0; i < counts.size(); ++i)
      estimate.p[i] = (counts[i] + kPrior * estimate.p[i]) / sum;
  }
}

// Much as Moses' detokenizer.perl joins words.
std::uint8_t Spacing::usual_space(const WordSign* before, const WordSign& left, bool gap,
                                  const WordSign& right, const WordSign* after) const {
  constexpr std::u32string_view kStops = U",.?!:;%\\…،؟؛।", kInner = U"/_@\\", kHigh = U"?!:;%\\";
  const bool left_digit = left.right_class == kDigit || left.right_class == kDigits;
  const bool right_digit = right.left_class == kDigit || right.left_class == kDigits;
  if (left.right_class == kWide || right.left_class == kWide) return kNone;
  if (left.right_class == kUnspaced || right.left_class == kUnspaced) {
    if (left.right_class == right.left_class) return kNone;
    if (!left.is_mark && !right.is_mark) return usual.unspaced_gap ? kSpace : kNone;
  }
  if (right.is_mark && right.last != U'=' &&
      (kStops.find(right.first) != kStops.npos || is_of_unspaced_script(right.first)))
    return usual.french && kHigh.find(right.first) != kHigh.npos ? kSpace : kNone;
  if (right.left_class == kClosing) return kNone;
  if (left.right_class == kOpening) return kNone;
  if (left.right_class == kCurrency) return left.is_mark && right_digit ? kNone : kSpace;
  if (right.left_class == kCurrency) return left_digit && usual.english ? kNone : kSpace;
  if (!right.is_mark && is_apostrophe(right.first) && !left.is_mark) return kNone;
  if (!left.is_mark && is_apostrophe(left.last)) return kNone;
  if (left.is_mark && right_digit && before != nullptr &&
      (before->right_class == kDigit || before->right_class == kDigits) &&
      (left.first == U':' || left.first == U'–'))
    return kNone;
  if (right.is_mark && left_digit && after != nullptr && right.first == U'–' &&
      (after->left_class == kDigit || after->left_class == kDigits))
    return kNone;
  if ((left.is_mark && kInner.find(left.first) != kInner.npos) ||
      (right.is_mark && kInner.find(right.first) != kInner.npos))
    return kNone;
  if (left.is_mark && (left.first == U'#' || left.first == U'$')) return kNone;
  constexpr std::u32string_view kOpeners = U"„“‘‚«‹\"'`", kClosers = U"”’»›";
  if (right.role == 's') {
    if (is_apostrophe(right.first) && usual.english && (left.last == U's' || left.last == U'S'))
      return kNone;
    return kClosers.find(right.first) != kClosers.npos ? kNone : kSpace;
  }
  if (left.role == 's')  // closes what stands before it, or opens
    return before != nullptr && !gap                    ? kSpace
           : kOpeners.find(left.first) != kOpeners.npos ? kNone
                                                        : kSpace;
  return kSpace;
}

// The most likely white space (`is_some`: but none) of a pair in its surroundings; `usual` is that
// of the rules, the classes are those of the edges that meet.
std::uint8_t Spacing::most_likely(Key full, EdgeClass left_class, EdgeClass right_class,
                                  std::uint8_t usual, bool is_some) const {
  const bool left = full >> 40 >= kFirstMark, right = (full >> 16 & kNoSign) >= kFirstMark;
  const auto refined = [&](Estimate& estimate, std::initializer_list<Level> levels) {
    for (const Level level : levels)
      refine(estimate, at_level(level, full, left_class, right_class));
  };
  Estimate best;
  best.p.fill(0.001);
  best.p[kNone] = best.p[kSpace] = 0.1;
  best.p[usual] = 0.9;
  Estimate of_left = best, of_right = best;
  if (left) refined(of_left, {kLeft, kLeftGap});
  if (right) {
    refined(of_right, {kRight});
    Estimate pair = of_right;
    const Probabilities alone = of_right.p;
    refined(of_right, {kRightAfter});
    if (!left) {
      refined(pair, {kPair});
      for (std::size_t k = 0; k < alone.size(); ++k) of_right.p[k] *= pair.p[k] / alone[k];
    }
  }
  if (left && right) {
    for (std::size_t k = 0; k < best.p.size(); ++k) best.p[k] = of_left.p[k] * of_right.p[k];
  } else if (left || right) {
    best = left ? of_left : of_right;
  } else {
    refined(best, {kPair});
  }
  const double sum = std::accumulate(best.p.begin(), best.p.end(), 0.0);
  for (double& value : best.p) value /= sum;
  if (left) refined(best, {kPairGap, kBefore});
  if (right) refined(best, {kFull});
  return static_cast<std::uint8_t>(std::max_element(best.p.begin() + is_some, best.p.end()) -
                                   best.p.begin());
}

void Spacing::decide(std::span<const std::u32string_view> words,
                     std::span<const std::uint8_t> fixed, std::vector<std::uint8_t>& result,
                     Memory& memory) const {
  result.assign(words.size(), kNone);
  std::vector<std::u32string_view> rest;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!is_blank(words, i)) rest.push_back(words[i]), places.push_back(i);
  const std::vector<WordSign> signs =
      signs_of(rest, [&](std::string_view s) { return signs_.find(s); });
  bool gap = true;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    const WordSign &left = signs[i - 1], &right = signs[i];
    const WordSign* before = i > 1 ? &signs[i - 2] : nullptr;
    const WordSign* after = i + 1 < signs.size() ? &signs[i + 1] : nullptr;
    std::uint8_t& space = result[places[i]];
    const bool is_some = places[i] - places[i - 1] > 1;
    const Key full = full_key(signs, i, gap);
    if (!fixed.empty() && fixed[places[i]] != kFree) {
      space = fixed[places[i]];
    } else if (is_split_hyphen(rest[i - 1]) || is_split_hyphen(rest[i])) {
      space = kNone;
    } else if (is_some || !between_unspaced(rest[i - 1], rest[i])) {
      const std::uint8_t usual = usual_space(before, left, gap, right, after);
      Memory::value_type& known = memory[mix64(full) % memory.size()];
      const bool is_known =
          known.first == full && left.right != kNoSign && right.left != kNoSign && !is_some;
      space = is_known ? known.second
                       : most_likely(full, class_of_edge(left, left.right_class),
                                     class_of_edge(right, right.left_class), usual, is_some);
      if (!is_some) known = {full, space};
    }
    gap = space != kNone;
  }
}

std::string Spacing::join(std::string_view line, Memory& memory) const {
  std::u32string text;
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t at = 0, begin = 0;;) {
    const bool end = at == line.size();
    const char32_t c = end ? U' ' : next_code_point(line, at);
    if (c != U' ') {
      text += c;
    } else if (text.size() > begin) {
      places.emplace_back(begin, text.size() - begin);
      begin = text.size();
    }
    if (end) break;
  }
  std::vector<std::u32string_view> words;
  std::vector<std::uint8_t> spaces;
  for (const auto& [begin, size] : places) words.emplace_back(text.data() + begin, size);
  decide(words, {}, spaces, memory);
  std::string out;
  out.reserve(line.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const char32_t c : kSpaces[spaces[i]]) append_utf8(out, c);
    if (is_split_hyphen(words[i]))
      out += '-';
    else if (!is_blank(words, i))
      for (const char32_t c : words[i]) append_utf8(out, c);
  }
  return out;
}

}  // namespace tunesmith::corpus
