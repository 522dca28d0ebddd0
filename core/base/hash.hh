// 64-bit hashing: the same value on every machine and in every run.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace tunesmith {

// A bijective mixer (splitmix64's finaliser, Steele et al. 2014).
constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return x;
}

constexpr std::uint64_t hash_combine(std::uint64_t seed, std::uint64_t value) {
  return mix64(seed * 0x9e3779b97f4a7c15ULL + value + 0x632be59bd9b4e019ULL);
}

// Eight bytes a step, the length in the seed, so that a prefix of zeros counts.
inline std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t seed = 0) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::uint64_t h = hash_combine(seed, size);
  std::uint64_t word;
  while (size >= 8) {
    std::memcpy(&word, bytes, 8);
    h = hash_combine(h, word);
    bytes += 8;
    size -= 8;
  }
  if (size >= 4) {
    // Two overlapping halves: the bytes that remain, with zeros behind them.
    std::uint32_t low, high;
    std::memcpy(&low, bytes, 4);
    std::memcpy(&high, bytes + size - 4, 4);
    h = hash_combine(h, low | (static_cast<std::uint64_t>(high) << (8 * size - 32)));
  } else if (size > 0) {
    word = bytes[0];
    if (size > 1) word |= static_cast<std::uint64_t>(bytes[1]) << 8;
    if (size > 2) word |= static_cast<std::uint64_t>(bytes[2]) << 16;
    h = hash_combine(h, word);
  }
  return h;
}

inline std::uint64_t hash_string(std::string_view text, std::uint64_t seed = 0) {
  return hash_bytes(text.data(), text.size(), seed);
}

}  // namespace tunesmith
