// Hashes of names that are put together from parts: that of the whole follows from those of the
// parts (a polynomial over the bytes modulo 2^61 − 1, Karp & Rabin 1987), so a feature is known by
// its name without the name being written. Of five million names two collide with a probability
// below 0.00001.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tunesmith::features {

constexpr std::uint64_t kHashPrime = (std::uint64_t{1} << 61) - 1;

// a · b + c modulo the prime.
constexpr std::uint64_t multiply_add(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const unsigned __int128 x = static_cast<unsigned __int128>(a) * b + c;
  const std::uint64_t sum =
      static_cast<std::uint64_t>(x & kHashPrime) + static_cast<std::uint64_t>(x >> 61);
  return sum >= kHashPrime ? sum - kHashPrime : sum;
}

// A part of a name.
struct NamePart {
  NamePart() = default;
  explicit NamePart(std::string part) : text(std::move(part)) {
    constexpr std::uint64_t kBase = 0x1B9D'84AE'2C61'7F35;
    for (const char byte : text) {
      hash = multiply_add(hash, kBase, static_cast<unsigned char>(byte) + 1U);
      power = multiply_add(power, kBase, 0);
    }
  }

  std::string text;
  std::uint64_t hash = 0;
  std::uint64_t power = 1;
};

// The hash of a whole name: what a feature is known by.
inline std::uint64_t name_key(std::string_view name) { return NamePart(std::string(name)).hash; }

}  // namespace tunesmith::features
