// Which source words are translated: all before `gap`, and bit k of `ahead` speaks of word gap + k.
//
// The distortion limit keeps covered words close to the first gap, so 64 bits serve sentences of
// any length.
#pragma once

#include <bit>
#include <cstdint>

namespace tunesmith::decode {

struct Coverage {
  static constexpr int kMaxReach = 60;

  int gap = 0;              // the first word that is not covered
  std::uint64_t ahead = 0;  // bit 0 is never set

  bool operator==(const Coverage&) const = default;

  bool covers(int word) const {
    if (word < gap) return true;
    const int k = word - gap;
    return k < 64 && (ahead >> k & 1) != 0;
  }
  // Whether any of the words [begin, end) is covered; end − gap is at most 64.
  bool overlaps(int begin, int end) const { return begin < gap || (ahead & bits(begin, end)) != 0; }
  // With the words [begin, end) covered too.
  Coverage with(int begin, int end) const {
    Coverage next{gap, ahead};
    if (begin > gap) {
      next.ahead |= bits(begin, end);
      return next;
    }
    // The gap closes: skip the new words and what was covered right behind them.
    const int length = end - gap;
    next.ahead = length >= 64 ? 0 : next.ahead >> length;
    const int run = std::countr_one(next.ahead);
    next.gap = end + run;
    next.ahead = run >= 64 ? 0 : next.ahead >> run;
    return next;
  }

 private:
  std::uint64_t bits(int begin, int end) const {
    const int length = end - begin;
    const std::uint64_t run = length >= 64 ? ~0ULL : (1ULL << length) - 1;
    return run << (begin - gap);
  }
};

}  // namespace tunesmith::decode
