// Text with a few changes by chance, for tests of readers.
#pragma once

#include <string>

#include "base/random.hh"

namespace tunesmith {

// Up to four times: a byte or a digit in place of another, a part lost, a part repeated, the end
// cut off.
inline std::string damaged(const std::string& seed, Random& random) {
  std::string text = seed;
  for (std::uint64_t i = 0, n = random.below(5); i < n && !text.empty(); ++i) {
    const std::size_t at = random.below(text.size()), length = random.below(4);
    switch (random.below(5)) {
      case 0:
        text[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(random.below(text.size()), random.below(20)));
        break;
      case 3:
        text[at] = static_cast<char>('0' + random.below(10));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

}  // namespace tunesmith
