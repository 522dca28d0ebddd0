// Decimal numbers from text, exactly rounded, without the locale.
#pragma once

#include <cstdint>

namespace tunesmith {

// The rare cases of parse_number: many digits, large exponents, "nan", "inf".
const char* parse_number_slowly(const char* p, const char* end, double& value);

// Reads a number at the front of [p, end). Returns where it ends, or nullptr when none is there.
// "nan" and "inf" are read as such and numbers beyond double become infinite, so that the caller
// can name what was found.
inline const char* parse_number(const char* p, const char* end, double& value) {
  // Clinger (1990): a mantissa below 2^53 and a power of ten up to 10^22 are exact, so one
  // multiplication or division rounds correctly.
  static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char* const start = p;
  const bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) ++p;
  const char* const digits = p;
  std::uint64_t mantissa = 0;
  while (p < end && static_cast<unsigned char>(*p - '0') < 10)
    mantissa = mantissa * 10 + (*p++ - '0');
  std::int64_t count = p - digits;
  int exponent = 0;
  if (p < end && *p == '.') {
    const char* const fraction = ++p;
    while (p < end && static_cast<unsigned char>(*p - '0') < 10)
      mantissa = mantissa * 10 + (*p++ - '0');
    exponent = -static_cast<int>(p - fraction);
    count += p - fraction;
  }
  if (count == 0 || count > 18) return parse_number_slowly(start, end, value);
  if (p < end && (*p == 'e' || *p == 'E')) {
    const char* q = p + 1;
    const bool minus = q < end && *q == '-';
    if (q < end && (*q == '-' || *q == '+')) ++q;
    const char* const power_digits = q;
    int power = 0;
    while (q < end && static_cast<unsigned char>(*q - '0') < 10 && q - power_digits < 6)
      power = power * 10 + (*q++ - '0');
    if (q == power_digits || q - power_digits >= 6) return parse_number_slowly(start, end, value);
    exponent += minus ? -power : power;
    p = q;
  }
  if (mantissa >= (std::uint64_t{1} << 53) || exponent < -22 || exponent > 22)
    return parse_number_slowly(start, end, value);
  double result = static_cast<double>(mantissa);
  if (exponent < 0)
    result /= kPowers[-exponent];
  else
    result *= kPowers[exponent];
  value = negative ? -result : result;
  return p;
}

}  // namespace tunesmith
