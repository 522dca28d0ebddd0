#include "grammar/extract.hh"

#include <algorithm>
#include <limits>

namespace tunesmith::grammar {

// Calls visit(source_begin, source_end, target_begin, target_end) for every pair of spans with a
// link inside and none across its border. Unlinked words at the source border are taken in, one by
// one; at the target border they are part of longer spans.
template <typename Visit>
void PhraseExtractor::each_consistent(int max_source_length, int max_target_length,
                                      Visit visit) const {
  for (int target_begin = 0; target_begin < target_size_; ++target_begin) {
    int low = std::numeric_limits<int>::max(), high = -1;
    const int last = std::min(target_size_, target_begin + max_target_length);
    for (int target_end = target_begin + 1; target_end <= last; ++target_end) {
      low = std::min(low, target_low_[target_end - 1]);
      high = std::max(high, target_high_[target_end - 1]);
      if (high < 0) continue;                      // no link yet
      if (high - low >= max_source_length) break;  // it only grows
      bool consistent = true;
      for (int s = low; s <= high && consistent; ++s)
        consistent =
            source_high_[s] < 0 || (source_low_[s] >= target_begin && source_high_[s] < target_end);
      if (!consistent) continue;
      for (int begin = low; begin >= 0 && (begin == low || source_high_[begin] < 0); --begin) {
        if (high - begin >= max_source_length) break;
        for (int end = high + 1;
             end <= source_size_ && (end == high + 1 || source_high_[end - 1] < 0) &&
             end - begin <= max_source_length;
             ++end)
          visit(begin, end, target_begin, target_end);
      }
    }
  }
}

void PhraseExtractor::mark_corners(std::span<const std::uint32_t> link_sources,
                                   std::span<const std::uint32_t> link_targets) {
  const std::size_t size = static_cast<std::size_t>(source_size_ + 1) * (target_size_ + 1);
  for (auto* corners : {&ends_, &begins_, &source_begins_target_ends_, &source_ends_target_begins_})
    corners->assign(size, false);
  const auto mark = [&](int source_begin, int source_end, int target_begin, int target_end) {
    ends_[at(source_end, target_end)] = true;
    begins_[at(source_begin, target_begin)] = true;
    source_begins_target_ends_[at(source_begin, target_end)] = true;
    source_ends_target_begins_[at(source_end, target_begin)] = true;
  };
  switch (options_.orientation) {
    case OrientationModel::kWord:
      for (std::size_t i = 0; i < link_sources.size(); ++i) {
        const int s = static_cast<int>(link_sources[i]), t = static_cast<int>(link_targets[i]);
        mark(s, s + 1, t, t + 1);
      }
      break;
    case OrientationModel::kPhrase:
      each_consistent(options_.max_source_length, options_.max_target_length, mark);
      break;
    case OrientationModel::kHierarchical:
      each_consistent(source_size_, target_size_, mark);
      break;
  }
  // The borders of the sentence count as blocks: its first phrase follows the start monotonely.
  ends_[at(0, 0)] = true;
  begins_[at(source_size_, target_size_)] = true;
}

std::uint8_t PhraseExtractor::previous_of(const PhrasePair& pair) const {
  const int source_begin = pair.source_begin, source_end = source_begin + pair.source_length;
  const int target_begin = pair.target_begin;
  const bool monotone = ends_[at(source_begin, target_begin)];
  const bool swap = source_begins_target_ends_[at(source_end, target_begin)];
  if (monotone != swap) return monotone ? kMonotone : kSwap;
  // The nearest linked word before the phrase tells from which side the phrase is reached.
  for (int t = target_begin - 1; t >= 0; --t)
    if (target_high_[t] >= 0)
      return target_low_[t] >= source_end ? kDiscontinuousLeft : kDiscontinuousRight;
  return kDiscontinuousRight;
}

std::uint8_t PhraseExtractor::next_of(const PhrasePair& pair) const {
  const int source_begin = pair.source_begin, source_end = source_begin + pair.source_length;
  const int target_end = pair.target_begin + pair.target_length;
  const bool monotone = begins_[at(source_end, target_end)];
  const bool swap = source_ends_target_begins_[at(source_begin, target_end)];
  if (monotone != swap) return monotone ? kMonotone : kSwap;
  for (int t = target_end; t < target_size_; ++t)
    if (target_high_[t] >= 0)
      return target_high_[t] < source_begin ? kDiscontinuousLeft : kDiscontinuousRight;
  return kDiscontinuousRight;
}

void PhraseExtractor::extract(int source_size, int target_size,
                              std::span<const std::uint32_t> link_sources,
                              std::span<const std::uint32_t> link_targets,
                              std::vector<PhrasePair>& out) {
  source_size_ = source_size;
  target_size_ = target_size;
  const int none = std::numeric_limits<int>::max();
  target_low_.assign(target_size, none);
  target_high_.assign(target_size, -1);
  source_low_.assign(source_size, none);
  source_high_.assign(source_size, -1);
  for (std::size_t i = 0; i < link_sources.size(); ++i) {
    const int s = static_cast<int>(link_sources[i]), t = static_cast<int>(link_targets[i]);
    target_low_[t] = std::min(target_low_[t], s);
    target_high_[t] = std::max(target_high_[t], s);
    source_low_[s] = std::min(source_low_[s], t);
    source_high_[s] = std::max(source_high_[s], t);
  }
  mark_corners(link_sources, link_targets);
  each_consistent(options_.max_source_length, options_.max_target_length,
                  [&](int source_begin, int source_end, int target_begin, int target_end) {
                    PhrasePair pair;
                    pair.source_begin = static_cast<std::uint16_t>(source_begin);
                    pair.target_begin = static_cast<std::uint16_t>(target_begin);
                    pair.source_length = static_cast<std::uint8_t>(source_end - source_begin);
                    pair.target_length = static_cast<std::uint8_t>(target_end - target_begin);
                    pair.previous = previous_of(pair);
                    pair.next = next_of(pair);
                    out.push_back(pair);
                  });
}

}  // namespace tunesmith::grammar
