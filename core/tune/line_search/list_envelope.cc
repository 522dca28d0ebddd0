#include "tune/line_search/list_envelope.hh"

namespace tunesmith::tune {

void ListEnvelope::between(const Line& a, const Line& b, Bar crossing, std::size_t begin,
                           std::size_t end, bool leftwards) {
  double height = crossing.height;
  std::size_t top = end;
  for (std::size_t i = begin; i < end; ++i) {
    // Rounding can lift a line over a crossing that it only touches; one whose slope is not
    // between the two can never be between them.
    const Line& line = lines_[i];
    if (line.at(crossing.x) > height && line.slope > a.slope && line.slope < b.slope) {
      height = line.at(crossing.x);
      top = i;
    }
  }
  if (top == end) {
    if (leftwards)
      left.push_back({std::min(crossing.x, 0.0), b.row, a.row});
    else
      right.push_back({std::max(crossing.x, 0.0), a.row, b.row});
    return;
  }
  const Line middle = lines_[top];
  const auto half = [&](const Line& from, const Line& to) {
    const Bar inner = bar(from, to);
    if (lines_.size() < end + (end - begin)) lines_.resize(end + (end - begin));
    std::size_t next = end;
    for (std::size_t i = begin; i < end; ++i) {
      lines_[next] = lines_[i];
      next += lines_[i].at(inner.x) > inner.height;
    }
    between(from, to, inner, end, next, leftwards);
  };
  half(a, middle);
  half(middle, b);
}

}  // namespace tunesmith::tune
