#include "corpus/compounds.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/code_points.hh"
#include "base/error.hh"

namespace tunesmith::corpus {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// The best way to cut a beginning of the word into a number of parts.
struct Cut {
  double log = kNever;     // sum of the parts' log frequencies
  std::size_t before = 0;  // where the last part (behind the filler before it) begins
  std::uint32_t part = StringIndex::kMissing;
};

// Byte offsets of all characters and of the end.
std::vector<std::size_t> borders_of(std::string_view word) {
  std::vector<std::size_t> borders{0};
  for (std::size_t at = 0; at < word.size(); borders.push_back(at)) next_code_point(word, at);
  return borders;
}

}  // namespace

CompoundSplitter::CompoundSplitter(const std::vector<std::string_view>& words,
                                   const std::vector<std::uint64_t>& counts,
                                   std::vector<std::string> fillers, int min_length)
    : fillers_(std::move(fillers)), min_length_(static_cast<std::size_t>(min_length)) {
  if (words.size() != counts.size()) throw OptionError("one count for every word is needed");
  if (min_length < 1) throw OptionError("parts of compounds need at least one character");
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (index_.add(words[i]) != i) throw OptionError("the parts of compounds are not distinct");
    if (counts[i] == 0) throw OptionError("a part of compounds was never seen");
    logs_.push_back(std::log(static_cast<double>(counts[i])));
  }
  // No filler is tried first, so that it wins where two ways are equally good.
  std::erase(fillers_, "");
  fillers_.insert(fillers_.begin(), "");
}

std::vector<std::uint32_t> CompoundSplitter::split(std::string_view word) const {
  const std::vector<std::size_t> borders = borders_of(word);
  const std::size_t length = borders.size() - 1;
  const std::size_t most = length / min_length_;
  if (most < 2 || length > kLongest) return {};
  // best[at · (most + 1) + k]: k parts, and the filler behind them, end before character `at`.
  std::vector<Cut> best((length + 1) * (most + 1));
  const auto cut = [&](std::size_t at, std::size_t parts) -> Cut& {
    return best[at * (most + 1) + parts];
  };
  cut(0, 0).log = 0.0;
  for (std::size_t at = min_length_; at <= length; ++at) {
    for (const std::string& filler : fillers_) {
      const std::size_t end = borders[at] - std::min(borders[at], filler.size());
      if (word.substr(end, borders[at] - end) != filler) continue;
      if (at == length && !filler.empty()) break;
      // The character at which the part ends.
      const auto last = static_cast<std::size_t>(
          std::lower_bound(borders.begin(), borders.end(), end) - borders.begin());
      for (std::size_t begin = 0; begin + min_length_ <= last; ++begin) {
        const Cut* const row = &best[begin * (most + 1)];
        if (std::all_of(row, row + most + 1, [](const Cut& c) { return c.log == kNever; }))
          continue;
        const std::uint32_t part = index_.find(word.substr(borders[begin], end - borders[begin]));
        if (part == StringIndex::kMissing) continue;
        for (std::size_t parts = 0; parts < most; ++parts) {
          const double log = row[parts].log + logs_[part];
          if (log > cut(at, parts + 1).log) cut(at, parts + 1) = {log, begin, part};
        }
      }
    }
  }
  const std::uint32_t whole = index_.find(word);
  double top = whole == StringIndex::kMissing ? kNever : logs_[whole];
  std::size_t chosen = 0;
  for (std::size_t parts = 2; parts <= most; ++parts) {
    const double mean = cut(length, parts).log / static_cast<double>(parts);
    if (mean > top) {
      top = mean;
      chosen = parts;
    }
  }
  std::vector<std::uint32_t> out(chosen);
  for (std::size_t at = length; chosen > 0; at = cut(at, chosen--).before)
    out[chosen - 1] = cut(at, chosen).part;
  return out;
}

}  // namespace tunesmith::corpus
