#include "grammar/scfg/pattern_search.hh"

#include <algorithm>

namespace tunesmith::grammar {
namespace {

// How many places before it is looked at the text of a place is asked for.
constexpr std::uint64_t kAhead = 8;

}  // namespace

const PatternPlaces& PatternSearch::next() {
  const SourcePattern& pattern = patterns_[static_cast<std::uint32_t>(found_.size())];
  PatternPlaces out;
  look_up(pattern, out);
  found_.push_back(std::move(out));
  return found_.back();
}

void PatternSearch::look_up(const SourcePattern& pattern, PatternPlaces& out) const {
  const SuffixText& text = index_.source();
  if (pattern.words == 1) {
    out.range = text.find(pattern.last_word);
    return;
  }
  out.is_range = pattern.gaps == 0;
  if (pattern.symbols() > options_.max_span) return;
  const PatternPlaces &prefix = found_[pattern.prefix], &suffix = found_[pattern.suffix];
  if (prefix.empty() || suffix.empty()) return;
  if (out.is_range) {
    out.range = text.narrow(prefix.range, pattern.words - 1, pattern.last_word);
    return;
  }
  if (read_collocations(pattern, out)) return;
  const double prefix_weight = weight_of(pattern.prefix), suffix_weight = weight_of(pattern.suffix);
  const bool by_prefix = prefix_weight != suffix_weight
                             ? prefix_weight < suffix_weight
                             : cost_of(pattern.prefix) <= cost_of(pattern.suffix);
  if (by_prefix)
    from_prefix(pattern, out);
  else
    from_suffix(pattern, out);
}

double PatternSearch::weight_of(std::uint32_t pattern) const {
  const PatternPlaces& found = found_[pattern];
  return found.weight *
         Stride(found.size(), static_cast<std::uint64_t>(options_.candidates)).weight();
}

std::uint64_t PatternSearch::cost_of(std::uint32_t pattern) const { return found_[pattern].size(); }

template <typename Visit>
double PatternSearch::each(std::uint32_t pattern, Visit visit) const {
  const PatternPlaces& found = found_[pattern];
  const Stride stride(found.size(), static_cast<std::uint64_t>(options_.candidates));
  const SuffixText& text = index_.source();
  const std::uint8_t words = patterns_[pattern].words;
  const auto place = [&](std::uint64_t i) {
    return found.is_range ? Occurrence{text.suffixes[found.range.begin + stride[i]], 0, 0, words}
                          : found.places[stride[i]];
  };
  for (std::uint64_t i = 0; i < stride.kept; ++i) {
    if (i + kAhead < stride.kept) prefetch_item(text.words, place(i + kAhead).begin);
    visit(place(i));
  }
  return found.weight * stride.weight();
}

void PatternSearch::from_prefix(const SourcePattern& pattern, PatternPlaces& out) const {
  const SuffixText& text = index_.source();
  const std::uint32_t wanted = pattern.last_word + 1;
  const auto limit = static_cast<std::size_t>(options_.max_span);
  const auto least = static_cast<std::size_t>(options_.min_gap);
  out.weight = each(pattern.prefix, [&](Occurrence place) {
    if (!pattern.gap_before_last) {
      if (place.length < limit && text.at(place.begin + std::size_t{place.length}) == wanted) {
        ++place.length;
        out.places.push_back(place);
      }
      return;
    }
    for (std::size_t offset = place.length; offset < limit; ++offset) {
      const std::uint32_t word = text.at(place.begin + offset);
      if (word == 0) return;
      if (word != wanted || offset < place.length + least) continue;
      Occurrence longer = place;
      (pattern.gaps == 1 ? longer.second : longer.third) = static_cast<std::uint8_t>(offset);
      longer.length = static_cast<std::uint8_t>(offset + 1);
      out.places.push_back(longer);
    }
  });
}

void PatternSearch::from_suffix(const SourcePattern& pattern, PatternPlaces& out) const {
  const SuffixText& text = index_.source();
  const std::uint32_t wanted = pattern.first_word + 1;
  const auto limit = static_cast<std::size_t>(options_.max_span);
  const std::size_t least = pattern.gap_after_first ? options_.min_gap + 1U : 1U;
  const std::size_t most = pattern.gap_after_first ? limit : 1U;
  out.weight = each(pattern.suffix, [&](const Occurrence& place) {
    for (std::size_t back = 1; back <= most; ++back) {
      if (back > place.begin || place.length + back > limit) return;
      const std::uint32_t word = text.at(place.begin - back);
      if (word == 0) return;
      if (word != wanted || back < least) continue;
      const auto moved = [&](std::uint8_t offset) {
        return static_cast<std::uint8_t>(offset == 0 ? 0 : offset + back);
      };
      Occurrence longer{static_cast<std::uint32_t>(place.begin - back), moved(place.second),
                        moved(place.third), static_cast<std::uint8_t>(place.length + back)};
      if (pattern.gap_after_first) {
        longer.third = longer.second;
        longer.second = static_cast<std::uint8_t>(back);
      }
      out.places.push_back(longer);
    }
  });
}

bool PatternSearch::read_collocations(const SourcePattern& pattern, PatternPlaces& out) const {
  if (pattern.words != 2) return false;
  const auto known = index_.collocations(pattern.first_word, pattern.last_word);
  if (!known.known) return false;
  out.places.reserve(known.begins.size());
  for (std::size_t i = 0; i < known.begins.size(); ++i)
    out.places.push_back(
        {known.begins[i], known.seconds[i], 0, static_cast<std::uint8_t>(known.seconds[i] + 1)});
  out.weight = known.weight;
  return true;
}

}  // namespace tunesmith::grammar
