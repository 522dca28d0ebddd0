#include "base/number.hh"

#include <charconv>
#include <limits>
#include <string_view>

namespace tunesmith {
namespace {

// Whether a number that does not fit is too large, and not too close to zero: its first digit that
// is not zero stands before the point, after the exponent is applied.
bool is_huge(std::string_view text) {
  std::int64_t before = 0, zeros_after = 0, power = 0;
  bool significant = false, after_point = false;
  std::size_t i = 0;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      after_point = true;
    } else if (text[i] >= '0' && text[i] <= '9') {
      if (text[i] != '0') significant = true;
      if (!after_point && significant) ++before;
      if (after_point && !significant) ++zeros_after;
    }
  }
  const bool minus = i + 1 < text.size() && text[i + 1] == '-';
  for (; i < text.size(); ++i)
    if (text[i] >= '0' && text[i] <= '9' && power < 1'000'000'000)
      power = power * 10 + (text[i] - '0');
  return before - zeros_after + (minus ? -power : power) > 0;
}

}  // namespace

const char* parse_number_slowly(const char* p, const char* end, double& value) {
  const char* begin = p;
  if (p < end && *p == '+') {
    begin = p + 1;
    if (begin < end && *begin == '-') return nullptr;
  }
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::invalid_argument) return nullptr;
  if (error == std::errc::result_out_of_range) {
    const bool negative = *begin == '-';
    const double size = is_huge({begin, stop}) ? std::numeric_limits<double>::infinity() : 0.0;
    value = negative ? -size : size;
  }
  return stop;
}

}  // namespace tunesmith
