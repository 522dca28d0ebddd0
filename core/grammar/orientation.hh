// How a phrase lies to its neighbour, and the classes that reordering models make of it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tunesmith::grammar {

// Of a phrase against its neighbour; left and right: where the later phrase stands in the source.
enum Orientation : std::uint8_t { kMonotone, kSwap, kDiscontinuousLeft, kDiscontinuousRight };
constexpr int kOrientations = 4;

// Left and right are one class of three, or two of four.
enum class OrientationClasses { kMsd = 3, kMslr = 4 };

inline int class_of(Orientation orientation, OrientationClasses classes) {
  return std::min(static_cast<int>(orientation), static_cast<int>(classes) - 1);
}

// The orientation of the source words [begin, end), translated behind [last_begin, last_end).
inline Orientation orientation_of(int last_begin, int last_end, int begin, int end) {
  if (begin == last_end) return kMonotone;
  if (end == last_begin) return kSwap;
  return begin < last_end ? kDiscontinuousLeft : kDiscontinuousRight;
}

}  // namespace tunesmith::grammar
